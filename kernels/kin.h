/*
** kin.h - which kernels a type uses that has none of its own: those of a type
** of the same bits, or of another type, which its elements are converted to.
** Valid C and CUDA C++; holds no code.
*/
#ifndef TIDE_KIN_H
#define TIDE_KIN_H

/*
** Whose kernels a type uses: KIN(rule, s). OWN: its own. SIGNLESS: unsigned
** integers those of the signed ones, where the bits come out the same. LONG:
** only uint64 does. OF_KIN(rule, s, ...) is the rest where s has its own.
*/
#define KIN(rule, s) KIN_##rule(s)
#define OF_KIN(rule, s, ...) OF_##rule(s, __VA_ARGS__)
#define KIN_OWN(s) s
#define OF_OWN(s, ...) __VA_ARGS__
#define KIN_SIGNLESS(s) KIN_SIGNLESS_##s
#define OF_SIGNLESS(s, ...) OF_SIGNLESS_##s(__VA_ARGS__)
#define KIN_LONG(s) KIN_LONG_##s
#define OF_LONG(s, ...) OF_LONG_##s(__VA_ARGS__)
#define KIN_SIGNLESS_b8 b8
#define OF_SIGNLESS_b8(...) __VA_ARGS__
#define KIN_SIGNLESS_i8 i8
#define OF_SIGNLESS_i8(...) __VA_ARGS__
#define KIN_SIGNLESS_i16 i16
#define OF_SIGNLESS_i16(...) __VA_ARGS__
#define KIN_SIGNLESS_i32 i32
#define OF_SIGNLESS_i32(...) __VA_ARGS__
#define KIN_SIGNLESS_i64 i64
#define OF_SIGNLESS_i64(...) __VA_ARGS__
#define KIN_SIGNLESS_u8 i8
#define OF_SIGNLESS_u8(...)
#define KIN_SIGNLESS_u16 i16
#define OF_SIGNLESS_u16(...)
#define KIN_SIGNLESS_u32 i32
#define OF_SIGNLESS_u32(...)
#define KIN_SIGNLESS_u64 i64
#define OF_SIGNLESS_u64(...)
#define KIN_SIGNLESS_f16 f16
#define OF_SIGNLESS_f16(...) __VA_ARGS__
#define KIN_SIGNLESS_bf16 bf16
#define OF_SIGNLESS_bf16(...) __VA_ARGS__
#define KIN_SIGNLESS_f32 f32
#define OF_SIGNLESS_f32(...) __VA_ARGS__
#define KIN_SIGNLESS_f64 f64
#define OF_SIGNLESS_f64(...) __VA_ARGS__
#define KIN_SIGNLESS_c64 c64
#define OF_SIGNLESS_c64(...) __VA_ARGS__
#define KIN_SIGNLESS_c128 c128
#define OF_SIGNLESS_c128(...) __VA_ARGS__
#define KIN_LONG_b8 b8
#define OF_LONG_b8(...) __VA_ARGS__
#define KIN_LONG_i8 i8
#define OF_LONG_i8(...) __VA_ARGS__
#define KIN_LONG_i16 i16
#define OF_LONG_i16(...) __VA_ARGS__
#define KIN_LONG_i32 i32
#define OF_LONG_i32(...) __VA_ARGS__
#define KIN_LONG_i64 i64
#define OF_LONG_i64(...) __VA_ARGS__
#define KIN_LONG_u8 u8
#define OF_LONG_u8(...) __VA_ARGS__
#define KIN_LONG_u16 u16
#define OF_LONG_u16(...) __VA_ARGS__
#define KIN_LONG_u32 u32
#define OF_LONG_u32(...) __VA_ARGS__
#define KIN_LONG_u64 i64
#define OF_LONG_u64(...)
#define KIN_LONG_f16 f16
#define OF_LONG_f16(...) __VA_ARGS__
#define KIN_LONG_bf16 bf16
#define OF_LONG_bf16(...) __VA_ARGS__
#define KIN_LONG_f32 f32
#define OF_LONG_f32(...) __VA_ARGS__
#define KIN_LONG_f64 f64
#define OF_LONG_f64(...) __VA_ARGS__
#define KIN_LONG_c64 c64
#define OF_LONG_c64(...) __VA_ARGS__
#define KIN_LONG_c128 c128
#define OF_LONG_c128(...) __VA_ARGS__

/*
** Other types on the way, if there is no kernel: WIDER of elementwise
** operations (a type itself: none), VIA_x of reductions by their rule, NEAR of
** casts between real numbers: the least float type that has all the numbers.
*/
#define WIDER(s) WIDER_##s
#define WIDER_b8 b8
#define WIDER_i8 i8
#define WIDER_i16 i16
#define WIDER_i32 i32
#define WIDER_i64 i64
#define WIDER_u8 u8
#define WIDER_u16 u16
#define WIDER_u32 u32
#define WIDER_u64 u64
#define WIDER_f16 f32
#define WIDER_bf16 f32
#define WIDER_f32 f32
#define WIDER_f64 f64
#define WIDER_c64 c128
#define WIDER_c128 c128
#define VIA_SAME(s) WIDER_##s
#define VIA_SUM(s) ACC_SUM_##s
#define VIA_BOOL(s) b8
#define VIA_COUNT(s) b8
#define NEAR(s) NEAR_##s
#define NEAR_b8 f32
#define NEAR_i8 f32
#define NEAR_i16 f32
#define NEAR_i32 f64
#define NEAR_i64 f64
#define NEAR_u8 f32
#define NEAR_u16 f32
#define NEAR_u32 f64
#define NEAR_u64 f64
#define NEAR_f16 f32
#define NEAR_bf16 f32
#define NEAR_f32 f64
#define NEAR_f64 f64
#define NEAR_c64 f32
#define NEAR_c128 f64

/* Reductions whose accumulators and results are of one type end alike: whose
** kernel it is. */
#define FINAL_SAME(s) s
#define FINAL_BOOL(s) i32
#define FINAL_COUNT(s) b8
#define FINAL_SUM(s) FINAL_SUM_##s
#define FINAL_SUM_b8 i64
#define FINAL_SUM_i8 i64
#define FINAL_SUM_i16 i64
#define FINAL_SUM_i32 i64
#define FINAL_SUM_i64 i64
#define FINAL_SUM_u8 i64
#define FINAL_SUM_u16 i64
#define FINAL_SUM_u32 i64
#define FINAL_SUM_u64 i64
#define FINAL_SUM_f16 f16
#define FINAL_SUM_bf16 bf16
#define FINAL_SUM_f32 f32
#define FINAL_SUM_f64 f64
#define FINAL_SUM_c64 c64
#define FINAL_SUM_c128 c128

/* The rest, if that is its own. */
#define OF_FINAL_SAME(s, ...) __VA_ARGS__
#define OF_FINAL_BOOL(s, ...) OF_FINAL_BOOL_##s(__VA_ARGS__)
#define OF_FINAL_BOOL_b8(...)
#define OF_FINAL_BOOL_i8(...)
#define OF_FINAL_BOOL_i16(...)
#define OF_FINAL_BOOL_i32(...) __VA_ARGS__
#define OF_FINAL_BOOL_i64(...)
#define OF_FINAL_BOOL_f32(...)
#define OF_FINAL_BOOL_f64(...)
#define OF_FINAL_COUNT(s, ...) OF_FINAL_COUNT_##s(__VA_ARGS__)
#define OF_FINAL_COUNT_b8(...) __VA_ARGS__
#define OF_FINAL_COUNT_i8(...)
#define OF_FINAL_COUNT_i16(...)
#define OF_FINAL_COUNT_i32(...)
#define OF_FINAL_COUNT_i64(...)
#define OF_FINAL_COUNT_f32(...)
#define OF_FINAL_COUNT_f64(...)
#define OF_FINAL_SUM(s, ...) OF_FINAL_SUM_##s(__VA_ARGS__)
#define OF_FINAL_SUM_b8(...)
#define OF_FINAL_SUM_i8(...)
#define OF_FINAL_SUM_i16(...)
#define OF_FINAL_SUM_i32(...)
#define OF_FINAL_SUM_i64(...) __VA_ARGS__
#define OF_FINAL_SUM_u8(...)
#define OF_FINAL_SUM_u16(...)
#define OF_FINAL_SUM_u32(...)
#define OF_FINAL_SUM_u64(...)
#define OF_FINAL_SUM_f16(...) __VA_ARGS__
#define OF_FINAL_SUM_bf16(...) __VA_ARGS__
#define OF_FINAL_SUM_f32(...) __VA_ARGS__
#define OF_FINAL_SUM_f64(...) __VA_ARGS__
#define OF_FINAL_SUM_c64(...) __VA_ARGS__
#define OF_FINAL_SUM_c128(...) __VA_ARGS__

#endif

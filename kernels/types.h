/*
** types.h - the element types by suffix, the sets of them that kernels.def
** names, and what its rules (SAME, BOOL, SUM, COUNT) make of a type. Valid C
** and CUDA C++; holds no code.
**
** Another dtype is a typedef, the type it is computed with, its place in the
** sets and a line of each rule here and in kin.h; its helpers in ops.h; its
** CAST line in kernels.def; its row in src/array/dtype.c.
*/
#ifndef TIDE_TYPES_H
#define TIDE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bool is the language's own, so that converting to it is "!= 0". */
typedef bool t_b8;
typedef int8_t t_i8;
typedef int16_t t_i16;
typedef int32_t t_i32;
typedef int64_t t_i64;
typedef uint8_t t_u8;
typedef uint16_t t_u16;
typedef uint32_t t_u32;
typedef uint64_t t_u64;
typedef float t_f32;
typedef double t_f64;

/* Numbers of 16 bits are only stored: half.h. Structs, to be types of their
** own. */
typedef struct t_f16 { uint16_t bits; } t_f16;
typedef struct t_bf16 { uint16_t bits; } t_bf16;

typedef struct t_c64 { float re, im; } t_c64;
typedef struct t_c128 { double re, im; } t_c128;

/* CALC(s): what elements of a type are computed with. LOAD and STORE of ops.h
** lead there and back. */
#define CALC(s) CALC_OF(s)
#define CALC_OF(s) calc_##s
typedef t_b8 calc_b8;
typedef t_i8 calc_i8;
typedef t_i16 calc_i16;
typedef t_i32 calc_i32;
typedef t_i64 calc_i64;
typedef t_u8 calc_u8;
typedef t_u16 calc_u16;
typedef t_u32 calc_u32;
typedef t_u64 calc_u64;
typedef float calc_f16;
typedef float calc_bf16;
typedef float calc_f32;
typedef double calc_f64;
typedef t_c64 calc_c64;
typedef t_c128 calc_c128;

/*
** SET_x(M, ...): M(suffix, ...) for each type of the set. An operation that has
** no kernels for float16 and bfloat16 takes those by way of float32, and
** complex64 by way of complex128 (WIDER of kin.h): two more launches and the
** same result. So what is seldom used, or slow, needs no kernels there.
*/
#define SET_BOOL(M, ...) M(b8, __VA_ARGS__)
#define SET_HALF(M, ...) M(f16, __VA_ARGS__) M(bf16, __VA_ARGS__)
#define SET_FLOAT(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)
#define SET_FLOATS(M, ...) SET_HALF(M, __VA_ARGS__) SET_FLOAT(M, __VA_ARGS__)
#define SET_SIGNED(M, ...) \
  M(i8, __VA_ARGS__) M(i16, __VA_ARGS__) M(i32, __VA_ARGS__) \
  M(i64, __VA_ARGS__)
#define SET_UNSIGNED(M, ...) \
  M(u8, __VA_ARGS__) M(u16, __VA_ARGS__) M(u32, __VA_ARGS__) \
  M(u64, __VA_ARGS__)
#define SET_INTEGER(M, ...) \
  SET_SIGNED(M, __VA_ARGS__) SET_UNSIGNED(M, __VA_ARGS__)
#define SET_PLAIN(M, ...) \
  SET_INTEGER(M, __VA_ARGS__) SET_FLOAT(M, __VA_ARGS__)
#define SET_NUMBER(M, ...) \
  SET_INTEGER(M, __VA_ARGS__) SET_FLOATS(M, __VA_ARGS__)
#define SET_BITS(M, ...) M(b8, __VA_ARGS__) SET_INTEGER(M, __VA_ARGS__)
#define SET_DIRECT(M, ...) M(b8, __VA_ARGS__) SET_PLAIN(M, __VA_ARGS__)
#define SET_REAL(M, ...) M(b8, __VA_ARGS__) SET_NUMBER(M, __VA_ARGS__)

/* Complex ones too: */
#define SET_C64(M, ...) M(c64, __VA_ARGS__)
#define SET_C128(M, ...) M(c128, __VA_ARGS__)
#define SET_COMPLEX(M, ...) M(c64, __VA_ARGS__) M(c128, __VA_ARGS__)
#define SET_ANYFLOAT(M, ...) \
  SET_FLOATS(M, __VA_ARGS__) SET_COMPLEX(M, __VA_ARGS__)
#define SET_ANYPLAIN(M, ...) \
  SET_PLAIN(M, __VA_ARGS__) SET_COMPLEX(M, __VA_ARGS__)
#define SET_ANYDIRECT(M, ...) \
  SET_DIRECT(M, __VA_ARGS__) SET_COMPLEX(M, __VA_ARGS__)
#define SET_ANYNUMBER(M, ...) \
  SET_NUMBER(M, __VA_ARGS__) SET_COMPLEX(M, __VA_ARGS__)
#define SET_ALL(M, ...) SET_REAL(M, __VA_ARGS__) SET_COMPLEX(M, __VA_ARGS__)

/* Those with complex128, by way of which complex64 goes. */
#define SET_FLOATWIDE(M, ...) SET_FLOAT(M, __VA_ARGS__) M(c128, __VA_ARGS__)
#define SET_FLOATSWIDE(M, ...) SET_FLOATS(M, __VA_ARGS__) M(c128, __VA_ARGS__)
#define SET_PLAINWIDE(M, ...) SET_PLAIN(M, __VA_ARGS__) M(c128, __VA_ARGS__)
#define SET_DIRECTWIDE(M, ...) SET_DIRECT(M, __VA_ARGS__) M(c128, __VA_ARGS__)

/* What is added up in, and multiplied; VIA of kin.h leads there. */
#define SET_RUNNING(M, ...) \
  M(i64, __VA_ARGS__) M(u64, __VA_ARGS__) SET_FLOATWIDE(M, __VA_ARGS__)

/* What is rounded to 16 bits in one step. */
#define SET_ROUNDED(M, ...) \
  M(i64, __VA_ARGS__) M(u64, __VA_ARGS__) SET_FLOAT(M, __VA_ARGS__)
#define SET_I64(M, ...) M(i64, __VA_ARGS__)
#define SET_F32(M, ...) M(f32, __VA_ARGS__)
#define SET_F64(M, ...) M(f64, __VA_ARGS__)

/* Elements of that many bits, for what moves them as they are. */
typedef uint8_t t_w8;
typedef uint16_t t_w16;
typedef uint32_t t_w32;
typedef uint64_t t_w64;
#if defined(__CUDACC__)
typedef uint4 t_w128;
#else
typedef struct t_w128 {
  uint64_t half[2];
} t_w128;
#endif
/* The side of the tiles that a transposing copy moves, in elements. */
#define TRANSPOSE_TILE(T) (sizeof(T) <= 4 ? 64 : 32)

#define SET_WIDTH(M) M(w8) M(w16) M(w32) M(w64) M(w128)

/* The result of an elementwise operation: suffix to suffix. */
#define RESULT_SAME(s) s
#define RESULT_BOOL(s) b8
#define RESULT_PART(s) RESULT_PART_##s  /* real, or imaginary */
#define RESULT_PART_b8 b8
#define RESULT_PART_i8 i8
#define RESULT_PART_i16 i16
#define RESULT_PART_i32 i32
#define RESULT_PART_i64 i64
#define RESULT_PART_u8 u8
#define RESULT_PART_u16 u16
#define RESULT_PART_u32 u32
#define RESULT_PART_u64 u64
#define RESULT_PART_f16 f16
#define RESULT_PART_bf16 bf16
#define RESULT_PART_f32 f32
#define RESULT_PART_f64 f64
#define RESULT_PART_c64 f32
#define RESULT_PART_c128 f64

/* The accumulator of a reduction, which is computed with, and its result. */
#define ACC_SAME(s) ACC_SAME_##s
#define ACC_SAME_b8 b8
#define ACC_SAME_i8 i8
#define ACC_SAME_i16 i16
#define ACC_SAME_i32 i32
#define ACC_SAME_i64 i64
#define ACC_SAME_u8 u8
#define ACC_SAME_u16 u16
#define ACC_SAME_u32 u32
#define ACC_SAME_u64 u64
#define ACC_SAME_f16 f32
#define ACC_SAME_bf16 f32
#define ACC_SAME_f32 f32
#define ACC_SAME_f64 f64
#define ACC_BOOL(s) i32  /* bools do not vectorise */
#define ACC_COUNT(s) i64
#define ACC_SUM(s) ACC_SUM_##s
#define ACC_SUM_b8 i64
#define ACC_SUM_i8 i64
#define ACC_SUM_i16 i64
#define ACC_SUM_i32 i64
#define ACC_SUM_i64 i64
#define ACC_SUM_u8 u64
#define ACC_SUM_u16 u64
#define ACC_SUM_u32 u64
#define ACC_SUM_u64 u64
#define ACC_SUM_f16 f64
#define ACC_SUM_bf16 f64
#define ACC_SUM_f32 f64
#define ACC_SUM_f64 f64
#define ACC_SUM_c64 c128
#define ACC_SUM_c128 c128

#define OUT_SAME(s) s
#define OUT_BOOL(s) b8
#define OUT_COUNT(s) i64
#define OUT_SUM(s) OUT_SUM_##s
#define OUT_SUM_b8 i64
#define OUT_SUM_i8 i64
#define OUT_SUM_i16 i64
#define OUT_SUM_i32 i64
#define OUT_SUM_i64 i64
#define OUT_SUM_u8 u64
#define OUT_SUM_u16 u64
#define OUT_SUM_u32 u64
#define OUT_SUM_u64 u64
#define OUT_SUM_f16 f16
#define OUT_SUM_bf16 bf16
#define OUT_SUM_f32 f32
#define OUT_SUM_f64 f64
#define OUT_SUM_c64 c64
#define OUT_SUM_c128 c128

/* The C type of a suffix that may itself be a rule: TYPE(ACC_SUM(f32)). */
#define TYPE(s) TYPE_OF(s)
#define TYPE_OF(s) t_##s

/* Threads per block: of elementwise kernels, of the stages of a reduction. */
#define MAP_BLOCK 256
#define PARTIAL_BLOCK 256
#define FINAL_BLOCK 1024
#define AXIS_BLOCK 512

/*
** Scans: threads per block, packs of 16 bytes that each has at a time, elements
** that this makes a block's at most. A line of up to SCAN_SHORT is a thread's,
** a chunk of up to SCAN_WARP a warp's, others a block's: the team.
*/
#define SCAN_BLOCK 256
#define SCAN_ROWS 2
#define SCAN_TILE (SCAN_BLOCK * SCAN_ROWS * 4)
#define SCAN_SHORT 64
#define SCAN_WARP 1024
#define SCAN_TEAM(chunk) ((chunk) <= SCAN_WARP ? 32 : SCAN_BLOCK)

/*
** Sorts: threads per block of a radix sort, at least one a digit, bytes of keys
** that each takes at a time, blocks that an SM shall hold, and elements that
** one takes; bits of the numbers that blocks exchange, and the words before
** those of so many launches; threads per block that sorts whole rows, and
** elements.
*/
#define SORT_BLOCK 512
#define SORT_BYTES 64
#define SORT_RESIDENT 2
#define SORT_TILE(K) (SORT_BLOCK * SORT_BYTES / sizeof(K))
#define SORT_BITS 30
#define SORT_TICKETS(launches) (((launches) + 63) / 64 * 64)
#define ROWS_BLOCK 512
#define ROWS_TILE 2048

/* Matrix products: threads per block, its square of elements, and how much of
** the axis that vanishes it has at a time. */
#define MATMUL_BLOCK 256
#define MATMUL_TILE 64
#define MATMUL_DEPTH 16

/* Elements that a thread moves at a time: 16 bytes of the wider type, but not
** more than 8, which would make kernels for bytes as long as two others. */
#define PACK(X, Z) (sizeof(X) == 1 && sizeof(Z) == 1 ? 8 : \
                    16 / (sizeof(X) > sizeof(Z) ? sizeof(X) : sizeof(Z)))

/* The same of columns, each of which has an accumulator. */
#define COLUMN_PACK(X) (sizeof(X) < 4 ? 4 : 16 / sizeof(X))

#endif

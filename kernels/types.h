/*
** types.h - the element types by suffix, the sets of them that kernels.def
** names, and what its rules (SAME, BOOL, SUM, COUNT) make of a type. Valid C
** and CUDA C++; holds no code.
**
** Another dtype is a typedef, its place in the sets and a line of ACC_SUM_ and
** OUT_SUM_ here; its helpers in ops.h; its CAST line in kernels.def.
*/
#ifndef TIDE_TYPES_H
#define TIDE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bool is the language's own, so that converting to it is "!= 0". */
typedef bool t_b8;
typedef uint8_t t_u8;
typedef int32_t t_i32;
typedef int64_t t_i64;
typedef float t_f32;
typedef double t_f64;

/* SET_x(M, ...): M(suffix, ...) for each type of the set. */
#define SET_BOOL(M, ...) M(b8, __VA_ARGS__)
#define SET_FLOAT(M, ...) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)
#define SET_INTEGER(M, ...) \
  M(u8, __VA_ARGS__) M(i32, __VA_ARGS__) M(i64, __VA_ARGS__)
#define SET_NUMBER(M, ...) \
  SET_INTEGER(M, __VA_ARGS__) SET_FLOAT(M, __VA_ARGS__)
#define SET_BITS(M, ...) M(b8, __VA_ARGS__) SET_INTEGER(M, __VA_ARGS__)
#define SET_ALL(M, ...) M(b8, __VA_ARGS__) SET_NUMBER(M, __VA_ARGS__)

/* What running sums are made of: results of SUM. */
#define SET_RUNNING(M, ...) \
  M(i64, __VA_ARGS__) M(f32, __VA_ARGS__) M(f64, __VA_ARGS__)

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

/* The accumulator of a reduction, and its result. */
#define ACC_SAME(s) s
#define ACC_BOOL(s) i32  /* bools do not vectorise */
#define ACC_COUNT(s) i64
#define ACC_SUM(s) ACC_SUM_##s
#define ACC_SUM_b8 i64
#define ACC_SUM_u8 i64
#define ACC_SUM_i32 i64
#define ACC_SUM_i64 i64
#define ACC_SUM_f32 f64
#define ACC_SUM_f64 f64

#define OUT_SAME(s) s
#define OUT_BOOL(s) b8
#define OUT_COUNT(s) i64
#define OUT_SUM(s) OUT_SUM_##s
#define OUT_SUM_b8 i64
#define OUT_SUM_u8 i64
#define OUT_SUM_i32 i64
#define OUT_SUM_i64 i64
#define OUT_SUM_f32 f32
#define OUT_SUM_f64 f64

/* The C type of a suffix that may itself be a rule: TYPE(ACC_SUM(f32)). */
#define TYPE(s) TYPE_OF(s)
#define TYPE_OF(s) t_##s

/* Threads per block: of elementwise kernels, of the stages of a reduction. */
#define MAP_BLOCK 256
#define PARTIAL_BLOCK 256
#define FINAL_BLOCK 1024
#define AXIS_BLOCK 256

/*
** Scans: threads per block, neighbours per thread, elements that a block takes
** at a time; a line of up to SCAN_SHORT is a thread's.
*/
#define SCAN_BLOCK 256
#define SCAN_ITEMS 8
#define SCAN_TILE (SCAN_BLOCK * SCAN_ITEMS)
#define SCAN_SHORT 64

/*
** Sorts: threads per block of a radix sort, one a digit, and bytes of keys that
** each takes at a time; threads per block that sorts whole rows, and elements.
*/
#define SORT_BLOCK 256
#define SORT_BYTES 64
#define ROWS_BLOCK 512
#define ROWS_TILE 2048

/* Matrix products: threads per block, its square of elements, and how much of
** the axis that vanishes it has at a time. */
#define MATMUL_BLOCK 256
#define MATMUL_TILE 64
#define MATMUL_DEPTH 16

/* Elements that a thread moves at a time: 16 bytes of the wider type. */
#define PACK(X, Z) (16 / (sizeof(X) > sizeof(Z) ? sizeof(X) : sizeof(Z)))

#endif

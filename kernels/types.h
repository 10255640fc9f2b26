/*
** types.h - the element types by suffix, and how kernels divide their work.
** table.lua has all other properties of the types. Valid C and CUDA C++; holds
** no code.
*/
#ifndef TIDE_TYPES_H
#define TIDE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* bool is the language's own, so that conversion to it is "!= 0". */
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

/* Numbers of 16 bits are only stored: see half.h. They are structs, so that
** each is a type of its own. */
typedef struct t_f16 { uint16_t bits; } t_f16;
typedef struct t_bf16 { uint16_t bits; } t_bf16;

typedef struct t_c64 { float re, im; } t_c64;
typedef struct t_c128 { double re, im; } t_c128;

/* Elements of that many bits, for kernels that move them unchanged. */
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

/* M(suffix) for each of them. */
#define SET_WIDTH(M) M(w8) M(w16) M(w32) M(w64) M(w128)

/* The side of the tiles that a transposing copy moves, in elements. */
#define TRANSPOSE_TILE(T) (sizeof(T) <= 4 ? 64 : 32)

/* Threads per block: of elementwise kernels, of the stages of a reduction. */
#define MAP_BLOCK 256
#define PARTIAL_BLOCK 256
#define FINAL_BLOCK 1024
#define AXIS_BLOCK 128
#define LAPACK_BLOCK 32
#define LFILTER_BLOCK 32
#define MOMENTS_BLOCK 128

/* The most elements of a part of a reduction on the host device, if elements
** are apart from each other. */
#define REDUCE_APART 4096

/*
** Scans: threads per block; packs of 16 bytes of a thread at a time; the most
** elements of a block from that. A line of up to SCAN_SHORT belongs to a
** thread, a chunk of up to SCAN_WARP to a warp, others to a block: the team.
*/
#define SCAN_BLOCK 256
#define SCAN_ROWS 2
#define SCAN_TILE (SCAN_BLOCK * SCAN_ROWS * 4)
#define SCAN_SHORT 64
#define SCAN_WARP 1024
#define SCAN_TEAM(chunk) ((chunk) <= SCAN_WARP ? 32 : SCAN_BLOCK)

/*
** Sorts: threads per block of a radix sort, at least one a digit; bytes of keys
** of a thread at a time; blocks on an SM; elements of a thread; bits of the
** numbers that blocks exchange, and the words before those for so many
** launches; threads per block that sorts whole rows, and its elements.
*/
#define SORT_BLOCK 512
#define SORT_BYTES 64
#define SORT_RESIDENT 2
#define SORT_TILE(K) (SORT_BLOCK * SORT_BYTES / sizeof(K))
#define SORT_BITS 30
#define SORT_TICKETS(launches) (((launches) + 63) / 64 * 64)
#define ROWS_BLOCK 512
#define ROWS_TILE 2048

/* topk: threads per block, one a digit; elements of a chunk, and the most that
** are wanted of it. */
#define TOPK_BLOCK 256
#define TOPK_ROOM 4096
#define TOPK_MOST 512

/* The most places at which a partition has the elements of a sort. */
#define PARTITION_PLACES 16

/* Counts: threads per block, blocks of an SM, packs of 16 bytes of a thread at
** a time, counters of a block. */
#define COUNT_BLOCK 512
#define COUNT_RESIDENT 4
#define COUNT_PACKS 4
#define COUNT_ROOM 8192

/* Sums of floats at places: threads per block; blocks of an SM; sums that fit
** into a block; sorted elements of a warp, for runs and for buckets; and places
** of a bucket, which the last byte of a key distinguishes. */
#define SUMS_BLOCK 256
#define SUMS_RESIDENT 4
#define SUMS_ROOM 6144
#define SUMS_SPAN 1024
#define SUMS_SHARE 4096
#define SUMS_BUCKET 256

/* Elements of a tile of a mask: see compact.cu. */
#define COMPACT_TILE 4096

/* Packs of a thread at a time, when a mask gets a number. */
#define MASKED_EACH 2

/* The most elements of a row for which a block remembers the last index: 32
** KB. */
#define ALONG_ROW 8192

/* The most columns in one launch. */
#define INTERLEAVE_MOST 4

/* Elements that a thread searches for at a time. */
#define SEARCH_EACH 4

/* Lines that the host device filters together. */
#define LFILTER_TILE 32

/* Softmax: threads per block, and from where on rows are long. */
#define SOFTMAX_BLOCK 256
#define SOFTMAX_MOST 1024

/* Matrix products: threads per block, its square of elements, and the part of
** the summed axis that it has at a time. */
#define MATMUL_BLOCK 256
#define MATMUL_TILE 64
#define MATMUL_DEPTH 16

/* Elements that a thread moves at a time: 16 bytes of the wider type, but not
** more than 8 elements, because kernels for bytes would be as long as two
** others. */
#define PACK(X, Z) (sizeof(X) == 1 && sizeof(Z) == 1 ? 8 : \
                    16 / (sizeof(X) > sizeof(Z) ? sizeof(X) : sizeof(Z)))

/* Elements of a pack of columns, each of which has an accumulator. */
#define COLUMN_PACK(X) (sizeof(X) < 4 ? 4 : 16 / sizeof(X))

#endif

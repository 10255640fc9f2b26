/*
** kernels.h - the built-in kernels as C sees them: ids, argument modes, and how
** to find the kernel for an operation. The operations and types are listed in
** kernels/table.lua, from which kernels/generate.lua makes operations.h,
** dtype.def and the tables.
*/
#ifndef TIDE_RT_KERNELS_KERNELS_H
#define TIDE_RT_KERNELS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dtypes.h"
#include "kernels/geometry.h"
#include "rt/kernels/operations.h"

/* Operand forms of a binary operation: v a dense array, s a scalar by value,
** ND arrays of any strides. */
typedef enum Form { FORM_VV, FORM_VS, FORM_SV, FORM_ND, FORM_COUNT } Form;

/*
** One built-in kernel. 'args' has a letter per parameter:
**   r, w, x  a pointer that is read, written, both
**   n        a size_t count
**   e        an element of the kernel's own type (the first bytes of 16, passed
**            by pointer; a bool is 0 or 1); s the same in 8
**   d, i     a double, an int64_t
**   g        a Geometry; a kernel has one at most
** Pointers are aligned to their element type.
*/
typedef struct KernelInfo {
  const char *name;
  const char *args;
  int block;        /* threads per block */
  int each;         /* elements per thread at a time; 0: see the operation */
  const char *only; /* kind of device that has it; NULL: all */
} KernelInfo;

extern const KernelInfo kernel_infos[];
extern const int kernel_count;

/*
** Elementwise kernels. z may be x or y itself where the element sizes agree,
** but must not overlap them otherwise. Launch with kernel_elementwise_grid(k,
** n) blocks; with n = 0 do not launch.
*/

/*
** z = op(x, y) for operands of type 't'. Args: w, then r/s twice, n; of the
** form ND: w r r s g, where the operand that is a scalar is NULL. 'turned' is
** the kernel for exchanged operands: it gets y for x and x for y. Each defined
** operation has one of the two for VV and for ND. If it has neither for VS or
** SV, use ND.
*/
KernelId kernel_binary (BinaryOp op, Form form, DType t);
KernelId kernel_turned (BinaryOp op, Form form, DType t);
/* z = op(x). Args: w r n. Strided: w r g. */
KernelId kernel_unary (UnaryOp op, DType t);
KernelId kernel_strided_unary (UnaryOp op, DType t);
/*
** z = (to)x: C's conversion; to bool: x != 0; from a float to an integer that
** cannot hold it: the nearest one that can, and 0 for NaN. Args: w r n.
*/
KernelId kernel_cast (DType from, DType to);
/* The type to cast to first if there is no kernel; the result is the same. */
DType kernel_cast_via (DType from, DType to);
/* z[0..n) = scalar, for elements as wide as those of 't'. Args: w s n. */
KernelId kernel_fill (DType t);
/* z[i] = first + i*step, computed as float64 or int64. Args: w s s n. */
KernelId kernel_arange (DType t);
/* z = x, limited to [lo, hi]. Args: w r s s n. */
KernelId kernel_clip (DType t);
/* z = x, with the three numbers for NaN, infinity, -infinity. Args: w r s s s
** n. */
KernelId kernel_nan_to_num (DType t);
/* z = round(x * by) / by with round to the nearest integer; if 'over' is 1,
** round(x / by) * by. Each step is rounded. Args: w r e, over i, n. */
KernelId kernel_round_to (DType t);
/* z = (|x - y| <= |y| * rtol + atol and y is finite) or x = y. If 'nan' is 1,
** NaN = NaN. Each step is rounded. Args: w r r, rtol e, atol e, nan i, n. */
KernelId kernel_isclose (DType t);
/*
** The kernels of kernels/select.cu, for elements as wide as those of 't'. Args:
** where w r r r i i n, take w r r n n n n n n, put x r r r i n n n n n n n n,
** mask w r r n n n, put_mask x r r r i n n n n, eye w i i n n, triangle w r i n
** n n n; and of kernels/compact.cu pick w r r r i n, strew x r r r n n n.
*/
KernelId kernel_by_width (WidthOp op, DType t);
unsigned kernel_elementwise_grid (KernelId k, size_t n);

/* Blocks of the kernels of kernels/compact.cu for masks of n elements: one for
** each tile, up to the limit of a grid. */
unsigned kernel_compact_grid (size_t n);

/* Blocks of the kernels of kernels/search.cu for so many elements. */
unsigned kernel_search_grid (size_t count);

/*
** Strided kernels launch with kernel_strided_grid(g.items) blocks, as do other
** kernels with a thread for each element. The copy moves elements of 'width'
** bytes, from 1 to 16 by powers of two. Args: w r s g; if r is NULL, all of z
** becomes the scalar.
*/
KernelId kernel_strided_copy (size_t width);
/* The strided copy for strides of 1 of z along the last axis and of x along the
** axis before it. g.row and g.items count tiles of kernel_infos[].each by as
** many, a block for each. Args: w r g. */
KernelId kernel_transpose (size_t width);
unsigned kernel_strided_grid (uint64_t items);

/*
** Reductions of n elements to one. 'partial' (args w r n i) leaves one
** accumulator per block in z, launched with kernel_reduce_blocks(n) blocks.
** 'final' (args w r n, n = number of accumulators) turns those into one result
** with a single block. When kernel_reduce_blocks(n) is 1 the kernel 'whole'
** (args w r n i), a single block as well, does both at once. The integer is the
** distance between elements; it is 1 on the host device where not
** kernel_reduce_apart(n). The result is the same every time. n = 0 gives the
** operation's neutral element; for min and max, refuse it beforehand.
*/
typedef enum ReduceStage {
  REDUCE_PARTIAL,
  REDUCE_FINAL,
  REDUCE_WHOLE,
  REDUCE_STAGES
} ReduceStage;
KernelId kernel_reduce (ReduceOp op, ReduceStage stage, DType t);
/* The type to fold, and to cast from, if there are no such kernels. */
DType kernel_reduce_via (ReduceOp op, DType t);
unsigned kernel_reduce_blocks (size_t n);
bool kernel_reduce_apart (size_t n);

/*
** Scans: see kernels/scan.cuh, also for the arguments. The plan tells how n
** elements of each of 'lines', 'inner' apart, are cut into chunks, and the
** grids. If 'chunks' is 1 only 'apply' is needed. Else run 'sums', then 'apply'
** on the lines of sums, in one chunk each, with kernel_scan_grid() blocks, then
** 'apply'.
*/
typedef enum ScanStage { SCAN_SUMS, SCAN_APPLY, SCAN_STAGES } ScanStage;
typedef struct ScanPlan {
  size_t chunk, chunks;
  unsigned grid; /* of sums and apply */
} ScanPlan;
KernelId kernel_scan (ScanOp op, ScanStage stage, DType t);
ScanPlan kernel_plan_scan (size_t n, size_t inner, size_t lines);
unsigned kernel_scan_grid (size_t n, size_t inner, size_t chunk, size_t lines);

/*
** Sorts of rows of n elements: see kernels/sort.cu and keys.h, also for the
** arguments. Keys of up to four bytes are 32 bits wide, others 64. If 'room' is
** not 0, 'rows' (of that room) does it all, with 'grid' blocks. Else run count
** and offsets, then radix for each byte of an element and each part of the
** rows. Counts and state are adjacent in memory, and are zeros at first. The
** host device has stages for chunks instead, all three for each byte, without a
** state: see src/rt/host/kernels/sort.c.
*/
typedef enum SortStage {
  SORT_COUNT,
  SORT_OFFSETS,
  SORT_RADIX,
  SORT_ROWS,
  CHUNK_COUNT,
  CHUNK_OFFSETS,
  CHUNK_RADIX,
  SORT_STAGES
} SortStage;
typedef struct SortPlan {
  size_t room;
  size_t chunk, chunks; /* of a row, for count */
  size_t part, parts;   /* of a row, for radix */
  size_t counts, state; /* words of memory for each */
  unsigned grid;        /* of radix and rows */
  unsigned count_grid, offsets_grid;
} SortPlan;
KernelId kernel_sort (SortStage stage, bool order, DType t);
/* Plans a sort; false: there are too many elements. 'host': for that device. */
bool kernel_plan_sort (size_t n, size_t rows, DType t, bool host, SortPlan *p);
/* Plans a sort of one row of 32-bit pairs by 'digits' bytes, never with
** 'rows'. */
bool kernel_plan_pairs (size_t n, int digits, SortPlan *p);

/*
** Sorts on the host device of which only up to PARTITION_PLACES places of each
** row are needed. If 'all' is 1, the other elements are around those at the
** places, in the order of x; else they are undefined. Args: w, r, r places from
** 0 in ascending order, n, rows, number of places, all, s s and i as in
** SORT_ROWS. -1: sort the rows.
*/
KernelId kernel_partition (size_t n, size_t rows, DType t);

/*
** The first k of each row, in order: see kernels/topk.cu, also for the
** arguments. kernel_topk_chunks returns the number of chunks into which a
** launch cuts rows of n elements, a block each; the k of each chunk are the
** rows of the next launch. 0: a sort is better, or there are too many rows.
*/
KernelId kernel_topk (DType t);
size_t kernel_topk_chunks (size_t n, size_t rows, size_t k);

/*
** Reductions along one axis of x[outer, n, inner], in kernel_axis_chunks()
** parts; launched with kernel_axis_grid() blocks of kernel_axis_block()
** threads. Args of a reduction: w r, outer, n, inner, chunks, partial: 1 if
** z[outer, chunks, inner] receives accumulators. 'again' is the kernel that
** folds accumulators, as elements of their own type.
**
** Picks give int64 places along the axis, counted from 'base'. Args: w, r, r,
** outer, n, inner, chunks, full, base. Either the second r is NULL and full =
** n, or it is [outer, n, inner] places along an axis of 'full' elements to pick
** from, launched with kernel_pick_grid() blocks of kernel_axis_block(1).
*/
KernelId kernel_axis (ReduceOp op, DType t);
ReduceOp kernel_reduce_again (ReduceOp op);
KernelId kernel_find (FindOp op, DType t);
size_t kernel_axis_chunks (KernelId k, size_t outer, size_t n, size_t inner);
unsigned kernel_axis_grid (KernelId k, size_t outer, size_t n, size_t inner,
                           size_t chunks);
unsigned kernel_axis_block (size_t inner);
unsigned kernel_pick_grid (size_t results);

/*
** Variances along an axis: see kernels/moments.cu, also for the arguments. The
** first stage is launched like a reduction along an axis. With chunks it leaves
** so many Moments for 'final', which has kernel_moments_grid() blocks.
** Negative: the type is not a real float and has no such kernels.
*/
typedef enum MomentsStage {
  MOMENTS_AXIS,
  MOMENTS_FINAL,
  MOMENTS_STAGES
} MomentsStage;
KernelId kernel_moments (MomentsStage stage, DType t);
unsigned kernel_moments_grid (size_t chunks, size_t results);

/*
** Softmax of x[outer, n, inner]: see kernels/softmax.cu, also for arguments.
** Launched with 'grid' blocks of 'block' threads if 'held', which means that
** rows are short enough, or columns many enough to keep a GPU busy.
*/
typedef struct SoftmaxPlan {
  bool held;
  unsigned grid, block;
} SoftmaxPlan;
KernelId kernel_softmax (DType t);
SoftmaxPlan kernel_plan_softmax (DType t, size_t outer, size_t n, size_t inner);

/* The stages 'partial' and 'whole' of the dot product of two vectors of floats;
** the final stage is that of REDUCE_sum. See kernels/dot.cu. Args: w r r n. */
KernelId kernel_dot (ReduceStage stage, DType t);

/* The dot product of each of 'rows' rows of n, launched as a reduction along
** the last axis. Args: w r r n n. -1: there is no such kernel, or so few rows
** that they have to be cut. */
KernelId kernel_dot_rows (DType t, size_t rows, size_t n);

/* Products of matrices: see kernels/matmul.cuh, also for the arguments. 0: the
** matrices are too large for a grid. */
KernelId kernel_matmul (DType t);
unsigned kernel_matmul_grid (size_t m, size_t n, size_t batches);

/* Returns the kernel of that name (those written by hand: "spin_i64"). */
KernelId kernel_named (const char *name);

/*
** The type of an operation's result on operands of type t, and the type of a
** reduction's partial accumulators (float64 for a sum of float32, int32 for any
** and all); -1 where the operation is undefined.
*/
int kernel_binary_dtype (BinaryOp op, DType t);
int kernel_unary_dtype (UnaryOp op, DType t);
int kernel_reduce_dtype (ReduceOp op, DType t);
int kernel_partial_dtype (ReduceOp op, DType t);

/* The type in which elements of 't' without kernels are computed, and rounded
** once: float32 for float16; or 't' itself. */
DType kernel_wider (DType t);

/* The expressions of elementwise operations, as in kernels/table.lua. */
extern const char *const kernel_binary_expressions[BINARY_COUNT];
extern const char *const kernel_unary_expressions[UNARY_COUNT];

#endif

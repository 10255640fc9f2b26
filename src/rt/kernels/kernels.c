/*
** kernels.c - finds the built-in kernel for an operation, in the tables that
** are made of kernels/table.lua, and chooses the number of blocks to launch.
*/
#include "kernels.h"

#include <string.h>

#include "kernels/axis.h"
#include "kernels/types.h"
#include "tables.h"

/* The column of the tables for elements of so many bytes. */
#define WIDTH(bytes) __builtin_ctzl(bytes)

DType kernel_wider (DType t) { return (DType)table_wider_types[t]; }

KernelId kernel_binary (BinaryOp op, Form form, DType t) {
  return table_binary_kernels[op][form][t];
}

KernelId kernel_turned (BinaryOp op, Form form, DType t) {
  static const Form other[FORM_COUNT] = {[FORM_VV] = FORM_VV,
                                         [FORM_VS] = FORM_SV,
                                         [FORM_SV] = FORM_VS,
                                         [FORM_ND] = FORM_ND};
  const int by = table_turned_ops[op];
  return by < 0 ? -1 : table_binary_kernels[by][other[form]][t];
}

KernelId kernel_unary (UnaryOp op, DType t) {
  return table_unary_kernels[op][t];
}

KernelId kernel_strided_unary (UnaryOp op, DType t) {
  return table_strided_unary_kernels[op][t];
}

KernelId kernel_strided_copy (size_t width) {
  return table_copy_kernels[WIDTH(width)];
}

KernelId kernel_transpose (size_t width) {
  return table_transpose_kernels[WIDTH(width)];
}

KernelId kernel_cast (DType from, DType to) {
  return table_cast_kernels[to][from];
}

KernelId kernel_fill (DType t) {
  return table_fill_kernels[WIDTH(dtype_size(t))];
}

static DType part_of (DType t) { return (DType)table_part_types[t]; }

DType kernel_cast_via (DType from, DType to) {
  if (part_of(to) != to)
    return part_of(to);
  return part_of(from) == from ? (DType)table_near_types[from] : part_of(from);
}

KernelId kernel_arange (DType t) { return table_arange_kernels[t]; }

KernelId kernel_clip (DType t) { return table_clip_kernels[t]; }

KernelId kernel_nan_to_num (DType t) { return table_nan_to_num_kernels[t]; }

KernelId kernel_round_to (DType t) { return table_round_to_kernels[t]; }

KernelId kernel_isclose (DType t) { return table_isclose_kernels[t]; }

KernelId kernel_matmul (DType t) { return table_matmul_kernels[t]; }

KernelId kernel_by_width (WidthOp op, DType t) {
  return table_bywidth_kernels[op][WIDTH(dtype_size(t))];
}

KernelId kernel_reduce (ReduceOp op, ReduceStage stage, DType t) {
  return table_reduce_kernels[op][stage][t];
}

KernelId kernel_scan (ScanOp op, ScanStage stage, DType t) {
  return table_scan_kernels[op][stage][t];
}

KernelId kernel_axis (ReduceOp op, DType t) {
  return table_axis_kernels[op][t];
}

ReduceOp kernel_reduce_again (ReduceOp op) {
  switch (op) {
    case REDUCE_count_nonzero:
    case REDUCE_numbers:
    case REDUCE_nansum:
    case REDUCE_sum_abs: return REDUCE_sum;
    case REDUCE_euclid: return REDUCE_root_sum;
    case REDUCE_nanmean: return REDUCE_sum_mean;
    default: return op;
  }
}

DType kernel_reduce_via (ReduceOp op, DType t) {
  return (DType)table_via_types[op][t];
}

KernelId kernel_find (FindOp op, DType t) { return table_find_kernels[op][t]; }

/* Binary search, because kernel_infos is sorted by name. */
KernelId kernel_named (const char *name) {
  KernelId low = 0, high = kernel_count;
  while (low < high) {
    const KernelId middle = low + (high - low) / 2;
    const int order = strcmp(kernel_infos[middle].name, name);
    if (order == 0)
      return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int kernel_binary_dtype (BinaryOp op, DType t) {
  return table_binary_types[op][t];
}

int kernel_unary_dtype (UnaryOp op, DType t) {
  return table_unary_types[op][t];
}

int kernel_reduce_dtype (ReduceOp op, DType t) {
  return table_reduce_types[op][t];
}

int kernel_partial_dtype (ReduceOp op, DType t) {
  return table_partial_types[op][t];
}

/* ceil(n / each), from 1 to most */
static unsigned blocks (size_t n, size_t each, size_t most) {
  size_t b = n / each + (n % each != 0);
  return (unsigned)(b == 0 ? 1 : b < most ? b : most);
}

/*
** A thread for every pack, because the hardware hands out blocks better than a
** loop does. Past the limit of a grid's x the kernels' own loops take over.
*/
unsigned kernel_elementwise_grid (KernelId k, size_t n) {
  const KernelInfo *info = &kernel_infos[k];
  return blocks(n, (size_t)info->block * (size_t)info->each, INT32_MAX);
}

unsigned kernel_compact_grid (size_t n) {
  return blocks(n, COMPACT_TILE, INT32_MAX);
}

/* Overridable. Each block makes a table, so there are no more than two waves of
** eight blocks on each of an H200's 132 SMs. */
#if !defined(SEARCH_BLOCKS_MAX)
#define SEARCH_BLOCKS_MAX (132 * 8 * 2)
#endif

unsigned kernel_search_grid (size_t count) {
  return blocks(count, MAP_BLOCK * SEARCH_EACH, SEARCH_BLOCKS_MAX);
}

unsigned kernel_strided_grid (uint64_t items) {
  return blocks(items, MAP_BLOCK, INT32_MAX);
}

/* Overridable: up to here one block is faster than two launches. */
#if !defined(REDUCE_WHOLE_MAX)
#define REDUCE_WHOLE_MAX 65536
#endif

/* Overridable: two waves of eight blocks on each of an H200's 132 SMs. */
#if !defined(REDUCE_BLOCKS_MAX)
#define REDUCE_BLOCKS_MAX (132 * 8 * 2)
#endif

/* Returns the number of blocks for which there is work. */
static size_t tiles (KernelId k, size_t outer, size_t n, size_t inner) {
  return axis_tiles(outer, n, inner, (unsigned)kernel_infos[k].each);
}

unsigned kernel_axis_grid (KernelId k, size_t outer, size_t n, size_t inner,
                           size_t chunks) {
  const bool packs = (inner == 1 && chunks == 1 &&
                      n == (size_t)kernel_infos[k].each);
  return blocks(tiles(k, outer * chunks, n / chunks, inner),
                packs ? AXIS_ROWS : 1, INT32_MAX);
}

unsigned kernel_axis_block (size_t inner) {
  return (inner == 1) ? AXIS_TEAM : AXIS_BLOCK;
}

unsigned kernel_pick_grid (size_t results) {
  return blocks(results, 1, INT32_MAX);
}

/* Overridable: threads that an H200 has at once, 1024 on each of 132 SMs. */
#if !defined(AXIS_THREADS)
#define AXIS_THREADS (132 * 1024)
#endif

/* Tells whether the blocks fill whole waves of 'wave' blocks, but for a
** tenth. */
static bool fills (size_t blocks, size_t wave) {
  size_t waves = (blocks + wave - 1) / wave;
  return blocks >= waves * wave / 10 * 9;
}

/*
** Returns the least number of chunks that keeps all blocks busy until the end,
** because the accumulators are read again. A chunk must be worth its launch.
*/
size_t kernel_axis_chunks (KernelId k, size_t outer, size_t n, size_t inner) {
  size_t most = n / ((inner == 1) ? 8192 : 256), chunks = 1;
  size_t busy = tiles(k, outer, n, inner);
  size_t wave = AXIS_THREADS / kernel_axis_block(inner);
  if (busy == 0 || busy > 8 * wave)
    return 1;
  while (chunks < most && !fills(busy * chunks, wave))
    chunks++;
  return chunks;
}

/* Depends on n alone, so that sums come out the same on every device. */
unsigned kernel_reduce_blocks (size_t n) {
  if (n <= REDUCE_WHOLE_MAX)
    return 1;
  return blocks(n, PARTIAL_BLOCK * 16, REDUCE_BLOCKS_MAX);
}

bool kernel_reduce_apart (size_t n) {
  size_t parts = kernel_reduce_blocks(n);
  return (n + parts - 1) / parts <= REDUCE_APART;
}

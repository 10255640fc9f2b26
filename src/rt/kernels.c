/*
** kernels.c - the manifest of the built-in kernels as tables, and the look-ups
** over them. All of it expands from kernels/kernels.def.
*/
#include "kernels.h"

#include <assert.h>
#include <string.h>

#include "../../kernels/axis.h"
#include "../../kernels/types.h"
#include "kernel_ids.h"

const KernelInfo rt_kernels[] = {
#define KERNEL(name, args, block, each) { #name, args, block, (int)(each) },
#include "../../kernels/list.h"
};

const int rt_kernel_count = KERNELS;

/* S_f32 ...: the DType of each suffix, and CODE(rule) of what rules give */
enum {
#define D(ID, suffix, name, ctype) S_##suffix = DTYPE_##ID,
#include "dtype.def"
#undef D
};
#define CODE(s) CODE_OF(s)
#define CODE_OF(s) S_##s

#define D(ID, suffix, name, ctype) \
  static_assert(sizeof(ctype) == sizeof(t_##suffix), "size of " name);
#include "dtype.def"
#undef D

/*
** The tables below hold what they are named for plus one, so that 0, C's
** filler, says "no such kernel" or "undefined" and the look-ups give -1.
*/
#define ROW2(s, op) \
  [FORM_VV][S_##s] = 1 + K_##op##_vv_##s, \
  [FORM_VS][S_##s] = 1 + K_##op##_vs_##s, \
  [FORM_SV][S_##s] = 1 + K_##op##_sv_##s, \
  [FORM_ND][S_##s] = 1 + K_##op##_nd_##s,
static const int16_t binary[BINARY_COUNT][FORM_COUNT][DTYPE_COUNT] = {
#define BINARY(op, set, R, expr) [BINARY_##op] = { SET_##set(ROW2, op) },
#include "../../kernels/kernels.def"
};

#define ROW1(s, op) [S_##s] = 1 + K_##op##_##s,
static const int16_t unary[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, expr) [UNARY_##op] = { SET_##set(ROW1, op) },
#include "../../kernels/kernels.def"
};

#define ROW_ND(s, op) [S_##s] = 1 + K_##op##_nd_##s,
static const int16_t strided_unary[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, expr) [UNARY_##op] = { SET_##set(ROW_ND, op) },
#include "../../kernels/kernels.def"
};

#define ROW_CAST(s, to) [S_##to][S_##s] = 1 + K_cast_##s##_##to,
static const int16_t cast[DTYPE_COUNT][DTYPE_COUNT] = {
#define CAST(to) SET_ALL(ROW_CAST, to)
#include "../../kernels/kernels.def"
};

static const int16_t fill[DTYPE_COUNT] = {
#define FILL(set) SET_##set(ROW1, fill)
#include "../../kernels/kernels.def"
};

static const int16_t arange[DTYPE_COUNT] = {
#define ARANGE(set) SET_##set(ROW1, arange)
#include "../../kernels/kernels.def"
};

static const int16_t clip[DTYPE_COUNT] = {
#define CLIP(set) SET_##set(ROW1, clip)
#include "../../kernels/kernels.def"
};

static const int16_t matmul[DTYPE_COUNT] = {
#define MATMUL(set) SET_##set(ROW1, matmul)
#include "../../kernels/kernels.def"
};

static const int16_t bywidth[BYWIDTH_COUNT][WIDTHS] = {
#define BYWIDTH(op, args) [BYWIDTH_##op] = { 1 + K_##op##_w8, \
    1 + K_##op##_w16, 1 + K_##op##_w32, 1 + K_##op##_w64, 1 + K_##op##_w128 },
#include "../../kernels/kernels.def"
};

#define ROW_REDUCE(s, op) \
  [REDUCE_PARTIAL][S_##s] = 1 + K_##op##_partial_##s, \
  [REDUCE_FINAL][S_##s] = 1 + K_##op##_final_##s, \
  [REDUCE_WHOLE][S_##s] = 1 + K_##op##_whole_##s,
static const int16_t reduce[REDUCE_COUNT][REDUCE_STAGES][DTYPE_COUNT] = {
#define REDUCE(op, set, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_REDUCE, op) },
#include "../../kernels/kernels.def"
};

#define ROW_SCAN(s, op) \
  [SCAN_SUMS][S_##s] = 1 + K_##op##_sums_##s, \
  [SCAN_CARRY][S_##s] = 1 + K_##op##_carry_##s, \
  [SCAN_APPLY][S_##s] = 1 + K_##op##_apply_##s,
static const int16_t scan[SCAN_COUNT][SCAN_STAGES][DTYPE_COUNT] = {
#define SCAN(op, none, join) [SCAN_##op] = { SET_RUNNING(ROW_SCAN, op) },
#include "../../kernels/kernels.def"
};

#define ROW_AXIS(s, op) [S_##s] = 1 + K_##op##_axis_##s,
static const int16_t axis[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_AXIS, op) },
#include "../../kernels/kernels.def"
};

static const int16_t find[FIND_COUNT][DTYPE_COUNT] = {
#define FIND(op, set, before) [FIND_##op] = { SET_##set(ROW_AXIS, op) },
#include "../../kernels/kernels.def"
};

/* [S_f32] = 1 + the DType that the rule (RESULT_SAME, ACC_SUM ...) gives */
#define ROW_TYPE(s, rule) [S_##s] = 1 + CODE(rule(s)),

static const int8_t binary_type[BINARY_COUNT][DTYPE_COUNT] = {
#define BINARY(op, set, R, expr) \
  [BINARY_##op] = { SET_##set(ROW_TYPE, RESULT_##R) },
#include "../../kernels/kernels.def"
};

static const int8_t unary_type[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, expr) \
  [UNARY_##op] = { SET_##set(ROW_TYPE, RESULT_##R) },
#include "../../kernels/kernels.def"
};

static const int8_t reduce_type[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_TYPE, OUT_##acc) },
#include "../../kernels/kernels.def"
};

static const int8_t partial_type[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_TYPE, ACC_##acc) },
#include "../../kernels/kernels.def"
};

KernelId rt_kernel_binary (BinaryOp op, Form form, DType t) {
  return binary[op][form][t] - 1;
}

KernelId rt_kernel_unary (UnaryOp op, DType t) {
  return unary[op][t] - 1;
}

KernelId rt_kernel_strided_unary (UnaryOp op, DType t) {
  return strided_unary[op][t] - 1;
}

KernelId rt_kernel_strided_copy (size_t width) {
  switch (width) {
#define WIDTH(b) case sizeof(t_##b): return K_copy_nd_##b;
    SET_WIDTH(WIDTH)
#undef WIDTH
  }
  return -1;
}

KernelId rt_kernel_transpose (size_t width) {
  switch (width) {
#define WIDTH(b) case sizeof(t_##b): return K_transpose_##b;
    SET_WIDTH(WIDTH)
#undef WIDTH
  }
  return -1;
}

KernelId rt_kernel_cast (DType from, DType to) {
  return cast[to][from] - 1;
}

KernelId rt_kernel_fill (DType t) {
  return fill[t] - 1;
}

KernelId rt_kernel_arange (DType t) {
  return arange[t] - 1;
}

KernelId rt_kernel_clip (DType t) {
  return clip[t] - 1;
}

KernelId rt_kernel_matmul (DType t) {
  return matmul[t] - 1;
}

KernelId rt_kernel_bywidth (WidthOp op, DType t) {
  return bywidth[op][__builtin_ctzl(rt_dtype_size(t))] - 1;
}

KernelId rt_kernel_reduce (ReduceOp op, ReduceStage stage, DType t) {
  return reduce[op][stage][t] - 1;
}

KernelId rt_kernel_scan (ScanOp op, ScanStage stage, DType t) {
  return scan[op][stage][t] - 1;
}

KernelId rt_kernel_axis (ReduceOp op, DType t) {
  return axis[op][t] - 1;
}

ReduceOp rt_reduce_again (ReduceOp op) {
  return op == REDUCE_count_nonzero ? REDUCE_sum : op;
}

KernelId rt_kernel_find (FindOp op, DType t) {
  return find[op][t] - 1;
}

KernelId rt_kernel_named (const char *name) {
  for (KernelId k = 0; k < KERNELS; k++) {
    if (strcmp(rt_kernels[k].name, name) == 0)
      return k;
  }
  return -1;
}

int rt_binary_dtype (BinaryOp op, DType t) {
  return binary_type[op][t] - 1;
}

int rt_unary_dtype (UnaryOp op, DType t) {
  return unary_type[op][t] - 1;
}

int rt_reduce_dtype (ReduceOp op, DType t) {
  return reduce_type[op][t] - 1;
}

int rt_reduce_partial_dtype (ReduceOp op, DType t) {
  return partial_type[op][t] - 1;
}

size_t rt_dtype_size (DType t) {
  static const uint8_t size[DTYPE_COUNT] = {
#define D(ID, suffix, name, ctype) [DTYPE_##ID] = sizeof(ctype),
#include "dtype.def"
#undef D
  };
  return size[t];
}

/* ceil(n / each), from 1 to most */
static unsigned blocks (size_t n, size_t each, size_t most) {
  size_t b = n / each + (n % each != 0);
  return (unsigned)(b == 0 ? 1 : b < most ? b : most);
}

/*
** A thread for every pack: the hardware hands out blocks better than a loop
** does. Past the limit of a grid's x the kernels' own loops take over.
*/
unsigned rt_elementwise_grid (KernelId k, size_t n) {
  const KernelInfo *info = &rt_kernels[k];
  return blocks(n, (size_t)info->block * (size_t)info->each, INT32_MAX);
}

unsigned rt_strided_grid (uint64_t items) {
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

/* Blocks for which there is work. */
static size_t tiles (KernelId k, size_t outer, size_t n, size_t inner) {
  int pack = rt_kernels[k].each;
  return (pack == 0) ? axis_findtiles(outer, n, inner) :
                       axis_tiles(outer, n, inner, (unsigned)pack);
}

unsigned rt_axis_grid (KernelId k, size_t outer, size_t n, size_t inner,
                       size_t chunks) {
  return blocks(tiles(k, outer * chunks, n / chunks, inner), 1, INT32_MAX);
}

/*
** Enough for all blocks that a GPU runs at a time, but so few that a chunk is
** worth its launch: the accumulators are read again.
*/
size_t rt_axis_chunks (KernelId k, size_t outer, size_t n, size_t inner) {
  size_t least = (inner == 1) ? 8192 : 256;
  size_t busy = tiles(k, outer, n, inner);
  size_t chunks = (busy > 0) ? REDUCE_BLOCKS_MAX / busy : 1;
  if (chunks > n / least)
    chunks = n / least;
  return chunks > 1 ? chunks : 1;
}

/* A function of n alone, so that sums come out the same on every device. */
unsigned rt_reduce_blocks (size_t n) {
  if (n <= REDUCE_WHOLE_MAX)
    return 1;
  return blocks(n, PARTIAL_BLOCK * 16, REDUCE_BLOCKS_MAX);
}

/*
** kernels.c - the manifest of the built-in kernels as tables, and the look-ups
** over them. All of it expands from kernels/kernels.def.
*/
#include "kernels.h"

#include <assert.h>
#include <string.h>

#include "kernels/axis.h"
#include "kernels/kin.h"
#include "kernels/types.h"
#include "kernel_ids.h"

const KernelInfo rt_kernels[] = {
#define KERNEL(name, args, block, each) { #name, args, block, (int)(each) },
#include "kernels/list.h"
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
/* ID(add_vv, i8): the id of a kernel by its type, which may be a rule */
#define ID(name, s) ID_OF(name, s)
#define ID_OF(name, s) K_##name##_##s

#define ROW2(s, op, kin, forms) ROW_##forms(s, op, KIN(kin, s))
#define ROW_RARE(s, op, k) \
  [FORM_VV][S_##s] = 1 + ID(op##_vv, k), \
  [FORM_ND][S_##s] = 1 + ID(op##_nd, k),
#define ROW_EVEN(s, op, k) \
  ROW_RARE(s, op, k) \
  [FORM_VS][S_##s] = 1 + ID(op##_vs, k),
#define ROW_MOST ROW_EVEN
#define ROW_FULL(s, op, k) \
  ROW_EVEN(s, op, k) \
  [FORM_SV][S_##s] = 1 + ID(op##_sv, k),
#define ROW_TURNED(other) ROW_NOTHING
#define ROW_NOTHING(s, op, k)
static const int16_t binary[BINARY_COUNT][FORM_COUNT][DTYPE_COUNT] = {
#define BINARY(op, set, R, kin, forms, expr) \
  [BINARY_##op] = { SET_##set(ROW2, op, kin, forms) },
#include "kernels/kernels.def"
};

/* For each operation, one plus that which is the same with x and y in turned
** places; 0: none. */
#define TURN_RARE(op) 0
#define TURN_FULL(op) 0
#define TURN_MOST(op) 0
#define TURN_EVEN(op) 1 + BINARY_##op
#define TURN_TURNED(other) 1 + BINARY_##other TURN_NOTHING
#define TURN_NOTHING(op)
static const int8_t turned[BINARY_COUNT] = {
#define BINARY(op, set, R, kin, forms, expr) [BINARY_##op] = TURN_##forms(op),
#include "kernels/kernels.def"
};

#define ROW1(s, op, kin) [S_##s] = 1 + ID(op, KIN(kin, s)),
static const int16_t unary[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, kin, expr) \
  [UNARY_##op] = { SET_##set(ROW1, op, kin) },
#include "kernels/kernels.def"
};

static const int16_t strided_unary[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, kin, expr) \
  [UNARY_##op] = { SET_##set(ROW1, op##_nd, kin) },
#include "kernels/kernels.def"
};

#define ROW_CAST(s, to) [S_##to][S_##s] = 1 + K_cast_##s##_##to,
#define ROW_CAST_AS(s, to, other) [S_##to][S_##s] = 1 + K_cast_##s##_##other,
static const int16_t cast[DTYPE_COUNT][DTYPE_COUNT] = {
#define CAST(to, set) SET_##set(ROW_CAST, to)
#define CAST_AS(to, set, other) SET_##set(ROW_CAST_AS, to, other)
#include "kernels/kernels.def"
};

static const int16_t arange[DTYPE_COUNT] = {
#define ARANGE(set, kin) SET_##set(ROW1, arange, kin)
#include "kernels/kernels.def"
};

static const int16_t clip[DTYPE_COUNT] = {
#define CLIP(set) SET_##set(ROW1, clip, OWN)
#include "kernels/kernels.def"
};

static const int16_t matmul[DTYPE_COUNT] = {
#define MATMUL(set, kin) SET_##set(ROW1, matmul, kin)
#include "kernels/kernels.def"
};

static const int16_t bywidth[BYWIDTH_COUNT][WIDTHS] = {
#define BYWIDTH(op, args) [BYWIDTH_##op] = { 1 + K_##op##_w8, \
    1 + K_##op##_w16, 1 + K_##op##_w32, 1 + K_##op##_w64, 1 + K_##op##_w128 },
#include "kernels/kernels.def"
};

#define ROW_REDUCE(s, op, kin, acc) \
  [REDUCE_PARTIAL][S_##s] = 1 + ID(op##_partial, KIN(kin, s)), \
  [REDUCE_FINAL][S_##s] = 1 + ID(op##_final, FINAL_##acc(s)), \
  [REDUCE_WHOLE][S_##s] = 1 + ID(op##_whole, KIN(kin, s)),
static const int16_t reduce[REDUCE_COUNT][REDUCE_STAGES][DTYPE_COUNT] = {
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  [REDUCE_##op] = { SET_##own(ROW_REDUCE, op, kin, acc) },
#include "kernels/kernels.def"
};

#define ROW_SCAN(s, op) \
  [SCAN_SUMS][S_##s] = 1 + ID(op##_sums, KIN(LONG, s)), \
  [SCAN_APPLY][S_##s] = 1 + ID(op##_apply, KIN(LONG, s)),
static const int16_t scan[SCAN_COUNT][SCAN_STAGES][DTYPE_COUNT] = {
#define SCAN(op, none, join) [SCAN_##op] = { SET_RUNNING(ROW_SCAN, op) },
#include "kernels/kernels.def"
};

static const int16_t axis[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  [REDUCE_##op] = { SET_##own(ROW1, op##_axis, kin) },
#include "kernels/kernels.def"
};

static const int16_t find[FIND_COUNT][DTYPE_COUNT] = {
#define FIND(op, set, before) \
  [FIND_##op] = { SET_##set(ROW1, op##_axis, OWN) },
#include "kernels/kernels.def"
};

/* [S_f32] = 1 + the DType that the rule (RESULT_SAME, ACC_SUM ...) gives */
#define ROW_TYPE(s, rule) [S_##s] = 1 + CODE(rule(s)),

static const int8_t binary_type[BINARY_COUNT][DTYPE_COUNT] = {
#define BINARY(op, set, R, kin, forms, expr) \
  [BINARY_##op] = { SET_##set(ROW_TYPE, RESULT_##R) },
#include "kernels/kernels.def"
};

static const int8_t unary_type[UNARY_COUNT][DTYPE_COUNT] = {
#define UNARY(op, set, R, kin, expr) \
  [UNARY_##op] = { SET_##set(ROW_TYPE, RESULT_##R) },
#include "kernels/kernels.def"
};

static const int8_t reduce_type[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_TYPE, OUT_##acc) },
#include "kernels/kernels.def"
};

static const int8_t partial_type[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_TYPE, ACC_##acc) },
#include "kernels/kernels.def"
};

/* What is on the way: see kin.h. */
#define ROW_RULE(s, rule) [S_##s] = CODE(rule(s)),
static const uint8_t wider_type[DTYPE_COUNT] = { SET_ALL(ROW_RULE, WIDER) };
static const uint8_t near_type[DTYPE_COUNT] = { SET_ALL(ROW_RULE, NEAR) };
static const uint8_t part_type[DTYPE_COUNT] = {
  SET_ALL(ROW_RULE, RESULT_PART)
};
static const uint8_t via_type[REDUCE_COUNT][DTYPE_COUNT] = {
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  [REDUCE_##op] = { SET_##set(ROW_RULE, VIA_##acc) },
#include "kernels/kernels.def"
};

DType rt_wider (DType t) {
  return wider_type[t];
}

KernelId rt_kernel_binary (BinaryOp op, Form form, DType t) {
  return binary[op][form][t] - 1;
}

KernelId rt_kernel_turned (BinaryOp op, Form form, DType t) {
  static const Form other[FORM_COUNT] = {
    [FORM_VV] = FORM_VV, [FORM_VS] = FORM_SV, [FORM_SV] = FORM_VS,
    [FORM_ND] = FORM_ND
  };
  return turned[op] == 0 ? -1 : binary[turned[op] - 1][other[form]][t] - 1;
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
  switch (rt_dtype_size(t)) {
#define WIDTH(b) case sizeof(t_##b): return K_fill_##b;
    SET_WIDTH(WIDTH)
#undef WIDTH
  }
  return -1;
}

DType rt_cast_via (DType from, DType to) {
  bool real = part_type[to] == to;
  return real && part_type[from] == from ? near_type[from] :
         real ? part_type[from] : part_type[to];
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

DType rt_reduce_via (ReduceOp op, DType t) {
  return via_type[op][t];
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

const uint8_t rt_dtype_sizes[DTYPE_COUNT] = {
#define D(ID, suffix, name, ctype) [DTYPE_##ID] = sizeof(ctype),
#include "dtype.def"
#undef D
};

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
  return axis_tiles(outer, n, inner, (unsigned)rt_kernels[k].each);
}

unsigned rt_axis_grid (KernelId k, size_t outer, size_t n, size_t inner,
                       size_t chunks) {
  return blocks(tiles(k, outer * chunks, n / chunks, inner), 1, INT32_MAX);
}

unsigned rt_axis_block (size_t inner) {
  return (inner == 1) ? AXIS_TEAM : AXIS_BLOCK;
}

unsigned rt_pick_grid (size_t results) {
  return blocks(results, 1, INT32_MAX);
}

/* Overridable: threads that an H200 has at once, 1024 on each of 132 SMs. */
#if !defined(AXIS_THREADS)
#define AXIS_THREADS (132 * 1024)
#endif

/* Are so many blocks whole waves of 'wave' blocks, but for a tenth? */
static bool fills (size_t blocks, size_t wave) {
  size_t waves = (blocks + wave - 1) / wave;
  return blocks >= waves * wave / 10 * 9;
}

/*
** As few chunks as make all blocks busy until the end: the accumulators are
** read again. A chunk must be worth its launch.
*/
size_t rt_axis_chunks (KernelId k, size_t outer, size_t n, size_t inner) {
  size_t most = n / ((inner == 1) ? 8192 : 256), chunks = 1;
  size_t busy = tiles(k, outer, n, inner);
  size_t wave = AXIS_THREADS / rt_axis_block(inner);
  if (busy == 0 || busy > 8 * wave)
    return 1;
  while (chunks < most && !fills(busy * chunks, wave))
    chunks++;
  return chunks;
}

/* A function of n alone, so that sums come out the same on every device. */
unsigned rt_reduce_blocks (size_t n) {
  if (n <= REDUCE_WHOLE_MAX)
    return 1;
  return blocks(n, PARTIAL_BLOCK * 16, REDUCE_BLOCKS_MAX);
}

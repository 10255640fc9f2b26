/*
** list.h - KERNEL(name, args, block, each) once for every built-in kernel, in
** the order of their ids. Define KERNEL, then include this; as often as needed.
**
** args: a letter per parameter, see src/rt/kernels.h. each: elements that a
** thread takes at a time, 0 where the grid does not follow from n.
*/
#include "types.h"

#define LIST2(s, op, R) \
  LIST_FORM(op##_vv_##s, "wrrn", s, RESULT_##R(s)) \
  LIST_FORM(op##_vs_##s, "wren", s, RESULT_##R(s)) \
  LIST_FORM(op##_sv_##s, "wern", s, RESULT_##R(s)) \
  LIST_FORM(op##_nd_##s, "wrreg", s, RESULT_##R(s))
#define LIST1(s, op, R) \
  LIST_FORM(op##_##s, "wrn", s, RESULT_##R(s)) \
  LIST_FORM(op##_nd_##s, "wrg", s, RESULT_##R(s))
#define LIST_CAST(s, to) LIST_FORM(cast_##s##_##to, "wrn", s, to)
#define LIST_FILL(s, x) LIST_FORM(fill_##s, "wen", s, s)
#define LIST_ARANGE(s, x) LIST_FORM(arange_##s, "ween", s, s)
#define LIST_RUNNING(s, op) \
  KERNEL(op##_sums_##s, "wrnnnnn", SCAN_BLOCK, 0) \
  KERNEL(op##_carry_##s, "xnn", SCAN_BLOCK, 0) \
  KERNEL(op##_apply_##s, "wrrnnnnn", SCAN_BLOCK, 0)
#define LIST_MATMUL(s, x) KERNEL(matmul_##s, "wrrnnnnnn", MATMUL_BLOCK, 0)
#define LIST_CLIP(s, x) LIST_FORM(clip_##s, "wreen", s, s)
#define LIST_REDUCE(s, op) \
  KERNEL(op##_partial_##s, "wrn", PARTIAL_BLOCK, 0) \
  KERNEL(op##_final_##s, "wrn", FINAL_BLOCK, 0) \
  KERNEL(op##_whole_##s, "wrn", FINAL_BLOCK, 0) \
  KERNEL(op##_axis_##s, "wrnnnnn", AXIS_BLOCK, PACK(t_##s, t_##s))
#define LIST_FIND(s, op) KERNEL(op##_axis_##s, "wrrnnnnnn", AXIS_BLOCK, 0)
#define LIST_COPY(b) \
  KERNEL(copy_nd_##b, "wreg", MAP_BLOCK, 1) \
  KERNEL(transpose_##b, "wrg", MAP_BLOCK, TRANSPOSE_TILE(t_##b))
#define LIST_FORM(name, args, s, z) \
  KERNEL(name, args, MAP_BLOCK, PACK(t_##s, TYPE(z)))

#define BINARY(op, set, R, expr) SET_##set(LIST2, op, R)
#define UNARY(op, set, R, expr) SET_##set(LIST1, op, R)
#define CAST(to) SET_ALL(LIST_CAST, to)
#define FILL(set) SET_##set(LIST_FILL, )
#define ARANGE(set) SET_##set(LIST_ARANGE, )
#define REDUCE(op, set, acc, none, map, join) SET_##set(LIST_REDUCE, op)
#define COPY SET_WIDTH(LIST_COPY)
#define SCAN(op, none, join) SET_RUNNING(LIST_RUNNING, op)
#define MATMUL(set) SET_##set(LIST_MATMUL, )
#define CLIP(set) SET_##set(LIST_CLIP, )
#define BYWIDTH(op, args) \
  KERNEL(op##_w8, args, MAP_BLOCK, 4) KERNEL(op##_w16, args, MAP_BLOCK, 4) \
  KERNEL(op##_w32, args, MAP_BLOCK, 4) KERNEL(op##_w64, args, MAP_BLOCK, 4) \
  KERNEL(op##_w128, args, MAP_BLOCK, 2)
#define FIND(op, set, before) SET_##set(LIST_FIND, op)
#define OTHER(name, args, block) KERNEL(name, args, block, 0)
#include "kernels.def"

#undef LIST2
#undef LIST1
#undef LIST_CAST
#undef LIST_FILL
#undef LIST_ARANGE
#undef LIST_REDUCE
#undef LIST_FIND
#undef LIST_COPY
#undef LIST_RUNNING
#undef LIST_CLIP
#undef LIST_MATMUL
#undef LIST_FORM
#undef KERNEL

/*
** list.h - KERNEL(name, args, block, each) once for every built-in kernel, in
** the order of their ids. Define KERNEL, then include this; as often as needed.
**
** args: a letter per parameter, see src/rt/kernels/kernels.h. each: elements
** that a thread takes at a time, 0 where the grid does not follow from n.
*/
#include "kin.h"
#include "types.h"

#define LIST2(s, op, R, kin, forms) OF_KIN(kin, s, LIST_##forms(s, op, R))
#define LIST_EVEN(s, op, R) \
  LIST_FORM(op##_vv_##s, "wrrn", s, RESULT_##R(s)) \
  LIST_FORM(op##_vs_##s, "wren", s, RESULT_##R(s)) \
  LIST_FORM(op##_nd_##s, "wrreg", s, RESULT_##R(s))
#define LIST_MOST LIST_EVEN
#define LIST_FULL(s, op, R) \
  LIST_EVEN(s, op, R) \
  LIST_FORM(op##_sv_##s, "wern", s, RESULT_##R(s))
#define LIST_RARE(s, op, R) \
  KERNEL(op##_vv_##s, "wrrn", MAP_BLOCK, 1) \
  KERNEL(op##_nd_##s, "wrreg", MAP_BLOCK, 1)
#define LIST_TURNED(other) LIST_NOTHING
#define LIST_NOTHING(s, op, R)
#define LIST1(s, op, R, kin) OF_KIN(kin, s, \
  LIST_FORM(op##_##s, "wrn", s, RESULT_##R(s)) \
  KERNEL(op##_nd_##s, "wrg", MAP_BLOCK, 1))
#define LIST_CAST(s, to) LIST_FORM(cast_##s##_##to, "wrn", s, to)
#define LIST_FILL(b) LIST_FORM(fill_##b, "wen", b, b)
#define LIST_ARANGE(s, kin) \
  OF_KIN(kin, s, LIST_FORM(arange_##s, "ween", s, s))
#define LIST_RUNNING(s, op) OF_KIN(LONG, s, LIST_SCAN(s, op))
#define LIST_SCAN(s, op) \
  KERNEL(op##_sums_##s, "wrnnnnn", SCAN_BLOCK, 0) \
  KERNEL(op##_apply_##s, "wrrnnnnn", SCAN_BLOCK, 0)
#define LIST_MATMUL(s, kin) \
  OF_KIN(kin, s, KERNEL(matmul_##s, "wrrnnnnnn", MATMUL_BLOCK, 0))
#define LIST_CLIP(s, x) LIST_FORM(clip_##s, "wreen", s, s)
#define LIST_REDUCE(s, op, kin, acc) OF_KIN(kin, s, \
  OF_FINAL_##acc(s, KERNEL(op##_final_##s, "wrn", FINAL_BLOCK, 0)) \
  KERNEL(op##_partial_##s, "wrn", PARTIAL_BLOCK, 0) \
  KERNEL(op##_whole_##s, "wrn", FINAL_BLOCK, 0) \
  KERNEL(op##_axis_##s, "wrnnnnn", AXIS_BLOCK, COLUMN_PACK(t_##s)))
#define LIST_FIND(s, op) \
  KERNEL(op##_axis_##s, "wrrnnnnnn", AXIS_BLOCK, COLUMN_PACK(t_##s))
#define LIST_COPY(b) \
  KERNEL(copy_nd_##b, "wreg", MAP_BLOCK, 1) \
  KERNEL(transpose_##b, "wrg", MAP_BLOCK, TRANSPOSE_TILE(t_##b))
#define LIST_FORM(name, args, s, z) \
  KERNEL(name, args, MAP_BLOCK, PACK(t_##s, TYPE(z)))

#define BINARY(op, set, R, kin, forms, expr) \
  SET_##set(LIST2, op, R, kin, forms)
#define UNARY(op, set, R, kin, expr) SET_##set(LIST1, op, R, kin)
#define CAST(to, set) SET_##set(LIST_CAST, to)
#define FILL SET_WIDTH(LIST_FILL)
#define ARANGE(set, kin) SET_##set(LIST_ARANGE, kin)
#define REDUCE(op, set, own, kin, acc, none, map, join) \
  SET_##own(LIST_REDUCE, op, kin, acc)
#define COPY SET_WIDTH(LIST_COPY)
#define SCAN(op, none, join) SET_RUNNING(LIST_RUNNING, op)
#define MATMUL(set, kin) SET_##set(LIST_MATMUL, kin)
#define CLIP(set) SET_##set(LIST_CLIP, )
#define BYWIDTH(op, args) \
  KERNEL(op##_w8, args, MAP_BLOCK, 4) KERNEL(op##_w16, args, MAP_BLOCK, 4) \
  KERNEL(op##_w32, args, MAP_BLOCK, 4) KERNEL(op##_w64, args, MAP_BLOCK, 4) \
  KERNEL(op##_w128, args, MAP_BLOCK, 2)
#define FIND(op, set, before) SET_##set(LIST_FIND, op)
#define OTHER(name, args, block) KERNEL(name, args, block, 0)
#include "kernels.def"

#undef LIST2
#undef LIST_EVEN
#undef LIST_MOST
#undef LIST_FULL
#undef LIST_RARE
#undef LIST_TURNED
#undef LIST_NOTHING
#undef LIST1
#undef LIST_CAST
#undef LIST_FILL
#undef LIST_ARANGE
#undef LIST_REDUCE
#undef LIST_FIND
#undef LIST_COPY
#undef LIST_RUNNING
#undef LIST_SCAN
#undef LIST_CLIP
#undef LIST_MATMUL
#undef LIST_FORM
#undef KERNEL

/*
** reduce.c - reductions of all elements to one, a 0-d array.
*/
#include "array.h"
#include "current.h"
#include "dtype.h"
#include "error.h"
#include "rt/submit.h"

static const char *const names[] = {
#define REDUCE(op, set, acc, none, map, join) #op,
#include "../kernels/kernels.def"
};

/* z = one stage over n elements of x. */
static void stage (lua_State *L, RtStream *s, KernelId id, unsigned grid,
                   Array *z, Array *x) {
  CUdeviceptr pz = tide_pointer(z), px = tide_pointer(x);
  size_t n = x->size;
  void *params[] = {&pz, &px, &n};
  Op op = {.kind = OP_LAUNCH};
  if (x->size > 0)
    tide_access(&op, x, false);
  tide_access(&op, z, true);
  tide_launch(L, s, &op, id, grid, params);
}

/* The 0-d array for the result: 'out' of the options at 2, or a new one. */
static Array *push_result (lua_State *L, const Array *a, DType t,
                           RtStream *s) {
  static const char *const options[] = {"out", NULL};
  if (!tide_checkoptions(L, 2, options) ||
      lua_getfield(L, 2, "out") == LUA_TNIL)
    return tide_newarray(L, a->dev, t, 0, NULL, s);
  Array *out = tide_testarray(L, -1);
  if (out == NULL || out->closed || out->size != 1 || out->dtype != t)
    luaL_argerror(L, 2, lua_pushfstring(L, "option 'out' must be an open "
        "tide.Array of one %s element", tide_dtypename(t)));
  tide_checkopen(L, 2, out);
  tide_checkdevices(L, a, out);
  return out;
}

/* z = all elements of 'a', folded. */
static void fold (lua_State *L, RtStream *s, ReduceOp op, Array *z,
                  Array *a) {
  DType t = a->dtype;
  int64_t blocks = rt_reduce_blocks(a->size);
  if (blocks == 1) {
    stage(L, s, rt_kernel_reduce(op, REDUCE_WHOLE, t), 1, z, a);
    return;
  }
  Array *partial = tide_newarray(L, a->dev,
      (DType)rt_reduce_partial_dtype(op, t), 1, &blocks, s);
  stage(L, s, rt_kernel_reduce(op, REDUCE_PARTIAL, t), (unsigned)blocks,
        partial, a);
  stage(L, s, rt_kernel_reduce(op, REDUCE_FINAL, t), 1, z, partial);
  lua_pop(L, 1);
}

/* The operand is at 1, options at 2; pushes the result. */
static int reduce (lua_State *L, ReduceOp op) {
  tide_rt(L);
  lua_settop(L, 2);
  Array *a = tide_checkarray(L, 1);
  DType t = a->dtype;
  a = tide_pushdense(L, 1);
  if (rt_reduce_dtype(op, t) < 0)
    return luaL_error(L, "'%s' is not defined for %s arrays", names[op],
                      tide_dtypename(t));
  if (a->size == 0 && (op == REDUCE_min || op == REDUCE_max))
    return luaL_error(L, "'%s' of an array without elements", names[op]);
  RtStream *s = tide_currentstream(L, a->dev);
  fold(L, s, op, push_result(L, a, (DType)rt_reduce_dtype(op, t), s), a);
  return 1;
}

#define REDUCE(op, set, acc, none, map, join) \
  static int array_##op (lua_State *L) { return reduce(L, REDUCE_##op); }
#include "../kernels/kernels.def"

/* z = x / n, of one element; float both. */
static void divide (lua_State *L, RtStream *s, Array *z, Array *x, size_t n) {
  CUdeviceptr pz = tide_pointer(z), px = tide_pointer(x);
  uint64_t number = 0;
  size_t one = 1;
  lua_pushnumber(L, (lua_Number)n);
  tide_readelement(L, -1, z->dtype, &number);
  lua_pop(L, 1);
  void *params[] = {&pz, &px, &number, &one};
  Op op = {.kind = OP_LAUNCH};
  tide_access(&op, x, false);
  tide_access(&op, z, true);
  tide_launch(L, s, &op, rt_kernel_binary(BINARY_div, FORM_VS, z->dtype), 1,
              params);
}

/*
** mean(a) -> 0-d array: float32 of float32, else float64. As in NumPy, int64
** is added as float64, where it cannot wrap around; smaller integers cannot
** anyway.
*/
static int array_mean (lua_State *L) {
  tide_rt(L);
  lua_settop(L, 2);
  Array *a = tide_pushdense(L, 1);
  lua_replace(L, 1);
  DType t = tide_isfloat(a->dtype) ? a->dtype : DTYPE_FLOAT64;
  RtStream *s = tide_currentstream(L, a->dev);
  Array *z = push_result(L, a, t, s), *total = z;
  int result = lua_gettop(L);
  if (a->dtype == DTYPE_INT64) {
    fold(L, s, REDUCE_sum, z, tide_pushcast(L, 1, t));
  } else if (tide_isfloat(a->dtype)) {
    fold(L, s, REDUCE_sum, z, a);
  } else {
    total = tide_newarray(L, a->dev, DTYPE_INT64, 0, NULL, s);
    fold(L, s, REDUCE_sum, total, a);
    total = tide_pushcast(L, -1, t);
  }
  divide(L, s, z, total, a->size);
  lua_settop(L, result);
  return 1;
}

static const luaL_Reg functions[] = {
#define REDUCE(op, set, acc, none, map, join) {#op, array_##op},
#include "../kernels/kernels.def"
  {"mean", array_mean},
  {NULL, NULL}
};

void tide_openreduce (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}

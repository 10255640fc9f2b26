/*
** isin.c - which elements of an array are among others: isin. The others are
** sorted, and each element is searched for: see kernels/search.cu.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "sort.h"

#include "kernels/keys.h"

/* {== searching ======================================================= */

/* Pushes which elements of x are among those of v, which has one axis and is
** sorted. Both are dense, of one dtype. */
static int push_among (lua_State *L, RtStream *s, int x, int v, bool invert) {
  Array *a = tide_checkarray(L, x), *all = tide_checkarray(L, v);
  Array *z = tide_newarray(L, a->dev, DTYPE_BOOL, a->ndim, a->shape, s);
  int width = (int)rt_dtype_size(a->dtype);
  bool wide = tide_kind(a->dtype) == KIND_COMPLEX;
  KeyRule rule = wide ? (KeyRule){0, 0} : tide_keyrule(a->dtype);
  int64_t pass = wide ? 0 : PASS(0, width, 1, 1, 1, 0);
  size_t n = all->size, contrary = invert;
  if (z->size == 0)
    return lua_gettop(L);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr pv = tide_reads(&op, all), pa = tide_reads(&op, a),
              pz = tide_writes(&op, z);
  void *keyed[] = {&pz,        &pv,       &pa,   &n,       &z->size,
                   &rule.sign, &rule.inf, &pass, &contrary};
  void *paired[] = {&pz, &pv, &pa, &n, &z->size, &contrary};
  KernelId id = rt_kernel_named(wide        ? "isin_c128"
                                : width > 4 ? "isin_k64"
                                            : "isin_k32");
  tide_launch(L, s, &op, id,
              wide ? rt_strided_grid(z->size) : rt_search_grid(z->size),
              wide ? paired : keyed);
  return lua_gettop(L);
}

/* Pushes the complex numbers v ordered by real parts, then by imaginary
** parts. */
static int push_ordered (lua_State *L, int v) {
  int by_imag = tide_apply(L, "argsort", tide_apply(L, "imag", v));
  int re = tide_applytake(L, tide_apply(L, "real", v), by_imag);
  int order = tide_applytake(L, by_imag, tide_apply(L, "argsort", re));
  return tide_applytake(L, v, order);
}

/* Pushes the operand at 'x', dense and in dtype t. */
static int push_as (lua_State *L, int x, DType t) {
  tide_pushplain(L, x, t);
  return lua_gettop(L);
}

/* Pushes which elements of x are among those of v, compared in dtype t. */
static int push_found (lua_State *L, RtStream *s, int x, int v, DType t,
                       bool invert) {
  bool pairs = tide_kind(t) == KIND_COMPLEX;
  DType as = pairs ? DTYPE_COMPLEX128 : t;
  v = tide_apply(L, "ravel", push_as(L, v, as));
  v = pairs ? push_ordered(L, v) : tide_apply(L, "sort", v);
  return push_among(L, s, push_as(L, x, as), push_as(L, v, as), invert);
}

/* ==} */

/* {== dtypes ========================================================== */

static bool is_pair (DType x, DType v) {
  return (x == DTYPE_INT64 && v == DTYPE_UINT64) ||
         (x == DTYPE_UINT64 && v == DTYPE_INT64);
}

/* Compares int64 with uint64: equal integers have the same bits, and are not
** negative as int64. Their promoted dtype does not have all of them. */
static void push_exactly (lua_State *L, RtStream *s, int x, int v,
                          bool invert) {
  int bits = push_as(L, x, DTYPE_INT64);
  int found = push_found(L, s, bits, v, DTYPE_INT64, invert);
  int sign = tide_applynumber(L, invert ? "lt" : "ge", bits, 0);
  tide_applyto(L, invert ? "bor" : "band", found, sign);
}

/* ==} */

/*
** isin(a, values [, { invert=, out= }]) -> which elements of 'a' are equal to
** one of 'values', of any shape; a number is compared as by eq. 'invert': which
** are not. NaN is equal to nothing.
*/
static int array_isin (lua_State *L) {
  static const char *const names[] = {"invert", "out", NULL};
  lua_settop(L, 3);
  tide_rt(L);
  tide_checkoptions(L, 3, names);
  bool invert = tide_optflag(L, 3, "invert", false);
  RtDevice *dev = tide_operanddevice(L);
  RtStream *s = tide_currentstream(L, dev);
  int x = tide_pushoperand(L, 1, tide_testany(L, 2), dev, s);
  if (tide_isscalar(L, 2)) {
    tide_applyto(L, invert ? "ne" : "eq", x, 2);
    return tide_deliverout(L, 3, s);
  }
  int v = tide_pushoperand(L, 2, tide_testany(L, 1), dev, s);
  Array *a = tide_checkarray(L, x), *all = tide_checkarray(L, v);
  tide_checkdevices(L, a, all);
  DType tx = a->dtype, tv = all->dtype;
  if (is_pair(tx, tv))
    push_exactly(L, s, x, v, invert);
  else
    push_found(L, s, x, v, tide_promote(tx, tv), invert);
  return tide_deliverout(L, 3, s);
}

static const Function functions[] = {
  {"isin", array_isin, 3},
  {NULL, NULL, 0},
};

void tide_openmembers (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}

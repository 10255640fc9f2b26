/*
** isin.c - which elements of an array are among others: isin. The others are
** sorted, and each element is searched for: see kernels/search.cu.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sort.h"

#include "kernels/keys.h"
#include "rt/queue/op_types.h"

/* {== searching ======================================================= */

/* Pushes which elements of x are among those of v, which has one axis and is
** sorted. Both are dense, of one dtype. */
static int push_among (lua_State *L, RtStream *s, int x, int v, bool invert) {
  Array *a = array_check(L, x), *all = array_check(L, v);
  Array *z = array_new(L, a->dev, DTYPE_BOOL, a->ndim, a->shape, s);
  int width = (int)dtype_size(a->dtype);
  bool wide = dtype_kind(a->dtype) == KIND_COMPLEX;
  KeyRule rule = wide ? (KeyRule){0, 0} : sort_key_rule(a->dtype);
  int64_t pass = wide ? 0 : PASS(0, width, 1, 1, 1, 0);
  size_t n = all->size, contrary = invert;
  if (z->size == 0)
    return lua_gettop(L);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pv = launch_reads(&op, all), pa = launch_reads(&op, a),
              pz = launch_writes(&op, z);
  void *keyed[] = {&pz,        &pv,       &pa,   &n,       &z->size,
                   &rule.sign, &rule.inf, &pass, &contrary};
  void *paired[] = {&pz, &pv, &pa, &n, &z->size, &contrary};
  KernelId id = kernel_named(wide        ? "isin_c128"
                             : width > 4 ? "isin_k64"
                                         : "isin_k32");
  launch_kernel(L, s, &op, id,
                wide ? kernel_strided_grid(z->size)
                     : kernel_search_grid(z->size),
                wide ? paired : keyed);
  return lua_gettop(L);
}

/* Pushes the complex numbers v ordered by real parts, then by imaginary
** parts. */
static int push_ordered (lua_State *L, int v) {
  int by_imag = composed_unary(L, "argsort", composed_unary(L, "imag", v));
  int re = composed_take(L, composed_unary(L, "real", v), by_imag);
  int order = composed_take(L, by_imag, composed_unary(L, "argsort", re));
  return composed_take(L, v, order);
}

/* Pushes the operand at 'x', dense and in dtype t. */
static int push_as (lua_State *L, int x, DType t) {
  operand_push_dense(L, x, t);
  return lua_gettop(L);
}

/* Pushes which elements of x are among those of v, compared in dtype t. */
static int push_found (lua_State *L, RtStream *s, int x, int v, DType t,
                       bool invert) {
  bool pairs = dtype_kind(t) == KIND_COMPLEX;
  DType as = pairs ? DTYPE_COMPLEX128 : t;
  v = composed_unary(L, "ravel", push_as(L, v, as));
  v = pairs ? push_ordered(L, v) : composed_unary(L, "sort", v);
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
  int sign = composed_scalar(L, invert ? "lt" : "ge", bits, 0);
  composed_binary(L, invert ? "bor" : "band", found, sign);
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
  state_rt(L);
  option_check(L, 3, names);
  bool invert = option_flag(L, 3, "invert", false);
  RtDevice *dev = composed_device(L);
  RtStream *s = current_get_stream(L, dev);
  int x = composed_operand(L, 1, composed_beside(L, 2), dev, s);
  if (dtype_is_scalar(L, 2)) {
    composed_binary(L, invert ? "ne" : "eq", x, 2);
    return result_deliver_out(L, 3, s);
  }
  int v = composed_operand(L, 2, composed_beside(L, 1), dev, s);
  Array *a = array_check(L, x), *all = array_check(L, v);
  array_check_devices(L, a, all);
  DType tx = a->dtype, tv = all->dtype;
  if (is_pair(tx, tv))
    push_exactly(L, s, x, v, invert);
  else
    push_found(L, s, x, v, dtype_promote(tx, tv), invert);
  return result_deliver_out(L, 3, s);
}

static const Function functions[] = {
  {"isin", array_isin, 3},
  {NULL, NULL, 0},
};

void open_isin (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

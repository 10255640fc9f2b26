/*
** modf_frexp.c - functions with two results: modf, the fraction and the
** integral part; frexp, mantissa and exponent. One kernel computes both if all
** arrays are dense (kernels/two_results.cu); otherwise there is one for each.
*/
#include <stdio.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "composed.h"
#include "device/current.h"
#include "elementwise.h"
#include "op_dtypes.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "strides.h"
#include "symbol.h"

/* Pushes array i of the list 'out', on the top, for such a result. */
static Array *push_listed (lua_State *L, int i, const Like *like, DType t) {
  lua_rawgeti(L, -i, i);
  Array *out = array_test(L, -1);
  if (out == NULL || out->closed)
    argerror_raise(L, 2, "option 'out' must be a list of two open tide.Arrays");
  result_check(L, 2, i == 1 ? "the first of 'out'" : "the second of 'out'", out,
               like, t);
  return out;
}

/* Pushes the targets of both results: the arrays of option 'out', or new
** ones. */
static void push_both (lua_State *L, const Like *like, const DType t[2],
                       Array *z[2], RtStream *s) {
  static const char *const names[] = {"out", NULL};
  option_check(L, 2, names);
  if (!result_get_out(L, 2)) {
    for (int i = 0; i < 2; i++)
      z[i] = array_new(L, like->of->dev, t[i], like->ndim, like->shape, s);
    return;
  }
  if (!lua_istable(L, -1))
    argerror_raise(L, 2, "option 'out' must be a list of two open tide.Arrays");
  list_check_in(L, 2, lua_gettop(L), 2, "option 'out', a list of two arrays");
  for (int i = 0; i < 2; i++)
    z[i] = push_listed(L, i + 1, like, t[i]);
  lua_remove(L, -3);
}

/*
** Returns which result is written last: the one in the operand's place, so that
** no step reads what another has written, even if the call begins again. -1:
** they overlap the operand otherwise, and go to memory of their own first.
*/
static int last_of (const Array *a, const Array *x, Array *const z[2]) {
  bool first = layout_overlaps(z[0], a), second = layout_overlaps(z[1], a);
  int last = first ? 0 : 1;
  if (!first && !second)
    return last;
  return (x == a && first != second && layout_same_view(z[last], a)) ? last
                                                                     : -1;
}

/* Copies the array at 'from' to the one at 'to', as a call of its own, so that
** the call around it does not begin again between the two copies. */
static void put (lua_State *L, int to, int from) {
  class_push_method(L, to, "copy_from");
  lua_pushvalue(L, to);
  lua_pushvalue(L, from);
  entry_call(L, "copy_from", 2, 0);
}

/* Tells whether z may be written while x is read, element by element. */
static bool is_apart (const Array *z, const Array *x) {
  return !layout_overlaps(z, x) || layout_same_view(z, x);
}

/* Tells whether one launch can compute both results of x, one of which may take
** its place. */
static bool is_joint (const Array *x, Array *const z[2]) {
  return x->dense && z[0]->dense && z[1]->dense && is_apart(z[0], x) &&
         is_apart(z[1], x) && !layout_overlaps(z[0], z[1]);
}

static void launch_both (lua_State *L, RtStream *s, UnaryOp first, Array *x,
                         Array *const z[2]) {
  char name[24];
  DType t = x->dtype;
  snprintf(name, sizeof name, "%s_both_%s",
           first == UNARY_modf ? "modf" : "frexp",
           t == DTYPE_FLOAT16    ? "f16"
           : t == DTYPE_BFLOAT16 ? "bf16"
           : t == DTYPE_FLOAT32  ? "f32"
                                 : "f64");
  KernelId id = kernel_named(name);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), py = launch_writes(&op, z[0]),
              pz = launch_writes(&op, z[1]);
  void *params[] = {&py, &pz, &px, &x->size};
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, x->size), params);
}

/* Launches one kernel for each result, of 'x', which is on the top. */
static void map_each (lua_State *L, RtStream *s, const UnaryOp ops[2],
                      const Array *a, Array *x, Array *const z[2]) {
  Array *own[2];
  int at = lua_gettop(L), last = last_of(a, x, z);
  for (int i = 0; i < 2; i++)
    own[i] = (last >= 0)
               ? z[i]
               : array_new(L, a->dev, (DType)z[i]->dtype, a->ndim, a->shape, s);
  for (int i = 1; i >= 0; i--) {
    int k = (i == 0) == (last != 0); /* result 'last' comes last */
    elementwise_map(L, s, ops[k], at, x, own[k]);
  }
  for (int i = 0; i < 2 && last < 0; i++)
    put(L, 3 + i, at + 1 + i);
}

/* Pushes both results for the operand at 1 and the options at 2. */
static int map_both (lua_State *L, const UnaryOp ops[2]) {
  Array *z[2], *a = array_check(L, 1);
  const Like like = {.of = a, .ndim = a->ndim, .shape = a->shape};
  RtStream *s = current_get_stream(L, a->dev);
  DType in = op_dtype_unary(L, ops[0], a->dtype), kept = a->dtype, t[2];
  for (int i = 0; i < 2; i++)
    t[i] = op_dtype_narrow((DType)kernel_unary_dtype(ops[i], in),
                           dtype_kind(kept) < KIND_FLOAT ? in : kept);
  push_both(L, &like, t, z, s); /* at 3 and 4 */
  Array *x = array_push_cast(L, 1, dtype_kind(kept) < KIND_FLOAT ? in : kept);
  if (x->size > 0 && is_joint(x, z))
    launch_both(L, s, ops[0], x, z);
  else if (x->size > 0)
    map_each(L, s, ops, a, array_push_cast(L, 1, in), z);
  array_drop(L, 4);
  return 2;
}

static int two_results (lua_State *L, UnaryOp first, UnaryOp second) {
  const UnaryOp ops[2] = {first, second};
  Runtime *rt = state_rt(L);
  lua_settop(L, 2);
  if (!symbol_is_traced(L, rt, 1))
    return map_both(L, ops);
  symbol_trace_both(L, ops);
  return 2;
}

/* modf(x [, { out = { fraction, whole } }]) -> fraction, whole: both with the
** sign of x. */
int composed_modf (lua_State *L) {
  return two_results(L, UNARY_modf, UNARY_trunc);
}

/* frexp(x [, { out = { mantissa, exponent } }]) -> mantissa, exponent: x =
** mantissa * 2^exponent. */
int composed_frexp (lua_State *L) {
  return two_results(L, UNARY_frexp, UNARY_frexp_exponent);
}

static const Function functions[] = {
  {"frexp", composed_frexp, 2},
  {"modf", composed_modf, 2},
  {NULL, NULL, 0},
};

void open_modf_frexp (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

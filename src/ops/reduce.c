/*
** reduce.c - reductions: sum and others, along axes or of all elements. The
** folds are in fold.c; mean, var and std in statistics.c, argmin and argmax in
** argminmax.c.
*/
#include "reduce.h"

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/kernels.h"

static const char *const names[] = {
#define REDUCE(op) #op,
#include "rt/kernels/operations.def"
};

/* {== arguments ======================================================= */

/* A table without an element 1 has options, not axes. */
static bool has_axes (lua_State *L, int arg) {
  if (!lua_istable(L, arg))
    return !lua_isnil(L, arg);
  bool has = (lua_rawgeti(L, arg, 1) != LUA_TNIL);
  lua_pop(L, 1);
  return has;
}

static void set_axes (Reduction *r, int n, const int *axes) {
  r->axes = 0;
  for (int i = 0; i < n; i++)
    r->axes |= 1u << axes[i];
}

static void read_options (lua_State *L, Reduction *r,
                          const char *const options[], bool *keepdims) {
  int axes[MAX_DIMS];
  if (!option_check(L, r->options, options))
    return;
  bool given = (r->options == 3 && !lua_isnil(L, 2));
  int n = axes_option(L, r->options, given, r->a->ndim, axes);
  if (n >= 0)
    set_axes(r, n, axes);
  *keepdims = option_flag(L, r->options, "keepdims", false);
  lua_pushvalue(L, r->options);
  if (option_get(L, 4, "dtype") != LUA_TNIL) {
    lua_replace(L, r->options);
    r->dtype = (int)dtype_check(L, r->options);
  }
  lua_settop(L, 4);
  lua_replace(L, r->options);
}

static void find_shape (Reduction *r, bool keepdims) {
  const Array *a = r->a;
  r->like.of = a;
  r->like.ndim = 0;
  r->like.shape = r->like.wide;
  r->count = 1;
  for (int i = 0; i < a->ndim; i++) {
    bool gone = (r->axes >> i & 1) != 0;
    if (gone)
      r->count *= (size_t)a->shape[i];
    if (!gone || keepdims)
      r->like.wide[r->like.ndim++] = gone ? 1 : a->shape[i];
  }
  r->whole = (r->like.ndim == 0);
}

void reduce_read (lua_State *L, Reduction *r, const char *const options[]) {
  bool keepdims = false;
  int axes[MAX_DIMS];
  r->a = array_check(L, 1);
  r->dtype = -1;
  r->axes = UINT32_MAX;
  lua_settop(L, 3);
  if (has_axes(L, 2)) {
    set_axes(r, axes_check(L, 2, r->a->ndim, axes), axes);
    r->options = 3;
  } else {
    r->options = lua_isnil(L, 2) ? 3 : 2;
    argerror_check(L, r->options == 3 || lua_isnil(L, 3), 3,
                   "nothing comes after the options");
  }
  if (!lua_isnil(L, r->options))
    read_options(L, r, options, &keepdims);
  find_shape(r, keepdims);
}

/* A result of one element may go to an array of any shape. */
static Array *push_single (lua_State *L, const Reduction *r, DType t,
                           RtStream *s) {
  if (!result_get_out(L, r->options))
    return array_new(L, r->a->dev, t, 0, NULL, s);
  Array *out = array_test(L, -1);
  if (out == NULL || out->closed || out->size != 1 || out->dtype != t)
    argerror_raise(L, r->options,
                   "option 'out' must be an open tide.Array of one %s element"
                   "%s%s",
                   dtype_name(t), out == NULL || out->closed ? ", got " : "",
                   out == NULL || out->closed ? array_push_got(L, -1) : "");
  array_check_open(L, r->options, out);
  array_check_devices(L, r->a, out);
  layout_check_writable(L, r->options, out);
  return out;
}

Array *reduce_push_out (lua_State *L, const Reduction *r, DType t,
                        RtStream *s) {
  return r->whole ? push_single(L, r, t, s)
                  : result_push_out(L, r->options, &r->like, t, s);
}

/* ==} */

static void check_defined (lua_State *L, ReduceOp op, const Reduction *r,
                           DType t) {
  if (kernel_reduce_dtype(op, t) < 0)
    error_raise(L, "'%s' is not defined for %s arrays", names[op],
                dtype_name(t));
  if (op != REDUCE_min && op != REDUCE_max)
    return;
  size_t results = 1;
  for (int i = 0; i < r->like.ndim; i++)
    results *= (size_t)r->like.wide[i];
  if (r->count == 0 && results > 0)
    error_raise(L, "'%s' of an array without elements", names[op]);
}

/* Pushes the result for the operand at 1 and the axes and options behind it. */
static int reduce (lua_State *L, ReduceOp op) {
  static const char *const plain[] = {"axis", "out", "keepdims", NULL};
  static const char *const typed[] = {"axis", "out", "keepdims", "dtype", NULL};
  Reduction r;
  bool adds = (op == REDUCE_sum || op == REDUCE_prod);
  reduce_read(L, &r, adds ? typed : plain);
  RtStream *s = current_get_stream(L, r.a->dev);
  DType t = (r.dtype >= 0) ? (DType)r.dtype : r.a->dtype;
  check_defined(L, op, &r, t);
  if (t == DTYPE_BOOL && op == REDUCE_max)
    op = REDUCE_any; /* the same, and ends at the first */
  else if (t == DTYPE_BOOL && op == REDUCE_min)
    op = REDUCE_all;
  DType own = (DType)kernel_reduce_dtype(op, t);
  if (t == r.a->dtype && (own == t || r.dtype < 0)) {
    reduce_fold(L, s, (Fold){op, 1}, reduce_push_out(L, &r, own, s), 1, r.axes);
    return 1;
  }
  Array *z = reduce_push_out(L, &r, t, s);
  array_push_cast(L, 1, t); /* at 5 */
  Array *wide = array_new(L, z->dev, own, z->ndim, z->shape, s);
  reduce_fold(L, s, (Fold){op, 1}, wide, 5, r.axes);
  array_copyto(L, s, z, array_push_cast(L, 6, t)); /* in the requested dtype */
  array_drop(L, 4);
  return 1;
}

#define REDUCE(op) \
  static int array_##op(lua_State *L) { return reduce(L, REDUCE_##op); }
#include "rt/kernels/operations.def"

static const Function functions[] = {
#define REDUCE(op) {#op, array_##op, 3},
#include "rt/kernels/operations.def"
  {NULL, NULL, 0},
};

void open_reduce (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

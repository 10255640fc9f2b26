/*
** reductionkernel.c - ReductionKernel: expressions in C that map elements, join
** two values, and make a result of the last one.
**
** On CUDA a block of threads makes a result. If there are few results of many
** elements each, several blocks make its parts, and a second kernel joins
** those. On the host device all is one program.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "generated.h"
#include "openers.h"
#include "params.h"
#include "reduction.h"

typedef struct ReductionKernel {
  Object object;
  const char *what, *name;
  ParamList list; /* the last parameter is the result */
  ParamSpec t;    /* the type of accumulators, if it is not the result's */
  KernelContext context;
  Variants made;
} ReductionKernel;

static const Class reduction_class;

static ReductionKernel *check_kernel (lua_State *L, int arg) {
  return class_check(L, arg, &reduction_class);
}

/* {== options ========================================================= */

static void add_axis (lua_State *L, ReductionCall *r, int idx) {
  int isint;
  lua_Integer axis = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    error_raise(L,
                "%s: option 'axis' must be an integer or a list of them, got "
                "%s",
                r->b.what, luaL_typename(L, idx));
  lua_Integer at = (axis < 0) ? axis + r->b.ndim : axis - 1;
  if (axis == 0 || at < 0 || at >= r->b.ndim)
    error_raise(L, "%s: axis %I is out of range for %d axes%s", r->b.what,
                (LUAI_UACINT)axis, r->b.ndim,
                axis == 0 ? ": axes count from 1" : "");
  if (r->gone[at])
    error_raise(L, "%s: axis %I is there twice", r->b.what, (LUAI_UACINT)axis);
  r->gone[at] = true;
}

static void read_axes (lua_State *L, ReductionCall *r) {
  int type = (r->options > 0) ? option_get(L, r->options, "axis")
                              : (lua_pushnil(L), LUA_TNIL);
  for (int i = 0; i < r->b.ndim; i++)
    r->gone[i] = (type == LUA_TNIL);
  if (type == LUA_TTABLE) {
    int list = lua_gettop(L), n = (int)lua_rawlen(L, list);
    list_check_of(L, r->b.what, list, (lua_Unsigned)n, "option 'axis', a list");
    for (int i = 1; i <= n; i++) {
      lua_rawgeti(L, list, i);
      add_axis(L, r, -1);
      lua_pop(L, 1);
    }
  } else if (type != LUA_TNIL) {
    add_axis(L, r, -1);
  }
  lua_pop(L, 1);
}

static void measure (ReductionCall *r) {
  r->results = r->n = 1;
  r->ndim = 0;
  for (int i = 0; i < r->b.ndim; i++) {
    size_t length = (size_t)r->b.shape[i];
    if (r->gone[i])
      r->n *= length;
    else
      r->results *= length;
    if (!r->gone[i] || r->keepdims)
      r->shape[r->ndim++] = r->gone[i] ? 1 : r->b.shape[i];
  }
}

/* Puts the reduced axes last in every array that is walked through. */
static void order_axes (lua_State *L, ReductionCall *r) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  for (int i = 0; i < r->b.nin; i++) {
    Array *a = r->b.args[i].array;
    if (a == NULL || r->b.modes[i] != ARG_DENSE)
      continue;
    int n = 0;
    for (int gone = 0; gone < 2; gone++)
      for (int k = 0; k < a->ndim; k++)
        if (r->gone[k] == (gone == 1)) {
          shape[n] = a->shape[k];
          strides[n++] = array_stride(a)[k];
        }
    luaL_checkstack(L, 8, NULL);
    array_push_view(L, a, a->ndim, shape, strides, a->off);
    r->b.args[i].array = array_push_dense(L, lua_gettop(L));
  }
}

/* ==} */

/* {== calls =========================================================== */

/* Pushes the arguments: all inputs, then 'out' of the table of options, or
** nil. */
static void arrange (lua_State *L, const ReductionKernel *k, ReductionCall *r) {
  static const char *const names[] = {"axis", "keepdims", "out", NULL};
  int n = k->list.nin, top = lua_gettop(L), given = top - 1;
  r->options = (given > 0 && lua_istable(L, -1)) ? top : 0;
  if (r->options > 0) {
    option_check(L, top, names);
    given--;
  }
  if (given != n)
    error_raise(L, "%s takes %d argument%s, and a table of options, got %d",
                k->what, n, n == 1 ? "" : "s", given);
  luaL_checkstack(L, n + 12, NULL);
  for (int i = 0; i < n; i++)
    lua_pushvalue(L, 2 + i);
  lua_pushnil(L);
  r->out = 0;
  r->keepdims = false;
  if (r->options == 0)
    return;
  r->keepdims = option_flag(L, top, "keepdims", false);
  option_get(L, top, "out");
  r->out = lua_gettop(L);
}

/* Binds the inputs. They alone determine the shape, and 'out' does not. */
static void bind (lua_State *L, ReductionKernel *k, ReductionCall *r,
                  int first) {
  param_start_binding(&r->b, k->what, &k->list, first);
  param_bind_inputs(L, &r->b);
  if (r->b.ndim < 0)
    error_raise(L, "%s: nothing says how many elements there are", k->what);
}

/* Pushes the array for the result. */
static Array *push_result (lua_State *L, const ReductionKernel *k,
                           ReductionCall *r, DType t, RtStream *s) {
  if (r->out == 0 || lua_isnil(L, r->out))
    return array_new(L, r->b.dev, t, r->ndim, r->shape, s);
  Array *z = array_test(L, r->out);
  bool fits = z != NULL && !z->closed && !array_is_stale(z) && z->dense &&
              z->dev == r->b.dev && z->dtype == t && z->ndim == r->ndim &&
              memcmp(z->shape, r->shape, (size_t)z->ndim * sizeof *z->shape) ==
                0;
  if (!fits) {
    array_push_dims(L, r->ndim, r->shape);
    error_raise(L,
                "%s: option 'out' must be an open, dense tide.Array of %s and "
                "shape %s on the same device",
                k->what, dtype_name(t), lua_tostring(L, -1));
  }
  lua_pushvalue(L, r->out);
  return z;
}

/* Refuses a number as identity that is not one of the accumulators' type. */
static void check_identity (lua_State *L, const ReductionKernel *k, DType t) {
  uint64_t element;
  if (lua_getiuservalue(L, 1, REDUCTION_IDENTITY) == LUA_TNUMBER) {
    const char *why = dtype_read_element(L, -1, t, &element);
    if (why != NULL)
      error_raise(L, "%s: option 'identity' must be of type %s: %s", k->what,
                  dtype_name(t), why);
  }
  lua_pop(L, 1);
}

/* Pushes the variant of the kernel at 1 for these types; makes it first. */
static Generated *find_generated (lua_State *L, ReductionKernel *k,
                                  const Binding *b) {
  unsigned char key[2 * KERNEL_PARAMS];
  param_make_key(b, key);
  Generated *g = generated_find(L, REDUCTION_OWN, &k->made, key);
  if (g != NULL)
    return g;
  DType t = param_dtype(b, &k->t);
  if (t == DTYPE_COUNT)
    t = b->types[k->list.nin];
  check_identity(L, k, t);
  g = generated_new(L, k->name, 0);
  param_make_text(b, "", &k->context, &g->text);
  g->pack = 1;
  g->extra = t;
  generated_keep(L, REDUCTION_OWN, &k->made, g, key);
  return g;
}

static void check_empty (lua_State *L, const ReductionKernel *k,
                         const ReductionCall *r) {
  if (r->n > 0 || r->results == 0)
    return;
  if (lua_getiuservalue(L, 1, REDUCTION_IDENTITY) == LUA_TNIL)
    error_raise(L,
                "%s: there are no elements, and no identity says what that "
                "gives",
                k->what);
  lua_pop(L, 1);
}

/* k(inputs ... [, { axis=, keepdims=, out= }]) -> the result. */
static int kernel__call (lua_State *L) {
  ReductionCall r;
  ReductionKernel *k = check_kernel(L, 1);
  int last = k->list.nin, top = lua_gettop(L);
  argerror_object(k->object.state, k->what);
  arrange(L, k, &r);
  bind(L, k, &r, top + 1);
  RtStream *s = current_get_stream(L, r.b.dev);
  read_axes(L, &r);
  measure(&r);
  check_empty(L, k, &r);
  order_axes(L, &r);
  param_bind_numbers(L, &r.b);
  r.b.types[last] = param_result_dtype(L, &r.b, last);
  r.b.modes[last] = ARG_DENSE;
  luaL_checkstack(L, 12, NULL);
  Array *z = push_result(L, k, &r, r.b.types[last], s);
  int at = lua_gettop(L);
  Generated *g = find_generated(L, k, &r.b);
  if (r.results > INT32_MAX)
    error_raise(L, "%s: there are too many results", k->what);
  if (r.results > 0)
    reduction_run(L, s, g, lua_gettop(L), &r, z);
  array_drop(L, at);
  return array_return(L, top);
}

/* ==} */

/* {== making ========================================================== */

enum { IN_A_ROW = 8 };

static const char *const names[] = {
  "params", "out",         "map",      "reduce",  "post", "identity",
  "name",   "reduce_type", "preamble", "options", NULL};

/* Checks the expression at 'idx'. */
static void check_text (lua_State *L, ReductionKernel *k, int idx,
                        bool needed) {
  int type = lua_type(L, idx);
  bool number = (idx == REDUCTION_IDENTITY);
  if (type != LUA_TSTRING && !(number && type == LUA_TNUMBER) &&
      (needed || type != LUA_TNIL))
    error_raise(L, "%s: %s must be a string%s, got %s", k->what, names[idx - 1],
                number ? " or a number" : "", luaL_typename(L, idx));
  k->context.arrays = k->context.arrays || (type == LUA_TSTRING &&
                                            strchr(lua_tostring(L, idx), '['));
}

/*
** ReductionKernel{ params=, out=, map=, reduce=, post=, identity=, name=,
** reduce_type=, preamble=, options= }, or the first eight in a row ->
** ReductionKernel.
*/
static int core_ReductionKernel (lua_State *L) {
  lua_settop(L, lua_istable(L, 1) ? 1 : IN_A_ROW);
  if (lua_istable(L, 1)) {
    option_check(L, 1, names);
    for (int i = 0; i < IN_A_ROW; i++)
      option_get(L, 1, names[i]);
    lua_rotate(L, 1, -1);
  } else {
    lua_pushnil(L);
  }
  const char *name = generated_check_name(L, REDUCTION_NAME);
  lua_pushfstring(L, "ReductionKernel '%s'", name);
  ReductionKernel *k = class_new_object(L, sizeof *k, &reduction_class,
                                        REDUCTION_UVS);
  k->name = name;
  k->what = lua_tostring(L, 10);
  lua_pushvalue(L, 10);
  lua_setiuservalue(L, 11, REDUCTION_WHAT);
  for (int i = 1; i <= IN_A_ROW; i++) {
    lua_pushvalue(L, i);
    lua_setiuservalue(L, 11, i);
  }
  param_read(L, 1, false, k->what, &k->list);
  k->list.nin = k->list.n;
  param_read(L, 2, true, k->what, &k->list);
  if (k->list.nin == 0 || k->list.n != k->list.nin + 1)
    error_raise(L, "%s: it must have parameters, and one result", k->what);
  if (k->list.at[k->list.nin].raw)
    error_raise(L, "%s: its result must not be raw", k->what);
  for (int i = 0; i < k->list.n; i++)
    if (strcmp(k->list.at[i].name, "a") == 0 ||
        strcmp(k->list.at[i].name, "b") == 0)
      error_raise(L, "%s: 'a' and 'b' are what is joined, not parameters",
                  k->what);
  check_text(L, k, REDUCTION_MAP, true);
  check_text(L, k, REDUCTION_REDUCE, true);
  check_text(L, k, REDUCTION_POST, false);
  check_text(L, k, REDUCTION_IDENTITY, false);
  k->t.t = DTYPE_COUNT;
  if (!lua_isnil(L, REDUCTION_TYPE))
    param_read_type(L, "reduce_type", arg_check_string(L, REDUCTION_TYPE),
                    k->what, &k->list, &k->t);
  if (lua_istable(L, 9))
    generated_read_context(L, 9, REDUCTION_CONTEXT, k->what, &k->context);
  return 1;
}

#define FIELD(name, value) \
  static int field_##name(lua_State *L) { \
    check_kernel(L, 1); \
    lua_getiuservalue(L, 1, value); \
    return 1; \
  }
FIELD(identity, REDUCTION_IDENTITY)
FIELD(map, REDUCTION_MAP)
FIELD(name, REDUCTION_NAME)
FIELD(out, REDUCTION_OUT)
FIELD(params, REDUCTION_PARAMS)
FIELD(post, REDUCTION_POST)
FIELD(preamble, REDUCTION_CONTEXT)
FIELD(reduce, REDUCTION_REDUCE)
FIELD(reduce_type, REDUCTION_TYPE)

static int field_options (lua_State *L) {
  check_kernel(L, 1);
  return generated_push_options(L, REDUCTION_CONTEXT);
}

static int kernel__tostring (lua_State *L) {
  lua_pushfstring(L, "tide.ReductionKernel: %s", check_kernel(L, 1)->name);
  return 1;
}

/* ==} */

static const Function fields[] = {
  {"identity", field_identity, 1},
  {"map", field_map, 1},
  {"name", field_name, 1},
  {"options", field_options, 1},
  {"out", field_out, 1},
  {"params", field_params, 1},
  {"post", field_post, 1},
  {"preamble", field_preamble, 1},
  {"reduce", field_reduce, 1},
  {"reduce_type", field_reduce_type, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__call", kernel__call, ANY},
  {"__tostring", kernel__tostring, 1},
  {NULL, NULL, 0},
};

static const Class reduction_class = {
  .name = "tide.ReductionKernel",
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_KERNELS "ReductionKernel", core_ReductionKernel, 8},
  {NULL, NULL, 0},
};

void open_reductionkernel (lua_State *L) {
  class_define(L, &reduction_class);
  class_set_funcs(L, functions);
}

/*
** elementwisekernel.c - ElementwiseKernel: a body in C that computes each
** element of its results from the elements of its operands.
*/
#include <string.h>

#include "array/array.h"
#include "array/layout.h"
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
#include "rt/kernels/dtypes.h"
#include "rt/program/kernel_text.h"

/* User values: its options, then the kernels made so far. */
enum {
  UV_PARAMS = 1,
  UV_OUT,
  UV_BODY,
  UV_NAME,
  UV_WHAT,
  UV_CONTEXT,
  UV_OWN = UV_CONTEXT + CONTEXT_UVS - 1,
  UV_TOTAL = UV_OWN + VARIANTS
};

typedef struct ElementwiseKernel {
  Object object;
  const char *what, *name;
  ParamList list;
  KernelContext context;
  Variants made;
} ElementwiseKernel;

static const Class elementwise_class;

static ElementwiseKernel *check_kernel (lua_State *L, int arg) {
  return class_check(L, arg, &elementwise_class);
}

/* {== its code ======================================================== */

static void push_source (lua_State *L, int owner, Generated *g) {
  luaL_Buffer b;
  lua_getiuservalue(L, owner, UV_BODY);
  int body = lua_gettop(L);
  luaL_buffinit(L, &b);
  luaL_addstring(&b, generated_headers);
  generated_add_signature(&b, g,
                          ") {\n  const Index_ _ind = {n};\n  (void)_ind;\n");
  generated_addf(L, &b, "#line 1 \"%s\"\n%s\n;\n}\n#line 1 \"loop\"\n", g->file,
                 lua_tostring(L, body));
  generated_add_loop(&b, g);
  luaL_pushresult(&b);
  lua_replace(L, body);
}

static void make_program (lua_State *L, int owner, Generated *g, Builder *b) {
  ElementwiseKernel *k = lua_touserdata(L, owner);
  char error[C_ERROR];
  if (!kernel_text_compile(b, &g->text, error))
    error_raise(L, "%s cannot run on the host device: %s", k->what, error);
}

static const Recipe recipe = {.source = push_source, .program = make_program};

/* Pushes the variant of the kernel at 1 for these types; makes it first. */
static Generated *find_generated (lua_State *L, ElementwiseKernel *k,
                                  const Binding *b) {
  unsigned char key[2 * KERNEL_PARAMS];
  param_make_key(b, key);
  Generated *g = generated_find(L, UV_OWN, &k->made, key);
  if (g != NULL)
    return g;
  g = generated_new(L, k->name, 0);
  lua_getiuservalue(L, 1, UV_BODY);
  param_make_text(b, lua_tostring(L, -1), &k->context, &g->text);
  lua_pop(L, 1);
  g->pack = generated_choose_pack(&g->text);
  generated_keep(L, UV_OWN, &k->made, g, key);
  return g;
}

/* ==} */

/* {== calls =========================================================== */

static const char *const option_names[] = {"out", "size", NULL};

/* Puts option 'size' into the binding. */
static void read_size (lua_State *L, Binding *b, int options) {
  const bool given = (option_get(L, options, "size") != LUA_TNIL);
  lua_pop(L, 1);
  b->size = option_integer(L, options, "size", -1);
  argerror_check(L, !given || b->size >= 0, options,
                 "option 'size' must not be negative, got %I",
                 (LUAI_UACINT)b->size);
}

/* Reads the table of options: 'out', an array or a list of them, follows the
** inputs; 'size' goes into the binding. */
static void read_options (lua_State *L, Binding *b, int options) {
  read_size(L, b, options);
  int nout = b->n - b->nin;
  int type = option_get(L, options, "out");
  int out = lua_gettop(L);
  if (type == LUA_TTABLE && (int)lua_rawlen(L, -1) != nout)
    error_raise(L, "%s: option 'out' must have %d array%s, has %d", b->what,
                nout, nout == 1 ? "" : "s", (int)lua_rawlen(L, -1));
  if (type == LUA_TTABLE)
    list_check_of(L, b->what, out, (lua_Unsigned)nout, "option 'out', a list");
  for (int i = 0; i < nout && type != LUA_TNIL; i++) {
    if (type == LUA_TTABLE)
      lua_rawgeti(L, out, i + 1);
    else if (i == 0)
      lua_pushvalue(L, out);
    else
      lua_pushnil(L);
    lua_replace(L, b->first + b->nin + i);
  }
  lua_settop(L, out - 1);
}

/* Pushes the arguments: nin inputs, then all results, or nil. */
static void arrange (lua_State *L, Binding *b) {
  int top = lua_gettop(L), given = top - 1, n = b->n;
  bool options = given > 0 && lua_istable(L, -1);
  given -= options;
  if (options)
    option_check(L, top, option_names);
  if (given != b->nin && given != n)
    error_raise(L, "%s takes %d argument%s%s, got %d", b->what, b->nin,
                b->nin == 1 ? "" : "s",
                n > b->nin ? ", or its results as well" : "", given);
  luaL_checkstack(L, n + 8, NULL);
  for (int i = 0; i < n; i++) {
    if (i < given)
      lua_pushvalue(L, 2 + i);
    else
      lua_pushnil(L);
  }
  if (options)
    read_options(L, b, top);
}

/* Returns the number of elements. Without arrays the shape is that number. */
static size_t count (lua_State *L, Binding *b) {
  int64_t n = 1;
  if (b->ndim < 0 && b->size < 0)
    error_raise(L,
                "%s: nothing says how many elements there are; the option size "
                "can",
                b->what);
  if (b->ndim < 0) {
    b->ndim = 1;
    b->shape[0] = b->size;
  }
  for (int i = 0; i < b->ndim; i++)
    n *= b->shape[i];
  if (b->size >= 0 && b->size != n)
    error_raise(L, "%s: option 'size' is %I, the arrays have %I elements",
                b->what, (LUAI_UACINT)b->size, (LUAI_UACINT)n);
  return (size_t)n;
}

/* Tells whether the given result o may be written while the rest is read. */
static bool is_writable (lua_State *L, const Binding *b, int o) {
  const Array *z = b->args[o].array;
  bool apart = z->dense;
  layout_check_writable(L, 1, z);
  if (b->modes[o] == ARG_RAW)
    return true;
  for (int i = 0; i < b->n && apart; i++) {
    if (i >= b->nin && i != o && b->args[i].array != NULL && z->size > 0 &&
        layout_overlaps(z, b->args[i].array))
      error_raise(L, "%s: '%s' overlaps '%s'", b->what, b->list->at[o].name,
                  b->list->at[i].name);
    if (i < b->nin)
      apart = param_is_alias_safe(b, i, z);
  }
  return apart;
}

/*
** Puts new arrays in the place of missing results. A given result that cannot
** be written at once is copied to later.
*/
static void make_results (lua_State *L, Binding *b, RtStream *s, Later *later) {
  later->n = 0;
  for (int i = b->nin; i < b->n; i++) {
    Array *given = b->args[i].array;
    if (given != NULL && is_writable(L, b, i))
      continue;
    if (b->list->at[i].raw)
      error_raise(L, "%s: the result '%s' is raw: pass an array for it",
                  b->what, b->list->at[i].name);
    DType t = (given != NULL) ? given->dtype : param_result_dtype(L, b, i);
    Array *z = array_new(L, b->dev, t, b->ndim, b->shape, s);
    b->args[i].array = z;
    b->types[i] = t;
    b->modes[i] = ARG_DENSE;
    if (given == NULL) {
      lua_replace(L, b->first + i);
    } else {
      array_copyto(L, s, z, given); /* the body may read it */
      later->from[later->n] = z;
      later->to[later->n++] = given;
    }
  }
}

/* k(inputs ..., [results ... | { out=, size= }]) -> the results. */
static int kernel__call (lua_State *L) {
  ElementwiseKernel *k = check_kernel(L, 1);
  Binding b;
  Later later;
  argerror_object(k->object.state, k->what);
  param_start_binding(&b, k->what, &k->list, lua_gettop(L) + 1);
  b.strides = true;
  arrange(L, &b);
  param_bind_inputs(L, &b);
  RtStream *s = current_get_stream(L, b.dev);
  size_t n = count(L, &b);
  make_results(L, &b, s, &later);
  param_bind_numbers(L, &b);
  Generated *g = find_generated(L, k, &b);
  generated_run(L, &recipe, g, lua_gettop(L), s, b.args, n, b.axes, &later);
  array_drop(L, b.first + k->list.n - 1);
  return k->list.n - k->list.nin;
}

/* ==} */

/* {== making ========================================================== */

/*
** ElementwiseKernel{ params=, out=, body=, name=, preamble=, options= }, or the
** first four in a row -> ElementwiseKernel.
*/
static int core_ElementwiseKernel (lua_State *L) {
  static const char *const names[] = {"params",   "out",     "body", "name",
                                      "preamble", "options", NULL};
  lua_settop(L, lua_istable(L, 1) ? 1 : 4);
  if (lua_istable(L, 1)) {
    option_check(L, 1, names);
    for (int i = 0; i < 4; i++)
      option_get(L, 1, names[i]);
    lua_rotate(L, 1, -1);
  } else {
    lua_pushnil(L);
  }
  const char *name = generated_check_name(L, UV_NAME);
  lua_pushfstring(L, "ElementwiseKernel '%s'", name);
  ElementwiseKernel *k = class_new_object(L, sizeof *k, &elementwise_class,
                                          UV_TOTAL);
  k->name = name;
  k->what = lua_tostring(L, 6);
  lua_pushvalue(L, 6);
  lua_setiuservalue(L, 7, UV_WHAT);
  for (int i = 1; i <= UV_NAME; i++) {
    lua_pushvalue(L, i);
    lua_setiuservalue(L, 7, i);
  }
  param_read(L, 1, false, k->what, &k->list);
  k->list.nin = k->list.n;
  param_read(L, 2, true, k->what, &k->list);
  if (k->list.n == 0)
    error_raise(L, "%s: it has no parameters", k->what);
  if (lua_type(L, 3) != LUA_TSTRING)
    error_raise(L, "%s: body must be a string, got %s", k->what,
                luaL_typename(L, 3));
  k->context.arrays = strchr(lua_tostring(L, 3), '[') != NULL;
  if (lua_istable(L, 5))
    generated_read_context(L, 5, UV_CONTEXT, k->what, &k->context);
  return 1;
}

#define FIELD(name, value) \
  static int field_##name(lua_State *L) { \
    check_kernel(L, 1); \
    lua_getiuservalue(L, 1, value); \
    return 1; \
  }
FIELD(body, UV_BODY)
FIELD(name, UV_NAME)
FIELD(out, UV_OUT)
FIELD(params, UV_PARAMS)
FIELD(preamble, UV_CONTEXT)

static int field_options (lua_State *L) {
  check_kernel(L, 1);
  return generated_push_options(L, UV_CONTEXT);
}

static int kernel__tostring (lua_State *L) {
  lua_pushfstring(L, "tide.ElementwiseKernel: %s", check_kernel(L, 1)->name);
  return 1;
}

/* ==} */

static const Function fields[] = {
  {"body", field_body, 1},
  {"name", field_name, 1},
  {"options", field_options, 1},
  {"out", field_out, 1},
  {"params", field_params, 1},
  {"preamble", field_preamble, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__call", kernel__call, ANY},
  {"__tostring", kernel__tostring, 1},
  {NULL, NULL, 0},
};

static const Class elementwise_class = {
  .name = "tide.ElementwiseKernel",
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_KERNELS "ElementwiseKernel", core_ElementwiseKernel, 4},
  {NULL, NULL, 0},
};

void open_elementwisekernel (lua_State *L) {
  class_define(L, &elementwise_class);
  class_set_funcs(L, functions);
}

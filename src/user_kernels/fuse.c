/*
** fuse.c - tide.fuse: makes one kernel of a Lua function of arrays. It calls
** the function once for each combination of dtypes, with Symbols that record
** its operations. From then on these run without Lua.
*/
#include "fuse.h"

#include <stdio.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "generated.h"
#include "openers.h"
#include "ops/symbol.h"
#include "params.h"
#include "rt/kernels/dtypes.h"

/* User values of a FusedFunction: the function, texts, then the kernels made so
** far. A kernel has two: its trace, and the reductions of its results by
** number.
*/
enum {
  UV_FUNCTION = 1,
  UV_NAME,
  UV_WHAT,
  UV_OWN = UV_WHAT,
  UV_TOTAL = UV_OWN + VARIANTS
};
enum { UV_TRACE = 1, UV_REDUCTIONS, UV_PARTS = UV_REDUCTIONS };

typedef struct FusedFunction {
  Object object;
  const char *what, *name;
  ParamList list; /* of the arguments: "A a, B b" */
  int nparams;    /* named parameters of the function */
  Variants made;
} FusedFunction;

static const Class fused_class;

static FusedFunction *check_fused (lua_State *L, int arg) {
  return class_check(L, arg, &fused_class);
}

/* {== tracing ========================================================= */

/* Pushes the function and a Symbol for each argument. */
static void push_call (lua_State *L, const Binding *b, Trace *t) {
  luaL_checkstack(L, b->n + 8, NULL);
  lua_getiuservalue(L, 1, UV_FUNCTION);
  for (int i = 0; i < b->n; i++) {
    bool number = (b->modes[i] == ARG_NUMBER);
    TraceNode node = {.kind = number ? NODE_NUMBER : NODE_ARRAY,
                      .weak = number,
                      .t = number ? symbol_weak_dtype(b->types[i])
                                  : b->types[i],
                      .arg = i,
                      .in = {-1, -1, -1}};
    symbol_push(L, t, symbol_add_node(L, t, &node));
  }
}

/* Puts the results, from 'first' to the top, into f; reductions into the table
** at 'into'. */
static void read_results (lua_State *L, const FusedFunction *k, Fused *f,
                          int first, int into) {
  int n = lua_gettop(L) - first + 1;
  if (n < 1 || n > MAX_FUSED)
    error_raise(L, "%s must return one to %d results, returned %d", k->what,
                MAX_FUSED, n);
  for (int i = 0; i < n; i++) {
    Symbol *s = class_test(L, first + i, &symbol_class);
    if (s == NULL || s->trace != f->trace.id)
      error_raise(
        L, "%s must return what it makes of its arguments, returned %s%s",
        k->what, type_push_name(L, first + i),
        lua_isboolean(L, first + i) ? ": == compares objects, x:eq(y) elements"
                                    : "");
    f->result[i] = s->node;
    f->trace.at[s->node].weak = false;
    if (s->reduced) {
      f->reduces = true;
      lua_getiuservalue(L, first + i, 1);
      lua_rawseti(L, into, i + 1);
    }
  }
  f->nresults = n;
}

/* Raises the error on the top again. A missing argument may have caused it. */
static void fail_trace (lua_State *L, const FusedFunction *k, int n) {
  if (n < k->nparams && lua_type(L, -1) == LUA_TSTRING)
    lua_pushfstring(L, "%s; %s takes %d arguments, got %d", lua_tostring(L, -1),
                    k->what, k->nparams, n);
  lua_error(L);
}

/* Calls the function with Symbols, and ends the tracing in any case. The
** function may do anything else as well: the call around it has queued nothing
** yet, or begins again. */
static void run_trace (lua_State *L, const FusedFunction *k, const Binding *b,
                       Fused *f, int reductions) {
  State *st = state_get(L);
  struct Trace *outer = st->trace;
  struct EntryCall *entry = st->entry;
  int top = lua_gettop(L);
  f->trace.id = ++st->traces;
  push_call(L, b, &f->trace);
  st->trace = &f->trace;
  st->entry = NULL;
  int r = lua_pcall(L, b->n, LUA_MULTRET, 0);
  st->entry = entry;
  st->trace = outer;
  if (r != LUA_OK)
    fail_trace(L, k, b->n);
  read_results(L, k, f, top + 1, reductions);
  lua_settop(L, top);
}

/* Makes and pushes a kernel. */
static Generated *make (lua_State *L, FusedFunction *k, const Binding *b,
                        const unsigned char *key) {
  Fused *f = lua_newuserdatauv(L, sizeof *f, 0);
  int at = lua_gettop(L);
  memset(f, 0, sizeof *f);
  lua_newtable(L);
  run_trace(L, k, b, f, at + 1);
  Generated *g = generated_new(L, k->name, UV_PARTS);
  fuse_finish_trace(L, f, b->modes, &g->text);
  g->made = f;
  g->pack = generated_choose_pack(&g->text);
  lua_pushvalue(L, at);
  lua_setiuservalue(L, -2, UV_TRACE);
  lua_pushvalue(L, at + 1);
  lua_setiuservalue(L, -2, UV_REDUCTIONS);
  generated_keep(L, UV_OWN, &k->made, g, key);
  lua_replace(L, at);
  lua_settop(L, at);
  return g;
}

/* Pushes a kernel; makes it the first time. */
static Generated *find_generated (lua_State *L, FusedFunction *k,
                                  const Binding *b) {
  unsigned char key[2 * KERNEL_PARAMS];
  param_make_key(b, key);
  key[sizeof key - 1] = (unsigned char)dtype_default(L); /* of constants */
  Generated *g = generated_find(L, UV_OWN, &k->made, key);
  return (g != NULL) ? g : make(L, k, b, key);
}

/* ==} */

/* {== calls =========================================================== */

/* Lists the parameters: as many as the function at 1 has, or may have. An extra
** one is reported when the function returns. Each argument has a type of its
** own. */
static void list_params (lua_State *L, FusedFunction *k) {
  lua_Debug ar = {.isvararg = 1};
  bool named = lua_isfunction(L, 1); /* an object has no parameters */
  lua_pushvalue(L, 1);
  if (named) {
    lua_getinfo(L, ">u", &ar);
    lua_pushvalue(L, 1);
  }
  bool any = ar.isvararg || ar.nparams == 0 || ar.nparams >= KERNEL_PARAMS;
  k->nparams = ar.nparams;
  k->list.n = k->list.nin = any ? KERNEL_PARAMS - 1 : ar.nparams;
  for (int i = 0; i < k->list.n; i++) {
    ParamSpec *p = &k->list.at[i];
    const char *name = named ? lua_getlocal(L, NULL, i + 1) : NULL;
    snprintf(p->name, sizeof p->name, "%s", name != NULL ? name : "");
    p->type[0] = (char)('A' + i);
    p->t = DTYPE_COUNT;
  }
  lua_pop(L, 1);
}

/* Pushes the results, and gives the kernel its arguments. */
static void give_arguments (lua_State *L, const Binding *b, const Generated *g,
                            RtStream *s, int options, Argument *args,
                            Later *later) {
  const Fused *f = g->made;
  int n = g->text.nparams - f->nresults;
  fuse_check_outs(L, b, g, options);
  for (int i = 0; i < f->nresults; i++)
    args[n + i].array = fuse_push_result(L, b, g, s, options, i, later);
  for (int i = 0; i < n; i++) {
    int from = f->source[i];
    args[i] = b->args[from];
    if (g->text.params[i].mode != ARG_NUMBER)
      continue;
    args[i].value = 0;
    if (dtype_size(g->text.params[i].t) > sizeof args[i].value)
      error_raise(L, "%s: argument %d: numbers of %s are not passed by value",
                  b->what, from + 1, dtype_name(g->text.params[i].t));
    const char *bad = dtype_read_element(L, b->first + from,
                                         g->text.params[i].t, &args[i].value);
    if (bad != NULL)
      error_raise(L, "%s: argument %d: %s", b->what, from + 1, bad);
  }
}

/* Replaces result number i of the table of reductions at the top by its
** reduction: result:name(...), as the fused function has it. */
static void reduce_result (lua_State *L, const char *what, int reductions,
                           int at, int i) {
  if (lua_rawgeti(L, reductions, i + 1) != LUA_TTABLE) {
    lua_pop(L, 1);
    return;
  }
  int how = lua_gettop(L), n = (int)lua_rawlen(L, how);
  luaL_checkstack(L, n + 6, NULL);
  lua_rawgeti(L, how, 1);
  const char *name = lua_pushfstring(L, "%s: %s", what, lua_tostring(L, -1));
  lua_pushvalue(L, -2);
  lua_gettable(L, at);
  lua_pushvalue(L, at);
  for (int k = 2; k <= n; k++)
    lua_rawgeti(L, how, k);
  entry_call(L, name, n, 1);
  array_release(lua_touserdata(L, at));
  lua_replace(L, at);
  lua_settop(L, how - 1);
}

/* Reduces all results of the kernel at 'at' that have a reduction. */
static void reduce_results (lua_State *L, const char *what, int at, int first,
                            int n) {
  lua_getiuservalue(L, at, UV_REDUCTIONS);
  int reductions = lua_gettop(L);
  for (int i = 0; i < n; i++)
    reduce_result(L, what, reductions, first + i, i);
  lua_settop(L, first + n - 1);
}

/* Returns the number of arguments, of n behind the object, without nils at the
** end. */
static int count_arguments (lua_State *L, const FusedFunction *k, int n) {
  int most = k->list.n;
  while (n > most && lua_isnil(L, 1 + n))
    n--;
  if (n < 1 || n > most)
    error_raise(L, "%s takes %s%d argument%s, got %d", k->what,
                most == k->nparams ? "" : "1 to ", most, most == 1 ? "" : "s",
                n);
  return n;
}

/* Returns the index of the table of options, which comes last; 0: none. */
static int find_options (lua_State *L, int top) {
  static const char *const names[] = {"out", NULL};
  if (top < 2 || !lua_istable(L, top))
    return 0;
  option_check(L, top, names);
  return top;
}

/* f(... [, { out= }]) -> the results of the function. */
static int fused__call (lua_State *L) {
  Argument args[KERNEL_PARAMS];
  Later later = {0};
  FusedFunction *k = check_fused(L, 1);
  argerror_object(k->object.state, k->what);
  int top = lua_gettop(L), options = find_options(L, top);
  Binding b;
  param_start_binding(&b, k->what, &k->list, 2);
  b.n = b.nin = count_arguments(L, k, top - 1 - (options > 0));
  b.strides = b.waits = true;
  param_bind_inputs(L, &b);
  if (b.ndim < 0)
    error_raise(L, "%s: one argument must be a tide.Array", k->what);
  Generated *g = find_generated(L, k, &b);
  RtStream *s = current_get_stream(L, b.dev);
  const Fused *f = g->made;
  int at = lua_gettop(L);
  param_copy_inputs(L, &b);
  int first = lua_gettop(L) + 1;
  size_t n = 1;
  for (int i = 0; i < b.ndim; i++)
    n *= (size_t)b.shape[i];
  luaL_checkstack(L, MAX_FUSED + 8, NULL);
  give_arguments(L, &b, g, s, options, args, &later);
  generated_run(L, &fuse_recipe, g, at, s, args, n, b.axes, &later);
  if (f->reduces)
    reduce_results(L, k->what, at, first, f->nresults);
  else
    fuse_put_outs(L, &b, options, first, f->nresults);
  if (first > at + 1) { /* copies of inputs, behind the kernel */
    lua_rotate(L, top + 1, f->nresults);
    array_drop(L, top + f->nresults);
  }
  return f->nresults;
}

/* ==} */

/* fuse(fn [, name]) -> a function-like object: fn as one kernel. */
static int core_fuse (lua_State *L) {
  type_check_callable(L, 1);
  const char *name = arg_opt_string(L, 2, "fused");
  lua_settop(L, 2);
  lua_pushfstring(L, "fused function '%s'", name);
  FusedFunction *k = class_new_object(L, sizeof *k, &fused_class, UV_TOTAL);
  k->name = name;
  k->what = lua_tostring(L, 3);
  list_params(L, k);
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, i + 1);
    lua_setiuservalue(L, 4, UV_FUNCTION + i);
  }
  return 1;
}

static int fused_name (lua_State *L) {
  lua_pushstring(L, check_fused(L, 1)->name);
  return 1;
}

static int fused__tostring (lua_State *L) {
  lua_pushfstring(L, "tide.Fused: %s", check_fused(L, 1)->name);
  return 1;
}

static const Function fields[] = {
  {"name", fused_name, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__call", fused__call, ANY},
  {"__tostring", fused__tostring, 1},
  {NULL, NULL, 0},
};

static const Class fused_class = {
  .name = "tide.Fused",
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_KERNELS "fuse", core_fuse, 2},
  {NULL, NULL, 0},
};

void open_fuse (lua_State *L) {
  class_define(L, &fused_class);
  class_set_funcs(L, functions);
}

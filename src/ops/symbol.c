/*
** symbol.c - Symbols. They have the elementwise operators and methods of an
** Array; the functions of the module call trace.c when they get a Symbol.
*/
#include "symbol.h"

#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "openers.h"
#include "rt/kernels/kernels.h"

Symbol *symbol_push (lua_State *L, Trace *t, int node) {
  Symbol *s = class_new_object(L, sizeof *s, &symbol_class, 1);
  s->trace = t->id;
  s->node = node;
  return s;
}

bool symbol_in_args (lua_State *L, int n) {
  for (int i = 1; i <= n; i++)
    if (class_test(L, i, &symbol_class) != NULL)
      return true;
  return false;
}

/* {== operations ====================================================== */

static int symbol_astype (lua_State *L) {
  int a = symbol_operand_node(L, 1);
  DType t = dtype_check(L, 2);
  a = symbol_cast_node(L, a, t);
  symbol_current_trace(L)->at[a].weak = false;
  symbol_push(L, symbol_current_trace(L), a);
  return 1;
}

#define MIXED(op) /* has no name of its own */
#define BINARY(op) \
  static int symbol_##op(lua_State *L) { \
    return lua_settop(L, 3), symbol_trace_binary(L, BINARY_##op); \
  }
#define INNER(op)
#define UNARY(op) \
  static int symbol_##op(lua_State *L) { \
    return symbol_trace_unary(L, UNARY_##op); \
  }
#include "rt/kernels/operations.def"

/* Lua would convert their result to a boolean. */
static int symbol__lt (lua_State *L) {
  return error_raise(L, "'<', '<=', '>' and '>=' cannot be fused: use x:lt(y), "
                        "x:le(y), x:gt(y), x:ge(y)");
}

/* ==} */

/* {== reductions ====================================================== */

/* s:sum(...): noted, and applied to the result of the kernel. */
static int reduce (lua_State *L, const char *name) {
  int n = lua_gettop(L), node = symbol_operand_node(L, 1);
  Symbol *s = symbol_push(L, symbol_current_trace(L), node);
  s->reduced = true;
  lua_createtable(L, n, 0);
  lua_pushstring(L, name);
  lua_rawseti(L, -2, 1);
  for (int i = 2; i <= n; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, i);
  }
  lua_setiuservalue(L, -2, 1);
  return 1;
}

#define REDUCTION(name) \
  static int symbol_##name(lua_State *L) { return reduce(L, #name); }
REDUCTION(sum)
REDUCTION(prod)
REDUCTION(min)
REDUCTION(max)
REDUCTION(mean)
REDUCTION(any)
REDUCTION(all)
REDUCTION(count_nonzero)

/* ==} */

static int symbol_dtype (lua_State *L) {
  Symbol *s = class_check(L, 1, &symbol_class);
  symbol_check_trace(L, 1, s);
  lua_pushstring(L, dtype_name(symbol_current_trace(L)->at[s->node].t));
  return 1;
}

static const Function methods[] = {
#define MIXED(op) /* has no name of its own */
#define BINARY(op) {#op, symbol_##op, 3},
#define INNER(op)
#define UNARY(op) {#op, symbol_##op, 2 + (UNARY_##op == UNARY_round)},
#include "rt/kernels/operations.def"
  {"all", symbol_all, 3},
  {"any", symbol_any, 3},
  {"astype", symbol_astype, 2},
  {"clip", symbol_trace_clip, 4},
  {"count_nonzero", symbol_count_nonzero, 3},
  {"frexp", composed_frexp, 2},
  {"isclose", composed_isclose, 5},
  {"max", symbol_max, 3},
  {"mean", symbol_mean, 3},
  {"min", symbol_min, 3},
  {"modf", composed_modf, 2},
  {"nan_to_num", composed_nan_to_num, 5},
  {"positive", symbol_trace_positive, 2},
  {"prod", symbol_prod, 3},
  {"sum", symbol_sum, 3},
  {"where", symbol_trace_where, 4},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"dtype", symbol_dtype, 1},
  {NULL, NULL, 0},
};

static int symbol__tostring (lua_State *L) {
  class_check(L, 1, &symbol_class);
  lua_pushliteral(L, "tide.Symbol");
  return 1;
}

/* Lua passes the operand of a unary operator twice. */
static int symbol__unm (lua_State *L) {
  return lua_settop(L, 1), symbol_neg(L);
}

static int symbol__bnot (lua_State *L) {
  return lua_settop(L, 1), symbol_bnot(L);
}

static const Function metamethods[] = {
  {"__add", symbol_add, 2},       {"__band", symbol_band, 2},
  {"__bnot", symbol__bnot, 2},    {"__bor", symbol_bor, 2},
  {"__bxor", symbol_bxor, 2},     {"__div", symbol_div, 2},
  {"__idiv", symbol_floordiv, 2}, {"__le", symbol__lt, 2},
  {"__lt", symbol__lt, 2},        {"__mod", symbol_mod, 2},
  {"__mul", symbol_mul, 2},       {"__pow", symbol_pow, 2},
  {"__shl", symbol_lshift, 2},    {"__shr", symbol_rshift, 2},
  {"__sub", symbol_sub, 2},       {"__tostring", symbol__tostring, 1},
  {"__unm", symbol__unm, 2},      {NULL, NULL, 0},
};

const Class symbol_class = {
  .name = "tide.Symbol",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
  .other = &array_class,
  .hint = ", which stands for a tide.Array in a fused function",
};

void open_symbol (lua_State *L) { class_define(L, &symbol_class); }

/*
** symbol.c - Symbols, and the operations on them. They have the operators and
** methods of an Array as far as these work element by element; the functions
** of the module come here when they meet one.
*/
#include "symbol.h"

#include <string.h>

#include "array/dtype.h"
#include "base/class.h"
#include "base/state.h"
#include "op_dtypes.h"
#include "openers.h"
#include "power.h"
#include "rt/kernels/kernels.h"

/* {== nodes =========================================================== */

int tide_addnode (lua_State *L, Trace *t, const Node *node) {
  if (t->n == MAX_NODES)
    luaL_error(L, "a fused function has more than %d operations", MAX_NODES);
  t->at[t->n] = *node;
  return t->n++;
}

Symbol *tide_pushsymbol (lua_State *L, Trace *t, int node) {
  Symbol *s = tide_newobject(L, sizeof *s, &tide_symbolclass, 1);
  s->trace = t->id;
  s->node = node;
  return s;
}

bool tide_aresymbols (lua_State *L, int n) {
  for (int i = 1; i <= n; i++)
    if (tide_testobject(L, i, &tide_symbolclass) != NULL)
      return true;
  return false;
}

static Trace *current (lua_State *L) {
  Trace *t = tide_state(L)->trace;
  if (t == NULL)
    luaL_error(L, "a symbol of a fused function is of no use outside of it");
  return t;
}

static void check_traced (lua_State *L, int arg, const Symbol *s) {
  luaL_argcheck(L, s->trace == current(L)->id, arg,
                "symbol of another fused function");
}

static int new_node (lua_State *L, NodeKind kind, DType t, int op, int a,
                     int b, int c) {
  Node node = {.kind = kind, .t = t, .op = op, .in = {a, b, c}};
  return tide_addnode(L, current(L), &node);
}

DType tide_weakdtype (DType t) {
  return (tide_kind(t) == KIND_FLOAT) ? DTYPE_FLOAT64 : t;
}

/* The bits of a number or boolean as it is. */
static int add_constant (lua_State *L, int arg) {
  Node node = {.kind = NODE_CONSTANT, .weak = true, .in = {-1, -1, -1}};
  node.t = tide_weakdtype(tide_inferdtype(L, arg));
  tide_readelement(L, arg, node.t, &node.bits);
  return tide_addnode(L, current(L), &node);
}

/* The node of the operand at 'arg'. */
static int read_operand (lua_State *L, int arg) {
  const Symbol *s = tide_testobject(L, arg, &tide_symbolclass);
  int type = lua_type(L, arg);
  if (s == NULL && (type == LUA_TNUMBER || type == LUA_TBOOLEAN))
    return add_constant(L, arg);
  if (s == NULL)
    luaL_argerror(L, arg, "in a fused function operands are its arguments, "
                  "what is made of them, numbers and booleans");
  check_traced(L, arg, s);
  luaL_argcheck(L, !s->reduced, arg,
                "a reduction can only be returned by a fused function");
  return s->node;
}

static void push_constant (lua_State *L, const Node *node) {
  tide_pushelement(L, &node->bits, node->t);
}

/* The node as one of type t: numbers become numbers of it, or raise. */
static int as_type (lua_State *L, int node, DType t) {
  Trace *trace = current(L);
  Node *n = &trace->at[node], typed;
  if (n->t == t && !n->weak)
    return node;
  if (n->kind != NODE_CONSTANT && n->kind != NODE_NUMBER)
    return (n->t == t) ? node : new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (!n->weak)
    return new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (rt_dtype_size(t) > sizeof typed.bits)
    luaL_error(L, "numbers cannot be fused with arrays of %s",
               tide_dtypename(t));
  typed = *n;
  typed.t = t;
  typed.weak = false;
  typed.bits = 0;
  if (n->kind == NODE_CONSTANT) {
    push_constant(L, n);
    const char *bad = tide_readelement(L, -1, t, &typed.bits);
    if (bad != NULL)
      luaL_error(L, "%s", bad);
    lua_pop(L, 1);
  }
  return tide_addnode(L, trace, &typed);
}

/* A value of the kind that a weak node is, for tide_promotescalar. */
static void push_kind (lua_State *L, DType t) {
  if (t == DTYPE_BOOL)
    lua_pushboolean(L, 1);
  else if (t == DTYPE_INT64)
    lua_pushinteger(L, 1);
  else
    lua_pushnumber(L, 1);
}

static DType common_type (lua_State *L, int a, int b) {
  const Node *x = &current(L)->at[a], *y = &current(L)->at[b];
  if (x->weak == y->weak)
    return (x->t == y->t) ? x->t : tide_promote(x->t, y->t);
  push_kind(L, x->weak ? x->t : y->t);
  DType t = tide_promotescalar(L, -1, x->weak ? y->t : x->t);
  lua_pop(L, 1);
  return t;
}

/* The node; made of numbers alone it is one: what kind of. */
static int finish (lua_State *L, int node, bool weak) {
  Node *n = &current(L)->at[node];
  n->weak = weak && (n->t == DTYPE_INT64 || n->t == DTYPE_FLOAT64 ||
                     n->t == DTYPE_BOOL);
  return node;
}

static int push_result (lua_State *L, int node, bool weak) {
  tide_pushsymbol(L, current(L), finish(L, node, weak));
  return 1;
}

static bool both_weak (lua_State *L, int a, int b) {
  return current(L)->at[a].weak && current(L)->at[b].weak;
}

/* ==} */

/* {== operations ====================================================== */

static void check_nooptions (lua_State *L, int arg) {
  if (!lua_isnoneornil(L, arg))
    luaL_error(L, "in a fused function there are no options");
}

/* Of signed integers and uint64; numbers among them have taken a type. */
static int mixed_op (lua_State *L, BinaryOp op, int a, int b) {
  const Node *x = &current(L)->at[a], *y = &current(L)->at[b];
  return (x->weak || y->weak) ? -1 : tide_mixedop(op, x->t, y->t);
}

/* A uint64 as an int64 is its bits. */
static int add_mixed (lua_State *L, int op, int a, int b) {
  bool turned = (current(L)->at[a].t == DTYPE_UINT64);
  int x = as_type(L, turned ? b : a, DTYPE_INT64);
  int y = as_type(L, turned ? a : b, DTYPE_INT64);
  return new_node(L, NODE_BINARY, DTYPE_BOOL, op, x, y, -1);
}

static int trace_operation (lua_State *L, BinaryOp op, DType t, int a, int b) {
  return new_node(L, NODE_BINARY, t, (int)op, a, b, -1);
}

/* x ^ y, where the exponent is the number at 2, as power.c has it. */
static int trace_power (lua_State *L, Power p, const BinaryTypes *t, int x) {
  if (p == POWER_ROOT)
    return new_node(L, NODE_UNARY, t->made, UNARY_sqrt, x, -1, -1);
  if (p == POWER_INVERSE) {
    lua_pushinteger(L, 1);
    int one = as_type(L, add_constant(L, lua_gettop(L)), t->in);
    return trace_operation(L, BINARY_div, t->made, one, x);
  }
  int square = trace_operation(L, BINARY_mul, t->made, x, x);
  return (p == POWER_SQUARE) ? square :
         trace_operation(L, BINARY_mul, t->made, square, x);
}

/* Where a number is, if it is an integer that 't' does not have: see
** tide_outside. 0: it has it, or the number is not known yet. */
static int side_of (lua_State *L, int node, DType t) {
  const Node *n = &current(L)->at[node];
  if (!n->weak || n->kind != NODE_CONSTANT)
    return 0;
  push_constant(L, n);
  int side = tide_outside(L, -1, t);
  lua_pop(L, 1);
  return side;
}

/* What is the same for all elements: 0 or 1. */
static int add_known (lua_State *L, DType t, bool value) {
  Node node = {.kind = NODE_CONSTANT, .t = t, .in = {-1, -1, -1},
               .bits = value};
  return tide_addnode(L, current(L), &node);
}

/* Is it an integer that is known by the time of the call only? */
static bool is_late (lua_State *L, int node) {
  const Node *n = &current(L)->at[node];
  return n->weak && n->kind != NODE_CONSTANT && n->t == DTYPE_INT64;
}

/* Only numbers take a narrower type than what is computed in. */
static int as_operand (lua_State *L, int node, const BinaryTypes *t) {
  if (current(L)->at[node].weak)
    node = as_type(L, node, t->own);
  return as_type(L, node, t->in);
}

static int add_binary (lua_State *L, BinaryOp op, int a, int b) {
  int mixed = mixed_op(L, op, a, b);
  if (mixed >= 0)
    return add_mixed(L, mixed, a, b);
  bool weak = both_weak(L, a, b);
  BinaryTypes t = tide_binarytypes(L, op, common_type(L, a, b));
  if (t.result == DTYPE_BOOL && tide_kind(t.in) == KIND_INTEGER) {
    int side = side_of(L, b, t.in) - side_of(L, a, t.in);
    if (side != 0)
      return add_known(L, DTYPE_BOOL, tide_holdsoutside(op, side));
    if ((is_late(L, a) || is_late(L, b)) && rt_dtype_size(t.in) < 8)
      t = tide_binarytypes(L, op, DTYPE_INT64);  /* which has them all */
  }
  Power p = (op == BINARY_pow) ? tide_whichpower(L, 2, t.own) : POWER_OTHER;
  t = tide_powertypes(L, p, t);
  a = as_operand(L, a, &t);
  int node = (p != POWER_OTHER) ? trace_power(L, p, &t, a) :
             trace_operation(L, op, t.made, a, as_operand(L, b, &t));
  return finish(L, as_type(L, node, t.result), weak);
}

int tide_tracebinary (lua_State *L, BinaryOp op) {
  int a = read_operand(L, 1), b = read_operand(L, 2);
  check_nooptions(L, 3);
  tide_pushsymbol(L, current(L), add_binary(L, op, a, b));
  return 1;
}

int tide_traceunary (lua_State *L, UnaryOp op) {
  int a = read_operand(L, 1);
  check_nooptions(L, 2);
  bool weak = current(L)->at[a].weak;
  DType own = current(L)->at[a].t;
  if (tide_isreal(op, own) && op == UNARY_imag)
    return push_result(L, add_known(L, own, 0), false);
  if (tide_isreal(op, own) || tide_iswhole(op, own))
    return push_result(L, a, weak);
  DType t = tide_unarydtype(L, op, own);
  a = as_type(L, a, t);
  DType made = (DType)rt_unary_dtype(op, t);
  int node = new_node(L, NODE_UNARY, made, (int)op, a, -1, -1);
  return push_result(L, as_type(L, node, tide_narrowed(made, own)), weak);
}

/* The dtype that a number counts as. */
static DType counted (lua_State *L, int node) {
  DType t = current(L)->at[node].t;
  return (t == DTYPE_FLOAT64) ? tide_floatdtype(L) : t;
}

/* where(c, x, y) */
int tide_tracewhere (lua_State *L) {
  int c = read_operand(L, 1), a = read_operand(L, 2), b = read_operand(L, 3);
  check_nooptions(L, 4);
  bool weak = both_weak(L, a, b) && current(L)->at[c].weak &&
              current(L)->at[c].kind == NODE_CONSTANT;
  c = as_type(L, c, DTYPE_BOOL);
  DType t = common_type(L, a, b);
  if (both_weak(L, a, b) && !weak)  /* numbers become an array */
    t = tide_promote(counted(L, a), counted(L, b));
  a = as_type(L, a, t);
  b = as_type(L, b, t);
  return push_result(L, new_node(L, NODE_SELECT, t, 0, c, a, b), weak);
}

static bool is_number (lua_State *L, int node) {
  const Node *n = &current(L)->at[node];
  return n->weak && n->t != DTYPE_BOOL;
}

/* clip(x, lo, hi): either may be nil. Of two numbers both count for the type,
** before the first bound is looked at. */
int tide_traceclip (lua_State *L) {
  check_nooptions(L, 4);
  int x = read_operand(L, 1);
  int lo = lua_isnoneornil(L, 2) ? -1 : read_operand(L, 2);
  int hi = lua_isnoneornil(L, 3) ? -1 : read_operand(L, 3);
  luaL_argcheck(L, lo >= 0 || hi >= 0, 2, "at least one bound must be given");
  if (lo >= 0 && hi >= 0 && is_number(L, lo) && is_number(L, hi) &&
      !current(L)->at[x].weak) {
    x = as_type(L, x, common_type(L, x, lo));
    x = as_type(L, x, common_type(L, x, hi));
  }
  if (lo >= 0)
    x = add_binary(L, BINARY_maximum, x, lo);
  if (hi >= 0)
    x = add_binary(L, BINARY_minimum, x, hi);
  tide_pushsymbol(L, current(L), x);
  return 1;
}

static int symbol_astype (lua_State *L) {
  int a = read_operand(L, 1);
  DType t = tide_checkdtype(L, 2);
  a = as_type(L, a, t);
  current(L)->at[a].weak = false;
  tide_pushsymbol(L, current(L), a);
  return 1;
}

#define MIXED(op)  /* has no name of its own */
#define BINARY(op) \
  static int symbol_##op (lua_State *L) { \
    return lua_settop(L, 3), tide_tracebinary(L, BINARY_##op); \
  }
#define UNARY(op) \
  static int symbol_##op (lua_State *L) { \
    return tide_traceunary(L, UNARY_##op); \
  }
#include "rt/kernels/operations.def"

/* Lua would make a boolean of what they give. */
static int symbol__lt (lua_State *L) {
  return luaL_error(L, "'<' and '<=' cannot be fused: use x:lt(y), x:le(y)");
}

/* ==} */

/* {== reductions ====================================================== */

/* s:sum(...): noted, and done to the result of the kernel. */
static int reduce (lua_State *L, const char *name) {
  int n = lua_gettop(L), node = read_operand(L, 1);
  Symbol *s = tide_pushsymbol(L, current(L), node);
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
  static int symbol_##name (lua_State *L) { return reduce(L, #name); }
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
  Symbol *s = tide_checkobject(L, 1, &tide_symbolclass);
  check_traced(L, 1, s);
  lua_pushstring(L, tide_dtypename(current(L)->at[s->node].t));
  return 1;
}

static const Function methods[] = {
#define MIXED(op)  /* has no name of its own */
#define BINARY(op) {#op, symbol_##op, 3},
#define UNARY(op) {#op, symbol_##op, 2},
#include "rt/kernels/operations.def"
  {"all", symbol_all, 3},
  {"any", symbol_any, 3},
  {"astype", symbol_astype, 2},
  {"clip", tide_traceclip, 4},
  {"count_nonzero", symbol_count_nonzero, 3},
  {"max", symbol_max, 3},
  {"mean", symbol_mean, 3},
  {"min", symbol_min, 3},
  {"prod", symbol_prod, 3},
  {"sum", symbol_sum, 3},
  {NULL, NULL, 0}
};

static const Function fields[] = {
  {"dtype", symbol_dtype, 1},
  {NULL, NULL, 0}
};

static int symbol__tostring (lua_State *L) {
  tide_checkobject(L, 1, &tide_symbolclass);
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
  {"__add", symbol_add, 2},
  {"__band", symbol_band, 2},
  {"__bnot", symbol__bnot, 2},
  {"__bor", symbol_bor, 2},
  {"__bxor", symbol_bxor, 2},
  {"__div", symbol_div, 2},
  {"__idiv", symbol_floordiv, 2},
  {"__le", symbol__lt, 2},
  {"__lt", symbol__lt, 2},
  {"__mod", symbol_mod, 2},
  {"__mul", symbol_mul, 2},
  {"__pow", symbol_pow, 2},
  {"__shl", symbol_lshift, 2},
  {"__shr", symbol_rshift, 2},
  {"__sub", symbol_sub, 2},
  {"__tostring", symbol__tostring, 1},
  {"__unm", symbol__unm, 2},
  {NULL, NULL, 0}
};

const Class tide_symbolclass = {
  .name = "tide.Symbol", .methods = methods, .fields = fields,
  .metamethods = metamethods, .stands_for = &tide_arrayclass,
  .where = "in a fused function"
};

void tide_opensymbol (lua_State *L) {
  tide_newclass(L, &tide_symbolclass);
}

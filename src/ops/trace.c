/*
** trace.c - the trace of a fused function: its operations and their types, as
** nodes. Symbols stand for nodes in Lua.
*/
#include "array/dtype.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "op_dtypes.h"
#include "power.h"
#include "rt/kernels/kernels.h"
#include "symbol.h"

/* {== nodes =========================================================== */

int tide_addnode (lua_State *L, Trace *t, const Node *node) {
  if (t->n == MAX_NODES)
    tide_raise(L, "a fused function has more than %d operations", MAX_NODES);
  t->at[t->n] = *node;
  return t->n++;
}

Trace *tide_currenttrace (lua_State *L) {
  Trace *t = tide_state(L)->trace;
  if (t == NULL)
    tide_raise(L, "a symbol of a fused function cannot be used outside of it");
  return t;
}

void tide_checktraced (lua_State *L, int arg, const Symbol *s) {
  tide_argcheck(L, s->trace == tide_currenttrace(L)->id, arg,
                "symbol of another fused function");
}

static int new_node (lua_State *L, NodeKind kind, DType t, int op, int a, int b,
                     int c) {
  Node node = {.kind = kind, .t = t, .op = op, .in = {a, b, c}};
  return tide_addnode(L, tide_currenttrace(L), &node);
}

DType tide_weakdtype (DType t) {
  return (tide_kind(t) == KIND_FLOAT) ? DTYPE_FLOAT64 : t;
}

/* Adds a constant: the bits of a number or boolean in its own dtype. */
static int add_constant (lua_State *L, int arg) {
  Node node = {.kind = NODE_CONSTANT, .weak = true, .in = {-1, -1, -1}};
  node.t = tide_weakdtype(tide_inferdtype(L, arg));
  tide_readelement(L, arg, node.t, &node.bits);
  return tide_addnode(L, tide_currenttrace(L), &node);
}

int tide_operandnode (lua_State *L, int arg) {
  const Symbol *s = tide_testobject(L, arg, &tide_symbolclass);
  int type = lua_type(L, arg);
  if (s == NULL && (type == LUA_TNUMBER || type == LUA_TBOOLEAN))
    return add_constant(L, arg);
  if (s == NULL)
    tide_argerror(L, arg,
                  "in a fused function operands are its arguments, "
                  "what is made of them, numbers and booleans");
  tide_checktraced(L, arg, s);
  tide_argcheck(L, !s->reduced, arg,
                "a reduction can only be returned by a fused function");
  return s->node;
}

static void push_constant (lua_State *L, const Node *node) {
  tide_pushelement(L, &node->bits, node->t);
}

int tide_typednode (lua_State *L, int node, DType t) {
  Trace *trace = tide_currenttrace(L);
  Node *n = &trace->at[node], typed;
  if (n->t == t && !n->weak)
    return node;
  if (n->kind != NODE_CONSTANT && n->kind != NODE_NUMBER)
    return (n->t == t) ? node : new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (!n->weak)
    return new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (rt_dtype_size(t) > sizeof typed.bits)
    tide_raise(L, "numbers cannot be fused with arrays of %s",
               tide_dtypename(t));
  typed = *n;
  typed.t = t;
  typed.weak = false;
  typed.bits = 0;
  if (n->kind == NODE_CONSTANT) {
    push_constant(L, n);
    const char *bad = tide_readelement(L, -1, t, &typed.bits);
    if (bad != NULL)
      tide_raise(L, "%s", bad);
    lua_pop(L, 1);
  }
  return tide_addnode(L, trace, &typed);
}

/* Pushes a value of the kind of a weak node, for tide_promotescalar. */
static void push_kind (lua_State *L, DType t) {
  if (t == DTYPE_BOOL)
    lua_pushboolean(L, 1);
  else if (t == DTYPE_INT64)
    lua_pushinteger(L, 1);
  else
    lua_pushnumber(L, 1);
}

static DType common_type (lua_State *L, int a, int b) {
  const Trace *trace = tide_currenttrace(L);
  const Node *x = &trace->at[a], *y = &trace->at[b];
  if (x->weak == y->weak)
    return (x->t == y->t) ? x->t : tide_promote(x->t, y->t);
  push_kind(L, x->weak ? x->t : y->t);
  DType t = tide_promotescalar(L, -1, x->weak ? y->t : x->t);
  lua_pop(L, 1);
  return t;
}

/* Returns the node, marked as weak if it was made of numbers only. */
static int finish (lua_State *L, int node, bool weak) {
  Node *n = &tide_currenttrace(L)->at[node];
  n->weak = weak && (n->t == DTYPE_INT64 || n->t == DTYPE_FLOAT64 ||
                     n->t == DTYPE_BOOL);
  return node;
}

static int push_result (lua_State *L, int node, bool weak) {
  tide_pushsymbol(L, tide_currenttrace(L), finish(L, node, weak));
  return 1;
}

int tide_nodebeside (lua_State *L, int node, int other) {
  const Trace *trace = tide_currenttrace(L);
  const Node *n = &trace->at[node], *o = &trace->at[other];
  DType t = tide_dtypebeside(n->t, o->t);
  return (n->weak && !o->weak && t != n->t) ? tide_typednode(L, node, t) : node;
}

static bool both_weak (lua_State *L, int a, int b) {
  return tide_currenttrace(L)->at[a].weak && tide_currenttrace(L)->at[b].weak;
}

/* ==} */

/* {== operations ====================================================== */

static void check_nooptions (lua_State *L, int arg) {
  if (!lua_isnoneornil(L, arg))
    tide_raise(L, "in a fused function there are no options");
}

/* Returns the operation for signed integers and uint64; numbers among them
** already have a dtype. */
static int mixed_op (lua_State *L, BinaryOp op, int a, int b) {
  const Trace *trace = tide_currenttrace(L);
  const Node *x = &trace->at[a], *y = &trace->at[b];
  return (x->weak || y->weak) ? -1 : tide_mixedop(op, x->t, y->t);
}

/* Adds such an operation. A uint64 becomes an int64 with the same bits. */
static int add_mixed (lua_State *L, int op, int a, int b) {
  bool turned = (tide_currenttrace(L)->at[a].t == DTYPE_UINT64);
  int x = tide_typednode(L, turned ? b : a, DTYPE_INT64);
  int y = tide_typednode(L, turned ? a : b, DTYPE_INT64);
  return new_node(L, NODE_BINARY, DTYPE_BOOL, op, x, y, -1);
}

static int trace_operation (lua_State *L, BinaryOp op, DType t, int a, int b) {
  return new_node(L, NODE_BINARY, t, (int)op, a, b, -1);
}

/* Adds x ^ y for an exponent that is the number at 2, as in power.c. */
static int trace_power (lua_State *L, Power p, const BinaryTypes *t, int x) {
  if (p == POWER_ROOT)
    return new_node(L, NODE_UNARY, t->made, UNARY_sqrt, x, -1, -1);
  if (p == POWER_INVERSE) {
    lua_pushinteger(L, 1);
    int one = tide_typednode(L, add_constant(L, lua_gettop(L)), t->in);
    return trace_operation(L, BINARY_div, t->made, one, x);
  }
  int square = trace_operation(L, BINARY_mul, t->made, x, x);
  return (p == POWER_SQUARE)
           ? square
           : trace_operation(L, BINARY_mul, t->made, square, x);
}

/* Returns tide_outside for an integer that 't' does not have; 0 if 't' has it,
** or the number is not known yet. */
static int side_of (lua_State *L, int node, DType t) {
  const Node *n = &tide_currenttrace(L)->at[node];
  if (!n->weak || n->kind != NODE_CONSTANT)
    return 0;
  push_constant(L, n);
  int side = tide_outside(L, -1, t);
  lua_pop(L, 1);
  return side;
}

/* Adds a constant result for all elements: 0 or 1. */
static int add_known (lua_State *L, DType t, bool value) {
  Node node = {
    .kind = NODE_CONSTANT, .t = t, .in = {-1, -1, -1}, .bits = value};
  return tide_addnode(L, tide_currenttrace(L), &node);
}

/* Tells whether it is an integer that is known only when the kernel is
** called. */
static bool is_late (lua_State *L, int node) {
  const Node *n = &tide_currenttrace(L)->at[node];
  return n->weak && n->kind != NODE_CONSTANT && n->t == DTYPE_INT64;
}

/* Converts an operand. Only numbers are first converted to the narrower
** dtype. */
static int as_operand (lua_State *L, int node, const BinaryTypes *t) {
  if (tide_currenttrace(L)->at[node].weak)
    node = tide_typednode(L, node, t->own);
  return tide_typednode(L, node, t->in);
}

/* x * 2^n. */
static int add_ldexp (lua_State *L, int x, int n) {
  const Trace *trace = tide_currenttrace(L);
  bool weak = both_weak(L, x, n);
  DType own = trace->at[x].weak ? common_type(L, x, n) : trace->at[x].t;
  BinaryTypes t = tide_ldexptypes(L, own, trace->at[n].t);
  x = as_operand(L, x, &t);
  int node = trace_operation(L, BINARY_ldexp, t.made, x, as_operand(L, n, &t));
  return finish(L, tide_typednode(L, node, t.result), weak);
}

static int add_binary (lua_State *L, BinaryOp op, int a, int b) {
  if (op == BINARY_ldexp)
    return add_ldexp(L, a, b);
  int mixed = mixed_op(L, op, a, b);
  if (mixed >= 0)
    return add_mixed(L, mixed, a, b);
  a = tide_nodebeside(L, a, b);
  b = tide_nodebeside(L, b, a);
  bool weak = both_weak(L, a, b);
  op = tide_opof(op, common_type(L, a, b));
  BinaryTypes t = tide_binarytypes(L, op, common_type(L, a, b));
  if (t.result == DTYPE_BOOL && tide_kind(t.in) == KIND_INTEGER) {
    int side = side_of(L, b, t.in) - side_of(L, a, t.in);
    if (side != 0)
      return add_known(L, DTYPE_BOOL, tide_holdsoutside(op, side));
    if ((is_late(L, a) || is_late(L, b)) && rt_dtype_size(t.in) < 8)
      t = tide_binarytypes(L, op, DTYPE_INT64); /* it has all of them */
  }
  Power p = (op == BINARY_pow) ? tide_whichpower(L, 2, t.own) : POWER_OTHER;
  t = tide_powertypes(L, p, t);
  a = as_operand(L, a, &t);
  int node = (p != POWER_OTHER)
               ? trace_power(L, p, &t, a)
               : trace_operation(L, op, t.made, a, as_operand(L, b, &t));
  return finish(L, tide_typednode(L, node, t.result), weak);
}

int tide_tracebinary (lua_State *L, BinaryOp op) {
  int a = tide_operandnode(L, 1), b = tide_operandnode(L, 2);
  check_nooptions(L, 3);
  tide_pushsymbol(L, tide_currenttrace(L), add_binary(L, op, a, b));
  return 1;
}

int tide_tracepositive (lua_State *L) {
  int a = tide_operandnode(L, 1);
  check_nooptions(L, 2);
  if (tide_currenttrace(L)->at[a].t == DTYPE_BOOL)
    tide_raise(L, "'positive' is not defined for bool arrays");
  return push_result(L, a, tide_currenttrace(L)->at[a].weak);
}

int tide_traceunary (lua_State *L, UnaryOp op) {
  int a = tide_operandnode(L, 1);
  if (op == UNARY_round && lua_type(L, 2) == LUA_TNUMBER)
    return tide_roundto(L, false);
  check_nooptions(L, 2);
  bool weak = tide_currenttrace(L)->at[a].weak;
  DType own = tide_currenttrace(L)->at[a].t;
  if (tide_isreal(op, own) && op == UNARY_imag)
    return push_result(L, add_known(L, own, 0), false);
  if (tide_isreal(op, own) || tide_iswhole(op, own))
    return push_result(L, a, weak);
  DType t = tide_unarydtype(L, op, own);
  a = tide_typednode(L, a, t);
  DType made = (DType)rt_unary_dtype(op, t);
  int node = new_node(L, NODE_UNARY, made, (int)op, a, -1, -1);
  return push_result(L, tide_typednode(L, node, tide_narrowed(made, own)),
                     weak);
}

/* Traces two functions of floats, which both read the operand at 1. */
void tide_traceboth (lua_State *L, const UnaryOp ops[2]) {
  int a = tide_operandnode(L, 1);
  check_nooptions(L, 2);
  bool weak = tide_currenttrace(L)->at[a].weak;
  DType own = tide_currenttrace(L)->at[a].t;
  DType in = tide_unarydtype(L, ops[0], own);
  own = (tide_kind(own) < KIND_FLOAT) ? in : own;
  a = tide_typednode(L, a, in);
  for (int i = 0; i < 2; i++) {
    DType made = (DType)rt_unary_dtype(ops[i], in);
    int node = new_node(L, NODE_UNARY, made, (int)ops[i], a, -1, -1);
    push_result(L, tide_typednode(L, node, tide_narrowed(made, own)), weak);
  }
}

/* Returns the dtype for which a number counts. */
static DType counted (lua_State *L, int node) {
  DType t = tide_currenttrace(L)->at[node].t;
  return (t == DTYPE_FLOAT64) ? tide_floatdtype(L) : t;
}

/* where(c, x, y) */
int tide_tracewhere (lua_State *L) {
  int c = tide_operandnode(L, 1), a = tide_operandnode(L, 2);
  int b = tide_operandnode(L, 3);
  check_nooptions(L, 4);
  bool weak = both_weak(L, a, b) && tide_currenttrace(L)->at[c].weak &&
              tide_currenttrace(L)->at[c].kind == NODE_CONSTANT;
  c = tide_typednode(L, c, DTYPE_BOOL);
  DType t = common_type(L, a, b);
  if (both_weak(L, a, b) && !weak) /* numbers become an array */
    t = tide_promote(counted(L, a), counted(L, b));
  a = tide_typednode(L, a, t);
  b = tide_typednode(L, b, t);
  return push_result(L, new_node(L, NODE_SELECT, t, 0, c, a, b), weak);
}

static bool is_number (lua_State *L, int node) {
  const Node *n = &tide_currenttrace(L)->at[node];
  return n->weak && n->t != DTYPE_BOOL;
}

/* clip(x, lo, hi): either may be nil. If both are numbers, both determine the
** dtype before the first bound is applied. */
int tide_traceclip (lua_State *L) {
  check_nooptions(L, 4);
  int x = tide_operandnode(L, 1);
  int lo = lua_isnoneornil(L, 2) ? -1 : tide_operandnode(L, 2);
  int hi = lua_isnoneornil(L, 3) ? -1 : tide_operandnode(L, 3);
  if (lo >= 0 && hi >= 0 && is_number(L, lo) && is_number(L, hi) &&
      !tide_currenttrace(L)->at[x].weak) {
    x = tide_typednode(L, x, common_type(L, x, lo));
    x = tide_typednode(L, x, common_type(L, x, hi));
  }
  if (lo >= 0)
    x = add_binary(L, BINARY_maximum, x, lo);
  if (hi >= 0)
    x = add_binary(L, BINARY_minimum, x, hi);
  tide_pushsymbol(L, tide_currenttrace(L), x);
  return 1;
}

/* ==} */

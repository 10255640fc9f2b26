/*
** trace.c - the trace of a fused function: its operations and their types, as
** nodes. Symbols stand for nodes in Lua.
*/
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "composed.h"
#include "op_dtypes.h"
#include "power.h"
#include "rt/kernels/kernels.h"
#include "symbol.h"

/* {== nodes =========================================================== */

int symbol_add_node (lua_State *L, Trace *t, const TraceNode *node) {
  if (t->n == MAX_NODES)
    error_raise(L, "a fused function has more than %d operations", MAX_NODES);
  t->at[t->n] = *node;
  return t->n++;
}

Trace *symbol_current_trace (lua_State *L) {
  Trace *t = state_get(L)->trace;
  if (t == NULL)
    error_raise(L, "a symbol of a fused function cannot be used outside of it");
  return t;
}

void symbol_check_trace (lua_State *L, int arg, const Symbol *s) {
  argerror_check(L, s->trace == symbol_current_trace(L)->id, arg,
                 "symbol of another fused function");
}

static int new_node (lua_State *L, NodeKind kind, DType t, int op, int a, int b,
                     int c) {
  TraceNode node = {.kind = kind, .t = t, .op = op, .in = {a, b, c}};
  return symbol_add_node(L, symbol_current_trace(L), &node);
}

DType symbol_weak_dtype (DType t) {
  return (dtype_kind(t) == KIND_FLOAT) ? DTYPE_FLOAT64 : t;
}

/* Adds a constant: the bits of a number or boolean in its own dtype. */
static int add_constant (lua_State *L, int arg) {
  TraceNode node = {.kind = NODE_CONSTANT, .weak = true, .in = {-1, -1, -1}};
  node.t = symbol_weak_dtype(dtype_infer(L, arg));
  dtype_read_element(L, arg, node.t, &node.bits);
  return symbol_add_node(L, symbol_current_trace(L), &node);
}

int symbol_operand_node (lua_State *L, int arg) {
  const Symbol *s = class_test(L, arg, &symbol_class);
  int type = lua_type(L, arg);
  if (s == NULL && (type == LUA_TNUMBER || type == LUA_TBOOLEAN))
    return add_constant(L, arg);
  if (s == NULL)
    argerror_raise(L, arg,
                   "in a fused function operands are its arguments, what is "
                   "made of them, numbers and booleans");
  symbol_check_trace(L, arg, s);
  argerror_check(L, !s->reduced, arg,
                 "a reduction can only be returned by a fused function");
  return s->node;
}

static void push_constant (lua_State *L, const TraceNode *node) {
  dtype_push_element(L, &node->bits, node->t);
}

int symbol_cast_node (lua_State *L, int node, DType t) {
  Trace *trace = symbol_current_trace(L);
  TraceNode *n = &trace->at[node], typed;
  if (n->t == t && !n->weak)
    return node;
  if (n->kind != NODE_CONSTANT && n->kind != NODE_NUMBER)
    return (n->t == t) ? node : new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (!n->weak)
    return new_node(L, NODE_CAST, t, 0, node, -1, -1);
  if (dtype_size(t) > sizeof typed.bits)
    error_raise(L, "numbers cannot be fused with arrays of %s", dtype_name(t));
  typed = *n;
  typed.t = t;
  typed.weak = false;
  typed.bits = 0;
  if (n->kind == NODE_CONSTANT) {
    push_constant(L, n);
    const char *bad = dtype_read_element(L, -1, t, &typed.bits);
    if (bad != NULL)
      error_raise(L, "%s", bad);
    lua_pop(L, 1);
  }
  return symbol_add_node(L, trace, &typed);
}

/* Pushes a value of the kind of a weak node, for dtype_promote_scalar. */
static void push_kind (lua_State *L, DType t) {
  if (t == DTYPE_BOOL)
    lua_pushboolean(L, 1);
  else if (t == DTYPE_INT64)
    lua_pushinteger(L, 1);
  else
    lua_pushnumber(L, 1);
}

static DType common_type (lua_State *L, int a, int b) {
  const Trace *trace = symbol_current_trace(L);
  const TraceNode *x = &trace->at[a], *y = &trace->at[b];
  if (x->weak == y->weak)
    return (x->t == y->t) ? x->t : dtype_promote(x->t, y->t);
  push_kind(L, x->weak ? x->t : y->t);
  DType t = dtype_promote_scalar(L, -1, x->weak ? y->t : x->t);
  lua_pop(L, 1);
  return t;
}

/* Returns the node, marked as weak if it was made of numbers only. */
static int finish (lua_State *L, int node, bool weak) {
  TraceNode *n = &symbol_current_trace(L)->at[node];
  n->weak = weak && (n->t == DTYPE_INT64 || n->t == DTYPE_FLOAT64 ||
                     n->t == DTYPE_BOOL);
  return node;
}

static int push_result (lua_State *L, int node, bool weak) {
  symbol_push(L, symbol_current_trace(L), finish(L, node, weak));
  return 1;
}

int symbol_node_beside (lua_State *L, int node, int other) {
  const Trace *trace = symbol_current_trace(L);
  const TraceNode *n = &trace->at[node], *o = &trace->at[other];
  DType t = dtype_beside(n->t, o->t);
  return (n->weak && !o->weak && t != n->t) ? symbol_cast_node(L, node, t)
                                            : node;
}

static bool both_weak (lua_State *L, int a, int b) {
  return symbol_current_trace(L)->at[a].weak &&
         symbol_current_trace(L)->at[b].weak;
}

/* ==} */

/* {== operations ====================================================== */

static void check_nooptions (lua_State *L, int arg) {
  if (!lua_isnoneornil(L, arg))
    error_raise(L, "in a fused function there are no options");
}

/* Returns the operation for signed integers and uint64; numbers among them
** already have a dtype. */
static int mixed_op (lua_State *L, BinaryOp op, int a, int b) {
  const Trace *trace = symbol_current_trace(L);
  const TraceNode *x = &trace->at[a], *y = &trace->at[b];
  return (x->weak || y->weak) ? -1 : op_dtype_mixed_op(op, x->t, y->t);
}

/* Adds such an operation. A uint64 becomes an int64 with the same bits. */
static int add_mixed (lua_State *L, int op, int a, int b) {
  bool turned = (symbol_current_trace(L)->at[a].t == DTYPE_UINT64);
  int x = symbol_cast_node(L, turned ? b : a, DTYPE_INT64);
  int y = symbol_cast_node(L, turned ? a : b, DTYPE_INT64);
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
    int one = symbol_cast_node(L, add_constant(L, lua_gettop(L)), t->in);
    return trace_operation(L, BINARY_div, t->made, one, x);
  }
  int square = trace_operation(L, BINARY_mul, t->made, x, x);
  return (p == POWER_SQUARE)
           ? square
           : trace_operation(L, BINARY_mul, t->made, square, x);
}

/* Returns dtype_outside for an integer that 't' does not have; 0 if 't' has it,
** or the number is not known yet. */
static int side_of (lua_State *L, int node, DType t) {
  const TraceNode *n = &symbol_current_trace(L)->at[node];
  if (!n->weak || n->kind != NODE_CONSTANT)
    return 0;
  push_constant(L, n);
  int side = dtype_outside(L, -1, t);
  lua_pop(L, 1);
  return side;
}

/* Adds a constant result for all elements: 0 or 1. */
static int add_known (lua_State *L, DType t, bool value) {
  TraceNode node = {
    .kind = NODE_CONSTANT, .t = t, .in = {-1, -1, -1}, .bits = value};
  return symbol_add_node(L, symbol_current_trace(L), &node);
}

/* Tells whether it is an integer that is known only when the kernel is
** called. */
static bool is_late (lua_State *L, int node) {
  const TraceNode *n = &symbol_current_trace(L)->at[node];
  return n->weak && n->kind != NODE_CONSTANT && n->t == DTYPE_INT64;
}

/* Converts an operand. Only numbers are first converted to the narrower
** dtype. */
static int as_operand (lua_State *L, int node, const BinaryTypes *t) {
  if (symbol_current_trace(L)->at[node].weak)
    node = symbol_cast_node(L, node, t->own);
  return symbol_cast_node(L, node, t->in);
}

/* x * 2^n. */
static int add_ldexp (lua_State *L, int x, int n) {
  const Trace *trace = symbol_current_trace(L);
  bool weak = both_weak(L, x, n);
  DType own = trace->at[x].weak ? common_type(L, x, n) : trace->at[x].t;
  BinaryTypes t = op_dtype_ldexp(L, own, trace->at[n].t);
  x = as_operand(L, x, &t);
  int node = trace_operation(L, BINARY_ldexp, t.made, x, as_operand(L, n, &t));
  return finish(L, symbol_cast_node(L, node, t.result), weak);
}

static int add_binary (lua_State *L, BinaryOp op, int a, int b) {
  if (op == BINARY_ldexp)
    return add_ldexp(L, a, b);
  int mixed = mixed_op(L, op, a, b);
  if (mixed >= 0)
    return add_mixed(L, mixed, a, b);
  a = symbol_node_beside(L, a, b);
  b = symbol_node_beside(L, b, a);
  bool weak = both_weak(L, a, b);
  op = op_dtype_op(op, common_type(L, a, b));
  BinaryTypes t = op_dtype_binary(L, op, common_type(L, a, b));
  if (t.result == DTYPE_BOOL && dtype_kind(t.in) == KIND_INTEGER) {
    int side = side_of(L, b, t.in) - side_of(L, a, t.in);
    if (side != 0)
      return add_known(L, DTYPE_BOOL, op_dtype_outside(op, side));
    if ((is_late(L, a) || is_late(L, b)) && dtype_size(t.in) < 8)
      t = op_dtype_binary(L, op, DTYPE_INT64); /* it has all of them */
  }
  Power p = (op == BINARY_pow) ? power_kind(L, 2, t.own) : POWER_OTHER;
  t = power_dtypes(L, p, t);
  a = as_operand(L, a, &t);
  int node = (p != POWER_OTHER)
               ? trace_power(L, p, &t, a)
               : trace_operation(L, op, t.made, a, as_operand(L, b, &t));
  return finish(L, symbol_cast_node(L, node, t.result), weak);
}

int symbol_trace_binary (lua_State *L, BinaryOp op) {
  int a = symbol_operand_node(L, 1), b = symbol_operand_node(L, 2);
  check_nooptions(L, 3);
  symbol_push(L, symbol_current_trace(L), add_binary(L, op, a, b));
  return 1;
}

int symbol_trace_positive (lua_State *L) {
  int a = symbol_operand_node(L, 1);
  check_nooptions(L, 2);
  if (symbol_current_trace(L)->at[a].t == DTYPE_BOOL)
    error_raise(L, "'positive' is not defined for bool arrays");
  return push_result(L, a, symbol_current_trace(L)->at[a].weak);
}

int symbol_trace_unary (lua_State *L, UnaryOp op) {
  int a = symbol_operand_node(L, 1);
  if (op == UNARY_round && lua_type(L, 2) == LUA_TNUMBER)
    return composed_round(L, false);
  check_nooptions(L, 2);
  bool weak = symbol_current_trace(L)->at[a].weak;
  DType own = symbol_current_trace(L)->at[a].t;
  if (op_dtype_is_real(op, own) && op == UNARY_imag)
    return push_result(L, add_known(L, own, 0), false);
  if (op_dtype_is_real(op, own) || op_dtype_is_whole(op, own))
    return push_result(L, a, weak);
  DType t = op_dtype_unary(L, op, own);
  a = symbol_cast_node(L, a, t);
  DType made = (DType)kernel_unary_dtype(op, t);
  int node = new_node(L, NODE_UNARY, made, (int)op, a, -1, -1);
  return push_result(L, symbol_cast_node(L, node, op_dtype_narrow(made, own)),
                     weak);
}

/* Traces two functions of floats, which both read the operand at 1. */
void symbol_trace_both (lua_State *L, const UnaryOp ops[2]) {
  int a = symbol_operand_node(L, 1);
  check_nooptions(L, 2);
  bool weak = symbol_current_trace(L)->at[a].weak;
  DType own = symbol_current_trace(L)->at[a].t;
  DType in = op_dtype_unary(L, ops[0], own);
  own = (dtype_kind(own) < KIND_FLOAT) ? in : own;
  a = symbol_cast_node(L, a, in);
  for (int i = 0; i < 2; i++) {
    DType made = (DType)kernel_unary_dtype(ops[i], in);
    int node = new_node(L, NODE_UNARY, made, (int)ops[i], a, -1, -1);
    push_result(L, symbol_cast_node(L, node, op_dtype_narrow(made, own)), weak);
  }
}

/* Returns the dtype for which a number counts. */
static DType counted (lua_State *L, int node) {
  DType t = symbol_current_trace(L)->at[node].t;
  return (t == DTYPE_FLOAT64) ? dtype_default(L) : t;
}

/* where(c, x, y) */
int symbol_trace_where (lua_State *L) {
  int c = symbol_operand_node(L, 1), a = symbol_operand_node(L, 2);
  int b = symbol_operand_node(L, 3);
  check_nooptions(L, 4);
  bool weak = both_weak(L, a, b) && symbol_current_trace(L)->at[c].weak &&
              symbol_current_trace(L)->at[c].kind == NODE_CONSTANT;
  c = symbol_cast_node(L, c, DTYPE_BOOL);
  DType t = common_type(L, a, b);
  if (both_weak(L, a, b) && !weak) /* numbers become an array */
    t = dtype_promote(counted(L, a), counted(L, b));
  a = symbol_cast_node(L, a, t);
  b = symbol_cast_node(L, b, t);
  return push_result(L, new_node(L, NODE_SELECT, t, 0, c, a, b), weak);
}

static bool is_number (lua_State *L, int node) {
  const TraceNode *n = &symbol_current_trace(L)->at[node];
  return n->weak && n->t != DTYPE_BOOL;
}

/* clip(x, lo, hi): either may be nil. If both are numbers, both determine the
** dtype before the first bound is applied. */
int symbol_trace_clip (lua_State *L) {
  check_nooptions(L, 4);
  int x = symbol_operand_node(L, 1);
  int lo = lua_isnoneornil(L, 2) ? -1 : symbol_operand_node(L, 2);
  int hi = lua_isnoneornil(L, 3) ? -1 : symbol_operand_node(L, 3);
  if (lo >= 0 && hi >= 0 && is_number(L, lo) && is_number(L, hi) &&
      !symbol_current_trace(L)->at[x].weak) {
    x = symbol_cast_node(L, x, common_type(L, x, lo));
    x = symbol_cast_node(L, x, common_type(L, x, hi));
  }
  if (lo >= 0)
    x = add_binary(L, BINARY_maximum, x, lo);
  if (hi >= 0)
    x = add_binary(L, BINARY_minimum, x, hi);
  symbol_push(L, symbol_current_trace(L), x);
  return 1;
}

/* ==} */

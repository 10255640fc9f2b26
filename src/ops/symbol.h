/*
** symbol.h - stands for an array while a function is fused, and records the
** operations on it. See symbol.c, trace.c.
*/
#ifndef TIDE_OPS_SYMBOL_H
#define TIDE_OPS_SYMBOL_H

#include "base/class.h"
#include "rt/kernels/kernels.h"

enum { MAX_NODES = 300 };

typedef enum NodeKind {
  NODE_ARRAY,  /* argument 'arg', an array */
  NODE_NUMBER, /* argument 'arg', a number */
  NODE_CONSTANT,
  NODE_CAST,
  NODE_BINARY,
  NODE_UNARY,
  NODE_SELECT
} NodeKind;

/*
** A value. 'weak': a number, or computed from numbers only. Like a Lua number
** it takes the type of the array that it meets. Before that it is an int64,
** float64 or bool, whatever the default dtype is, so that it is rounded once.
*/
typedef struct TraceNode {
  NodeKind kind;
  DType t;
  bool weak;
  int op; /* BinaryOp or UnaryOp */
  int arg;
  int in[3];     /* nodes with smaller numbers; -1: none */
  uint64_t bits; /* of a constant, as 't' */
} TraceNode;

typedef struct Trace {
  uint64_t id; /* different from all others of the State */
  int n;
  TraceNode at[MAX_NODES];
} Trace;

/* A Lua object that stands for a node, and may outlive its trace. User value 1
** is the pending call of a reduction of it, {name, arguments ...}, or nil.
*/
typedef struct Symbol {
  Object object;
  uint64_t trace; /* id of its trace */
  int node;
  bool reduced;
} Symbol;

extern const Class symbol_class;

/* Returns the dtype of a weak node for a number that counts as 't'. */
DType symbol_weak_dtype (DType t);

/* Adds a node and returns it. Raises if there is no room. */
int symbol_add_node (lua_State *L, Trace *t, const TraceNode *node);

/* Pushes a Symbol for a node. */
Symbol *symbol_push (lua_State *L, Trace *t, int node);

/* Tells whether one of the first n arguments is a Symbol while a function is
** being fused. */
bool symbol_in_args (lua_State *L, int n);

static inline bool symbol_is_traced (lua_State *L, const Runtime *rt, int n) {
  return state_of_rt(rt)->trace != NULL && symbol_in_args(L, n);
}

/* Returns the trace under way. Raises if there is none. */
Trace *symbol_current_trace (lua_State *L);

/* Raises unless the Symbol at 'arg' belongs to that trace. */
void symbol_check_trace (lua_State *L, int arg, const Symbol *s);

/* Returns the node of the operand at 'arg': a Symbol's, or a new one for a
** number. */
int symbol_operand_node (lua_State *L, int arg);

/* Returns the node converted to type t. Numbers that do not fit raise. */
int symbol_cast_node (lua_State *L, int node, DType t);

/* Returns the node or, for an integer of Lua beside integers of the other node,
** one of their dtype: see dtype_beside. */
int symbol_node_beside (lua_State *L, int node, int other);

/* The operations of the module on Symbols: push one. */
int symbol_trace_binary (lua_State *L, BinaryOp op);
int symbol_trace_unary (lua_State *L, UnaryOp op);
int symbol_trace_positive (lua_State *L);
void symbol_trace_both (lua_State *L, const UnaryOp ops[2]);
int symbol_trace_where (lua_State *L);
int symbol_trace_clip (lua_State *L);

#endif

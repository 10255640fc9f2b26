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
typedef struct Node {
  NodeKind kind;
  DType t;
  bool weak;
  int op; /* BinaryOp or UnaryOp */
  int arg;
  int in[3];     /* nodes with smaller numbers; -1: none */
  uint64_t bits; /* of a constant, as 't' */
} Node;

typedef struct Trace {
  uint64_t id; /* different from all others of the State */
  int n;
  Node at[MAX_NODES];
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

extern const Class tide_symbolclass;

/* Returns the dtype of a weak node for a number that counts as 't'. */
DType tide_weakdtype (DType t);

/* Adds a node and returns it. Raises if there is no room. */
int tide_addnode (lua_State *L, Trace *t, const Node *node);

/* Pushes a Symbol for a node. */
Symbol *tide_pushsymbol (lua_State *L, Trace *t, int node);

/* Tells whether one of the first n arguments is a Symbol while a function is
** being fused. */
bool tide_aresymbols (lua_State *L, int n);

static inline bool tide_istraced (lua_State *L, const Runtime *rt, int n) {
  return tide_owner(rt)->trace != NULL && tide_aresymbols(L, n);
}

/* Returns the trace under way. Raises if there is none. */
Trace *tide_currenttrace (lua_State *L);

/* Raises unless the Symbol at 'arg' belongs to that trace. */
void tide_checktraced (lua_State *L, int arg, const Symbol *s);

/* Returns the node of the operand at 'arg': a Symbol's, or a new one for a
** number. */
int tide_operandnode (lua_State *L, int arg);

/* Returns the node converted to type t. Numbers that do not fit raise. */
int tide_typednode (lua_State *L, int node, DType t);

/* Returns the node or, for an integer of Lua beside integers of the other node,
** one of their dtype: see tide_dtypebeside. */
int tide_nodebeside (lua_State *L, int node, int other);

/* The operations of the module on Symbols: push one. */
int tide_tracebinary (lua_State *L, BinaryOp op);
int tide_traceunary (lua_State *L, UnaryOp op);
int tide_tracepositive (lua_State *L);
void tide_traceboth (lua_State *L, const UnaryOp ops[2]);
int tide_tracewhere (lua_State *L);
int tide_traceclip (lua_State *L);

#endif

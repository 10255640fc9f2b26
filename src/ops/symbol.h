/*
** symbol.h - what stands for an array while a function is fused: it notes what
** is done to it. See symbol.c, trace.c.
*/
#ifndef TIDE_OPS_SYMBOL_H
#define TIDE_OPS_SYMBOL_H

#include "base/class.h"
#include "rt/kernels/kernels.h"

enum { MAX_NODES = 300 };

typedef enum NodeKind {
  NODE_ARRAY,    /* argument 'arg', an array */
  NODE_NUMBER,   /* argument 'arg', a number */
  NODE_CONSTANT, NODE_CAST, NODE_BINARY, NODE_UNARY, NODE_SELECT
} NodeKind;

/*
** A value. 'weak': a number, or made of numbers alone; it takes the type of the
** array that it meets, as a Lua number does, and is an int64, float64 or bool
** before, whatever the default dtype is: so it is rounded once.
*/
typedef struct Node {
  NodeKind kind;
  DType t;
  bool weak;
  int op;             /* BinaryOp or UnaryOp */
  int arg;
  int in[3];          /* nodes with smaller numbers; -1: none */
  uint64_t bits;      /* of a constant, as 't' */
} Node;

typedef struct Trace {
  uint64_t id;        /* no other one's of the State */
  int n;
  Node at[MAX_NODES];
} Trace;

/* A Lua object that stands for a node, and may outlive its trace; user value 1:
** what a reduction of it shall be called with, {name, arguments ...}, or nil.
*/
typedef struct Symbol {
  Object object;
  uint64_t trace;     /* its id */
  int node;
  bool reduced;
} Symbol;

extern const Class tide_symbolclass;

/* Of a weak node for a number that counts as 't'. */
DType tide_weakdtype (DType t);

/* Adds a node; raises if there is no room. */
int tide_addnode (lua_State *L, Trace *t, const Node *node);

/* Pushes a Symbol for a node. */
Symbol *tide_pushsymbol (lua_State *L, Trace *t, int node);

/* Is one of the first n arguments a Symbol, and a function being fused? */
bool tide_aresymbols (lua_State *L, int n);

static inline bool tide_istraced (lua_State *L, const Runtime *rt, int n) {
  return tide_owner(rt)->trace != NULL && tide_aresymbols(L, n);
}

/* The trace that is being made; raises if none is. */
Trace *tide_currenttrace (lua_State *L);

/* Raises unless the Symbol at 'arg' is of it. */
void tide_checktraced (lua_State *L, int arg, const Symbol *s);

/* The node of the operand at 'arg': of a Symbol, or a new one of a number. */
int tide_operandnode (lua_State *L, int arg);

/* The node as one of type t: numbers become numbers of it, or raise. */
int tide_typednode (lua_State *L, int node, DType t);

/* The node; if it is an integer of Lua, one of the integers of the other node:
** see tide_dtypebeside. */
int tide_nodebeside (lua_State *L, int node, int other);

/* The operations of the module, on Symbols: push one. */
int tide_tracebinary (lua_State *L, BinaryOp op);
int tide_traceunary (lua_State *L, UnaryOp op);
int tide_tracepositive (lua_State *L);
void tide_traceboth (lua_State *L, const UnaryOp ops[2]);
int tide_tracewhere (lua_State *L);
int tide_traceclip (lua_State *L);

#endif

/* operands.h - operands and results of functions of arrays. See operands.c. */
#ifndef TIDE_OPS_OPERANDS_H
#define TIDE_OPS_OPERANDS_H

#include "result.h"
#include "rt/kernels/kernels.h"

/* Pushes the array at 'arg' as a dense one of 't': itself if it is one. */
Array *operand_push_dense (lua_State *L, int arg, DType t);

/* A result on its way to its target. */
typedef struct Target {
  Array *z;   /* to be written: dense, and apart from the operands */
  Array *out; /* to be returned: z, or z is copied there */
  int at;     /* its index on the stack */
  int args;   /* index of the last argument */
} Target;

/*
** Pushes the target of a result: option 'out' of the table at 'options', or a
** new array; and, if that cannot be written directly, memory of its own. An
** operand that is NULL need not be kept apart.
*/
void operand_push_target (lua_State *L, Target *to, int options,
                          const Like *like, DType t, RtStream *s,
                          const Array *x, const Array *y);

/* operand_push_target with more options, which were checked. */
void operand_push_out (lua_State *L, Target *to, int options, const Like *like,
                       DType t, RtStream *s, const Array *x, const Array *y);

/* Copies the result to its target. Returns 1, with the result on the top. */
int operand_return (lua_State *L, const Target *to, RtStream *s);

/* An axis and the products of lengths before and after it. */
typedef struct Lines {
  size_t outer, n, inner;
} Lines;
Lines operand_lines (const Array *a, int axis);

/* Reads [axis] [, { axis=, ... }] from 'arg' on: the axis from 0, or -1.
** Returns the index of the options, which are some of 'names'. */
int operand_opt_axis (lua_State *L, int arg, int ndim,
                      const char *const names[], int *axis);

/* Reads [axis | { axes }] and options likewise: an axis or a list of *n axes;
** -1 without any. */
int operand_opt_axes (lua_State *L, int arg, int ndim,
                      const char *const names[], int axes[MAX_DIMS], int *n);

/* The options of most such functions. */
extern const char *const operand_axis_out[];

/* cumulative.c: queues z = the running fold of x along lines. */
void operand_scan (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                   const Array *x);

#endif

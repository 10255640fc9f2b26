/* operands.h - what functions of arrays ask of arguments. See operands.c. */
#ifndef TIDE_OPS_OPERANDS_H
#define TIDE_OPS_OPERANDS_H

#include "result.h"
#include "rt/kernels/kernels.h"

/* Pushes the array at 'arg' as a dense one of 't': itself if it is one. */
Array *tide_pushplain (lua_State *L, int arg, DType t);

/* A result on its way to where it shall be. */
typedef struct Target {
  Array *z;    /* dense and apart from the operands: to be written */
  Array *out;  /* what is returned: z, or z is copied there */
  int at;      /* its place on the stack */
  int args;    /* the last argument's */
} Target;

/*
** Pushes what a result needs: option 'out' of the table at 'options', or a new
** array, and memory of its own where that will not do. Operands that are NULL
** need not be kept apart.
*/
void tide_pushtarget (lua_State *L, Target *to, int options, const Like *like,
                      DType t, RtStream *s, const Array *x, const Array *y);

/* The same where there are other options as well, which were checked. */
void tide_pushtargetout (lua_State *L, Target *to, int options,
                         const Like *like, DType t, RtStream *s,
                         const Array *x, const Array *y);

/* Brings it there; returns 1, with the result on the top. */
int tide_reach (lua_State *L, const Target *to, RtStream *s);

/* Lengths before and after an axis: of what it is repeated over. */
typedef struct Lines {
  size_t outer, n, inner;
} Lines;
Lines tide_lines (const Array *a, int axis);

/* [axis] [, { axis=, ... }] from 'arg' on: the axis from 0, or -1; returns
** where the options are, which are some of 'names'. */
int tide_optaxis (lua_State *L, int arg, int ndim, const char *const names[],
                  int *axis);

/* The same of [axis | { axes }], an axis or a list; *n: how many, or -1. */
int tide_optaxes (lua_State *L, int arg, int ndim, const char *const names[],
                  int axes[MAX_DIMS], int *n);

/* The names of options of most such functions. */
extern const char *const tide_axisout[];

/* cumulative.c: queues z = the running fold of x along lines. */
void tide_scan (lua_State *L, RtStream *s, ScanOp op, Lines at, Array *z,
                const Array *x);

#endif

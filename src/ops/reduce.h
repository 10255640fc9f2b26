/* reduce.h - arguments of reductions, and folds. See reduce.c, fold.c. */
#ifndef TIDE_OPS_REDUCE_H
#define TIDE_OPS_REDUCE_H

#include "result.h"
#include "rt/kernels/kernels.h"

/* A call f(a [, axis | {axes}] [, { axis=, out=, keepdims=, dtype= }]). */
typedef struct Reduction {
  Array *a;
  uint32_t axes; /* bit i: axis i is reduced; all of them by default */
  bool whole;    /* all axes are, and the result is 0-d */
  int options;   /* index of the table of options; maybe nil */
  int dtype;     /* option 'dtype', or -1 */
  size_t count;  /* elements of 'a' for each of the result */
  Like like;
} Reduction;

/* Reads the arguments, of which the first is the array; 'names' are the allowed
** options. Raises. The stack has 3 values afterwards. */
void reduce_read (lua_State *L, Reduction *r, const char *const names[]);

/* Pushes the target of the result: option 'out' or a new array. */
Array *reduce_push_out (lua_State *L, const Reduction *r, DType t, RtStream *s);

/* A fold, and the divisor of sums of floats before they are rounded: 1 for the
** sum itself. */
typedef struct Fold {
  ReduceOp op;
  double by;
} Fold;

/* Queues z = the array at 'arg' folded along 'axes'. z has the number of
** elements and the dtype, kernel_reduce_dtype, of the result. */
void reduce_fold (lua_State *L, RtStream *s, Fold f, Array *z, int arg,
                  uint32_t axes);

/* Queues z = the dot product of x and y: dense vectors of z's dtype, a float,
** to which each product is rounded, or to float32 if it has 16 bits. */
void reduce_dot (lua_State *L, RtStream *s, Array *z, Array *x, Array *y);

/* Queues the dot product of each row of x and y, dense matrices with as many
** rows as z has elements, by kernel_dot_rows. */
void reduce_dot_rows (lua_State *L, RtStream *s, KernelId id, Array *z,
                      Array *x, Array *y);

/* The memory of an array as [outer, n, inner], where n is folded. */
typedef struct Layout {
  size_t outer, n, inner;
} Layout;

/* Pushes the array at 'arg', or a copy of it, with a memory of that form. */
Array *reduce_push_layout (lua_State *L, RtStream *s, int arg, uint32_t axes,
                           Layout *l);

#endif

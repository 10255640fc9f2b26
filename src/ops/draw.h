/*
** draw.h - arguments of all functions that draw random numbers, and the filling
** of an array with them. See draw.c.
*/
#ifndef TIDE_OPS_DRAW_H
#define TIDE_OPS_DRAW_H

#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"

/*
** Functions draw from the generator at argument 'g', followed by their own
** arguments; 0: from the common generator. So BOTH makes two functions of each:
** draw_uniform(L, g) becomes random_uniform, of the module, and
** generator_uniform, a method.
*/
#define BOTH(name) \
  static int random_##name(lua_State *L) { return draw_##name(L, 0); } \
  static int generator_##name(lua_State *L) { return draw_##name(L, 1); }

/* A way to draw numbers: the kernel for each dtype, and its parameters. */
typedef struct Draw {
  int g; /* the index of the generator: see above */
  const char *kernel;
  unsigned count; /* elements for one value of the counter */
  union {
    double d[2];
    int64_t i[2];
  } of;
  bool each; /* the kernel also takes a parameter for each element: */
  int at[2]; /* their indices, or 0: one for all, in 'of' */
} Draw;

/* The indices of the arguments after the parameters. */
typedef struct DrawArgs {
  int shape, dtype, options;
  Array *out; /* the option 'out', or NULL */
} DrawArgs;

/* Raises that the value at 'arg' is not the expected one. 'order' lists the
** arguments, because other libraries have another order. */
void draw_arg_error (lua_State *L, int arg, const char *expected,
                     const char *order);

/* Reads shape, dtype and options, from 'shape' on; leaves 'out' on the top.
** 'any': the shape may be missing, because parameters have one. */
DrawArgs draw_read_args (lua_State *L, int shape, bool any, const char *order);

DType draw_dtype (lua_State *L, const DrawArgs *r, DType def);

/* Returns float32 or float64. */
DType draw_float_dtype (lua_State *L, const DrawArgs *r);

/* Returns a dtype of integers. */
DType draw_int_dtype (lua_State *L, const DrawArgs *r);

/* Raises unless the type has the number 'x'. Infinity is always refused. */
void draw_check_finite (lua_State *L, int arg, const char *name, double x,
                        DType t);

/* Pushes the array to be filled: 'out', or a new one of the shape. */
Array *draw_push_array (lua_State *L, const DrawArgs *r, DType t);

/* Raises unless 'out' has that shape. */
void draw_check_out (lua_State *L, const DrawArgs *r, int ndim,
                     const int64_t *shape);

/* Queues the drawing of the numbers. */
void draw_launch (lua_State *L, Array *a, const Draw *d);

#endif

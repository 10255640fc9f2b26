/*
** draw.h - what all functions that draw random numbers ask of their arguments,
** and how an array is filled with them. See draw.c.
*/
#ifndef TIDE_OPS_DRAW_H
#define TIDE_OPS_DRAW_H

#include "array/array.h"
#include "array/dtype.h"
#include "base/class.h"

/*
** Functions draw from the generator at argument 'g', and their own arguments
** come behind it; 0: from the common one. So each is one of the module, which
** has none, and a method, by BOTH: draw_uniform(L, g) makes random_uniform and
** generator_uniform.
*/
#define BOTH(name) \
  static int random_##name (lua_State *L) { return draw_##name(L, 0); } \
  static int generator_##name (lua_State *L) { return draw_##name(L, 1); }

/* A way to draw numbers: the kernel for each dtype, and its parameters. */
typedef struct Draw {
  int g;              /* where the generator is: see above */
  const char *kernel;
  unsigned count;     /* elements for one value of the counter */
  union { double d[2]; int64_t i[2]; } of;
  bool each;          /* the kernel takes a parameter for each element, too: */
  int at[2];          /* where they are, or 0: one for all, which is 'of' */
} Draw;

/* Where the arguments after the parameters are. */
typedef struct Rest {
  int shape, dtype, options;
  Array *out;         /* the option 'out', or NULL */
} Rest;

/* Raises: what is at 'arg' is not what is expected there; 'order' is that of
** the arguments, which is another one in other libraries. */
void tide_refusedraw (lua_State *L, int arg, const char *expected,
                      const char *order);

/* Shape, dtype and options, from 'shape' on; leaves 'out' on the top. 'any':
** there may be no shape, as parameters have one. */
Rest tide_checkdraw (lua_State *L, int shape, bool any, const char *order);

DType tide_drawdtype (lua_State *L, const Rest *r, DType def);

/* float32 or float64. */
DType tide_drawfloats (lua_State *L, const Rest *r);

/* One of integers. */
DType tide_drawintegers (lua_State *L, const Rest *r);

/* Is 'x' a number that the type has? Infinity is none that is meant. */
void tide_checkfinite (lua_State *L, int arg, const char *name, double x,
                       DType t);

/* The array to be filled, pushed: 'out', or a new one of the shape. */
Array *tide_pushdrawn (lua_State *L, const Rest *r, DType t);

/* Raises unless 'out' has that shape. */
void tide_checkoutshape (lua_State *L, const Rest *r, int ndim,
                         const int64_t *shape);

/* Queues the numbers. */
void tide_draw (lua_State *L, Array *a, const Draw *d);

#endif

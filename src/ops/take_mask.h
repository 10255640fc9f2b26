/* take_mask.h - elements by their places, for other functions. See
** take_mask.c. */
#ifndef TIDE_OPS_TAKE_MASK_H
#define TIDE_OPS_TAKE_MASK_H

#include "indices.h"

/* The shape of what is taken: that of the indices in place of the axis, -1 if
** there is none; returns how many axes. */
int tide_takenshape (lua_State *L, const Array *a, const Array *index,
                     int axis, int64_t shape[MAX_DIMS]);

/* Queues z = x by an index for each element of z, whose lines 'at' are; x has
** k->n elements along them. Both are dense. */
void tide_takealong (lua_State *L, RtStream *s, Array *z, const Array *x,
                     const Indices *k, Lines at);

/* The type of the largest elements as which rows of 'inner' elements, which
** are runs of memory, can be moved. */
DType tide_packtype (DType t, size_t inner, CUdeviceptr pz, CUdeviceptr px);

/* The bool array at 2, whose axes are the first ones of 'a'; raises. */
Array *tide_checkmask (lua_State *L, const Array *a);

/* Pushes how many are true up to each element of the dense mask on the top; or
** up to the end of each tile of it: see kernels/compact.cu. */
Array *tide_pushrunning (lua_State *L, RtStream *s, const Array *m);
Array *tide_pushends (lua_State *L, RtStream *s, const Array *m);
unsigned tide_tiles (const Array *m);

/* Raises unless a count of elements of 'a' can be waited for. */
void tide_checkcountable (lua_State *L, RtStream *s, const Array *a,
                          const char *what);

/* How many elements a result has that is as long as there are true ones: that
** many, or as many as was said. */
typedef struct Room {
  bool given;
  int64_t size;
  int fill;  /* where on the stack that is which comes behind them */
} Room;

/* Reads the options 'size' and 'fill', an element of 't' and by default that
** number, of the table or nil at 'options'. */
void tide_readroom (lua_State *L, int options, DType t, lua_Integer fill,
                    Room *r);

/* What a mask chooses of. */
typedef struct Chosen {
  Array *mask;    /* dense */
  Array *x;       /* dense: its rows, one for each element of the mask; NULL: */
                  /* the places of what is true, from 1 */
  Array *counts;  /* those of tiles if rows are elements, else of elements */
} Chosen;

/* Pushes that. The shape has 'ndim' axes; how many rows there are is set, and
** waited for if need be. */
Array *tide_pushmasked (lua_State *L, RtStream *s, const Chosen *of, int ndim,
                        int64_t *shape, const Room *r, const char *what);

/* nonzero.c */
int tide_nonzero (lua_State *L);

#endif

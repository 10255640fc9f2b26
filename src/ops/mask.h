/* mask.h - takes elements by their places, for other functions. See
** mask.c. */
#ifndef TIDE_OPS_MASK_H
#define TIDE_OPS_MASK_H

#include "indices.h"

/* Finds the shape of taken elements: that of the indices in place of the axis,
** -1 if there is none. Returns the number of axes. */
int mask_shape (lua_State *L, const Array *a, const Array *index, int axis,
                int64_t shape[MAX_DIMS]);

/* Queues z = x with an index for each element of z, whose lines are 'at'; x has
** k->n elements along them. Both are dense. */
void mask_along (lua_State *L, RtStream *s, Array *z, const Array *x,
                 const Indices *k, Lines at);

/* Returns the largest type of elements as which rows of 'inner' elements, which
** are runs of memory, can be moved. */
DType mask_pack_dtype (DType t, size_t inner, CUdeviceptr pz, CUdeviceptr px);

/* Returns the bool array at 2, whose axes are the first ones of 'a'. Raises. */
Array *mask_check (lua_State *L, const Array *a);

/* Pushes the running count of true elements of the dense mask on the top; or
** the count up to the end of each tile of it: see kernels/compact.cu. */
Array *mask_push_running (lua_State *L, RtStream *s, const Array *m);
Array *mask_push_ends (lua_State *L, RtStream *s, const Array *m);
unsigned mask_tiles (const Array *m);

/* Raises unless a count of elements of 'a' can be waited for. */
void mask_check_count (lua_State *L, RtStream *s, const Array *a,
                       const char *what);

/* The size of a result that has an element for each true one: their number, or
** a given one. */
typedef struct Room {
  bool given;
  int64_t size;
  int fill; /* index of the value that fills the rest */
} Room;

/* Reads the options 'size' and 'fill' of the table or nil at 'options'; 'fill'
** is an element of 't', by default that number. */
void mask_read_room (lua_State *L, int options, DType t, lua_Integer fill,
                     Room *r);

/* The elements that a mask selects. */
typedef struct Chosen {
  Array *mask;   /* dense */
  Array *x;      /* dense: its rows, one for each element of the mask; NULL: */
                 /* the places of true elements, from 1 */
  Array *counts; /* of tiles if rows are elements, else of elements */
} Chosen;

/* Pushes them. The shape has 'ndim' axes; sets the number of rows in it, and
** waits for that if need be. */
Array *mask_push_selected (lua_State *L, RtStream *s, const Chosen *of,
                           int ndim, int64_t *shape, const Room *r,
                           const char *what);

/* nonzero.c */
int mask_nonzero (lua_State *L);

#endif

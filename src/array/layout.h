/* layout.h - shapes and strides of operands. See layout.c. */
#ifndef TIDE_ARRAY_LAYOUT_H
#define TIDE_ARRAY_LAYOUT_H

#include "array.h"
#include "kernels/geometry.h"

typedef const Array *Sides[GEOMETRY_SIDES]; /* z, x, y */
typedef CUdeviceptr Places[GEOMETRY_SIDES];

/*
** Finds the places of the elements of z and, broadcast to its shape, of x and
** y. NULL: no such operand; its place is 0. 'at' are the addresses, 'pack' is
** how many elements a thread of the kernel can take at a time.
*/
void layout_make (Geometry *g, const Sides side, int pack, Places at);

/*
** Makes the geometry of z = x, in elements as wide as the two allow. Returns
** their size.
** x NULL: elements of z's dtype.
*/
size_t layout_make_copy (Geometry *g, const Array *z, const Array *x,
                         Places at);

/*
** Tells whether that is a transposition worth tiles of 'tile' by 'tile'
** elements of so many bytes. If so, puts the axis along which x has stride 1
** (or -1, before it is reversed) before the last one, and the items are tiles.
*/
bool layout_tile (Geometry *g, Places at, size_t size, int tile);

/* Finds the bytes of its block that 'a', which has elements, may touch. */
void layout_span (const Array *a, size_t *lo, size_t *hi);

/* Copy the elements of a HostArray that is ready to or from a row-major run. */
void layout_gather (const Array *h, void *to);
void layout_scatter (const Array *h, void *from);

/* Tell whether two arrays may share bytes; whether they have the same elements
** in the same order. */
bool layout_overlaps (const Array *a, const Array *b);
bool layout_same_view (const Array *a, const Array *b);

bool layout_has_shape (const Array *a, int n, const int64_t *shape);

/* Tells whether the shape of 'from', broadcast, is that of 'to'. */
bool layout_is_broadcast (const Array *from, const Array *to);

/* Finds the common shape of 'a' and 'b' by broadcasting. Raises naming both. */
int layout_broadcast (lua_State *L, const Array *a, const Array *b,
                      int64_t shape[MAX_DIMS]);

/* Returns why 'a' cannot be written, or NULL: its owner forbids it, or its
** elements share memory, or those of the array that it is part of do, as in
** broadcast ones. */
const char *layout_why_readonly (const Array *a);

/* Raises if there is such a reason. */
void layout_check_writable (lua_State *L, int arg, const Array *a);

#endif

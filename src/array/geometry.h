/* geometry.h - shapes and strides of operands. See geometry.c. */
#ifndef TIDE_ARRAY_GEOMETRY_H
#define TIDE_ARRAY_GEOMETRY_H

#include "array.h"
#include "kernels/geometry.h"

typedef const Array *Sides[GEOMETRY_SIDES];       /* z, x, y */
typedef CUdeviceptr Places[GEOMETRY_SIDES];

/*
** Where the elements of z and, broadcast to its shape, of x and y are. NULL:
** no such operand; its place is 0. 'at' are the addresses that go with it,
** 'pack' is how many elements the kernel's threads can take at a time.
*/
void tide_geometry (Geometry *g, const Sides side, int pack, Places at);

/*
** z = x in elements as wide as the two allow: returns their size. x NULL: of
** z's dtype.
*/
size_t tide_copygeometry (Geometry *g, const Array *z, const Array *x,
                          Places at);

/*
** Is that a transposition worth tiles of 'tile' by 'tile' elements of so many
** bytes? Then the axis along which x has stride 1, or -1 before it is turned
** around, is put before the last one, and the items are tiles.
*/
bool tide_transposes (Geometry *g, Places at, size_t size, int tile);

/* The bytes of its block that 'a', which has elements, may touch. */
void tide_span (const Array *a, size_t *lo, size_t *hi);

/* The elements of a HostArray that is ready, to or from a row-major run. */
void tide_hostgather (const Array *h, void *to);
void tide_hostscatter (const Array *h, void *from);

/* Do they share bytes, or seem to? Are they the same elements in order? */
bool tide_overlaps (const Array *a, const Array *b);
bool tide_issameview (const Array *a, const Array *b);

bool tide_hasshape (const Array *a, int n, const int64_t *shape);

/* Is the shape of 'from', broadcast, that of 'to'? */
bool tide_isbroadcast (const Array *from, const Array *to);

/* The shape that 'a' and 'b' have in common; raises naming both. */
int tide_commonshape (lua_State *L, const Array *a, const Array *b,
                      int64_t shape[MAX_DIMS]);

/* Why 'a' cannot be written, or NULL: its owner does not want it, or elements
** share memory, or those of an array that it is part of, as broadcast ones. */
const char *tide_whyreadonly (const Array *a);

/* Raises if there is a reason. */
void tide_checkwritable (lua_State *L, int arg, const Array *a);

#endif

/*
** geometry.h - the addresses of strided operands' elements, which kernels named
** nd get by value. Filled by src/array/layout.c. Valid C and CUDA C++.
*/
#ifndef TIDE_GEOMETRY_H
#define TIDE_GEOMETRY_H

#include <stdint.h>

enum { GEOMETRY_DIMS = 32, GEOMETRY_SIDES = 3 };

/*
** Element (i, j ...) of operand k is at the sum of i * stride[k][0] and so on.
** Axes go from the outermost one to the one along which z's elements are
** adjacent. A row, the last axis, is cut into items of 'pack' elements, the
** last of which may have fewer. With pack > 1 the last stride of z is 1 and its
** whole items are aligned to their size. In a copy with pack > 1, z is one run
** and is cut, and 'row' is in elements.
*/
typedef struct Geometry {
  int32_t ndim;                  /* at least 1 */
  int32_t pack;
  uint64_t row;                  /* items in a row */
  uint64_t items;
  int64_t shape[GEOMETRY_DIMS];
  int64_t stride[GEOMETRY_SIDES][GEOMETRY_DIMS];  /* of z, x, y; in elements */
} Geometry;

#endif

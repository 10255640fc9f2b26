/*
** select.c - the twins of kernels/select.cu, which says what they compute.
*/
#include "twins.h"

#include "kernels/ops.h"

#define WORD(T, bits, name) \
  T name = {0}; \
  memcpy(&name, &bits, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits)

#define WHERE(b, T) \
  TWIN(where_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const uint8_t *, c); \
    PARAM(2, const T *, x); \
    PARAM(3, const T *, y); \
    PARAM(4, uint64_t, xbits); \
    PARAM(5, uint64_t, ybits); \
    PARAM(6, size_t, n); \
    WORD(T, xbits, xs); \
    WORD(T, ybits, ys); \
    (void)grid, (void)block; \
    if (x != NULL && y != NULL) \
      for (size_t i = 0; i < n; i++) \
        z[i] = c[i] ? x[i] : y[i]; \
    else if (x != NULL) \
      for (size_t i = 0; i < n; i++) \
        z[i] = c[i] ? x[i] : ys; \
    else if (y != NULL) \
      for (size_t i = 0; i < n; i++) \
        z[i] = c[i] ? xs : y[i]; \
    else \
      for (size_t i = 0; i < n; i++) \
        z[i] = c[i] ? xs : ys; \
  }

/* Of one row after the other, so that no element needs a division. Who waits
** may look at *bad meanwhile. */
#define TAKE(b, T) \
  TWIN(take_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, index); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, m); \
    PARAM(5, size_t, inner); \
    PARAM(6, size_t, count); \
    PARAM(7, size_t, wraps); \
    PARAM(8, uint32_t *, bad); \
    (void)grid, (void)block; \
    for (const T *end = z + count; z < end; x += n * inner) \
      for (size_t t = 0; t < m; t++, z += inner) { \
        size_t at = wraps ? place_around(index[t], n) \
                          : place_of(index[t], n); \
        const T *row = x + at * inner; \
        if (bad != NULL && !is_place(index[t], n)) \
          __atomic_store_n(bad, 1, __ATOMIC_RELAXED); \
        if (inner == 1) \
          *z = *row; \
        else \
          memcpy(z, row, inner * sizeof(T)); \
      } \
  }

#define MASK(b, T) \
  TWIN(mask_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, place); \
    PARAM(3, size_t, inner); \
    PARAM(4, size_t, count); \
    int64_t before = 0; \
    (void)grid, (void)block; \
    for (size_t i = 0; i < count / inner; before = place[i++]) \
      if (place[i] > before) \
        memcpy(z + (size_t)before * inner, x + i * inner, \
               inner * sizeof(T)); \
  }

#define EYE(b, T) \
  TWIN(eye_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, uint64_t, bits); \
    PARAM(2, int64_t, k); \
    PARAM(3, size_t, columns); \
    PARAM(4, size_t, count); \
    WORD(T, bits, one); \
    (void)grid, (void)block; \
    memset(z, 0, count * sizeof(T)); \
    for (int64_t i = 0; i < (int64_t)(count / columns); i++) \
      if (i + k >= 0 && i + k < (int64_t)columns) \
        z[i * (int64_t)columns + i + k] = one; \
  }

/* Of a row the elements up to one, or those from it on. */
#define TRIANGLE(b, T) \
  TWIN(triangle_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, int64_t, k); \
    PARAM(3, size_t, upper); \
    PARAM(4, size_t, rows); \
    PARAM(5, size_t, columns); \
    PARAM(6, size_t, count); \
    (void)grid, (void)block; \
    for (size_t row = 0; row < count / columns; row++) { \
      int64_t at = (int64_t)(row % rows) + k + (upper ? 0 : 1); \
      size_t cut = at < 0 ? 0 : (size_t)at < columns ? (size_t)at : columns; \
      size_t from = upper ? cut : 0, to = upper ? columns : cut; \
      memset(z, 0, from * sizeof(T)); \
      memcpy(z + from, x + from, (to - from) * sizeof(T)); \
      memset(z + to, 0, (columns - to) * sizeof(T)); \
      z += columns; \
      x += columns; \
    } \
  }

#define SELECT(b) \
  WHERE(b, t_##b) TAKE(b, t_##b) MASK(b, t_##b) EYE(b, t_##b) \
  TRIANGLE(b, t_##b)
SET_WIDTH(SELECT)

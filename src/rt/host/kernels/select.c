/*
** select.c - the host kernels of kernels/select.cu, which defines their
** results.
*/
#include "host_kernels.h"

#include "kernels/ops.h"
#include "rt/host/bytes.h"

#define WORD(T, bits, name) \
  T name = {0}; \
  memcpy(&name, &bits, sizeof(T) < sizeof bits ? sizeof(T) : sizeof bits)

/* Reads elements of both sides, wanted or not, to avoid a branch. */
#define CHOOSE(T, X, Y) \
  do { \
    INDEPENDENT \
    for (size_t i = first; i < last; i++) { \
      const T a = X, b = Y; \
      z[i] = c[i] ? a : b; \
    } \
  } while (0)
#define WHERE(b, T) \
  WIDE HOST_KERNEL(where_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const uint8_t *, c); \
    PARAM(2, const T *, x); \
    PARAM(3, const T *, y); \
    PARAM(4, uint64_t, xbits); \
    PARAM(5, uint64_t, ybits); \
    PARAM(6, size_t, n); \
    WORD(T, xbits, xs); \
    WORD(T, ybits, ys); \
    SPAN(n); \
    (void)grid; \
    if (x != NULL && y != NULL) \
      CHOOSE(T, x[i], y[i]); \
    else if (x != NULL) \
      CHOOSE(T, x[i], ys); \
    else if (y != NULL) \
      CHOOSE(T, xs, y[i]); \
    else \
      CHOOSE(T, xs, ys); \
  }

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Indices whose places are looked at before elements are taken, so that these
** need no comparison. */
enum {
  RUN = 1024,
  FEW = 8 /* indices, which are looked at once for all rows */
};

/* Tells whether all of k indices are those of n elements. */
WIDE static bool are_inside (const int64_t *index, size_t k, size_t n,
                             size_t base) {
  uint64_t outside = 0;
  for (size_t i = 0; i < k; i++) {
    const int64_t by = index[i] < 0 ? (int64_t)n : -(int64_t)base;
    outside |= (uint64_t)index[i] + (uint64_t)by >= n;
  }
  return outside == 0;
}

/* Goes row by row, so that no element needs a division; does slices 'first' up
** to 'last' of the result. A waiting thread may read *bad meanwhile. Single
** elements are taken in runs. Indices are from 0 if 'how' has the bit of
** TAKE_FROM_0, which CUDA's kernels do not know. */
#define TAKE(b, T) \
  static void take_run_##b(T *z, const T *x, const int64_t *index, size_t k, \
                           size_t n, size_t base) { \
    for (size_t i = 0; i < k; i++) \
      z[i] = x[index[i] + (index[i] < 0 ? (int64_t)n : -(int64_t)base)]; \
  } \
  static void take_few_##b(T *z, const T *x, const int64_t *index, size_t m, \
                           size_t n, size_t base, size_t rows) { \
    for (size_t k = 0; k < m; k++) { \
      const T *from = x + index[k] + \
                      (index[k] < 0 ? (int64_t)n : -(int64_t)base); \
      for (size_t r = 0; r < rows; r++) \
        z[r * m + k] = from[r * n]; \
    } \
  } \
  HOST_KERNEL(take_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, index); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, m); \
    PARAM(5, size_t, inner); \
    PARAM(6, size_t, count); \
    PARAM(7, size_t, how); \
    PARAM(8, int64_t *, bad); \
    SPAN(count / inner); \
    (void)grid; \
    const size_t base = (how & TAKE_FROM_0) != 0 ? 0 : 1; \
    const bool wraps = (how & TAKE_WRAPS) != 0; \
    const size_t mode = wraps ? PLACE_WRAP : PLACE_CLIP; \
    size_t t = first % m; \
    x += first / m * n * inner; \
    for (size_t run, i = first; i < last; i += run) { \
      run = MIN(MIN(last - i, m - t), RUN); \
      const bool plain = inner == 1 && are_inside(index + t, run, n, base); \
      if (plain && run == m && m <= FEW) { \
        const size_t rows = MIN((last - i) / m, RUN); \
        take_few_##b(z + i, x, index, m, n, base, rows); \
        run = rows * m; \
        x += (rows - 1) * n; \
      } else if (plain) { \
        take_run_##b(z + i, x, index + t, run, n, base); \
      } \
      for (size_t k = 0; k < run && !plain; k++) { \
        const int64_t given = from_one(index[t + k], base, n, mode); \
        size_t at = wraps ? place_around(given, n) : place_of(given, n); \
        if (bad != NULL && !is_place(given, n)) \
          report_index(bad, given); \
        if (inner == 1) \
          z[i + k] = x[at]; \
        else \
          bytes_copy(z + (i + k) * inner, x + at * inner, inner * sizeof(T)); \
      } \
      t += run; \
      if (t >= m) { \
        t = 0; \
        x += n * inner; \
      } \
    } \
  }

/* Goes through the indices in order, so the last of equal ones wins, and no
** place has to look for it ('last' and 'gather' are for CUDA). A row is written
** in runs: 'from' is where the next run begins in v, which repeats from its
** beginning. */
#define PUT(b, T) \
  static void put_one_##b(T *z, size_t inner, T one) { \
    for (size_t j = 0; j < inner; j++) \
      z[j] = one; \
  } \
  static void put_row_##b(T *z, size_t inner, const T *v, size_t from, \
                          size_t vn) { \
    for (size_t n, j = 0; j < inner; j += n, from = 0) { \
      n = inner - j < vn - from ? inner - j : vn - from; \
      bytes_copy(z + j, v + from, n * sizeof(T)); \
    } \
  } \
  HOST_KERNEL(put_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const int64_t *, index); \
    PARAM(3, const T *, v); \
    PARAM(4, uint64_t, bits); \
    PARAM(5, size_t, n); \
    PARAM(6, size_t, m); \
    PARAM(7, size_t, inner); \
    PARAM(8, size_t, count); \
    PARAM(9, size_t, vn); \
    PARAM(10, size_t, mode); \
    PARAM(11, int64_t *, bad); \
    WORD(T, bits, one); \
    size_t from = 0; \
    (void)grid, (void)block; \
    for (const T *end = z + count / (m * inner) * n * inner; z < end; \
         z += n * inner) \
      for (size_t t = 0; t < m; t++) { \
        const size_t at = place_by(index[t], n, mode); \
        if (at == n) \
          report_index(bad, index[t]); \
        if (v == NULL && at < n) \
          put_one_##b(z + at * inner, inner, one); \
        if (v == NULL) \
          continue; \
        if (inner == 1 && at < n) \
          z[at] = v[from]; \
        else if (at < n) \
          put_row_##b(z + at * inner, inner, v, from, vn); \
        from += inner; \
        if (from >= vn) \
          from %= vn; \
      } \
  }

/* Elements of which none may be wanted. */
enum { MASKED = 64 };

static bool is_wanted (const uint8_t *c) {
  uint64_t word, any = 0;
  for (size_t i = 0; i < MASKED; i += sizeof word) {
    memcpy(&word, c + i, sizeof word);
    any |= word;
  }
  return any != 0;
}

#define PUT_MASK(b, T) \
  WIDE static void put_number_##b(T *z, const uint8_t *c, size_t n, T one) { \
    size_t i = 0; \
    for (; i + MASKED <= n; i += MASKED) \
      if (is_wanted(c + i)) \
        INDEPENDENT \
    for (size_t k = 0; k < MASKED; k++) \
      z[i + k] = c[i + k] ? one : z[i + k]; \
    for (; i < n; i++) \
      z[i] = c[i] ? one : z[i]; \
  } \
  HOST_KERNEL(put_mask_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const uint8_t *, c); \
    PARAM(2, const int64_t *, place); \
    PARAM(3, const T *, v); \
    PARAM(4, uint64_t, bits); \
    PARAM(5, size_t, inner); \
    PARAM(6, size_t, count); \
    PARAM(7, size_t, vn); \
    PARAM(8, int64_t *, bad); \
    WORD(T, bits, one); \
    const size_t rows = count / inner; \
    (void)grid, (void)block; \
    if (bad != NULL && (size_t)place[rows - 1] * inner != vn) \
      SET_WORD(bad, place[rows - 1] + 1); \
    if (v == NULL && inner == 1) { \
      put_number_##b(z, c, rows, one); \
      return; \
    } \
    for (size_t i = 0; i < rows; i++) { \
      if (!c[i]) \
        continue; \
      size_t from = (place != NULL) ? (size_t)(place[i] - 1) * inner : 0; \
      for (size_t j = 0; j < inner; j++) { \
        if (v == NULL) \
          z[i * inner + j] = one; \
        else if (place == NULL) \
          z[i * inner + j] = v[j % vn]; \
        else if (from + j < vn) \
          z[i * inner + j] = v[from + j]; \
      } \
    } \
  }

/* Does rows 'first' up to 'last'. place[] counts the wanted rows up to each. */
#define MASK(b, T) \
  HOST_KERNEL(mask_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, place); \
    PARAM(3, size_t, inner); \
    PARAM(4, size_t, room); \
    PARAM(5, size_t, count); \
    SPAN(count / inner); \
    (void)grid; \
    size_t before = first > 0 ? (size_t)place[first - 1] : 0; \
    for (size_t i = first; i < last; before = (size_t)place[i++]) \
      if ((size_t)place[i] > before && before < room) \
        bytes_copy(z + before * inner, x + i * inner, inner * sizeof(T)); \
  }

#define EYE(b, T) \
  HOST_KERNEL(eye_##b) { \
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

#define ONE_HOT(b, T) \
  HOST_KERNEL(one_hot_##b) { \
    PARAM(0, T *, z); \
    PARAM(1, const int64_t *, index); \
    PARAM(2, uint64_t, bits); \
    PARAM(3, size_t, columns); \
    PARAM(4, size_t, count); \
    WORD(T, bits, one); \
    SPAN(count / columns); \
    (void)grid; \
    memset(z + first * columns, 0, (last - first) * columns * sizeof(T)); \
    for (size_t i = first; i < last; i++) { \
      const uint64_t at = (uint64_t)index[i] - 1; \
      if (at < columns) \
        z[i * columns + at] = one; \
    } \
  }

/* Copies a prefix or suffix of each row, and zeros for the rest. */
#define TRIANGLE(b, T) \
  HOST_KERNEL(triangle_##b) { \
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
  WHERE(b, t_##b) \
  TAKE(b, t_##b) \
  PUT(b, t_##b) \
  MASK(b, t_##b) \
  PUT_MASK(b, t_##b) EYE(b, t_##b) ONE_HOT(b, t_##b) TRIANGLE(b, t_##b)
SET_WIDTH(SELECT)

/*
** scatter.h - combines elements at places where several may go, with the same
** result every time. Valid C and CUDA C++; the same in scatter.cu and its host
** kernels.
**
** Floats are added in float64, in the order of their places, so the elements of
** a place are a run. A task takes SCATTER_CHUNK elements and adds up each run.
** The sums of runs within the chunk are added to z. A run that goes on before
** or after the chunk is not whole. Its sum is left, with the place, as one of
** the chunk's two entries, which are in the order of places again. So the same
** task adds up the entries, until one chunk has them all. The division depends
** on the number of sums alone. An unused entry has place 0, which is not a
** place. If one run fills a chunk and goes on, the second entry is -0.0, which
** changes no sum.
*/
#ifndef TIDE_SCATTER_H
#define TIDE_SCATTER_H

#include "keys.h"

enum { SCATTER_CHUNK = 32 };

#define SCATTER_CHUNKS(m) (((m) + SCATTER_CHUNK - 1) / SCATTER_CHUNK)

/* A launch on z[rows,n,inner], with m elements or entries for each row. */
typedef struct Scatter {
  const int64_t *places;  /* of the elements, or of the entries; from 1 */
  const int64_t *order;   /* of the elements, from 1; NULL: entries */
  const double *sums;     /* of the entries */
  size_t n, m, inner, vn; /* vn: elements of v, which repeat */
  double *left;           /* sums of the new entries; NULL: none */
  int64_t *next;          /* and their places */
} Scatter;

FN int64_t scatter_place (const Scatter *w, size_t k) {
  return w->places[w->order == NULL ? k : (size_t)w->order[k] - 1];
}

#define SCATTER(s, T) \
  FN double NAME(scatter_load, s) (const Scatter *w, const T *v, size_t row, \
                                   size_t k, size_t j) { \
    if (w->order == NULL) \
      return w->sums[(row * w->m + k) * w->inner + j]; \
    const size_t t = (size_t)w->order[k] - 1; \
    const size_t at = (row * w->m + t) * w->inner + j; \
    return LOAD(s, v[at < w->vn ? at : at % w->vn]); \
  } \
  FN void NAME(scatter_chunk, s) (const Scatter *w, T *z, const T *v, \
                                  size_t row, size_t chunk, size_t j) { \
    const size_t from = chunk * SCATTER_CHUNK; \
    const size_t to = w->m - from < SCATTER_CHUNK ? w->m \
                                                  : from + SCATTER_CHUNK; \
    int64_t place = scatter_place(w, from), head = 0, tail = 0; \
    double one = -0.0, two = -0.0; \
    bool open = from > 0 && place == scatter_place(w, from - 1); \
    for (size_t k = from; k < to; open = false) { \
      const int64_t own = place; \
      double sum = NAME(scatter_load, s)(w, v, row, k, j); \
      for (k++; k < w->m && (place = scatter_place(w, k)) == own && k < to; \
           k++) \
        sum += NAME(scatter_load, s)(w, v, row, k, j); \
      const bool more = k == to && k < w->m && place == own; \
      if (open) { \
        head = own; \
        one = sum; \
        tail = more ? own : 0; \
      } else if (more) { \
        tail = own; \
        two = sum; \
      } else if (own > 0) { \
        T *p = z + (row * w->n + (size_t)own - 1) * w->inner + j; \
        *p = STORE(s, (double)LOAD(s, *p) + sum); \
      } \
    } \
    if (w->left == NULL) \
      return; \
    double *left = w->left + \
        (row * SCATTER_CHUNKS(w->m) + chunk) * 2 * w->inner + j; \
    left[0] = one; \
    left[w->inner] = two; \
    if (row == 0 && j == 0) { \
      w->next[2 * chunk] = head; \
      w->next[2 * chunk + 1] = tail; \
    } \
  }

/* A mode besides those of ops.h: the integer is not an index, but the number of
** a bin from 'base' on. */
enum { PLACE_BIN = PLACE_WRAP + 1 };

FN size_t scatter_bin (int64_t i, size_t n, int64_t base, size_t mode) {
  if (mode != PLACE_BIN)
    return place_by(from_one(i, (size_t)base, n, mode), n, mode);
  const uint64_t bin = (uint64_t)i - (uint64_t)base;
  return bin < n ? (size_t)bin : n;
}

#define SET_SCATTER(M) \
  M(f16, t_f16) M(bf16, t_bf16) M(f32, float) M(f64, double)

SET_SCATTER(SCATTER)

/*
** Integers wrap when they are added, so their order does not matter. Nor does
** it for the least or greatest, which go by keys. NaN is both.
*/
enum { SCATTER_ADD, SCATTER_MIN, SCATTER_MAX };

#define SCATTER_CODE(op, width) ((int64_t)((op) | (width) << 2))
#define SCATTER_OP(code) ((int)((code) & 3))
#define SCATTER_WIDTH(code) ((int)((code) >> 2))

/* Returns the combination of x and 'old'. */
#define SCATTER_KEYS(s, K) \
  FN K NAME(scatter_bits, s) (K old, K x, K sign, K inf, int op) { \
    if (op == SCATTER_ADD) \
      return (K)(old + x); \
    const bool nans = inf != 0 && \
                      ((old & (K)~sign) > inf || (x & (K)~sign) > inf); \
    const K a = NAME(tokey, s)(old, sign, inf, false); \
    const K b = NAME(tokey, s)(x, sign, inf, false); \
    return (op == SCATTER_MAX || nans ? b > a : b < a) ? x : old; \
  }
SET_KEY(SCATTER_KEYS)

#endif

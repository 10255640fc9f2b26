/*
** scan.c - the twins of kernels/scan.cu, which says what they compute. Chunks
** and the order in which they are folded are the same; inside a chunk the
** elements are folded one after the other, LANES neighbouring lines at a time.
*/
#include "twins.h"

#include "kernels/kin.h"
#include "kernels/ops.h"

#define LANES 64

/* Chunks of neighbouring lines, and where in the table of sums they stand. */
typedef struct Chunk {
  size_t from, len, sum;
  size_t lanes;  /* how many */
  bool goes_on;  /* is there one before it? */
} Chunk;

static Chunk chunk_of (size_t g, size_t n, size_t inner, size_t chunk,
                       size_t chunks) {
  size_t j = g % inner, c = g / inner % chunks, outer = g / inner / chunks;
  size_t at = c * chunk, left = n - at;
  return (Chunk){(outer * n + at) * inner + j, left < chunk ? left : chunk,
                 (outer * inner + j) * chunks + c,
                 inner - j < LANES ? inner - j : LANES, c > 0};
}

#define RUNNING(s, op, none, ...) \
  OF_KIN(LONG, s, SCAN_OF(s, op, none, __VA_ARGS__))
#define SCAN_OF(s, op, none, ...) \
  static inline TYPE(ACC_SUM(s)) join_##op##_##s (TYPE(ACC_SUM(s)) a, \
                                                  TYPE(ACC_SUM(s)) b) { \
    return STORE(ACC_SUM(s), __VA_ARGS__); \
  } \
  TWIN(op##_sums_##s) { \
    typedef TYPE(ACC_SUM(s)) A; \
    PARAM(0, A *, sums); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, inner); \
    PARAM(4, size_t, chunk); \
    PARAM(5, size_t, chunks); \
    PARAM(6, size_t, lines); \
    (void)grid, (void)block; \
    Chunk c; \
    for (size_t g = 0; g < lines * chunks; g += c.lanes) { \
      A a[LANES]; \
      c = chunk_of(g, n, inner, chunk, chunks); \
      for (size_t l = 0; l < c.lanes; l++) \
        a[l] = STORE(ACC_SUM(s), none); \
      if (c.lanes == 1) { \
        A one = a[0]; \
        for (size_t i = c.from, k = 0; k < c.len; k++, i += inner) \
          one = join_##op##_##s(one, STORE(ACC_SUM(s), LOAD(s, x[i]))); \
        a[0] = one; \
      } else { \
        for (size_t i = c.from, k = 0; k < c.len; k++, i += inner) \
          for (size_t l = 0; l < c.lanes; l++) \
            a[l] = join_##op##_##s(a[l], \
                                   STORE(ACC_SUM(s), LOAD(s, x[i + l]))); \
      } \
      for (size_t l = 0; l < c.lanes; l++) \
        sums[c.sum + l * chunks] = a[l]; \
    } \
  } \
  TWIN(op##_apply_##s) { \
    typedef TYPE(ACC_SUM(s)) A; \
    PARAM(0, t_##s *, z); \
    PARAM(1, const t_##s *, x); \
    PARAM(2, const A *, ends); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, inner); \
    PARAM(5, size_t, chunk); \
    PARAM(6, size_t, chunks); \
    PARAM(7, size_t, lines); \
    (void)grid, (void)block; \
    Chunk c; \
    for (size_t g = 0; g < lines * chunks; g += c.lanes) { \
      A a[LANES]; \
      c = chunk_of(g, n, inner, chunk, chunks); \
      for (size_t l = 0; l < c.lanes; l++) \
        a[l] = c.goes_on ? ends[c.sum + l * chunks - 1] : \
                           STORE(ACC_SUM(s), none); \
      if (c.lanes == 1) { \
        A one = a[0]; \
        for (size_t i = c.from, k = 0; k < c.len; k++, i += inner) \
          one = join_##op##_##s(one, STORE(ACC_SUM(s), LOAD(s, x[i]))), \
          z[i] = STORE(s, one); \
      } else { \
        for (size_t i = c.from, k = 0; k < c.len; k++, i += inner) \
          for (size_t l = 0; l < c.lanes; l++) \
            a[l] = join_##op##_##s(a[l], \
                                   STORE(ACC_SUM(s), LOAD(s, x[i + l]))), \
            z[i + l] = STORE(s, a[l]); \
      } \
    } \
  }

#define SCAN(op, none, join) SET_RUNNING(RUNNING, op, none, join)
#include "kernels/kernels.def"

/*
** search.c - the host kernels of kernels/search.cu, which defines their
** results.
*/
#include "host_kernels.h"

#include "kernels/search.h"

/*
** A batch of elements, as many as registers hold, is searched for side by side.
** The steps are the same for all and have no branch, so they do not wait for
** one another. The keys of an array of up to TABLE elements are made
** beforehand, if as many elements are searched for.
*/
enum { TABLE = 4096 };
#define BATCH(K) (64 / sizeof(K))

/* Counts for each lane l how many of n ordered elements come before its key,
** like find of search.cu: the place is from at[l] to at[l] + left. COMES tells
** whether element p comes before the key of lane l. */
#define PLACES(n, LANES, COMES) \
  do { \
    for (size_t l = 0; l < (LANES); l++) \
      at[l] = 0; \
    for (size_t left = (n); left > 0;) { \
      const size_t half = (left + 1) / 2; \
      left -= half; \
      INDEPENDENT \
      for (size_t l = 0; l < (LANES); l++) { \
        const size_t p = at[l] + half - 1; \
        const size_t comes = (COMES); \
        at[l] += half & (0 - comes); \
      } \
    } \
  } while (0)

/* Counts the same for m keys that ascend, in steps that double from the place
** of the key before, which is 'place' for the first one. */
#define FOLLOWING(n, COMES) \
  do { \
    for (size_t l = 0; l < m; l++) { \
      size_t step = 1, p = place + step - 1; \
      while (step <= (n)-place && (COMES)) { \
        place += step; \
        step *= 2; \
        p = place + step - 1; \
      } \
      size_t end = step <= (n)-place ? p : (n); \
      while (place < end) { \
        p = place + (end - place) / 2; \
        if (COMES) \
          place = p + 1; \
        else \
          end = p; \
      } \
      at[l] = place; \
    } \
  } while (0)

/* Tells whether m keys ascend from the key before. */
#define ASCENDS(s, K) \
  static bool ascend_##s(const K *key, size_t m, K before) { \
    bool good = before <= key[0]; \
    for (size_t l = 1; l < m; l++) \
      good &= key[l - 1] <= key[l]; \
    return good; \
  }
SET_KEY(ASCENDS)
ASCENDS(f64, double)

/* Keys that ascend are followed if the next place is near on average. */
enum { DENSE = 16 };

#define FIND(s, K) \
  /* The array, and its elements as keys, or NULL. */ \
  typedef struct Table_##s { \
    const void *a; \
    size_t n; \
    K sign, inf; \
    int64_t pass; \
    const K *key; \
  } Table_##s; \
  static inline K key_##s(const Table_##s *t, const void *x, size_t i) { \
    return tokey_##s(bits_at_##s(x, i, PASS_WIDTH(t->pass), t->sign), t->sign, \
                     t->inf, t->pass); \
  } \
  /* The key of a float32 that is searched for among float64. */ \
  static inline K of_single_##s(const Table_##s *t, const void *x, size_t i) { \
    return tokey_##s((K)bits_of_double((double)((const float *)x)[i]), \
                     t->sign, t->inf, t->pass); \
  } \
  static inline K own_##s(const Table_##s *t, size_t i) { \
    return t->key != NULL ? t->key[i] : key_##s(t, t->a, i); \
  } \
  static Table_##s table_##s(const void *a, size_t n, size_t count, K sign, \
                             K inf, int64_t pass, K room[TABLE]) { \
    Table_##s t = {a, n, sign, inf, pass, NULL}; \
    if (n > TABLE || n > count) \
      return t; \
    for (size_t i = 0; i < n; i++) \
      room[i] = key_##s(&t, a, i); \
    t.key = room; \
    return t; \
  } \
  static inline bool comes_##s(K own, K key, bool equal) { \
    return (own < key) | (equal & (own == key)); \
  } \
  WIDE static void find_##s(const Table_##s *t, const K *key, size_t *at, \
                            bool equal) { \
    if (t->key != NULL) \
      PLACES(t->n, BATCH(K), comes_##s(t->key[p], key[l], equal)); \
    else \
      PLACES(t->n, BATCH(K), comes_##s(key_##s(t, t->a, p), key[l], equal)); \
  } \
  static void follow_##s(const Table_##s *t, const K *key, size_t m, \
                         size_t *at, bool equal, size_t place) { \
    FOLLOWING(t->n, comes_##s(own_##s(t, p), key[l], equal)); \
  }
SET_KEY(FIND)

/* The parameters of both host kernels, and the elements of this part of a
** launch. */
#define PART_OF_SEARCH(s, K) \
  PARAM(1, const void *, a); \
  PARAM(2, const void *, v); \
  PARAM(3, size_t, n); \
  PARAM(4, size_t, count); \
  PARAM(5, K, sign); \
  PARAM(6, K, inf); \
  PARAM(7, int64_t, pass); \
  SPAN(count); \
  K room[TABLE]; \
  const Table_##s t = table_##s(a, n, last - first, sign, inf, pass, room)

#define SEARCHES(s, K) \
  HOST_KERNEL(search_##s) { \
    PARAM(0, int64_t *, z); \
    PART_OF_SEARCH(s, K); \
    PARAM(8, size_t, equal); \
    PARAM(9, int64_t, base); \
    PARAM(10, size_t, single); \
    const bool dense = count >= n / DENSE; \
    K before = 0; \
    size_t place = 0; \
    (void)grid; \
    for (size_t i = first; i < last; i += BATCH(K)) { \
      const size_t m = last - i < BATCH(K) ? last - i : BATCH(K); \
      K key[BATCH(K)] = {0}; \
      size_t at[BATCH(K)] = {0}; \
      for (size_t l = 0; l < m && !single; l++) \
        key[l] = key_##s(&t, v, i + l); \
      for (size_t l = 0; l < m && single; l++) \
        key[l] = of_single_##s(&t, v, i + l); \
      if (dense && ascend_##s(key, m, before)) \
        follow_##s(&t, key, m, at, equal != 0, place); \
      else \
        find_##s(&t, key, at, equal != 0); \
      before = key[m - 1]; \
      place = at[m - 1]; \
      for (size_t l = 0; l < m; l++) \
        z[i + l] = base + (int64_t)at[l]; \
    } \
  }
SET_KEY(SEARCHES)

/* The greatest distance of the first and the last key for a table of bits, one
** for each key. The distance must also not be much more than the number of
** elements. */
enum { NEAR = 1 << 17 };

/* Up to FEW keys are compared one by one; elements that are looked at together,
** which are whole batches. */
enum { FEW = 16, BLOCK = 256 };

#define MEMBERS(s, K) \
  static bool are_near_##s(const Table_##s *t, size_t count) { \
    if (t->n == 0) \
      return false; \
    const K apart = own_##s(t, t->n - 1) - own_##s(t, 0); \
    return apart < NEAR && apart / 16 < count; \
  } \
  static void set_bits_##s(const Table_##s *t, uint64_t *bits) { \
    const K low = own_##s(t, 0), apart = own_##s(t, t->n - 1) - low; \
    memset(bits, 0, (size_t)(apart / 64 + 1) * sizeof(*bits)); \
    for (size_t i = 0; i < t->n; i++) { \
      const K d = own_##s(t, i) - low; \
      bits[d / 64] |= (uint64_t)1 << d % 64; \
    } \
  } \
  /* Reads elements of v from i on, and makes their keys. */ \
  WIDE static void read_##s(const Table_##s *t, const void *v, size_t i, \
                            size_t m, K *x, K *key) { \
    const K sign = t->sign, inf = t->inf; /* which 'key' may not be */ \
    const int64_t pass = t->pass; \
    if (PASS_WIDTH(pass) == sizeof(K)) \
      memcpy(x, (const K *)v + i, m * sizeof *x); \
    else \
      for (size_t l = 0; l < m; l++) \
        x[l] = bits_at_##s(v, i + l, PASS_WIDTH(pass), sign); \
    if (inf == 0) /* integers, which take but one step if it is given */ \
      for (size_t l = 0; l < m; l++) \
        key[l] = tokey_##s(x[l], sign, 0, pass); \
    else \
      for (size_t l = 0; l < m; l++) \
        key[l] = tokey_##s(x[l], sign, inf, pass); \
  } \
  /* Sets 1 or 0 for each of the m keys: is it there? */ \
  WIDE static void look_##s(const Table_##s *t, const uint64_t *bits, \
                            const K *key, size_t m, K *found) { \
    const K low = own_##s(t, 0), apart = own_##s(t, t->n - 1) - low; \
    for (size_t l = 0; l < m; l++) { \
      const K d = key[l] - low, there = d <= apart; \
      const K inside = d & (K)(0 - there); /* without a branch */ \
      found[l] = there & (K)(bits[inside / 64] >> inside % 64); \
    } \
  } \
  WIDE static void compare_##s(const Table_##s *t, const K *key, size_t m, \
                               K *found) { \
    memset(found, 0, m * sizeof *found); \
    for (size_t k = 0; k < t->n; k++) { \
      const K own = t->key[k]; \
      for (size_t l = 0; l < m; l++) \
        found[l] |= (K)(key[l] == own); \
    } \
  } \
  static void match_##s(const Table_##s *t, const K *key, size_t m, \
                        K *found) { \
    size_t at[BATCH(K)]; \
    for (size_t i = 0; i < m; i += BATCH(K)) { \
      find_##s(t, key + i, at, false); \
      for (size_t l = 0; l < BATCH(K); l++) \
        found[i + l] = at[l] < t->n && own_##s(t, at[l]) == key[i + l]; \
    } \
  } \
  /* Writes the results; NaN is never there. */ \
  WIDE static void test_##s(const Table_##s *t, uint8_t *z, const K *x, \
                            const K *found, size_t m, K invert) { \
    const K most = t->inf == 0 ? (K) ~(K)0 : t->inf, sign = t->sign; \
    for (size_t l = 0; l < m; l++) \
      z[l] = (uint8_t)((found[l] & ((x[l] & (K)~sign) <= most)) ^ invert); \
  } \
  HOST_KERNEL(isin_##s) { \
    PARAM(0, uint8_t *, z); \
    PART_OF_SEARCH(s, K); \
    PARAM(8, size_t, invert); \
    uint64_t bits[NEAR / 64]; \
    K x[BLOCK], key[BLOCK] = {0}, found[BLOCK]; \
    const bool few = t.key != NULL && n <= FEW; \
    const bool near = !few && are_near_##s(&t, last - first); \
    (void)grid; \
    if (near) \
      set_bits_##s(&t, bits); \
    for (size_t m, i = first; i < last; i += m) { \
      m = last - i < BLOCK ? last - i : BLOCK; \
      read_##s(&t, v, i, m, x, key); \
      if (few) \
        compare_##s(&t, key, m, found); \
      else if (near) \
        look_##s(&t, bits, key, m, found); \
      else \
        match_##s(&t, key, m, found); \
      test_##s(&t, z + i, x, found, m, invert != 0); \
    } \
  }
SET_KEY(MEMBERS)

HOST_KERNEL(isin_c128) {
  PARAM(0, uint8_t *, z);
  PARAM(1, const t_c128 *, a);
  PARAM(2, const t_c128 *, v);
  PARAM(3, size_t, n);
  PARAM(4, size_t, count);
  PARAM(5, size_t, invert);
  SPAN(count);
  (void)grid;
  for (size_t i = first; i < last; i++)
    z[i] = (uint8_t)(is_complex_among(a, n, v[i]) ^ (invert != 0));
}

/* Finds how many of the n points are not above each number of a batch. */
WIDE static void points_upto (const double *xs, size_t n, const double *x,
                              size_t *at) {
  PLACES(n, BATCH(double), xs[p] <= x[l]);
}

/* Finds the same for m numbers that ascend. */
static void follow_points (const double *xs, size_t n, const double *x,
                           size_t m, size_t *at, size_t place) {
  FOLLOWING(n, xs[p] <= x[l]);
}

HOST_KERNEL(interp_f64) {
  PARAM(0, double *, z);
  PARAM(1, const double *, x);
  PARAM(2, const double *, xs);
  PARAM(3, const double *, ys);
  PARAM(4, size_t, n);
  PARAM(5, size_t, count);
  PARAM(6, size_t, given);
  PARAM(7, double, left);
  PARAM(8, double, right);
  SPAN(count);
  (void)grid;
  const bool dense = count >= n / DENSE;
  double before = -INFINITY;
  size_t place = 0;
  for (size_t i = first; i < last; i += BATCH(double)) {
    const size_t m = last - i < BATCH(double) ? last - i : BATCH(double);
    double key[BATCH(double)] = {0};
    size_t at[BATCH(double)] = {0};
    memcpy(key, x + i, m * sizeof *key);
    if (dense && ascend_f64(key, m, before))
      follow_points(xs, n, key, m, at, place);
    else
      points_upto(xs, n, key, at);
    before = key[m - 1];
    place = at[m - 1];
    for (size_t l = 0; l < m; l++)
      z[i + l] = between_points(key[l], at[l], xs, ys, n, given, left, right);
  }
}

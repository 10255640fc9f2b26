/*
** partition.c - selection: the elements that a sort puts at some places of a
** row, and the other elements around them, without sorting the row. For the
** host device alone; CUDA sorts.
**
** Two pivots from a sample are likely to be close to the key at a place, one on
** either side (Floyd and Rivest, 1975). A first pass counts the keys less than
** each pivot and equal to it; a second pass keeps the keys among which the
** place is. Neither has a branch for an element, and keys equal to a pivot
** never remain. If more than half of the keys remain, the next pivot is the
** middle of their range, which is halved then. So a row takes linear time in
** any order.
**
** The counts of the keys at the places tell where the elements between them
** begin. One pass moves all elements there, in the order of x.
*/
#include "host_kernels.h"

#include "kernels/keys.h"

enum {
  FEW = 64,          /* keys that are all compared with one another */
  MOST_SAMPLE = 512, /* the most keys of a sample */
  BLOCK = 1024       /* elements that are moved while in the first cache */
};

/* The parameters that all rows of a launch share. */
typedef struct Rows {
  size_t n;          /* elements of each */
  const int64_t *at; /* places, from 0, in ascending order */
  size_t nat;
  int64_t pass;
} Rows;

/* Returns how many of n keys a sample has. Its work grows with the square. */
static size_t sample_size (size_t n) {
  size_t m = 16;
  while (m < MOST_SAMPLE && m * m < n)
    m *= 2;
  return m;
}

/* Returns how far a pivot is from the place, in the sorted sample of m. */
static size_t sample_margin (size_t m) {
  size_t d = 4;
  while (d * d < m)
    d++;
  return d;
}

/* {== keys ============================================================ */

#define ELEMENTS(s, T, C, k) \
  WIDE static void keys_##s(T *key, const T *x, size_t n, T sign, T inf, \
                            int64_t pass) { \
    for (size_t i = 0; i < n; i++) \
      key[i] = (T)tokey_##k(x[i], sign, inf, pass); \
  } \
  WIDE static void elements_##s(T *key, size_t n, T sign, T inf, \
                                int64_t pass) { \
    for (size_t i = 0; i < n; i++) \
      key[i] = (T)fromkey_##k(key[i], sign, inf, pass); \
  } \
  /* Returns the least key that is at least 'low'. Lesser ones are far beyond \
  ** the others once 'low' is subtracted. */ \
  WIDE static T least_##s(const T *x, size_t n, T low, T sign, T inf, \
                          int64_t pass) { \
    T best = (T) ~(T)0; \
    for (size_t i = 0; i < n; i++) { \
      const T key = (T)(tokey_##k(x[i], sign, inf, pass) - low); \
      best = key < best ? key : best; \
    } \
    return (T)(best + low); \
  } \
  WIDE static T greatest_##s(const T *x, size_t n, T sign, T inf, \
                             int64_t pass) { \
    T best = 0; \
    for (size_t i = 0; i < n; i++) { \
      const T key = (T)tokey_##k(x[i], sign, inf, pass); \
      best = best < key ? key : best; \
    } \
    return best; \
  } \
  WIDE static size_t equal_##s(const T *x, size_t n, T one, T sign, T inf, \
                               int64_t pass) { \
    C equal = 0; \
    for (size_t i = 0; i < n; i++) \
      equal += (T)tokey_##k(x[i], sign, inf, pass) == one; \
    return equal; \
  }

/* Elements, and counts of a row, which vectors hold side by side. */
#define SET_ELEMENT(M) \
  M(k8, uint8_t, uint32_t, k32) \
  M(k16, uint16_t, uint32_t, k32) \
  M(k32, uint32_t, uint32_t, k32) \
  M(k64, uint64_t, uint64_t, k64)
SET_ELEMENT(ELEMENTS)

/* ==} */

/* {== selection ======================================================= */

#define SELECT(s, T, C, k) \
  /* A key of a row, and the numbers of keys less than and equal to it. */ \
  typedef struct Found_##s { \
    T key; \
    size_t less, equal; \
  } Found_##s; \
  /* Counts the keys less than u, equal to u, less than v, equal to v. */ \
  WIDE static void count_##s(const T *a, size_t n, T u, T v, \
                             size_t counts[4]) { \
    C less_u = 0, at_u = 0, less_v = 0, at_v = 0; \
    for (size_t i = 0; i < n; i++) { \
      less_u += a[i] < u; \
      at_u += a[i] == u; \
      less_v += a[i] < v; \
      at_v += a[i] == v; \
    } \
    counts[0] = less_u, counts[1] = at_u; \
    counts[2] = less_v, counts[3] = at_v; \
  } \
  /* Moves keys from 'low' to 'high' to the front; returns their number. */ \
  static size_t keep_##s(T *a, size_t n, T low, T high) { \
    const T range = (T)(high - low); \
    size_t m = 0; \
    for (size_t i = 0; i < n; i++) { \
      const T key = a[i]; \
      a[m] = key; \
      m += (T)(key - low) <= range; \
    } \
    return m; \
  } \
  /* Returns the key at a place of few, by comparing each with all. */ \
  WIDE static T among_##s(const T *a, size_t n, size_t place) { \
    for (size_t i = 0; i < n; i++) { \
      C less = 0, most = 0; \
      for (size_t j = 0; j < n; j++) { \
        less += a[j] < a[i]; \
        most += a[j] <= a[i]; \
      } \
      if (less <= place && place < most) \
        return a[i]; \
    } \
    return 0; \
  } \
  static void find_pivots_##s(const T *a, size_t n, size_t place, T *u, \
                              T *v) { \
    T some[MOST_SAMPLE]; \
    const size_t m = sample_size(n), d = sample_margin(m), c = place * m / n; \
    uint64_t random = 1; \
    for (size_t i = 0; i < m; i++) { \
      random = random * 6364136223846793005u + 1442695040888963407u; \
      some[i] = a[(random >> 32) * n >> 32]; \
    } \
    *u = among_##s(some, m, c > d ? c - d : 0); \
    *v = among_##s(some, m, c + d < m ? c + d : m - 1); \
  } \
  /* Returns the key at a place of n, whose order is lost. */ \
  static Found_##s select_##s(T *a, size_t n, size_t place) { \
    T low = 0, high = (T) ~(T)0, u, v; \
    size_t before = 0, was, skip, c[4]; \
    bool middle = false; \
    while (n > FEW) { \
      if (middle) \
        u = v = (T)(low + (high - low) / 2); \
      else \
        find_pivots_##s(a, n, place, &u, &v); \
      count_##s(a, n, u, v, c); \
      skip = 0; \
      if (place < c[0]) \
        high = (T)(u - 1); \
      else if (place < c[0] + c[1]) \
        return (Found_##s){u, before + c[0], c[1]}; \
      else if (place < c[2]) \
        low = (T)(u + 1), high = (T)(v - 1), skip = c[0] + c[1]; \
      else if (place < c[2] + c[3]) \
        return (Found_##s){v, before + c[2], c[3]}; \
      else \
        low = (T)(v + 1), skip = c[2] + c[3]; \
      before += skip; \
      place -= skip; \
      was = n; \
      n = keep_##s(a, n, low, high); \
      middle = !middle && n > was / 2; \
    } \
    u = among_##s(a, n, place); \
    count_##s(a, n, u, u, c); \
    return (Found_##s){u, before + c[0], c[1]}; \
  } \
  /* Finds the different keys at the places of a row; returns their number. \
  ** There is room for n keys at 'a'. */ \
  static size_t find_##s(const Rows *r, const T *x, T *a, T sign, T inf, \
                         Found_##s *found) { \
    size_t behind = 0, m = 0; \
    for (size_t i = 0; i < r->nat; i++) { \
      const size_t place = (size_t)r->at[i]; \
      Found_##s *f = &found[m]; \
      if (place < behind) \
        continue; \
      if (place == behind || place == r->n - 1) { \
        f->key = place == behind \
                   ? least_##s(x, r->n, m > 0 ? (T)(f[-1].key + 1) : 0, sign, \
                               inf, r->pass) \
                   : greatest_##s(x, r->n, sign, inf, r->pass); \
        f->equal = equal_##s(x, r->n, f->key, sign, inf, r->pass); \
        f->less = place == behind ? behind : r->n - f->equal; \
      } else { \
        keys_##s(a, x, r->n, sign, inf, r->pass); \
        *f = select_##s(a, r->n, place); \
      } \
      behind = f->less + f->equal; \
      m++; \
    } \
    return m; \
  }
SET_ELEMENT(SELECT)

/* ==} */

/* {== results ========================================================= */

#define PARTITION(s, T, C, k) \
  /* Adds up for each key whether it is not less than one, and greater. */ \
  WIDE static void add_sides_##s(uint8_t *side, const T *key, size_t n, \
                                 T one) { \
    for (size_t i = 0; i < n; i++) \
      side[i] = (uint8_t)(side[i] + (key[i] >= one) + (key[i] > one)); \
  } \
  /* Moves all elements of a row, or their places from 1, to their sides. */ \
  static void move_##s(const Rows *r, void *z, const T *x, T sign, T inf, \
                       const Found_##s *found, size_t m) { \
    size_t to[2 * PARTITION_PLACES + 1] = {0}; \
    for (size_t j = 0; j < m; j++) { \
      to[2 * j + 1] = found[j].less; \
      to[2 * j + 2] = found[j].less + found[j].equal; \
    } \
    for (size_t some, i = 0; i < r->n; i += some) { \
      T key[BLOCK]; \
      uint8_t side[BLOCK]; \
      some = r->n - i < BLOCK ? r->n - i : BLOCK; \
      memset(side, 0, some); \
      keys_##s(key, x + i, some, sign, inf, r->pass); \
      for (size_t j = 0; j < m; j++) \
        add_sides_##s(side, key, some, found[j].key); \
      if (PASS_ORDER(r->pass)) { \
        for (size_t l = 0; l < some; l++) \
          ((int64_t *)z)[to[side[l]]++] = (int64_t)(i + l) + 1; \
        continue; \
      } \
      elements_##s(key, some, sign, inf, r->pass); \
      for (size_t l = 0; l < some; l++) \
        ((T *)z)[to[side[l]]++] = key[l]; \
    } \
  } \
  /* Puts the elements at the places there. */ \
  static void put_##s(const Rows *r, T *z, T sign, T inf, Found_##s *found, \
                      size_t m) { \
    for (size_t j = 0; j < m; j++) \
      elements_##s(&found[j].key, 1, sign, inf, r->pass); \
    for (size_t i = 0, j = 0; i < r->nat; i++) { \
      while ((size_t)r->at[i] >= found[j].less + found[j].equal) \
        j++; \
      z[r->at[i]] = found[j].key; \
    } \
  } \
  HOST_KERNEL(partition_##s) { \
    PARAM(0, char *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, const int64_t *, at); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, rows); \
    PARAM(5, size_t, nat); \
    PARAM(6, size_t, all); \
    PARAM(7, T, sign); \
    PARAM(8, T, inf); \
    PARAM(9, int64_t, pass); \
    SPAN(rows); \
    const Rows r = {n, at, nat, pass}; \
    const size_t each = PASS_ORDER(pass) ? sizeof(int64_t) : sizeof(T); \
    Found_##s found[PARTITION_PLACES]; \
    (void)grid; \
    for (size_t row = first; row < last; row++) { \
      const T *own = x + row * n; \
      void *to = z + row * n * each; \
      const size_t m = find_##s(&r, own, (T *)to, sign, inf, found); \
      if (all) \
        move_##s(&r, to, own, sign, inf, found, m); \
      else \
        put_##s(&r, (T *)to, sign, inf, found, m); \
    } \
  }
SET_ELEMENT(PARTITION)

/* ==} */

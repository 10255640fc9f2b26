/*
** sort.c - the twins of kernels/sort.cu, which says what they compute, in the
** same steps; a pass in which all keys have the same digit is a copy. Rows that
** are sorted whole are in rows.c.
*/
#include "twins.h"

#include "kernels/keys.h"

#define ELEMENTS(s, K) \
  static inline K key_##s (const void *x, size_t i, K sign, K inf, \
                           int64_t pass) { \
    if (!PASS_FIRST(pass)) \
      return ((const K *)x)[i]; \
    return tokey_##s(bits_at_##s(x, i, PASS_WIDTH(pass), sign), sign, inf, \
                     pass); \
  } \
  static inline void put_##s (void *z, size_t i, K key, K sign, K inf, \
                              int64_t pass) { \
    if (!PASS_LAST(pass)) { \
      ((K *)z)[i] = key; \
    } else { \
      const K bits = fromkey_##s(key, sign, inf, pass); \
      if (PASS_WIDTH(pass) == sizeof(K)) \
        ((K *)z)[i] = bits; \
      else if (PASS_WIDTH(pass) == 1) \
        ((uint8_t *)z)[i] = (uint8_t)bits; \
      else \
        ((uint16_t *)z)[i] = (uint16_t)bits; \
    } \
  }
SET_KEY(ELEMENTS)

/* {== radix sort ====================================================== */

/* Elements whose digits are counted while they are in the first cache. */
enum { BLOCK = 2048 };

/* Digits that all keys of a block have in common are not looked at one by one.
** Of others two neighbours are counted apart: a digit that comes again at once
** has not to wait for its own count. */
#define COUNT(s, K) \
  /* Makes keys of m elements; returns in which bits they differ. */ \
  WIDE static K read_##s (K *key, const void *x, size_t at, size_t m, K sign, \
                          K inf, int64_t pass) { \
    const int width = PASS_WIDTH(pass); \
    K differ = 0; \
    for (size_t i = 0; i < m; i++) \
      key[i] = bits_at_##s(x, at + i, width, sign); \
    for (size_t i = 0; i < m; i++) \
      key[i] = tokey_##s(key[i], sign, inf, pass); \
    for (size_t i = 0; i < m; i++) \
      differ |= key[i] ^ key[0]; \
    return differ; \
  } \
  static void count_##s (uint32_t *counts, const K *key, size_t m, int bit) { \
    uint32_t others[DIGITS] = {0}; \
    size_t i = 0; \
    for (; i + 2 <= m; i += 2) { \
      counts[key[i] >> bit & 255]++; \
      others[key[i + 1] >> bit & 255]++; \
    } \
    if (i < m) \
      counts[key[i] >> bit & 255]++; \
    for (size_t d = 0; d < DIGITS; d++) \
      counts[d] += others[d]; \
  } \
  TWIN(radix_count_##s) { \
    PARAM(0, uint32_t *, counts); \
    PARAM(1, const void *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, parts); \
    PARAM(4, size_t, chunk); \
    PARAM(5, size_t, chunks); \
    PARAM(6, K, sign); \
    PARAM(7, K, inf); \
    PARAM(8, int64_t, pass); \
    const size_t width = PASS_WIDTH(pass), step = parts * DIGITS; \
    K key[BLOCK]; \
    (void)block; \
    for (size_t b = 0; b < grid[0]; b++) { \
      const size_t row = b / chunks, from = b % chunks * chunk; \
      const size_t to = n - from < chunk ? n : from + chunk; \
      uint32_t *own = counts + row * width * step; \
      for (size_t m, i = from; i < to; i += m) { \
        m = to - i < BLOCK ? to - i : BLOCK; \
        const K differ = read_##s(key, x, row * n + i, m, sign, inf, pass); \
        for (size_t d = 0; d < width; d++) \
          if ((differ >> 8 * d & 255) != 0) \
            count_##s(own + d * step, key, m, (int)(8 * d)); \
          else \
            own[d * step + (key[0] >> 8 * d & 255)] += (uint32_t)m; \
      } \
    } \
  }
SET_KEY(COUNT)

TWIN(radix_offsets) {
  PARAM(0, uint32_t *, counts);
  PARAM(1, size_t, parts);
  (void)block;
  for (size_t b = 0; b < grid[0]; b++, counts += parts * DIGITS) {
    uint32_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
      const uint32_t own = counts[d];
      counts[d] = sum;
      sum += own;
    }
  }
}

/* A launch: part 'number' of 'parts', with so many elements but the last. */
typedef struct Part {
  size_t number, parts, size;
} Part;

/* Elements 'from' to 'to' of a row, and where they go by digit. */
typedef struct Span {
  size_t from, to;
  uint32_t *base;
} Span;

/* The part of row 'row'; what comes of 'base' is for the part after it. */
static Span span_of (size_t row, size_t n, Part p, uint32_t *offsets,
                     int64_t pass) {
  const size_t digit = row * PASS_WIDTH(pass) + PASS_DIGIT(pass);
  const size_t from = p.number * p.size;
  return (Span){from, n - from < p.size ? n : from + p.size,
                offsets + (digit * p.parts + p.number) * DIGITS};
}

static void hand_on (Span s, Part p) {
  if (p.number + 1 < p.parts)
    memcpy(s.base + DIGITS, s.base, DIGITS * sizeof(*s.base));
}

/* Do all elements of the row have that digit? Then they stay in their order. */
static bool is_only (Span s, size_t n, size_t digit) {
  return s.from == 0 && s.to == n && s.base[digit] == 0 &&
         (digit == DIGITS - 1 || s.base[digit + 1] == n);
}

static size_t rows_of (size_t tiles, Part p, size_t tile) {
  return tiles / (p.size / tile + (p.size % tile != 0));
}

/*
** The elements of a digit go on in one line of the cache. If those lines are as
** far apart as the cache is wide, as in a permutation of 2^k numbers, its few
** ways do not keep them, and a pass takes five times as long. Elements then
** come together in lines of ours first, at the places in them that they will
** have, and are written when one is full.
*/
#define LINE(K) (64 / sizeof(K))
enum { CACHE_SETS = 64, CACHE_WAYS = 16 };

/* Do more lines of digits that have many elements begin in one set? */
static bool is_crowded (Span s, size_t bytes) {
  uint8_t lines[CACHE_SETS] = {0};
  for (size_t d = 0; d + 1 < DIGITS; d++)
    if (s.base[d + 1] - s.base[d] >= CACHE_SETS &&
        ++lines[s.base[d] * bytes / 64 % CACHE_SETS] > CACHE_WAYS)
      return true;
  return false;
}

#define SORT(s, K) \
  static void sort_##s (void *z, const void *x, size_t row, Span a, K sign, \
                        K inf, int64_t pass) { \
    for (size_t i = a.from; i < a.to; i++) { \
      const K key = key_##s(x, row + i, sign, inf, pass); \
      put_##s(z, row + a.base[key >> PASS_SHIFT(pass) & 255]++, key, sign, \
              inf, pass); \
    } \
  } \
  static void sort_lines_##s (void *z, const void *x, size_t row, Span a, \
                              K sign, K inf, int64_t pass) { \
    K line[DIGITS][LINE(K)]; \
    uint32_t from[DIGITS]; \
    memcpy(from, a.base, sizeof from); \
    for (size_t i = a.from; i < a.to; i++) { \
      const K key = key_##s(x, row + i, sign, inf, pass); \
      const size_t d = key >> PASS_SHIFT(pass) & 255; \
      const uint32_t to = a.base[d]++; \
      line[d][to % LINE(K)] = key; \
      for (; (to + 1) % LINE(K) == 0 && from[d] <= to; from[d]++) \
        put_##s(z, row + from[d], line[d][from[d] % LINE(K)], sign, inf, \
                pass); \
    } \
    for (size_t d = 0; d < DIGITS; d++) \
      for (; from[d] < a.base[d]; from[d]++) \
        put_##s(z, row + from[d], line[d][from[d] % LINE(K)], sign, inf, \
                pass); \
  } \
  static void copy_##s (void *z, const void *x, size_t row, Span a, K sign, \
                        K inf, int64_t pass) { \
    for (size_t i = a.from; i < a.to; i++) \
      put_##s(z, row + i, key_##s(x, row + i, sign, inf, pass), sign, inf, \
              pass); \
  } \
  TWIN(radix_sort_##s) { \
    PARAM(0, void *, z); \
    PARAM(1, const void *, x); \
    PARAM(2, uint32_t *, offsets); \
    PARAM(4, size_t, n); \
    PARAM(6, size_t, number); \
    PARAM(7, size_t, parts); \
    PARAM(8, size_t, size); \
    PARAM(9, K, sign); \
    PARAM(10, K, inf); \
    PARAM(11, int64_t, pass); \
    const Part p = {number, parts, size}; \
    (void)block; \
    for (size_t row = 0; row < rows_of(grid[0], p, SORT_TILE(K)); row++) { \
      const Span a = span_of(row, n, p, offsets, pass); \
      const K one = key_##s(x, row * n + a.from, sign, inf, pass); \
      (is_only(a, n, one >> PASS_SHIFT(pass) & 255) ? copy_##s : \
       is_crowded(a, sizeof(K)) ? sort_lines_##s : sort_##s) \
          (z, x, row * n, a, sign, inf, pass); \
      hand_on(a, p); \
    } \
  }
SET_KEY(SORT)

#define ORDER(s, K) \
  typedef struct Pairs_##s { \
    K *keys; \
    void *places; \
    const void *x; \
    const uint32_t *was;  /* NULL: 0, 1 ... */ \
    K sign, inf; \
    int64_t pass; \
  } Pairs_##s; \
  static inline K pair_##s (const Pairs_##s *w, size_t row, size_t i, \
                            uint32_t *place) { \
    *place = w->was == NULL ? (uint32_t)i : w->was[row + i]; \
    return key_##s(w->x, row + i, w->sign, w->inf, w->pass); \
  } \
  static inline void put_pair_##s (const Pairs_##s *w, size_t to, K key, \
                                   uint32_t place) { \
    if (PASS_LAST(w->pass)) { \
      ((int64_t *)w->places)[to] = (int64_t)place + 1; \
    } else { \
      w->keys[to] = key; \
      ((uint32_t *)w->places)[to] = place; \
    } \
  } \
  static void order_##s (const Pairs_##s *w, size_t row, Span a) { \
    uint32_t place; \
    for (size_t i = a.from; i < a.to; i++) { \
      const K key = pair_##s(w, row, i, &place); \
      put_pair_##s(w, row + a.base[key >> PASS_SHIFT(w->pass) & 255]++, key, \
                   place); \
    } \
  } \
  static void order_lines_##s (const Pairs_##s *w, size_t row, Span a) { \
    K line[DIGITS][LINE(K)]; \
    uint32_t place[DIGITS][LINE(K)], from[DIGITS], own; \
    memcpy(from, a.base, sizeof from); \
    for (size_t i = a.from; i < a.to; i++) { \
      const K key = pair_##s(w, row, i, &own); \
      const size_t d = key >> PASS_SHIFT(w->pass) & 255; \
      const uint32_t to = a.base[d]++; \
      line[d][to % LINE(K)] = key; \
      place[d][to % LINE(K)] = own; \
      for (; (to + 1) % LINE(K) == 0 && from[d] <= to; from[d]++) \
        put_pair_##s(w, row + from[d], line[d][from[d] % LINE(K)], \
                     place[d][from[d] % LINE(K)]); \
    } \
    for (size_t d = 0; d < DIGITS; d++) \
      for (; from[d] < a.base[d]; from[d]++) \
        put_pair_##s(w, row + from[d], line[d][from[d] % LINE(K)], \
                     place[d][from[d] % LINE(K)]); \
  } \
  static void copy_pairs_##s (const Pairs_##s *w, size_t row, Span a) { \
    uint32_t place; \
    for (size_t i = a.from; i < a.to; i++) { \
      const K key = pair_##s(w, row, i, &place); \
      put_pair_##s(w, row + i, key, place); \
    } \
  } \
  TWIN(radix_order_##s) { \
    PARAM(0, K *, zk); \
    PARAM(1, const void *, x); \
    PARAM(2, void *, zi); \
    PARAM(3, const uint32_t *, xi); \
    PARAM(4, uint32_t *, offsets); \
    PARAM(6, size_t, n); \
    PARAM(8, size_t, number); \
    PARAM(9, size_t, parts); \
    PARAM(10, size_t, size); \
    PARAM(11, K, sign); \
    PARAM(12, K, inf); \
    PARAM(13, int64_t, pass); \
    const Part p = {number, parts, size}; \
    const Pairs_##s w = {zk, zi, x, xi, sign, inf, pass}; \
    (void)block; \
    for (size_t row = 0; row < rows_of(grid[0], p, SORT_TILE(K)); row++) { \
      const Span a = span_of(row, n, p, offsets, pass); \
      const K one = key_##s(x, row * n + a.from, sign, inf, pass); \
      (is_only(a, n, one >> PASS_SHIFT(pass) & 255) ? copy_pairs_##s : \
       is_crowded(a, sizeof(K)) ? order_lines_##s : order_##s) \
          (&w, row * n, a); \
      hand_on(a, p); \
    } \
  }
SET_KEY(ORDER)

/* ==} */

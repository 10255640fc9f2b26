/*
** sort.c - the twins of kernels/sort.cu, which says what they compute, in the
** same steps. Rows that are sorted whole are in rows.c.
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

#define COUNT(s, K) \
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
    (void)block; \
    for (size_t b = 0; b < grid[0]; b++) { \
      const size_t row = b / chunks, from = b % chunks * chunk; \
      const size_t to = n - from < chunk ? n : from + chunk; \
      uint32_t *own = counts + row * width * step; \
      for (size_t i = from; i < to; i++) { \
        const K key = key_##s(x, row * n + i, sign, inf, pass); \
        for (size_t d = 0; d < width; d++) \
          own[d * step + (key >> 8 * d & 255)]++; \
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

static size_t rows_of (size_t tiles, Part p, size_t tile) {
  return tiles / (p.size / tile + (p.size % tile != 0));
}

#define SORT(s, K) \
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
      for (size_t i = a.from; i < a.to; i++) { \
        const K key = key_##s(x, row * n + i, sign, inf, pass); \
        put_##s(z, row * n + a.base[key >> PASS_SHIFT(pass) & 255]++, key, \
                sign, inf, pass); \
      } \
      hand_on(a, p); \
    } \
  }
SET_KEY(SORT)

#define ORDER(s, K) \
  TWIN(radix_order_##s) { \
    PARAM(0, void *, zk); \
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
    (void)block; \
    for (size_t row = 0; row < rows_of(grid[0], p, SORT_TILE(K)); row++) { \
      const Span a = span_of(row, n, p, offsets, pass); \
      for (size_t i = a.from; i < a.to; i++) { \
        const size_t from = row * n + i; \
        const K key = key_##s(x, from, sign, inf, pass); \
        const uint32_t place = xi == NULL ? (uint32_t)i : xi[from]; \
        const size_t to = \
            row * n + a.base[key >> PASS_SHIFT(pass) & 255]++; \
        if (PASS_LAST(pass)) { \
          ((int64_t *)zi)[to] = (int64_t)place + 1; \
        } else { \
          put_##s(zk, to, key, sign, inf, pass); \
          ((uint32_t *)zi)[to] = place; \
        } \
      } \
      hand_on(a, p); \
    } \
  }
SET_KEY(ORDER)

/* ==} */

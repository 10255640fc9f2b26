/*
** sort.c - radix sorts on the host device: the sorts of kernels/sort.cu, by
** chunks, because one thread does the work of many threads of a GPU. For each
** digit, from the lowest, each chunk of a row counts its digits. The counts
** tell where the elements of a chunk go: behind lesser digits, and behind the
** same digit in earlier chunks. Then each chunk moves its elements. A digit
** that all keys of a row have in common is not counted, and its move is a copy.
** Rows that are sorted whole are in rows.c.
*/
#include "host_kernels.h"

#include "kernels/axis.h"
#include "kernels/chunks.h"
#include "kernels/keys.h"

#define ELEMENTS(s, K) \
  static inline K key_##s(const void *x, size_t i, K sign, K inf, \
                          int64_t pass) { \
    if (!PASS_FIRST(pass)) \
      return ((const K *)x)[i]; \
    return tokey_##s(bits_at_##s(x, i, PASS_WIDTH(pass), sign), sign, inf, \
                     pass); \
  } \
  static inline void put_##s(void *z, size_t i, K key, K sign, K inf, \
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

/* {== counts ========================================================== */

/* Elements whose digits are counted while they are in the first cache. */
enum { BLOCK = 2048 };

/* Elements 'from' to 'to' of a row, and their counts. */
typedef struct SortChunk {
  size_t number;        /* of the row, */
  size_t row, from, to; /* which begins at element 'row' */
  ChunkCounts *own;
  uint64_t differ; /* bits in which keys of the row differ */
} SortChunk;

static SortChunk chunk_of (ChunkCounts *counts, size_t u, size_t n,
                           size_t chunks) {
  const size_t row = u / chunks, c = u % chunks;
  return (SortChunk){
    row,        row * n, axis_first(c, chunks, n), axis_first(c + 1, chunks, n),
    counts + u, 0};
}

/* Sets 'differ', once all chunks of the row are counted for the first time. */
static void find_differ (SortChunk *k, const ChunkCounts *counts,
                         size_t chunks) {
  for (size_t i = 0; i < chunks; i++)
    k->differ |= counts[k->number * chunks + i].differ;
}

static bool is_common (const SortChunk *k, int64_t pass) {
  return (k->differ >> PASS_SHIFT(pass) & (DIGITS - 1)) == 0;
}

/* Counts two neighbours apart, so that a repeated digit need not wait for its
** own count. */
#define COUNT(s, K) \
  /* Makes keys of m elements; returns in which bits they are not 'one'. */ \
  WIDEST static K read_##s(K *key, const void *x, size_t at, size_t m, K one, \
                           K sign, K inf, int64_t pass) { \
    const int width = PASS_WIDTH(pass); \
    K differ = 0; \
    for (size_t i = 0; i < m; i++) \
      key[i] = bits_at_##s(x, at + i, width, sign); \
    for (size_t i = 0; i < m; i++) \
      key[i] = tokey_##s(key[i], sign, inf, pass); \
    for (size_t i = 0; i < m; i++) \
      differ |= key[i] ^ one; \
    return differ; \
  } \
  static void count_##s(uint32_t *counts, const K *key, size_t m, int bit) { \
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
  /* The first pass, which finds the bits in which keys differ. */ \
  static void count_first_##s(const SortChunk *k, const void *x, K sign, \
                              K inf, int64_t pass) { \
    K key[BLOCK], differ = 0; \
    const K one = key_##s(x, k->row, sign, inf, pass); \
    for (size_t m, i = k->from; i < k->to; i += m) { \
      m = k->to - i < BLOCK ? k->to - i : BLOCK; \
      differ |= read_##s(key, x, k->row + i, m, one, sign, inf, pass); \
      count_##s(k->own->digit, key, m, 0); \
    } \
    k->own->differ = differ; \
  } \
  HOST_KERNEL(chunk_count_##s) { \
    PARAM(0, ChunkCounts *, counts); \
    PARAM(1, const void *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, chunks); \
    PARAM(4, size_t, rows); \
    PARAM(5, K, sign); \
    PARAM(6, K, inf); \
    PARAM(7, int64_t, pass); \
    SPAN(rows *chunks); \
    (void)grid; \
    for (size_t u = first; u < last; u++) { \
      SortChunk k = chunk_of(counts, u, n, chunks); \
      if (!PASS_FIRST(pass)) \
        find_differ(&k, counts, chunks); \
      else \
        k.differ = DIGITS - 1; \
      if (is_common(&k, pass)) \
        continue; \
      memset(k.own->digit, 0, sizeof k.own->digit); \
      if (PASS_FIRST(pass)) \
        count_first_##s(&k, x, sign, inf, pass); \
      else \
        count_##s(k.own->digit, (const K *)x + k.row + k.from, k.to - k.from, \
                  (int)PASS_SHIFT(pass)); \
    } \
  }
SET_KEY(COUNT)

/* Turns counts into places in the row. */
HOST_KERNEL(chunk_offsets) {
  PARAM(0, ChunkCounts *, counts);
  PARAM(1, size_t, chunks);
  PARAM(2, size_t, rows);
  (void)grid, (void)block;
  for (size_t row = 0; row < rows; row++, counts += chunks) {
    uint32_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++)
      for (size_t c = 0; c < chunks; c++) {
        const uint32_t own = counts[c].digit[d];
        counts[c].digit[d] = sum;
        sum += own;
      }
  }
}

/* ==} */

/* {== moves =========================================================== */

/*
** The elements of a digit go on in one line of the cache. If those lines are as
** far apart as the cache is wide, as in a permutation of 2^k numbers, they
** share a few ways and do not stay. Then a pass takes five times as long. So
** elements are first collected in lines of our own, at the places that they
** will have in a line, and a full line is written.
*/
#define LINE(K) (64 / sizeof(K))
enum { CACHE_SETS = 64, CACHE_WAYS = 16 };

/* Tells whether more lines of frequent digits begin in one set than it has
** ways. */
static bool is_crowded (const SortChunk *k, size_t bytes) {
  const uint32_t *to = k->own->digit;
  uint8_t lines[CACHE_SETS] = {0};
  for (size_t d = 0; d + 1 < DIGITS; d++)
    if (to[d + 1] - to[d] >= CACHE_SETS &&
        ++lines[to[d] * bytes / 64 % CACHE_SETS] > CACHE_WAYS)
      return true;
  return false;
}

#define SORT(s, K) \
  static void sort_##s(void *z, const void *x, const SortChunk *k, K sign, \
                       K inf, int64_t pass) { \
    uint32_t *to = k->own->digit; \
    for (size_t i = k->from; i < k->to; i++) { \
      const K key = key_##s(x, k->row + i, sign, inf, pass); \
      put_##s(z, k->row + to[key >> PASS_SHIFT(pass) & 255]++, key, sign, inf, \
              pass); \
    } \
  } \
  static void sort_lines_##s(void *z, const void *x, const SortChunk *k, \
                             K sign, K inf, int64_t pass) { \
    K line[DIGITS][LINE(K)]; \
    uint32_t from[DIGITS], *next = k->own->digit; \
    memcpy(from, next, sizeof from); \
    for (size_t i = k->from; i < k->to; i++) { \
      const K key = key_##s(x, k->row + i, sign, inf, pass); \
      const size_t d = key >> PASS_SHIFT(pass) & 255; \
      const uint32_t to = next[d]++; \
      line[d][to % LINE(K)] = key; \
      for (; (to + 1) % LINE(K) == 0 && from[d] <= to; from[d]++) \
        put_##s(z, k->row + from[d], line[d][from[d] % LINE(K)], sign, inf, \
                pass); \
    } \
    for (size_t d = 0; d < DIGITS; d++) \
      for (; from[d] < next[d]; from[d]++) \
        put_##s(z, k->row + from[d], line[d][from[d] % LINE(K)], sign, inf, \
                pass); \
  } \
  static void copy_##s(void *z, const void *x, const SortChunk *k, K sign, \
                       K inf, int64_t pass) { \
    const size_t at = k->row + k->from, n = k->to - k->from; \
    if (!PASS_FIRST(pass) && !PASS_LAST(pass)) \
      memcpy((K *)z + at, (const K *)x + at, n * sizeof(K)); \
    else \
      for (size_t i = at; i < at + n; i++) \
        put_##s(z, i, key_##s(x, i, sign, inf, pass), sign, inf, pass); \
  } \
  HOST_KERNEL(chunk_sort_##s) { \
    PARAM(0, void *, z); \
    PARAM(1, const void *, x); \
    PARAM(2, ChunkCounts *, counts); \
    PARAM(3, size_t, n); \
    PARAM(4, size_t, chunks); \
    PARAM(5, size_t, rows); \
    PARAM(6, K, sign); \
    PARAM(7, K, inf); \
    PARAM(8, int64_t, pass); \
    SPAN(rows *chunks); \
    (void)grid; \
    for (size_t u = first; u < last; u++) { \
      SortChunk k = chunk_of(counts, u, n, chunks); \
      find_differ(&k, counts, chunks); \
      (is_common(&k, pass)         ? copy_##s \
       : is_crowded(&k, sizeof(K)) ? sort_lines_##s \
                                   : sort_##s)(z, x, &k, sign, inf, pass); \
    } \
  }
SET_KEY(SORT)

#define ORDER(s, K) \
  typedef struct Pairs_##s { \
    K *keys; \
    void *places; \
    const void *x; \
    const uint32_t *was; /* NULL: 0, 1 ... */ \
    K sign, inf; \
    int64_t pass; \
  } Pairs_##s; \
  static inline K pair_##s(const Pairs_##s *w, size_t row, size_t i, \
                           uint32_t *place) { \
    *place = w->was == NULL ? (uint32_t)i : w->was[row + i]; \
    return key_##s(w->x, row + i, w->sign, w->inf, w->pass); \
  } \
  static inline void put_pair_##s(const Pairs_##s *w, size_t to, K key, \
                                  uint32_t place) { \
    if (PASS_LAST(w->pass)) { \
      ((int64_t *)w->places)[to] = (int64_t)place + 1; \
    } else { \
      w->keys[to] = key; \
      ((uint32_t *)w->places)[to] = place; \
    } \
  } \
  static void order_##s(const Pairs_##s *w, const SortChunk *k) { \
    uint32_t place, *to = k->own->digit; \
    for (size_t i = k->from; i < k->to; i++) { \
      const K key = pair_##s(w, k->row, i, &place); \
      put_pair_##s(w, k->row + to[key >> PASS_SHIFT(w->pass) & 255]++, key, \
                   place); \
    } \
  } \
  static void order_lines_##s(const Pairs_##s *w, const SortChunk *k) { \
    K line[DIGITS][LINE(K)]; \
    uint32_t place[DIGITS][LINE(K)], from[DIGITS], own, *next = k->own->digit; \
    memcpy(from, next, sizeof from); \
    for (size_t i = k->from; i < k->to; i++) { \
      const K key = pair_##s(w, k->row, i, &own); \
      const size_t d = key >> PASS_SHIFT(w->pass) & 255; \
      const uint32_t to = next[d]++; \
      line[d][to % LINE(K)] = key; \
      place[d][to % LINE(K)] = own; \
      for (; (to + 1) % LINE(K) == 0 && from[d] <= to; from[d]++) \
        put_pair_##s(w, k->row + from[d], line[d][from[d] % LINE(K)], \
                     place[d][from[d] % LINE(K)]); \
    } \
    for (size_t d = 0; d < DIGITS; d++) \
      for (; from[d] < next[d]; from[d]++) \
        put_pair_##s(w, k->row + from[d], line[d][from[d] % LINE(K)], \
                     place[d][from[d] % LINE(K)]); \
  } \
  static void copy_pairs_##s(const Pairs_##s *w, const SortChunk *k) { \
    const size_t at = k->row + k->from, n = k->to - k->from; \
    uint32_t place; \
    if (!PASS_FIRST(w->pass) && !PASS_LAST(w->pass)) { \
      memcpy(w->keys + at, (const K *)w->x + at, n * sizeof(K)); \
      memcpy((uint32_t *)w->places + at, w->was + at, n * sizeof(uint32_t)); \
      return; \
    } \
    for (size_t i = k->from; i < k->to; i++) { \
      const K key = pair_##s(w, k->row, i, &place); \
      put_pair_##s(w, k->row + i, key, place); \
    } \
  } \
  HOST_KERNEL(chunk_order_##s) { \
    PARAM(0, K *, zk); \
    PARAM(1, const void *, x); \
    PARAM(2, void *, zi); \
    PARAM(3, const uint32_t *, xi); \
    PARAM(4, ChunkCounts *, counts); \
    PARAM(5, size_t, n); \
    PARAM(6, size_t, chunks); \
    PARAM(7, size_t, rows); \
    PARAM(8, K, sign); \
    PARAM(9, K, inf); \
    PARAM(10, int64_t, pass); \
    SPAN(rows *chunks); \
    const Pairs_##s w = {zk, zi, x, xi, sign, inf, pass}; \
    (void)grid; \
    for (size_t u = first; u < last; u++) { \
      SortChunk k = chunk_of(counts, u, n, chunks); \
      find_differ(&k, counts, chunks); \
      (is_common(&k, pass)         ? copy_pairs_##s \
       : is_crowded(&k, sizeof(K)) ? order_lines_##s \
                                   : order_##s)(&w, &k); \
    } \
  }
SET_KEY(ORDER)

/* ==} */

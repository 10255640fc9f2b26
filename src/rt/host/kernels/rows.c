/*
** rows.c - the host kernels of kernels/rows.cu, which defines their results.
**
** As many rows as a vector has lanes lie side by side, element i of all of them
** behind element i - 1, and go through one bitonic network (Batcher, 1968). A
** comparison of two elements is one of two vectors, without a branch, and the
** loops are written so that the compiler sees that. A single row would use but
** one lane, so unless it is short it goes through a radix sort of the bytes
** that differ in it.
**
** In each comparison the lesser element goes to the lower place, also where two
** runs are merged, of which the second is read backwards. So padding behind the
** last element may be left out, and no network is larger than its row.
*/
#include "host_kernels.h"

#include "rows.h"

#include "kernels/keys.h"

/* Rows side by side: one element of each takes 32 bytes. */
#define LANES(K) (32 / sizeof(K))

/* Elements of a lane that are in registers at a time. Rows are padded to a
** multiple of it with the greatest key. */
enum { HELD = 8 };

/* {== the network ===================================================== */

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define ORDER(K, i, j) \
  do { \
    const K low = MIN(r##i, r##j), high = MAX(r##i, r##j); \
    r##i = low; \
    r##j = high; \
  } while (0)
#define ORDER2(K, a, b, c, d) \
  ORDER(K, a, b); \
  ORDER(K, c, d)
#define ORDER4(K, a, b, c, d, e, f, g, h) \
  ORDER2(K, a, b, c, d); \
  ORDER2(K, e, f, g, h)

/* Loads HELD elements of a lane, which are L apart, does 'steps', and stores
** them. */
#define HOLD(K, p, L, steps) \
  do { \
    K r0 = p[0], r1 = p[L], r2 = p[2 * L], r3 = p[3 * L], r4 = p[4 * L], \
      r5 = p[5 * L], r6 = p[6 * L], r7 = p[7 * L]; \
    steps p[0] = r0, p[L] = r1, p[2 * L] = r2, p[3 * L] = r3, p[4 * L] = r4, \
          p[5 * L] = r5, p[6 * L] = r6, p[7 * L] = r7; \
  } while (0)

/*
** Steps on each lane of a; n is a multiple of HELD:
**
**   begin:  sorts each HELD elements: with 19 comparisons, the fewest
**   end:    sorts each HELD elements that are bitonic
**   halve:  the lesser of a[i] and b[i] go to a, the greater to b
**   fold:   likewise with a[i] and b[-i]
**   halve2: the halves of 4 * d elements, and then the halves of those
*/
#define NETWORK(s, K) \
  WIDE static void begin_##s(K *a, size_t n) { \
    enum { L = LANES(K) }; \
    for (; n > 0; n -= HELD, a += HELD * L) { \
      INDEPENDENT \
      for (size_t l = 0; l < L; l++) { \
        K *p = a + l; \
        HOLD(K, p, L, ORDER4(K, 0, 1, 2, 3, 4, 5, 6, 7); \
             ORDER4(K, 0, 2, 1, 3, 4, 6, 5, 7); \
             ORDER4(K, 1, 2, 5, 6, 0, 4, 3, 7); \
             ORDER4(K, 1, 5, 2, 6, 2, 4, 3, 5); ORDER2(K, 1, 2, 3, 4); \
             ORDER(K, 5, 6);); \
      } \
    } \
  } \
  WIDE static void end_##s(K *a, size_t n) { \
    enum { L = LANES(K) }; \
    for (; n > 0; n -= HELD, a += HELD * L) { \
      INDEPENDENT \
      for (size_t l = 0; l < L; l++) { \
        K *p = a + l; \
        HOLD(K, p, L, ORDER4(K, 0, 4, 1, 5, 2, 6, 3, 7); \
             ORDER4(K, 0, 2, 1, 3, 4, 6, 5, 7); \
             ORDER4(K, 0, 1, 2, 3, 4, 5, 6, 7);); \
      } \
    } \
  } \
  WIDE static void halve_##s(K *a, K *b, size_t n) { \
    INDEPENDENT \
    for (size_t i = 0; i < n * LANES(K); i++) { \
      const K x = a[i], y = b[i]; \
      a[i] = MIN(x, y); \
      b[i] = MAX(x, y); \
    } \
  } \
  WIDE static void fold_##s(K *a, K *b, size_t n) { \
    enum { L = LANES(K) }; \
    for (; n > 0; n--, a += L, b -= L) { \
      INDEPENDENT \
      for (size_t l = 0; l < L; l++) { \
        const K x = a[l], y = b[l]; \
        a[l] = MIN(x, y); \
        b[l] = MAX(x, y); \
      } \
    } \
  } \
  WIDE static void halve2_##s(K *a, size_t d) { \
    d *= LANES(K); \
    INDEPENDENT \
    for (size_t i = 0; i < d; i++) { \
      K r0 = a[i], r1 = a[i + d], r2 = a[i + 2 * d], r3 = a[i + 3 * d]; \
      ORDER2(K, 0, 2, 1, 3); \
      ORDER2(K, 0, 1, 2, 3); \
      a[i] = r0, a[i + d] = r1, a[i + 2 * d] = r2, a[i + 3 * d] = r3; \
    } \
  } \
  /* Sorts a bitonic sequence of n elements; padding follows up to 'size', a \
  ** power of two. */ \
  static void finish_##s(K *a, size_t size, size_t n) { \
    enum { L = LANES(K) }; \
    for (size_t half; size > HELD; size = half) { \
      half = size / 2; \
      if (n == size && size >= 4 * HELD) { \
        const size_t d = size / 4; \
        halve2_##s(a, d); \
        for (size_t q = 0; q < 4; q++) \
          finish_##s(a + q * d * L, d, d); \
        return; \
      } \
      if (n > half) { \
        halve_##s(a, a + half * L, n - half); \
        finish_##s(a + half * L, half, n - half); \
        n = half; \
      } \
    } \
    end_##s(a, n); \
  } \
  /* Sorts a row in any order likewise. */ \
  static void network_##s(K *a, size_t size, size_t n) { \
    enum { L = LANES(K) }; \
    while (size > HELD && n <= size / 2) \
      size /= 2; \
    if (size <= HELD) { \
      begin_##s(a, n); \
      return; \
    } \
    const size_t half = size / 2, rest = n - half; \
    K *b = a + half * L; \
    network_##s(a, half, half); \
    network_##s(b, half, rest); \
    fold_##s(b - rest * L, b + (rest - 1) * L, rest); \
    finish_##s(a, half, half); \
    finish_##s(b, half, rest); \
  }
SET_KEY(NETWORK)

/* ==} */

/* {== lanes =========================================================== */

/* Some rows of a launch: from 'row' on, not up to 'end'. Lanes without a row
** repeat the last one, and write no result. */
typedef struct RowGroup {
  void *z;
  const void *x;
  size_t row, end, n;
  int64_t pass;
  size_t lanes; /* LANES, or 1 */
} RowGroup;

/* From here on a radix sort of a single row takes less time than a network of
** all lanes. */
enum { LONG_ROW = 64 };

/* Moves to the next rows, at most 'lanes'; false: there are none. */
static bool next_rows (RowGroup *r, size_t lanes) {
  r->row += r->lanes;
  r->lanes = (r->end - r->row == 1 && r->n > LONG_ROW) ? 1 : lanes;
  return r->row < r->end;
}

/* Returns where in z and x the row of lane l begins. */
static inline size_t row_of (const RowGroup *r, size_t l) {
  return MIN(r->row + l, r->end - 1) * r->n;
}

/* Elements of a row that are moved together: whole lines of the cache. Lines of
** long rows that are a power of two apart would not stay in the cache. */
enum { RUN = 16 };

/* Moves the elements of x, of type T, to the lanes; those of the lanes to z. */
#define MOVE(s, K, T) \
  static void gather_##s##_##T(K *a, const RowGroup *r) { \
    for (size_t i = 0; i < r->n; i += RUN) \
      for (size_t l = 0; l < r->lanes; l++) { \
        const T *x = (const T *)r->x + row_of(r, l) + i; \
        const size_t m = MIN(r->n - i, RUN); \
        for (size_t k = 0; k < m; k++) \
          a[(i + k) * r->lanes + l] = x[k]; \
      } \
  } \
  static void scatter_##s##_##T(const RowGroup *r, const K *a) { \
    for (size_t i = 0; i < r->n; i += RUN) \
      for (size_t l = 0; l < MIN(r->end - r->row, r->lanes); l++) { \
        T *z = (T *)r->z + row_of(r, l) + i; \
        const size_t m = MIN(r->n - i, RUN); \
        for (size_t k = 0; k < m; k++) \
          z[k] = (T)a[(i + k) * r->lanes + l]; \
      } \
  }
#define NARROW(s, K) \
  MOVE(s, K, uint8_t) MOVE(s, K, uint16_t) MOVE(s, K, uint32_t)
SET_KEY(NARROW)
MOVE(k64, uint64_t, uint64_t)

#define MOVES(s, K) \
  static void gather_##s(K *a, const RowGroup *r) { \
    switch (PASS_WIDTH(r->pass)) { \
      case 1: gather_##s##_uint8_t(a, r); break; \
      case 2: gather_##s##_uint16_t(a, r); break; \
      case 4: gather_##s##_uint32_t(a, r); break; \
      default: gather_##s##_##K(a, r); \
    } \
  } \
  static void scatter_##s(const RowGroup *r, const K *a) { \
    switch (PASS_WIDTH(r->pass)) { \
      case 1: scatter_##s##_uint8_t(r, a); break; \
      case 2: scatter_##s##_uint16_t(r, a); break; \
      case 4: scatter_##s##_uint32_t(r, a); break; \
      default: scatter_##s##_##K(r, a); \
    } \
  }
SET_KEY(MOVES)

/* ==} */

/* {== sorting ========================================================= */

/* The parameters of both host kernels, and the rows of this part of a
** launch. */
#define PART_OF_ROWS(K) \
  PARAM(0, void *, z); \
  PARAM(1, const void *, x); \
  PARAM(2, size_t, n); \
  PARAM(4, size_t, rows); \
  PARAM(5, K, sign); \
  PARAM(6, K, inf); \
  PARAM(7, int64_t, pass); \
  SPAN(row_parts(rows)); \
  RowGroup r = { \
    z, x, first * ROWS_TOGETHER, MIN(last * ROWS_TOGETHER, rows), n, pass, 0}

/* Sorts the n keys of each lane. A single lane is sorted by the bytes from
** 'low' on, because it is sorted by the lower ones already. There is room for
** ROWS_TILE of each. */
#define LANE(s, K) \
  static K *radix_##s(K *a, K *b, size_t n, int low) { \
    K differ = 0; \
    for (size_t i = 1; i < n; i++) \
      differ |= a[i] ^ a[0]; \
    for (int bit = low * 8; bit < (int)sizeof(K) * 8; bit += 8) { \
      uint32_t to[DIGITS] = {0}, sum = 0; \
      if ((differ >> bit & 255) == 0) \
        continue; \
      for (size_t i = 0; i < n; i++) \
        to[a[i] >> bit & 255]++; \
      for (size_t d = 0; d < DIGITS; d++) { \
        const uint32_t own = to[d]; \
        to[d] = sum; \
        sum += own; \
      } \
      for (size_t i = 0; i < n; i++) \
        b[to[a[i] >> bit & 255]++] = a[i]; \
      K *other = a; \
      a = b; \
      b = other; \
    } \
    return a; \
  } \
  static void sort_##s(K *a, size_t n, size_t lanes, int low) { \
    const size_t to = (n + HELD - 1) / HELD * HELD; \
    if (lanes == 1) { \
      const K *sorted = radix_##s(a, a + ROWS_TILE, n, low); \
      if (sorted != a) \
        memcpy(a, sorted, n * sizeof(K)); \
      return; \
    } \
    for (size_t i = n * lanes; i < to * lanes; i++) \
      a[i] = (K) ~(K)0; \
    network_##s(a, ROWS_TILE, to); \
  }
SET_KEY(LANE)

#define SORT(s, K) \
  WIDE static void keys_##s(K *a, size_t n, K sign, K inf, int64_t pass) { \
    for (size_t i = 0; i < n; i++) \
      a[i] = tokey_##s(a[i], sign, inf, pass); \
  } \
  WIDE static void elements_##s(K *a, size_t n, K sign, K inf, int64_t pass) { \
    for (size_t i = 0; i < n; i++) \
      a[i] = fromkey_##s(a[i], sign, inf, pass); \
  } \
  HOST_KERNEL(rows_sort_##s) { \
    PART_OF_ROWS(K); \
    K a[ROWS_TILE * LANES(K)]; \
    (void)grid; \
    while (next_rows(&r, LANES(K))) { \
      gather_##s(a, &r); \
      keys_##s(a, n *r.lanes, sign, inf, pass); \
      sort_##s(a, n, r.lanes, 0); \
      elements_##s(a, n *r.lanes, sign, inf, pass); \
      scatter_##s(&r, a); \
    } \
  }
SET_KEY(SORT)

/* ==} */

/* {== order =========================================================== */

/*
** Keys with their places behind them are all different, so the order is stable.
** A key of 32 bits and its place fit into 64 bits. A wider key is sorted by
** halves, the lower ones first; then the places in that order stand behind the
** upper halves.
*/
static inline uint64_t with_place (uint64_t key, size_t place) {
  return key << 32 | place;
}

enum { PLACE_BYTES = 4, SIDE = LANES(uint64_t), SIDE_SHIFT = 2 };

/* Returns the shift that turns a lane's element into its place. */
static inline int lane_shift (const RowGroup *r) {
  return r->lanes == 1 ? 0 : SIDE_SHIFT;
}

WIDE static void pair_k32 (uint64_t *a, const RowGroup *r, uint32_t sign,
                           uint32_t inf) {
  const int shift = lane_shift(r);
  const int64_t pass = r->pass;
  for (size_t i = 0; i < r->n << shift; i++)
    a[i] = with_place(tokey_k32((uint32_t)a[i], sign, inf, pass), i >> shift);
}

/* Pairs the lower halves with places; returns whether a row has different upper
** halves. */
WIDE static bool pair_k64 (uint64_t *a, const RowGroup *r, uint64_t sign,
                           uint64_t inf) {
  const int shift = lane_shift(r);
  const int64_t pass = r->pass;
  uint64_t one[SIDE], differ = 0;
  for (size_t l = 0; l < SIDE; l++)
    one[l] = tokey_k64(a[l % r->lanes], sign, inf, pass);
  for (size_t i = 0; i < r->n << shift; i++) {
    const uint64_t key = tokey_k64(a[i], sign, inf, pass);
    differ |= key ^ one[i % SIDE];
    a[i] = with_place(key, i >> shift);
  }
  return differ >> 32 != 0;
}

/* Pairs the upper halves, in the order of the lower ones, with their new
** places. The old places go to 'at'. */
static void pair_upper (uint64_t *a, uint16_t *at, const RowGroup *r,
                        uint64_t sign, uint64_t inf) {
  for (size_t l = 0; l < r->lanes; l++) {
    const uint64_t *x = (const uint64_t *)r->x + row_of(r, l);
    for (size_t i = 0; i < r->n; i++) {
      const size_t here = i * r->lanes + l, place = (uint32_t)a[here];
      at[here] = (uint16_t)place;
      a[here] = with_place(tokey_k64(x[place], sign, inf, r->pass) >> 32, i);
    }
  }
}

/* Writes places, from 1; if 'at' is not NULL, looks them up there. */
static void put_places (const RowGroup *r, const uint64_t *a,
                        const uint16_t *at) {
  for (size_t l = 0; l < MIN(r->end - r->row, r->lanes); l++) {
    int64_t *z = (int64_t *)r->z + row_of(r, l);
    for (size_t i = 0; i < r->n; i++) {
      const size_t place = (uint32_t)a[i * r->lanes + l];
      z[i] = (int64_t)(at == NULL ? place : at[place * r->lanes + l]) + 1;
    }
  }
}

static void order_k32 (const RowGroup *r, uint64_t *a, uint32_t sign,
                       uint32_t inf) {
  gather_k64(a, r);
  pair_k32(a, r, sign, inf);
  sort_k64(a, r->n, r->lanes, PLACE_BYTES);
  put_places(r, a, NULL);
}

static void order_k64 (const RowGroup *r, uint64_t *a, uint64_t sign,
                       uint64_t inf) {
  uint16_t at[ROWS_TILE * SIDE];
  gather_k64(a, r);
  const bool differ = pair_k64(a, r, sign, inf);
  sort_k64(a, r->n, r->lanes, PLACE_BYTES);
  if (differ) {
    pair_upper(a, at, r, sign, inf);
    sort_k64(a, r->n, r->lanes, PLACE_BYTES);
  }
  put_places(r, a, differ ? at : NULL);
}

#define ORDERS(s, K) \
  HOST_KERNEL(rows_order_##s) { \
    PART_OF_ROWS(K); \
    uint64_t a[ROWS_TILE * SIDE]; \
    (void)grid; \
    while (next_rows(&r, SIDE)) \
      order_##s(&r, a, sign, inf); \
  }
SET_KEY(ORDERS)

/* ==} */

/*
** topk.c - the host kernels of kernels/topk.cu, which defines their results: a
** heap of the first k elements seen so far, with the last of them on top.
** Elements are taken in the order of their places, so most are only compared
** with the top.
*/
#include "host_kernels.h"

#include "kernels/axis.h"
#include "kernels/keys.h"

#define HEAP(s, K) \
  typedef struct Heap_##s { \
    K key[TOPK_MOST]; \
    uint16_t place[TOPK_MOST]; \
  } Heap_##s; \
  static bool comes_##s(const Heap_##s *h, size_t a, size_t b) { \
    return h->key[a] < h->key[b] || \
           (h->key[a] == h->key[b] && h->place[a] < h->place[b]); \
  } \
  static void exchange_##s(Heap_##s *h, size_t a, size_t b) { \
    const K key = h->key[a]; \
    const uint16_t place = h->place[a]; \
    h->key[a] = h->key[b]; \
    h->place[a] = h->place[b]; \
    h->key[b] = key; \
    h->place[b] = place; \
  } \
  /* Sifts down the pair at 'at'. */ \
  static void sink_##s(Heap_##s *h, size_t at, size_t n) { \
    for (size_t down = 2 * at + 1; down < n; down = 2 * at + 1) { \
      if (down + 1 < n && comes_##s(h, down, down + 1)) \
        down++; \
      if (!comes_##s(h, at, down)) \
        return; \
      exchange_##s(h, at, down); \
      at = down; \
    } \
  } \
  /* Leaves the first k of n keys, which come in the order of their places. */ \
  static void first_##s(Heap_##s *h, const K *key, size_t n, size_t k) { \
    for (size_t i = 0; i < k; i++) { \
      h->key[i] = key[i]; \
      h->place[i] = (uint16_t)i; \
    } \
    for (size_t i = k / 2; i > 0; i--) \
      sink_##s(h, i - 1, k); \
    for (size_t i = k; i < n; i++) \
      if (key[i] < h->key[0]) { \
        h->key[0] = key[i]; \
        h->place[0] = (uint16_t)i; \
        sink_##s(h, 0, k); \
      } \
    for (size_t i = k; i > 1; i--) { \
      exchange_##s(h, 0, i - 1); \
      sink_##s(h, 0, i - 1); \
    } \
  }
SET_KEY(HEAP)

#define CHOOSE(s, K) \
  HOST_KERNEL(topk_##s) { \
    PARAM(0, int64_t *, z); \
    PARAM(1, const void *, x); \
    PARAM(2, const int64_t *, from); \
    PARAM(3, size_t, full); \
    PARAM(4, size_t, n); \
    PARAM(5, size_t, chunks); \
    PARAM(6, size_t, k); \
    PARAM(7, size_t, rows); \
    PARAM(8, K, sign); \
    PARAM(9, K, inf); \
    PARAM(10, int64_t, pass); \
    SPAN(rows *chunks); \
    Heap_##s h; \
    K key[TOPK_ROOM]; \
    const int width = PASS_WIDTH(pass); \
    (void)grid; \
    for (size_t b = first; b < last; b++) { \
      const size_t row = b / chunks, c = b % chunks; \
      const size_t begin = axis_first(c, chunks, n), \
                   left = axis_first(c + 1, chunks, n) - begin; \
      const int64_t *own = from != NULL ? from + row * n + begin : NULL; \
      for (size_t i = 0; i < left; i++) { \
        const size_t at = own != NULL ? (size_t)own[i] - 1 : begin + i; \
        key[i] = tokey_##s(bits_at_##s(x, row * full + at, width, sign), sign, \
                           inf, pass); \
      } \
      first_##s(&h, key, left, k); \
      for (size_t i = 0; i < k; i++) \
        z[b * k + i] = own != NULL ? own[h.place[i]] \
                                   : (int64_t)(begin + h.place[i]) + 1; \
    } \
  }
SET_KEY(CHOOSE)

/*
** random.c - the host kernels of kernels/random.cu: the same numbers, bit for
** bit, from the same formulas (kernels/random.h, feistel.h).
*/
#include <stdbool.h>

#include "kernels/feistel.h"
#include "random.h"

#define DRAW(name, A, T, count) \
  WIDEST HOST_KERNEL(name) { \
    PARAM(0, T *, z); \
    PARAM(1, RandomState *, state); \
    PARAM(2, A, a); \
    PARAM(3, A, b); \
    PARAM(4, size_t, n); \
    const size_t most = GROUP * count; \
    const RandomState own = random_begin(state, (n + count - 1) / count, \
                                         block); \
    const PhiloxKeys keys = philox_keys(own.key); \
    SPAN((n + most - 1) / most); \
    (void)grid; \
    uint32_t x[4][GROUP]; \
    T some[GROUP][count]; \
    for (size_t i = first * most; i < n && i < last * most; i += most) { \
      random_draw_words(&keys, own.counter + i / count, own.epoch, x); \
      for (int j = 0; j < GROUP; j++) \
        draw_##name((uint32_t[]){x[0][j], x[1][j], x[2][j], x[3][j]}, a, b, \
                    some[j]); \
      memcpy(z + i, some, (n - i < most ? n - i : most) * sizeof(T)); \
    } \
  }
RANDOM_KERNELS(DRAW)

/* Mixes GROUP places side by side: all rounds but the walks. */
WIDEST static void mix_places (const Feistel *f, uint32_t row[GROUP],
                               uint32_t column[GROUP]) {
  for (int round = 0; round < FEISTEL_ROUNDS; round += 2)
    INDEPENDENT
  for (int j = 0; j < GROUP; j++)
    feistel_rounds(f, round, &row[j], &column[j]);
}

HOST_KERNEL(random_order_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, RandomState *, state);
  PARAM(2, int64_t, of);
  PARAM(3, int64_t, width);
  PARAM(4, size_t, n);
  const RandomState own = random_begin(state, FEISTEL_VALUES, block);
  const PhiloxKeys keys = philox_keys(own.key);
  Feistel f;
  feistel_table(&f, of, width);
  for (int k = 0; k < FEISTEL_VALUES; k++) {
    uint32_t x[4];
    philox(&keys, own.counter + (uint64_t)k, own.epoch, x);
    feistel_key(f.key, x, k);
  }
  SPAN((n + GROUP - 1) / GROUP);
  (void)grid;
  for (size_t i = first * GROUP; i < n && i < last * GROUP; i += GROUP) {
    uint32_t row[GROUP], column[GROUP];
    row[0] = (uint32_t)(i / f.width);
    column[0] = (uint32_t)(i % f.width);
    for (int j = 1; j < GROUP; j++) {
      const bool next = column[j - 1] + 1 == f.width;
      row[j] = row[j - 1] + next;
      column[j] = next ? 0 : column[j - 1] + 1;
    }
    mix_places(&f, row, column);
    const int most = n - i < GROUP ? (int)(n - i) : GROUP;
    for (int j = 0; j < most; j++)
      z[i + (size_t)j] = (int64_t)feistel_walk(&f, row[j], column[j]) + 1;
  }
}

HOST_KERNEL(random_seed) {
  PARAM(0, RandomState *, state);
  PARAM(1, int64_t, key);
  PARAM(2, int64_t, epoch);
  (void)grid, (void)block;
  state->key = (uint64_t)key;
  state->counter = 0;
  state->epoch = (uint64_t)epoch;
  state->tickets = 0;
}

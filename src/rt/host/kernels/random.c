/*
** random.c - the twins of kernels/random.cu: the same numbers, bit for bit,
** from the same formulas (kernels/random.h).
*/
#include "kernels/random.h"
#include "twins.h"

enum { GROUP = 64 };  /* values of the counter, side by side */

/* The words x[..][j] of counter low + j: a round for all, then the next one, so
** that vectors have several. */
static inline __attribute__((always_inline))
void draw_words (uint64_t key, uint64_t low, uint64_t high,
                 uint32_t x[4][GROUP]) {
  for (int j = 0; j < GROUP; j++) {
    x[0][j] = (uint32_t)(low + (uint64_t)j);
    x[1][j] = (uint32_t)((low + (uint64_t)j) >> 32);
    x[2][j] = (uint32_t)high;
    x[3][j] = (uint32_t)(high >> 32);
  }
  for (uint32_t i = 0; i < PHILOX_ROUNDS; i++)
    for (int j = 0; j < GROUP; j++) {
      uint32_t c[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
      philox_round(key, i, c);
      for (int k = 0; k < 4; k++)
        x[k][j] = c[k];
    }
}

#define DRAW(name, A, T, count) \
  WIDE TWIN(name) { \
    PARAM(0, T *, z); \
    PARAM(1, RandomState *, state); \
    PARAM(2, A, a); \
    PARAM(3, A, b); \
    PARAM(4, size_t, n); \
    (void)grid, (void)block; \
    uint32_t x[4][GROUP]; \
    T some[GROUP][count]; \
    uint64_t counter = state->counter; \
    for (size_t i = 0; i < n; i += GROUP * count) { \
      size_t left = n - i, most = GROUP * count; \
      draw_words(state->key, counter + i / count, state->epoch, x); \
      for (int j = 0; j < GROUP; j++) \
        draw_##name((uint32_t[]){x[0][j], x[1][j], x[2][j], x[3][j]}, a, b, \
                    some[j]); \
      memcpy(z + i, some, (left < most ? left : most) * sizeof(T)); \
    } \
    state->counter = counter + (n + count - 1) / count; \
  }
RANDOM_KERNELS(DRAW)

#define DRAW_ONE(name, what, T) \
  TWIN(name) { \
    PARAM(0, T *, z); \
    PARAM(1, RandomState *, state); \
    PARAM(2, const double *, as); \
    PARAM(3, const double *, bs); \
    PARAM(4, double, a); \
    PARAM(5, double, b); \
    PARAM(6, size_t, n); \
    (void)grid, (void)block; \
    for (size_t i = 0; i < n; i++) { \
      Words w = {state->key, state->counter + i, state->epoch}; \
      z[i] = (T)draw_##what(&w, as != NULL ? as[i] : a, \
                            bs != NULL ? bs[i] : b); \
    } \
    state->counter += n; \
  }
REJECTION_KERNELS(DRAW_ONE)

TWIN(random_seed) {
  PARAM(0, RandomState *, state);
  PARAM(1, int64_t, key);
  PARAM(2, int64_t, epoch);
  (void)grid, (void)block;
  state->key = (uint64_t)key;
  state->counter = 0;
  state->epoch = (uint64_t)epoch;
  state->tickets = 0;
}

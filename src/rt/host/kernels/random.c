/*
** random.c - the twins of kernels/random.cu: the same numbers, bit for bit,
** from the same formulas (kernels/random.h).
*/
#include "kernels/random.h"
#include "twins.h"

#define DRAW(name, A, T, count) \
  TWIN(name) { \
    PARAM(0, T *, z); \
    PARAM(1, RandomState *, state); \
    PARAM(2, A, a); \
    PARAM(3, A, b); \
    PARAM(4, size_t, n); \
    (void)grid, (void)block; \
    uint32_t x[4]; \
    T some[count]; \
    uint64_t counter = state->counter; \
    for (size_t i = 0; i < n; i += count) { \
      size_t left = n - i; \
      philox(state->key, counter++, state->epoch, x); \
      draw_##name(x, a, b, some); \
      memcpy(z + i, some, (left < count ? left : count) * sizeof(T)); \
    } \
    state->counter = counter; \
  }
RANDOM_KERNELS(DRAW)

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

/*
** random.cu - n random numbers: value c of the counter gives some words
** (Philox), and these give a few neighbours of z. The numbers depend on the
** seed and the counter alone, never on the grid. random.h has the formulas;
** host kernels: src/rt/host/kernels/random.c. Written by hand: see by_hand.lua.
**
** A thread takes one value of the counter at a time and stores up to 16 bytes
** at once. It only writes: 4 bytes for a float32 of uniform, with some 25
** integer operations each. Blocks of 256, as many as there are values of the
** counter up to four waves of an H200 (rng_grid), loop over the rest.
*/
#include "feistel.h"
#include "random.cuh"
#include "random.h"

template <int N, class T>
static __device__ __forceinline__ void store (T *z, const T *from, size_t at,
                                              size_t n) {
  if (aligned<N>(z) && at + N <= n) {
    Pack<T, N> p;
#pragma unroll
    for (int k = 0; k < N; k++)
      p.at[k] = from[k];
    *reinterpret_cast<Pack<T, N> *>(z + at) = p;
    return;
  }
  for (int k = 0; k < N && at + k < n; k++)
    z[at + k] = from[k];
}

#define DRAW(name, A, T, count) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  name (T *z, RandomState *state, A a, A b, size_t n) { \
    after_previous(); \
    const PhiloxKeys keys = held_keys(state->key); \
    const uint64_t base = state->counter, epoch = state->epoch; \
    const size_t values = n / count + (n % count != 0); \
    for (size_t i = first(); i < values; i += stride()) { \
      uint32_t x[4]; \
      T some[count]; \
      philox(&keys, base + i, epoch, x); \
      draw_##name(x, a, b, some); \
      store<count>(z, some, i * count, n); \
    } \
    move_on(state, base + values); \
  }
RANDOM_KERNELS(DRAW)

/* The first n of the numbers 1 to 'of' in a random order; 'width': that of the
** table in feistel.h. */
extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
random_order_i64 (int64_t *z, RandomState *state, int64_t of, int64_t width,
                  size_t n) {
  after_previous();
  __shared__ Feistel f;
  const uint64_t base = state->counter, epoch = state->epoch;
  if (threadIdx.x < FEISTEL_VALUES) {
    const PhiloxKeys keys = philox_keys(state->key);
    uint32_t x[4];
    philox(&keys, base + threadIdx.x, epoch, x);
    feistel_key(f.key, x, (int)threadIdx.x);
  }
  if (threadIdx.x == 0)
    feistel_table(&f, of, width);
  __syncthreads();
  for (size_t i = first(); i < n; i += stride()) {
    uint32_t row = (uint32_t)(i / f.width), column = (uint32_t)(i % f.width);
#pragma unroll
    for (int round = 0; round < FEISTEL_ROUNDS; round += 2)
      feistel_rounds(&f, round, &row, &column);
    z[i] = (int64_t)feistel_walk(&f, row, column) + 1;
  }
  move_on(state, base + FEISTEL_VALUES);
}

extern "C" __global__ void random_seed (RandomState *state, int64_t key,
                                        int64_t epoch) {
  after_previous();
  state->key = (uint64_t)key;
  state->counter = 0;
  state->epoch = (uint64_t)epoch;
  state->tickets = 0;
}

#undef DRAW

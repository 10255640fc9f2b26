/*
** random.cu - n random numbers: value c of the counter gives some words
** (Philox), those give a few neighbours of z. What is drawn follows from the
** seed and the counter alone, never from the grid. random.h has the formulas;
** twins: src/rt/host/kernels/random.c. Written by hand: 'others' of
** table.lua.
**
** A thread takes one value of the counter at a time and stores up to 16 bytes
** at once. It only writes: 4 bytes for a float32 of uniform, some 25 integer
** operations each. Blocks of 256, as many as there are values of the counter up
** to four waves of an H200 (rt_random_grid), loop over the rest.
**
** All blocks read the state before they take a ticket; the block with the last
** ticket has seen all others do so, and moves the counter on for the kernel
** that comes next, on whatever stream or in whatever replay of a graph.
*/
#include "common.cuh"
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

static __device__ __forceinline__ void move_on (RandomState *state,
                                                uint64_t counter) {
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  __threadfence();
  if (atomicAdd(&state->tickets, 1) + 1 == gridDim.x) {
    state->tickets = 0;
    state->counter = counter;
  }
}

/* The keys stay in registers. Left to itself, the compiler adds them up anew
** for each value: 20 additions, as many as there are products. */
static __device__ __forceinline__ PhiloxKeys held_keys (uint64_t key) {
  PhiloxKeys keys = philox_keys(key);
#pragma unroll
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    asm volatile ("" : "+r"(keys.at[i][0]), "+r"(keys.at[i][1]));
  return keys;
}

#define DRAW(name, A, T, count) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  name (T *z, RandomState *state, A a, A b, size_t n) { \
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

/* Each element has a value of the counter of its own, with as many words as it
** takes. Parameters are those of the elements, or where there are none one for
** all. */
#define DRAW_ONE(name, what, T) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  name (T *z, RandomState *state, const double *as, const double *bs, \
        double a, double b, size_t n) { \
    const PhiloxKeys keys = philox_keys(state->key); \
    const uint64_t base = state->counter, epoch = state->epoch; \
    for (size_t i = first(); i < n; i += stride()) { \
      Words w = {&keys, base + i, epoch}; \
      z[i] = (T)draw_##what(&w, as != nullptr ? as[i] : a, \
                            bs != nullptr ? bs[i] : b); \
    } \
    move_on(state, base + n); \
  }
REJECTION_KERNELS(DRAW_ONE)

/* What follows from the parameters is computed once, where they are for all. */
extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
random_gamma_f32 (float *z, RandomState *state, const double *as,
                  const double *bs, double a, double b, size_t n) {
  const PhiloxKeys keys = held_keys(state->key);
  const uint64_t base = state->counter, epoch = state->epoch;
  const bool each = as != nullptr || bs != nullptr;
  GammaF32 g = gamma_f32(a, b);
  for (size_t i = first(); i < n; i += stride()) {
    Words w = {&keys, base + i, epoch};
    if (each)
      g = gamma_f32(as != nullptr ? as[i] : a, bs != nullptr ? bs[i] : b);
    z[i] = draw_gamma_f32(&w, &g);
  }
  move_on(state, base + n);
}

extern "C" __global__ void random_seed (RandomState *state, int64_t key,
                                        int64_t epoch) {
  state->key = (uint64_t)key;
  state->counter = 0;
  state->epoch = (uint64_t)epoch;
  state->tickets = 0;
}

#undef DRAW
#undef DRAW_ONE

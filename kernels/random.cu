/*
** random.cu - n random numbers: value c of the counter gives some words
** (Philox), those give a few neighbours of z. What is drawn follows from the
** seed and the counter alone, never from the grid. random.h and rejection.h
** have the formulas; twins: src/rt/host/kernels/random.c. Written by hand:
** 'others' of table.lua.
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
#include "feistel.h"
#include "rejection.h"

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

extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
random_beta_f32 (float *z, RandomState *state, const double *as,
                 const double *bs, double a, double b, size_t n) {
  const PhiloxKeys keys = philox_keys(state->key);
  const uint64_t base = state->counter, epoch = state->epoch;
  const bool each = as != nullptr || bs != nullptr;
  BetaF32 p = beta_f32(a, b);
  for (size_t i = first(); i < n; i += stride()) {
    Words w = {&keys, base + i, epoch};
    if (each)
      p = beta_f32(as != nullptr ? as[i] : a, bs != nullptr ? bs[i] : b);
    z[i] = draw_beta_f32(&w, &p);
  }
  move_on(state, base + n);
}

/* Puts the entries of a warp, whole, in a queue of the block's. */
static __device__ __forceinline__ void enqueue (uint32_t *queue, uint32_t *many,
                                                bool is, uint32_t entry) {
  const unsigned all = __ballot_sync(~0u, is), lane = threadIdx.x % 32;
  uint32_t at = 0;
  if (lane == 0 && all != 0)
    at = atomicAdd(many, (uint32_t)__popc(all));
  at = __shfl_sync(~0u, at, 0);
  if (is)
    queue[at + __popc(all & ((1u << lane) - 1))] = entry;
}

/*
** Elements of one lam >= 10, a tile of a block's at a time. Half of the first
** tries are sure; those that are not would hold up the rest of their warp, some
** for three or four tries. So they queue up, and whole warps try them, each
** where it was, until none is left. An entry is an element of the tile and how
** many tries it has behind it.
*/
static __device__ __forceinline__ void poisson_tiles (int64_t *z,
    const PhiloxKeys *keys, uint64_t base, uint64_t epoch, const Poisson *p,
    size_t n) {
  constexpr uint32_t EACH = 8, TILE = MAP_BLOCK * EACH;
  __shared__ uint32_t queue[2][TILE], many[2];
  const size_t share = n / stride();
  const uint32_t tile = MAP_BLOCK * (uint32_t)(share < 1 ? 1 :
                                               share < EACH ? share : EACH);
  if (threadIdx.x < 2)
    many[threadIdx.x] = 0;
  __syncthreads();
  for (size_t at = blockIdx.x * (size_t)tile; at < n;
       at += gridDim.x * (size_t)tile) {
    for (uint32_t own = threadIdx.x; own < tile; own += MAP_BLOCK) {
      Words w = {keys, base + at + own, epoch};
      const PoissonTry t = poisson_try(&w, p);
      const bool is = at + own < n, sure = poisson_sure(p, &t);
      if (is && sure)
        z[at + own] = (int64_t)t.k;
      enqueue(queue[0], &many[0], is && !sure, own);
    }
    __syncthreads();
    for (int from = 0; many[from] > 0; from ^= 1) {
      const uint32_t left = many[from];
      for (uint32_t q = threadIdx.x; q - threadIdx.x % 32 < left;
           q += MAP_BLOCK) {
        const uint32_t entry = queue[from][q < left ? q : 0];
        const uint32_t own = entry % TILE;
        Words w = {keys, base + at + own,
                   epoch + ((uint64_t)(entry / TILE) << 32)};
        const PoissonTry t = poisson_try(&w, p);
        const bool taken = poisson_sure(p, &t) || poisson_takes(p, &t);
        if (q < left && taken)
          z[at + own] = (int64_t)t.k;
        enqueue(queue[from ^ 1], &many[from ^ 1], q < left && !taken,
                entry + TILE);
      }
      __syncthreads();
      if (threadIdx.x == 0)
        many[from] = 0;
      __syncthreads();
    }
    __syncthreads();  /* all have seen that none is left */
  }
}

extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
random_poisson_i64 (int64_t *z, RandomState *state, const double *as,
                    const double *bs, double a, double b, size_t n) {
  const PhiloxKeys keys = held_keys(state->key);
  const uint64_t base = state->counter, epoch = state->epoch;
  (void)bs, (void)b;
  if (as == nullptr && is_lam(a) && a >= 10) {
    const Poisson p = poisson_of(a);
    poisson_tiles(z, &keys, base, epoch, &p, n);
  } else {
    for (size_t i = first(); i < n; i += stride()) {
      Words w = {&keys, base + i, epoch};
      z[i] = draw_poisson(&w, as != nullptr ? as[i] : a);
    }
  }
  move_on(state, base + n);
}

/* From 1 on, the first n of the numbers up to 'of' in some order; 'width': that
** of the table. */
extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
random_order_i64 (int64_t *z, RandomState *state, int64_t of, int64_t width,
                  size_t n) {
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
  state->key = (uint64_t)key;
  state->counter = 0;
  state->epoch = (uint64_t)epoch;
  state->tickets = 0;
}

#undef DRAW
#undef DRAW_ONE

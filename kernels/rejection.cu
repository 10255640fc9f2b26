/*
** rejection.cu - n random numbers that take as many words as they need: element
** i has value i of the counter to itself (rejection.h, which has the formulas).
** Host kernels: src/rt/host/kernels/rejection.c. Written by hand: see
** by_hand.lua.
**
** Bound by instructions: 310 for a gamma number, which is 8 bytes; 35 are
** products of words, 100 are float64 arithmetic. If the 32 threads of a warp
** went on as long as one of them has to, that would cost as much again. So
** numbers of one pair of parameters are drawn in tiles, see below.
*/
#include "random.cuh"
#include "rejection.h"

/* 64 registers at most, so that a multiprocessor has four blocks, to hide
** latency. BEGIN has the rest of the body, for which 'keys_of' makes the
** keys. */
#define REJECTION(name, T) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK, 4) \
  name (T *z, RandomState *state, const double *as, const double *bs, \
        double a, double b, size_t n)

#define BEGIN(keys_of) \
  const PhiloxKeys keys = keys_of(state->key); \
  const uint64_t base = state->counter, epoch = state->epoch

/* Parameters are arrays, or one number for all if the array is NULL. */
#define EACH (as != nullptr || bs != nullptr)
#define A(i) (as != nullptr ? as[i] : a)
#define B(i) (bs != nullptr ? bs[i] : b)

/* Draws each element by itself: draw(w, i) is element i, from the words w. */
template <class T, class Draw>
static __device__ __forceinline__ void draw_each (T *z, const PhiloxKeys *keys,
    uint64_t base, uint64_t epoch, size_t n, Draw draw) {
  for (size_t i = first(); i < n; i += stride()) {
    Words w = {keys, base + i, epoch};
    z[i] = draw(&w, i);
  }
}

enum : uint32_t { TILE_EACH = 16, TILE = MAP_BLOCK * TILE_EACH };

struct TileQueue {
  uint32_t at[2][TILE], many[2];  /* by turns: of this round, and of the next */
};

/* The one queue of all templates. */
static __device__ __forceinline__ TileQueue *tile_queue (void) {
  __shared__ TileQueue queue;
  return &queue;
}

/* Appends the entries of a whole warp to a queue of the block's. */
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
** Draws numbers of one pair of parameters, a tile of a block's at a time. Most
** first tries are accepted at once; the others would hold up the rest of their
** warp, some for three or four tries. So they are queued, and whole warps try
** them, each from where it was, until the queue is empty. draw.once(w, state,
** z) makes the first try, draw.again(w, state, z) the next step. They return
** false if the number is not done; then 'state', below 2^20 and 0 at first, and
** *z are kept for the next step. An entry is an element of the tile and its
** state.
*/
template <class T, class Draw>
static __device__ __forceinline__ void draw_tiles (T *z,
    const PhiloxKeys *keys, uint64_t base, uint64_t epoch, size_t n,
    const Draw &draw) {
  uint32_t (*queue)[TILE] = tile_queue()->at, *many = tile_queue()->many;
  const size_t share = n / stride();
  const uint32_t tile = MAP_BLOCK * (uint32_t)(share < 1 ? 1 :
                                               share < TILE_EACH ? share :
                                                                   TILE_EACH);
  if (threadIdx.x < 2)
    many[threadIdx.x] = 0;
  __syncthreads();
  for (size_t at = blockIdx.x * (size_t)tile; at < n;
       at += gridDim.x * (size_t)tile) {
    for (uint32_t own = threadIdx.x; own < tile; own += MAP_BLOCK) {
      Words w = {keys, base + at + own, epoch};
      uint32_t state = 0;
      T value;
      const bool is = at + own < n, done = draw.once(&w, &state, &value);
      if (is)
        z[at + own] = value;
      enqueue(queue[0], &many[0], is && !done, own + state * TILE);
    }
    __syncthreads();
    for (int from = 0; many[from] > 0; from ^= 1) {
      const uint32_t left = many[from];
      for (uint32_t q = threadIdx.x; q - threadIdx.x % 32 < left;
           q += MAP_BLOCK) {
        const bool is = q < left;
        const uint32_t entry = queue[from][is ? q : 0], own = entry % TILE;
        Words w = {keys, base + at + own, epoch};
        uint32_t state = entry / TILE;
        T value = z[at + own];
        const bool done = draw.again(&w, &state, &value);
        if (is)
          z[at + own] = value;
        enqueue(queue[from ^ 1], &many[from ^ 1], is && !done,
                own + state * TILE);
      }
      __syncthreads();
      if (threadIdx.x == 0)
        many[from] = 0;
      __syncthreads();
    }
    __syncthreads();  /* all know that the queue is empty */
  }
}

/* Skips to the words of try 'tries', if a try takes 'each' values. */
static __device__ __forceinline__ void skip_tries (Words *w, uint32_t tries,
                                                   uint32_t each) {
  w->high += (uint64_t)(tries * each) << 32;
}

/* {== gamma ============================================================ */

/* 'state': the number of tries. */
struct GammaDraw {
  GammaF64 g;
  double scale;

  __device__ __forceinline__ bool once (Words *w, uint32_t *,
                                        double *z) const {
    GammaTry t;
    const bool sure = next_gamma(w, &g, &t);
    *z = gamma_end(&g, &t) * scale;
    return sure;
  }

  __device__ __forceinline__ bool again (Words *w, uint32_t *state,
                                         double *z) const {
    GammaTry t;
    skip_tries(w, (*state)++, 2);
    const bool taken = next_gamma(w, &g, &t) || gamma_late(g.d, &t);
    *z = gamma_end(&g, &t) * scale;
    return taken;
  }
};

REJECTION(random_gamma_f64, double) {
  after_previous();
  BEGIN(held_keys);
  if (!EACH && is_gamma(a, b) && a > 0 && b > 0)
    draw_tiles(z, &keys, base, epoch, n, GammaDraw{gamma_f64(a), b});
  else
    draw_each(z, &keys, base, epoch, n, [=](Words *w, size_t i) {
      return draw_gamma(w, A(i), B(i));
    });
  move_on(state, base + n);
}

REJECTION(random_gamma_f32, float) {
  after_previous();
  BEGIN(held_keys);
  const bool each = EACH;
  GammaF32 g = gamma_f32(a, b);
  draw_each(z, &keys, base, epoch, n, [&](Words *w, size_t i) {
    if (each)
      g = gamma_f32(A(i), B(i));
    return draw_gamma_f32(w, &g);
  });
  move_on(state, base + n);
}

/* ==} */

/* {== beta ============================================================= */

/* Draws two gammas: 'state' is the number of tries, times 2, plus 1 if it is
** the second one's turn; the first one waits in z. */
struct BetaDraw {
  GammaF64 of[2];

  __device__ __forceinline__ bool once (Words *w, uint32_t *state,
                                        double *z) const {
    GammaTry s, t;
    const bool one = next_gamma(w, &of[0], &s), both = next_gamma(w, &of[1],
                                                                  &t);
    const double x = gamma_end(&of[0], &s), y = gamma_end(&of[1], &t);
    *state = one ? 3 : 0;
    *z = one && both ? beta_of_f64(x, y) : x;
    return one && both;
  }

  __device__ __forceinline__ bool again (Words *w, uint32_t *state,
                                         double *z) const {
    GammaTry t;
    const bool second = *state & 1;
    const GammaF64 g = second ? of[1] : of[0];
    skip_tries(w, *state / 2, 2);
    const bool taken = next_gamma(w, &g, &t) || gamma_late(g.d, &t);
    *state += 2;
    if (!taken)
      return false;
    const double one = gamma_end(&g, &t);
    *z = second ? beta_of_f64(*z, one) : one;
    *state |= 1;
    return second;
  }
};

/* For two parameters up to 1. 'state': the number of tries. */
template <class T>
struct SmallBetaDraw {
  double a, b;

  __device__ __forceinline__ bool once (Words *w, uint32_t *state,
                                        T *z) const {
    double one;
    const bool taken = next_beta(w, a, b, &one);
    *state = 1;
    *z = (T)one;
    return taken;
  }

  __device__ __forceinline__ bool again (Words *w, uint32_t *state,
                                         T *z) const {
    double one;
    skip_tries(w, (*state)++, 1);
    const bool taken = next_beta(w, a, b, &one);
    *z = (T)one;
    return taken;
  }
};

REJECTION(random_beta_f64, double) {
  after_previous();
  BEGIN(held_keys);
  if (EACH || !is_beta(a, b))
    draw_each(z, &keys, base, epoch, n, [=](Words *w, size_t i) {
      return draw_beta(w, A(i), B(i));
    });
  else if (a <= 1 && b <= 1)
    draw_tiles(z, &keys, base, epoch, n, SmallBetaDraw<double>{a, b});
  else
    draw_tiles(z, &keys, base, epoch, n,
               BetaDraw{{gamma_f64(a), gamma_f64(b)}});
  move_on(state, base + n);
}

REJECTION(random_beta_f32, float) {
  after_previous();
  BEGIN(philox_keys);
  const bool each = EACH;
  BetaF32 p = beta_f32(a, b);
  if (!each && is_beta(a, b) && !p.by_gamma)
    draw_tiles(z, &keys, base, epoch, n, SmallBetaDraw<float>{a, b});
  else
    draw_each(z, &keys, base, epoch, n, [&](Words *w, size_t i) {
      if (each)
        p = beta_f32(A(i), B(i));
      return draw_beta_f32(w, &p);
    });
  move_on(state, base + n);
}

/* ==} */

/* {== binomial and Poisson ============================================= */

/* 'state': the number of tries. */
struct TransformedDraw {
  Transformed m;
  bool rest;  /* the result is n - k */

  __device__ __forceinline__ int64_t number (double k) const {
    return (int64_t)(rest ? m.n - k : k);
  }

  __device__ __forceinline__ bool once (Words *w, uint32_t *,
                                        int64_t *z) const {
    const TransformedTry t = next_transformed(w, &m);
    *z = number(t.k);
    return transformed_sure(&m, &t);
  }

  __device__ __forceinline__ bool again (Words *w, uint32_t *state,
                                         int64_t *z) const {
    skip_tries(w, (*state)++, 1);
    const TransformedTry t = next_transformed(w, &m);
    *z = number(t.k);
    return transformed_sure(&m, &t) || transformed_late(&m, &t);
  }
};

/* For a small mean: all threads of a warp compare the same sum at a time. */
static __device__ __forceinline__ void draw_sums (int64_t *z,
    const PhiloxKeys *keys, uint64_t base, uint64_t epoch, size_t n,
    const Inversion &f, bool rest) {
  __shared__ double sums[INVERSION_SUMS];
  if (threadIdx.x < INVERSION_SUMS)
    sums[threadIdx.x] = inversion_ratio(&f, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    inversion_sums(&f, sums);
  __syncthreads();
  draw_each(z, keys, base, epoch, n, [&](Words *w, size_t) {
    uint32_t x[4];
    next_words(w, x);
    const double u = UNIT_f64(x, 0);
    int k = 0;
    while (u >= sums[k])
      k++;
    return (int64_t)(rest ? f.n - k : k);
  });
}

REJECTION(random_poisson_i64, int64_t) {
  after_previous();
  BEGIN(held_keys);
  (void)bs, (void)b;
  if (as != nullptr || !is_lam(a))
    draw_each(z, &keys, base, epoch, n, [=](Words *w, size_t i) {
      return draw_poisson(w, A(i));
    });
  else if (a < 10)
    draw_sums(z, &keys, base, epoch, n, poisson_inversion(a), false);
  else
    draw_tiles(z, &keys, base, epoch, n,
               TransformedDraw{poisson_transformed(a), false});
  move_on(state, base + n);
}

REJECTION(random_binomial_i64, int64_t) {
  after_previous();
  BEGIN(held_keys);
  const double less = lesser_p(b);
  if (EACH || !is_binomial(a, b))
    draw_each(z, &keys, base, epoch, n, [=](Words *w, size_t i) {
      return draw_binomial(w, A(i), B(i));
    });
  else if (a * less < 10)
    draw_sums(z, &keys, base, epoch, n, binomial_inversion(a, less), b > 0.5);
  else
    draw_tiles(z, &keys, base, epoch, n,
               TransformedDraw{binomial_transformed(a, less), b > 0.5});
  move_on(state, base + n);
}

/* ==} */

#undef REJECTION
#undef BEGIN
#undef EACH
#undef A
#undef B

/*
** random.c - the twins of kernels/random.cu: the same numbers, bit for bit,
** from the same formulas (kernels/random.h, rejection.h).
*/
#include <stdbool.h>

#include "kernels/feistel.h"
#include "kernels/rejection.h"
#include "twins.h"

enum { GROUP = 64 };  /* values of the counter, side by side */

/* The words x[..][j] of counter low + j: a round for all, then the next one, so
** that vectors have several. */
static inline __attribute__((always_inline))
void draw_words (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                 uint32_t x[4][GROUP]) {
  for (int j = 0; j < GROUP; j++) {
    x[0][j] = (uint32_t)(low + (uint64_t)j);
    x[1][j] = (uint32_t)((low + (uint64_t)j) >> 32);
    x[2][j] = (uint32_t)high;
    x[3][j] = (uint32_t)(high >> 32);
  }
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    for (int j = 0; j < GROUP; j++) {
      uint32_t c[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
      philox_round(keys->at[i], c);
      for (int k = 0; k < 4; k++)
        x[k][j] = c[k];
    }
}

/*
** Each part of a launch reads the state, then takes a ticket; who gets the last
** one has seen all others do so, and moves the counter on, as on CUDA.
*/
static RandomState begin (RandomState *state, size_t values,
                          const unsigned block[3]) {
  const RandomState own = {.key = state->key, .counter = state->counter,
                           .epoch = state->epoch};  /* not the tickets */
  uint32_t before = __atomic_fetch_add(&state->tickets, 1, __ATOMIC_ACQ_REL);
  if (before + 1 == block[2]) {
    __atomic_store_n(&state->tickets, 0, __ATOMIC_RELAXED);
    state->counter = own.counter + values;
  }
  return own;
}

#define DRAW(name, A, T, count) \
  WIDEST TWIN(name) { \
    PARAM(0, T *, z); \
    PARAM(1, RandomState *, state); \
    PARAM(2, A, a); \
    PARAM(3, A, b); \
    PARAM(4, size_t, n); \
    const size_t most = GROUP * count; \
    const RandomState own = begin(state, (n + count - 1) / count, block); \
    const PhiloxKeys keys = philox_keys(own.key); \
    SPAN((n + most - 1) / most); \
    (void)grid; \
    uint32_t x[4][GROUP]; \
    T some[GROUP][count]; \
    for (size_t i = first * most; i < n && i < last * most; i += most) { \
      draw_words(&keys, own.counter + i / count, own.epoch, x); \
      for (int j = 0; j < GROUP; j++) \
        draw_##name((uint32_t[]){x[0][j], x[1][j], x[2][j], x[3][j]}, a, b, \
                    some[j]); \
      memcpy(z + i, some, (n - i < most ? n - i : most) * sizeof(T)); \
    } \
  }
RANDOM_KERNELS(DRAW)

/* Where each element has a value of the counter of its own: parameters are
** those of the elements, or where there are none one for all. */
#define DRAW_PARAMS(T) \
  PARAM(0, T *, z); \
  PARAM(1, RandomState *, state); \
  PARAM(2, const double *, as); \
  PARAM(3, const double *, bs); \
  PARAM(4, double, a); \
  PARAM(5, double, b); \
  PARAM(6, size_t, n); \
  const RandomState own = begin(state, n, block); \
  const PhiloxKeys keys = philox_keys(own.key)

TWIN(random_binomial_i64) {
  DRAW_PARAMS(int64_t);
  SPAN(n);
  (void)grid;
  for (size_t i = first; i < last; i++) {
    Words w = {&keys, own.counter + i, own.epoch};
    z[i] = draw_binomial(&w, as != NULL ? as[i] : a, bs != NULL ? bs[i] : b);
  }
}

/* What follows from lam is computed once, where it is for all. */
TWIN(random_poisson_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, RandomState *, state);
  PARAM(2, const double *, as);
  PARAM(4, double, a);
  PARAM(6, size_t, n);
  const RandomState own = begin(state, n, block);
  const PhiloxKeys keys = philox_keys(own.key);
  const bool one = as == NULL && is_lam(a) && a >= 10;
  const Poisson p = poisson_of(one ? a : 10);
  SPAN(n);
  (void)grid;
  for (size_t i = first; i < last; i++) {
    Words w = {&keys, own.counter + i, own.epoch};
    z[i] = one ? (int64_t)poisson_many(&w, &p) :
                 draw_poisson(&w, as != NULL ? as[i] : a);
  }
}

/* GROUP elements, side by side. */
typedef struct GammaGroup {
  GammaF32 of[GROUP];         /* their parameters, */
  float c[GROUP], d3[GROUP];  /* and what a try takes of them */
  float v[GROUP];             /* what the first try gives */
  int32_t taken[GROUP];       /* is it taken? */
} GammaGroup;

static void set_gamma (GammaGroup *g, int j, GammaF32 of) {
  g->of[j] = of;
  g->c[j] = g->of[j].slope;
  g->d3[j] = g->of[j].d3;
}

WIDEST static void try_gamma (const PhiloxKeys *keys, uint64_t low,
                              uint64_t high, GammaGroup *g) {
  uint32_t x[4][GROUP];
  draw_words(keys, low, high, x);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    float n[2], v;
    box_muller_f32(x[0][j], x[1][j], n);
    g->taken[j] = gamma_takes(g->c[j], g->d3[j], n[0], x[2][j], &v);
    g->v[j] = v;
  }
}

/* Where the first try is not taken, all begins again. */
static float finish_gamma (const GammaGroup *g, int j, Words *w) {
  if (!g->taken[j])
    return draw_gamma_f32(w, &g->of[j]);
  skip_words(w);
  return gamma_of(w, &g->of[j], g->v[j]);
}

TWIN(random_gamma_f32) {
  DRAW_PARAMS(float);
  const bool each = as != NULL || bs != NULL;
  SPAN((n + GROUP - 1) / GROUP);
  (void)grid;
  GammaGroup g;
  for (size_t i = first * GROUP; i < n && i < last * GROUP; i += GROUP) {
    const int most = n - i < GROUP ? (int)(n - i) : GROUP;
    for (int j = 0; j < GROUP && (each || i == first * GROUP); j++) {
      const size_t at = i + (size_t)(j < most ? j : 0);
      set_gamma(&g, j, gamma_f32(as != NULL ? as[at] : a,
                                 bs != NULL ? bs[at] : b));
    }
    try_gamma(&keys, own.counter + i, own.epoch, &g);
    for (int j = 0; j < most; j++) {
      Words w = {&keys, own.counter + i + (size_t)j, own.epoch};
      z[i + (size_t)j] = finish_gamma(&g, j, &w);
    }
  }
}

/* Two of gamma each: the second's first try is of the words that it has if the
** first one's is taken. */
static void many_betas (float *z, const PhiloxKeys *keys,
                        const RandomState *own, const BetaF32 *p, size_t from,
                        size_t to) {
  GammaGroup g[2];
  Words second = {keys, 0, own->epoch};
  skip_words(&second);
  if (p->of[0].shape > 0)
    skip_words(&second);
  for (int j = 0; j < GROUP; j++)
    for (int k = 0; k < 2; k++)
      set_gamma(&g[k], j, p->of[k]);
  for (size_t i = from; i < to; i += GROUP) {
    const int most = to - i < GROUP ? (int)(to - i) : GROUP;
    try_gamma(keys, own->counter + i, own->epoch, &g[0]);
    try_gamma(keys, own->counter + i, second.high, &g[1]);
    for (int j = 0; j < most; j++) {
      Words w = {keys, own->counter + i + (size_t)j, own->epoch};
      const float x = finish_gamma(&g[0], j, &w);
      z[i + (size_t)j] = beta_of(x, g[0].taken[j] ?
                                    finish_gamma(&g[1], j, &w) :
                                    draw_gamma_f32(&w, &p->of[1]));
    }
  }
}

/* The same in float64. A first try that is not sure begins again, too. */
typedef struct GammaWide {
  double k[GROUP], d[GROUP], c[GROUP];
  double z[GROUP], spare[GROUP], less[GROUP];
  int64_t sure[GROUP];
} GammaWide;

/* Is the shape one that there is? */
static bool set_wide (GammaWide *g, int j, double k) {
  const bool is = k > 0 && k < HUGE_VAL;
  const double d = (!is ? 1 : k < 1 ? k + 1 : k) - 1.0 / 3;
  g->k[j] = k;
  g->d[j] = d;
  g->c[j] = 1 / sqrt(9 * d);
  return is;
}

WIDEST static void try_wide (const PhiloxKeys *keys, uint64_t low,
                             uint64_t high, GammaWide *g) {
  uint32_t x[4][GROUP], y[4][GROUP];
  draw_words(keys, low, high, x);
  draw_words(keys, low, high + ((uint64_t)1 << 32), y);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    const uint32_t of_x[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
    const uint32_t of_y[4] = {y[0][j], y[1][j], y[2][j], y[3][j]};
    GammaTry t;
    g->sure[j] = gamma_try(g->c[j], of_x, of_y, &t);
    g->z[j] = g->d[j] * t.v;
    g->spare[j] = t.spare;
  }
}

/* What a shape below 1 makes of them. */
WIDEST static void lessen (GammaWide *g) {
  INDEPENDENT
  for (int j = 0; j < GROUP; j++)
    g->less[j] = g->z[j] * random_exp(random_log(g->spare[j]) / g->k[j]);
}

static void fill_wide (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                       GammaWide *g) {
  bool less = false;
  for (int j = 0; j < GROUP; j++)
    less |= g->k[j] < 1;
  try_wide(keys, low, high, g);
  if (less)
    lessen(g);
}

static double finish_wide (const GammaWide *g, int j, Words *w) {
  if (!g->sure[j])
    return standard_gamma(w, g->k[j]);
  skip_words(w);
  skip_words(w);
  return g->k[j] < 1 ? g->less[j] : g->z[j];
}

TWIN(random_gamma_f64) {
  DRAW_PARAMS(double);
  const bool each = as != NULL || bs != NULL;
  SPAN((n + GROUP - 1) / GROUP);
  (void)grid;
  GammaWide g;
  bool is[GROUP];
  for (size_t i = first * GROUP; i < n && i < last * GROUP; i += GROUP) {
    const int most = n - i < GROUP ? (int)(n - i) : GROUP;
    for (int j = 0; j < GROUP && (each || i == first * GROUP); j++) {
      const size_t at = i + (size_t)(j < most ? j : 0);
      const double scale = bs != NULL ? bs[at] : b;
      is[j] = set_wide(&g, j, as != NULL ? as[at] : a) && scale > 0 &&
              scale < HUGE_VAL;
    }
    fill_wide(&keys, own.counter + i, own.epoch, &g);
    for (int j = 0; j < most; j++) {
      const size_t at = i + (size_t)j;
      const double scale = bs != NULL ? bs[at] : b;
      Words w = {&keys, own.counter + at, own.epoch};
      z[at] = is[j] ? finish_wide(&g, j, &w) * scale :
                      draw_gamma(&w, g.k[j], scale);
    }
  }
}

/* The quotient of two, as many_betas. */
static void wide_betas (double *z, const PhiloxKeys *keys,
                        const RandomState *own, double a, double b, size_t from,
                        size_t to) {
  GammaWide g[2];
  Words second = {keys, 0, own->epoch};
  skip_words(&second);
  skip_words(&second);
  for (int j = 0; j < GROUP; j++) {
    set_wide(&g[0], j, a);
    set_wide(&g[1], j, b);
  }
  for (size_t i = from; i < to; i += GROUP) {
    const int most = to - i < GROUP ? (int)(to - i) : GROUP;
    fill_wide(keys, own->counter + i, own->epoch, &g[0]);
    fill_wide(keys, own->counter + i, second.high, &g[1]);
    for (int j = 0; j < most; j++) {
      Words w = {keys, own->counter + i + (size_t)j, own->epoch};
      const double x = finish_wide(&g[0], j, &w);
      const double y = g[0].sure[j] ? finish_wide(&g[1], j, &w) :
                                      standard_gamma(&w, b);
      z[i + (size_t)j] = 1 / (1 + y / x);
    }
  }
}

WIDEST static void try_betas (const PhiloxKeys *keys, uint64_t low,
                              uint64_t high, double a, double b,
                              double z[GROUP], int64_t taken[GROUP]) {
  uint32_t x[4][GROUP];
  draw_words(keys, low, high, x);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    const uint32_t words[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
    BetaTry t;
    taken[j] = beta_try(words, a, b, &t);
    z[j] = t.z;
  }
}

/* GROUP of them, both parameters up to 1. */
static void small_betas (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                         double a, double b, double z[GROUP]) {
  int64_t taken[GROUP];
  try_betas(keys, low, high, a, b, z, taken);
  for (int j = 0; j < GROUP; j++)
    if (!taken[j]) {
      Words w = {keys, low + (uint64_t)j, high};
      z[j] = beta_to_1(&w, a, b);
    }
}

static bool are_small (double a, double b) {
  return a > 0 && a <= 1 && b > 0 && b <= 1;
}

#define SMALL_BETAS(T) \
  for (size_t i = first; i < last; i += GROUP) { \
    const size_t most = last - i < GROUP ? last - i : GROUP; \
    double some[GROUP]; \
    small_betas(&keys, own.counter + i, own.epoch, a, b, some); \
    for (size_t j = 0; j < most; j++) \
      z[i + j] = (T)some[j]; \
  }

TWIN(random_beta_f64) {
  DRAW_PARAMS(double);
  const bool each = as != NULL || bs != NULL;
  SPAN(n);
  (void)grid;
  if (!each && are_small(a, b)) {
    SMALL_BETAS(double)
  } else if (!each && a > 0 && a < HUGE_VAL && b > 0 && b < HUGE_VAL) {
    wide_betas(z, &keys, &own, a, b, first, last);
  } else {
    for (size_t i = first; i < last; i++) {
      Words w = {&keys, own.counter + i, own.epoch};
      z[i] = draw_beta(&w, as != NULL ? as[i] : a, bs != NULL ? bs[i] : b);
    }
  }
}

TWIN(random_beta_f32) {
  DRAW_PARAMS(float);
  const bool each = as != NULL || bs != NULL;
  BetaF32 p = beta_f32(a, b);
  SPAN(n);
  (void)grid;
  if (!each && p.by_gamma) {
    many_betas(z, &keys, &own, &p, first, last);
  } else if (!each && are_small(a, b)) {
    SMALL_BETAS(float)
  } else {
    for (size_t i = first; i < last; i++) {
      Words w = {&keys, own.counter + i, own.epoch};
      if (each)
        p = beta_f32(as != NULL ? as[i] : a, bs != NULL ? bs[i] : b);
      z[i] = draw_beta_f32(&w, &p);
    }
  }
}

/* GROUP places side by side, all rounds but the walks. */
WIDEST static void mix_places (const Feistel *f, uint32_t row[GROUP],
                               uint32_t column[GROUP]) {
  for (int round = 0; round < FEISTEL_ROUNDS; round += 2)
    INDEPENDENT
    for (int j = 0; j < GROUP; j++)
      feistel_rounds(f, round, &row[j], &column[j]);
}

TWIN(random_order_i64) {
  PARAM(0, int64_t *, z);
  PARAM(1, RandomState *, state);
  PARAM(2, int64_t, of);
  PARAM(3, int64_t, width);
  PARAM(4, size_t, n);
  const RandomState own = begin(state, FEISTEL_VALUES, block);
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

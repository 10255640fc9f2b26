/*
** rejection.c - the host kernels of kernels/rejection.cu: the same numbers, bit
** for bit, from the same formulas (kernels/rejection.h).
*/
#include <stdbool.h>

#include "kernels/rejection.h"
#include "random.h"

/* For kernels with a value of the counter for each element. Parameters are
** arrays, or one number for all if the array is NULL. */
#define DRAW_PARAMS(T) \
  PARAM(0, T *, z); \
  PARAM(1, RandomState *, state); \
  PARAM(2, const double *, as); \
  PARAM(3, const double *, bs); \
  PARAM(4, double, a); \
  PARAM(5, double, b); \
  PARAM(6, size_t, n); \
  const RandomState own = random_begin(state, n, block); \
  const PhiloxKeys keys = philox_keys(own.key)

/* {== binomial and Poisson ============================================= */

/* For one small mean, as on CUDA: compares each sum with the u of all, until
** none of them goes on. */
WIDEST static void compare_sums (const PhiloxKeys *keys, uint64_t low,
                                 uint64_t high, const double *sums,
                                 int64_t k[GROUP]) {
  uint32_t x[4][GROUP];
  double u[GROUP];
  int64_t more = 1;
  random_draw_words(keys, low, high, x);
  for (int j = 0; j < GROUP; j++) {
    const uint32_t of[2] = {x[0][j], x[1][j]};
    u[j] = UNIT_f64(of, 0);
    k[j] = 0;
  }
  for (; more > 0; sums++) {
    more = 0;
    for (int j = 0; j < GROUP; j++) {
      const int64_t on = u[j] >= *sums;
      k[j] += on;
      more |= on;
    }
  }
}

/* 'rest': the result is n - k. */
static void draw_sums (int64_t *z, const PhiloxKeys *keys,
                       const RandomState *own, const Inversion *f, bool rest,
                       size_t from, size_t to) {
  double sums[INVERSION_SUMS];
  for (int k = 0; k < INVERSION_SUMS; k++)
    sums[k] = inversion_ratio(f, k);
  inversion_sums(f, sums);
  for (size_t i = from; i < to; i += GROUP) {
    const size_t most = to - i < GROUP ? to - i : GROUP;
    int64_t k[GROUP];
    compare_sums(keys, own->counter + i, own->epoch, sums, k);
    for (size_t j = 0; j < most; j++)
      z[i + j] = rest ? (int64_t)f->n - k[j] : k[j];
  }
}

static void draw_tries (int64_t *z, const PhiloxKeys *keys,
                        const RandomState *own, const Transformed *m, bool rest,
                        size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    Words w = {keys, own->counter + i, own->epoch};
    const double k = draw_transformed(&w, m);
    z[i] = (int64_t)(rest ? m->n - k : k);
  }
}

HOST_KERNEL(random_binomial_i64) {
  DRAW_PARAMS(int64_t);
  const bool each = as != NULL || bs != NULL;
  const double less = lesser_p(b);
  SPAN(n);
  (void)grid;
  if (each || !is_binomial(a, b)) {
    for (size_t i = first; i < last; i++) {
      Words w = {&keys, own.counter + i, own.epoch};
      z[i] = draw_binomial(&w, as != NULL ? as[i] : a, bs != NULL ? bs[i] : b);
    }
  } else if (a * less < 10) {
    const Inversion f = binomial_inversion(a, less);
    draw_sums(z, &keys, &own, &f, b > 0.5, first, last);
  } else {
    const Transformed m = binomial_transformed(a, less);
    draw_tries(z, &keys, &own, &m, b > 0.5, first, last);
  }
}

HOST_KERNEL(random_poisson_i64) {
  DRAW_PARAMS(int64_t);
  SPAN(n);
  (void)grid, (void)bs, (void)b;
  if (as != NULL || !is_lam(a)) {
    for (size_t i = first; i < last; i++) {
      Words w = {&keys, own.counter + i, own.epoch};
      z[i] = draw_poisson(&w, as != NULL ? as[i] : a);
    }
  } else if (a < 10) {
    const Inversion f = poisson_inversion(a);
    draw_sums(z, &keys, &own, &f, false, first, last);
  } else {
    const Transformed m = poisson_transformed(a);
    draw_tries(z, &keys, &own, &m, false, first, last);
  }
}

/* ==} */

/* {== gamma and beta =================================================== */

/* GROUP elements side by side. */
typedef struct GammaGroup {
  GammaF32 of[GROUP];        /* parameters, */
  float c[GROUP], d3[GROUP]; /* and the part of them that a try needs */
  float v[GROUP];            /* results of the first try */
  int32_t taken[GROUP];      /* was it accepted? */
} GammaGroup;

static void set_gamma (GammaGroup *g, int j, GammaF32 of) {
  g->of[j] = of;
  g->c[j] = g->of[j].slope;
  g->d3[j] = g->of[j].d3;
}

WIDEST static void try_gamma (const PhiloxKeys *keys, uint64_t low,
                              uint64_t high, GammaGroup *g) {
  uint32_t x[4][GROUP];
  random_draw_words(keys, low, high, x);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    float n[2], v;
    box_muller_f32(x[0][j], x[1][j], n);
    g->taken[j] = gamma_takes(g->c[j], g->d3[j], n[0], x[2][j], &v);
    g->v[j] = v;
  }
}

/* If the first try was rejected, everything begins again. */
static float finish_gamma (const GammaGroup *g, int j, Words *w) {
  if (!g->taken[j])
    return draw_gamma_f32(w, &g->of[j]);
  skip_words(w);
  return gamma_of(w, &g->of[j], g->v[j]);
}

HOST_KERNEL(random_gamma_f32) {
  DRAW_PARAMS(float);
  const bool each = as != NULL || bs != NULL;
  SPAN((n + GROUP - 1) / GROUP);
  (void)grid;
  GammaGroup g;
  for (size_t i = first * GROUP; i < n && i < last * GROUP; i += GROUP) {
    const int most = n - i < GROUP ? (int)(n - i) : GROUP;
    for (int j = 0; j < GROUP && (each || i == first * GROUP); j++) {
      const size_t at = i + (size_t)(j < most ? j : 0);
      set_gamma(&g, j,
                gamma_f32(as != NULL ? as[at] : a, bs != NULL ? bs[at] : b));
    }
    try_gamma(&keys, own.counter + i, own.epoch, &g);
    for (int j = 0; j < most; j++) {
      Words w = {&keys, own.counter + i + (size_t)j, own.epoch};
      z[i + (size_t)j] = finish_gamma(&g, j, &w);
    }
  }
}

/* Draws two gammas each. The second's first try uses the words that it has if
** the first one's try is accepted. */
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
      z[i + (size_t)j] = beta_of(x, g[0].taken[j]
                                      ? finish_gamma(&g[1], j, &w)
                                      : draw_gamma_f32(&w, &p->of[1]));
    }
  }
}

/* Likewise in float64. An undecided first try begins again, too. */
typedef struct GammaWide {
  GammaF64 of[GROUP];
  double k[GROUP], d[GROUP], c[GROUP];
  double z[GROUP], spare[GROUP], less[GROUP];
  int64_t sure[GROUP];
} GammaWide;

/* Returns whether the shape is valid. */
static bool set_wide (GammaWide *g, int j, double k) {
  const bool is = k > 0 && k < HUGE_VAL;
  g->of[j] = gamma_f64(is ? k : 1);
  g->k[j] = g->of[j].k;
  g->d[j] = g->of[j].d;
  g->c[j] = g->of[j].slope;
  return is;
}

WIDEST static void try_wide (const PhiloxKeys *keys, uint64_t low,
                             uint64_t high, GammaWide *g) {
  uint32_t x[4][GROUP], y[4][GROUP];
  random_draw_words(keys, low, high, x);
  random_draw_words(keys, low, high + ((uint64_t)1 << 32), y);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    const uint32_t of_x[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
    const uint32_t of_y[4] = {y[0][j], y[1][j], y[2][j], y[3][j]};
    GammaTry t;
    g->sure[j] = gamma_try(g->c[j], of_x, of_y, &t);
    g->z[j] = g->d[j] * t.v;
    g->spare[j] = over_0(t.spare[0], t.spare[1]);
  }
}

/* Adjusts them for shapes below 1. */
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
    return standard_gamma(w, &g->of[j]);
  skip_words(w);
  skip_words(w);
  return g->k[j] < 1 ? g->less[j] : g->z[j];
}

HOST_KERNEL(random_gamma_f64) {
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
      z[at] = is[j] ? finish_wide(&g, j, &w) * scale
                    : draw_gamma(&w, as != NULL ? as[at] : a, scale);
    }
  }
}

/* Draws the quotient of two gammas, like many_betas. */
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
      const double y = g[0].sure[j] ? finish_wide(&g[1], j, &w)
                                    : standard_gamma(&w, &g[1].of[j]);
      z[i + (size_t)j] = beta_of_f64(x, y);
    }
  }
}

WIDEST static void try_betas (const PhiloxKeys *keys, uint64_t low,
                              uint64_t high, double a, double b,
                              double z[GROUP], int64_t taken[GROUP]) {
  uint32_t x[4][GROUP];
  random_draw_words(keys, low, high, x);
  INDEPENDENT
  for (int j = 0; j < GROUP; j++) {
    const uint32_t words[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
    BetaTry t;
    taken[j] = beta_try(words, a, b, &t);
    z[j] = t.z;
  }
}

/* Draws GROUP of them, with both parameters up to 1. */
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

HOST_KERNEL(random_beta_f64) {
  DRAW_PARAMS(double);
  const bool each = as != NULL || bs != NULL;
  SPAN(n);
  (void)grid;
  if (!each && are_small(a, b)) {
    SMALL_BETAS(double)
  } else if (!each && is_beta(a, b)) {
    wide_betas(z, &keys, &own, a, b, first, last);
  } else {
    for (size_t i = first; i < last; i++) {
      Words w = {&keys, own.counter + i, own.epoch};
      z[i] = draw_beta(&w, as != NULL ? as[i] : a, bs != NULL ? bs[i] : b);
    }
  }
}

HOST_KERNEL(random_beta_f32) {
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

/* ==} */

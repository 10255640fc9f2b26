/*
** rejection.h - random numbers that take as many words as they need: gamma,
** beta, binomial, Poisson.
*/
#ifndef TIDE_REJECTION_H
#define TIDE_REJECTION_H

#include "random.h"

/* The source of an element's words: its value of the counter, whose high half
** counts the words taken so far, from bit 32 on. */
typedef struct Words {
  const PhiloxKeys *keys;
  uint64_t low, high;
} Words;

RANDOM_FN void skip_words (Words *w) {
  w->high += (uint64_t)1 << 32;
}

RANDOM_FN void next_words (Words *w, uint32_t x[4]) {
  philox(w->keys, w->low, w->high, x);
  skip_words(w);
}

/* A number in (0, 1]. */
RANDOM_FN double over_0 (uint32_t high, uint32_t low) {
  return (bits53(high, low) + 0.5) * 0x1p-53;
}

#define NO_NUMBER (0.0 / 0.0)

/* A shape k > 0 and numbers derived from it. For k < 1 the shape k + 1 is drawn
** and adjusted, as in the paper below. */
typedef struct GammaF64 {
  double k, d, slope;  /* d: k - 1/3, or k + 1 - 1/3; 1 / sqrt(9 d) */
} GammaF64;

RANDOM_FN GammaF64 gamma_f64 (double k) {
  GammaF64 g;
  g.k = k;
  g.d = (k < 1 ? k + 1 : k) - 1.0 / 3;
  g.slope = 1 / sqrt(9 * g.d);
  return g;
}

/* A try at a gamma number, d * v; 'spare': words for one more number in (0,
** 1]. */
typedef struct GammaTry {
  double v, n2, u;
  uint32_t spare[2];
} GammaTry;

/* Makes a try from these words; returns whether it is surely accepted. G.
** Marsaglia and W. W. Tsang, "A simple method for generating gamma variables",
** ACM TOMS 26, 2000. */
RANDOM_FN int gamma_try (double slope, const uint32_t x[4], const uint32_t y[4],
                         GammaTry *t) {
  const double n = sqrt(-2 * random_log(over_0(x[0], x[1]))) *
                   random_cos(UNIT_f64(x, 1));
  const double root = 1 + slope * n;
  t->n2 = n * n;
  t->v = root * root * root;
  t->u = over_0(y[0], y[1]);
  t->spare[0] = y[2];
  t->spare[1] = y[3];
  return (root > 0) & (t->u < 1 - 0.0331 * t->n2 * t->n2);
}

/* Returns whether a try that is not sure is accepted. */
RANDOM_FN int gamma_late (double d, const GammaTry *t) {
  return t->v > 0 && random_log(t->u) < 0.5 * t->n2 +
                                        d * (1 - t->v + random_log(t->v));
}

RANDOM_FN double gamma_end (const GammaF64 *g, const GammaTry *t) {
  const double z = g->d * t->v;
  if (g->k >= 1)
    return z;
  return z * random_exp(random_log(over_0(t->spare[0], t->spare[1])) / g->k);
}

/* A try takes two values of the counter's high half. */
RANDOM_FN int next_gamma (Words *w, const GammaF64 *g, GammaTry *t) {
  uint32_t x[4], y[4];
  next_words(w, x);
  next_words(w, y);
  return gamma_try(g->slope, x, y, t);
}

RANDOM_FN double standard_gamma (Words *w, const GammaF64 *g) {
  for (;;) {
    GammaTry t;
    if (next_gamma(w, g, &t) || gamma_late(g->d, &t))
      return gamma_end(g, &t);
  }
}

/* Returns whether shape k and 'scale' are valid. */
RANDOM_FN int is_gamma (double k, double scale) {
  return k >= 0 && k < HUGE_VAL && scale >= 0 && scale < HUGE_VAL;
}

RANDOM_FN double draw_gamma (Words *w, double k, double scale) {
  if (!is_gamma(k, scale))
    return NO_NUMBER;
  if (k == 0 || scale == 0)
    return 0;
  const GammaF64 g = gamma_f64(k);
  return standard_gamma(w, &g) * scale;
}

/*
** The same in float32. With w = c * n, where v = (1 + w)^3, the logarithm of
** u's bound is -3 d * (w - w^2/2 + w^3/3 - log(1 + w)), because n^2 is 9 d w^2.
** That is the rest of the logarithm's series after three terms, so nothing
** large is subtracted from something as large.
*/
typedef struct GammaF32 {
  float slope, d3;     /* c: 1 / sqrt(9 d); 3 d */
  float front;         /* d * scale: the factor of v */
  double wide, shape;  /* 'front' in float64, and k, if k < 1; else 'shape' is
                          0 */
} GammaF32;

/* Invalid parameters give NaN times v, and a zero 0 times v. */
RANDOM_FN GammaF32 gamma_f32 (double k, double scale) {
  GammaF32 g;
  const int makes_sense = is_gamma(k, scale);
  const int some = makes_sense && k > 0 && scale > 0;
  const double whole = !some ? 1 : k < 1 ? k + 1 : k, d = whole - 1.0 / 3;
  const float most = (float)(d < 1e30 ? d : 1e30);
  g.slope = 1 / sqrtf(9 * most);
  g.d3 = 3 * most;
  g.wide = some ? d * scale : makes_sense ? 0 : NO_NUMBER;
  g.front = (float)g.wide;
  g.shape = some && k < 1 ? k : 0;
  return g;
}

/*
** Returns whether v from normal number n is accepted, with u = (x + 1/2) /
** 2^32. -log(u) is more than 1 - u, which accepts most. For c below 1/27, where
** |w| < 1/4 because |n| < 6.8, the rest of the series is added by terms. Else
** it is computed directly, where 3 d is less than 250 and its error of 2^-23
** does not matter.
*/
RANDOM_FN int gamma_takes (float c, float d3, float n, uint32_t x, float *v) {
  const float w = c * n, root = 1 + w, w2 = w * w;
  float rest;
  if (c < 0.036f)
    rest = w2 * w2 * (0.250000831f + w * (-0.200001222f + w * (0.166428794f +
           w * (-0.142610764f + w * (0.134965209f + w * -0.120561690f)))));
  else
    rest = w - w2 * (0.5f - w * 0.333333333f) + minus_log_f32(root);
  const float limit = d3 * rest;
  const float less = (float)(int32_t)(~x >> 1) * 0x1p-31f;  /* 1 - u */
  *v = root * root * root;
  return root > 0 && (less > limit || minus_log_word(x) > limit);
}

/* Returns the number of v: directly, or the smaller shape's, by more words. */
RANDOM_FN float gamma_of (Words *w, const GammaF32 *g, float v) {
  uint32_t x[4];
  if (g->shape == 0)
    return g->front * v;
  next_words(w, x);
  return (float)(g->wide * v * exp_minus(minus_log_word(x[0]) / g->shape));
}

/* Four words make two tries. */
RANDOM_FN float draw_gamma_f32 (Words *w, const GammaF32 *g) {
  uint32_t x[4];
  float n[2], v;
  do {
    next_words(w, x);
    box_muller_f32(x[0], x[1], n);
  } while (!gamma_takes(g->slope, g->d3, n[0], x[2], &v) &&
           !gamma_takes(g->slope, g->d3, n[1], x[3], &v));
  return gamma_of(w, g, v);
}

/* A try at u^(1/a) / (u^(1/a) + v^(1/b)), which accepts u and v if the sum is
** at most 1: M. D. Joehnk, 1964. By logarithms: 'most' is the greater of the
** two terms. */
typedef struct BetaTry {
  double u, v, most, z;
} BetaTry;

RANDOM_FN int beta_try (const uint32_t words[4], double a, double b,
                        BetaTry *t) {
  t->u = random_log(over_0(words[0], words[1]));
  t->v = random_log(over_0(words[2], words[3]));
  const double x = t->u / a, y = t->v / b, most = x > y ? x : y;
  const double part = random_exp(x - most);
  const double sum = part + random_exp(y - most);
  t->most = most;
  t->z = part / sum;
  return (most + random_log(sum) <= 0) & (most >= -1e300);
}

/* a and b may be so small that both terms are below all floats. */
RANDOM_FN int next_beta (Words *w, double a, double b, double *z) {
  uint32_t words[4];
  BetaTry t;
  next_words(w, words);
  const int taken = beta_try(words, a, b, &t), lost = t.most < -1e300;
  const double greater = a > b ? a : b;
  *z = lost ? t.u * (b / greater) > t.v * (a / greater) : t.z;
  return taken | lost;
}

RANDOM_FN double beta_to_1 (Words *w, double a, double b) {
  double z;
  while (!next_beta(w, a, b, &z))
    continue;
  return z;
}

RANDOM_FN int is_beta (double a, double b) {
  return a > 0 && a < HUGE_VAL && b > 0 && b < HUGE_VAL;
}

/* By two gammas, if a or b is more than 1. */
RANDOM_FN double beta_of_f64 (double x, double y) { return 1 / (1 + y / x); }

RANDOM_FN double draw_beta (Words *w, double a, double b) {
  if (!is_beta(a, b))
    return NO_NUMBER;
  if (a <= 1 && b <= 1)
    return beta_to_1(w, a, b);
  const GammaF64 one = gamma_f64(a), other = gamma_f64(b);
  const double x = standard_gamma(w, &one);
  return beta_of_f64(x, standard_gamma(w, &other));
}

/* A beta number in float32. A common scale of both gammas does not change the
** quotient: one over the greater parameter keeps them within float32, and
** smaller numbers are as good as 0 beside the other one. */
typedef struct BetaF32 {
  double a, b;
  int by_gamma;
  GammaF32 of[2];
} BetaF32;

RANDOM_FN BetaF32 beta_f32 (double a, double b) {
  BetaF32 p;
  const double greater = a > b ? a : b;
  p.a = a;
  p.b = b;
  p.by_gamma = is_beta(a, b) && greater > 1;
  p.of[0] = gamma_f32(a, 1 / greater);
  p.of[1] = gamma_f32(b, 1 / greater);
  return p;
}

RANDOM_FN float beta_of (float x, float y) { return x / (x + y); }

RANDOM_FN float draw_beta_f32 (Words *w, const BetaF32 *p) {
  if (!p->by_gamma)
    return (float)draw_beta(w, p->a, p->b);
  const float x = draw_gamma_f32(w, &p->of[0]);
  return beta_of(x, draw_gamma_f32(w, &p->of[1]));
}

/*
** Logarithms of probabilities, which keep their digits for large numbers: C.
** Loader, "Fast and accurate computation of binomial probabilities", 2000. This
** is the error of Stirling's formula for log(n!), n > 0:
*/
RANDOM_FN double stirling_rest (double n) {
  static const double few[] = {
    0, 0.0810614667953272582196702, 0.0413406959554092940938221,
    0.02767792568499833914878929, 0.02079067210376509311152277,
    0.01664469118982119216319487, 0.01387612882307074799874573,
    0.01189670994589177009505572, 0.010411265261972096497478567,
    0.009255462182712732917728637, 0.008330563433362871256469318,
    0.007573675487951840794972024, 0.006942840107209529865664152,
    0.006408994188004207068439631, 0.005951370112758847735624416,
    0.005554733551962801371038690
  };
  const double m = 1 / (n * n);
  if (n < 16)
    return few[(int)n];
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 * m) *
                                                m) * m) * m) / n;
}

/* x log(x / m) + m - x: 0 if x is m. */
RANDOM_FN double deviance (double x, double m) {
  const double far = x - m;
  if (!(fabs(far) < 0.1 * (x + m)))
    return x * random_log(x / m) + m - x;
  const double v = far / (x + m);
  double sum = 0, power = 2 * x * v;
  for (int k = 3; k <= 21; k += 2) {
    power = power * (v * v);
    sum = sum + power * (1.0 / k);
  }
  return far * v + sum;
}

#define TWO_PI 6.28318530717958647693

RANDOM_FN double log_poisson (double k, double lam) {
  if (k == 0)
    return -lam;
  return -stirling_rest(k) - deviance(k, lam) - 0.5 * random_log(TWO_PI * k);
}

RANDOM_FN double log_binomial (double k, double n, double p) {
  const double q = 1 - p, rest = n - k;
  if (k == 0)
    return n * log_complement(p);
  if (rest == 0)
    return n * random_log(p);
  return stirling_rest(n) - stirling_rest(k) - stirling_rest(rest) -
         deviance(k, n * p) - deviance(rest, n * q) +
         0.5 * random_log(n / (TWO_PI * k) / rest);
}

/*
** Numbers of a mean below 10, by inversion: the probabilities from 0 on are
** added up until they pass u in [0, 1). The probability of k + 1 is that of k
** times rate / (k + 1), where the rate is lam (n is infinite) or odds * (n -
** k).
*/
typedef struct Inversion {
  double first, mean, odds, n;
} Inversion;

RANDOM_FN Inversion poisson_inversion (double lam) {
  const Inversion f = {random_exp(-lam), lam, 0, HUGE_VAL};
  return f;
}

/* For p <= 1/2. */
RANDOM_FN Inversion binomial_inversion (double n, double p) {
  const Inversion f = {random_exp(n * log_complement(p)), n * p, p / (1 - p),
                       n};
  return f;
}

RANDOM_FN double inversion_ratio (const Inversion *f, double k) {
  return (f->n < HUGE_VAL ? f->odds * (f->n - k) : f->mean) / (k + 1);
}

/* The sum ends in the tail, where rounding would count. */
RANDOM_FN int inversion_goes_on (const Inversion *f, double k, double p) {
  return k < f->n && (k < f->mean || p > 0x1p-60);
}

RANDOM_FN double draw_by_inversion (Words *w, const Inversion *f) {
  uint32_t x[4];
  next_words(w, x);
  const double u = UNIT_f64(x, 0);
  double p = f->first, sum = p, k = 0;
  while (u >= sum && inversion_goes_on(f, k, p)) {
    p = p * inversion_ratio(f, k);
    k = k + 1;
    sum = sum + p;
  }
  return k;
}

/* For a mean below 10, k + 1 is less probable than 2^-60 from k = 49 on. */
enum { INVERSION_SUMS = 64 };

/* Prepares the inversion of many u: z[k] holds inversion_ratio(k) before, and
** is the bound below which u gives k or less. The last one is more than any u.
*/
RANDOM_FN void inversion_sums (const Inversion *f, double z[INVERSION_SUMS]) {
  double p = f->first, sum = p;
  int k = 0;
  for (; k < INVERSION_SUMS - 1 && inversion_goes_on(f, k, p); k++) {
    p = p * z[k];
    z[k] = sum;
    sum = sum + p;
  }
  z[k] = 2;
}

/*
** All others: W. Hoermann, "The transformed rejection method for generating
** Poisson random variables", 1993, algorithm PTRS, with n infinite; and "The
** generation of binomial random variates", Journal of Statistical Computation
** and Simulation 46, 1993, algorithm BTRS. The struct has numbers derived from
** the parameters.
*/
typedef struct Transformed {
  double n, p, mean, half;    /* 'half': added before the mean is rounded
                                 down */
  double a, b, scale, sure;
  double likeliest;           /* logarithm of the mode's probability */
} Transformed;

RANDOM_FN Transformed poisson_transformed (double lam) {
  Transformed m;
  m.n = HUGE_VAL;
  m.p = 0;
  m.mean = lam;
  m.half = 0.43;
  m.b = 0.931 + 2.53 * sqrt(lam);
  m.a = -0.059 + 0.02483 * m.b;
  m.scale = 1.1239 + 1.1328 / (m.b - 3.4);
  m.sure = 0.9277 - 3.6224 / (m.b - 2);
  m.likeliest = 0;
  return m;
}

/* For n * p >= 10, p <= 1/2. */
RANDOM_FN Transformed binomial_transformed (double n, double p) {
  Transformed m;
  const double wide = sqrt(n * p * (1 - p));
  m.n = n;
  m.p = p;
  m.mean = n * p;
  m.half = 0.5;
  m.b = 1.15 + 2.53 * wide;
  m.a = -0.0873 + 0.0248 * m.b + 0.01 * p;
  m.scale = (2.83 + 5.1 / m.b) * wide;
  m.sure = 0.92 - 4.2 / m.b;
  m.likeliest = log_binomial(floor((n + 1) * p), n, p);
  return m;
}

/* A try is four words: k, accepted unless v is too great there. */
typedef struct TransformedTry {
  double us, v, k;
} TransformedTry;

RANDOM_FN TransformedTry next_transformed (Words *w, const Transformed *m) {
  uint32_t x[4];
  TransformedTry t;
  next_words(w, x);
  const double u = over_0(x[0], x[1]) - 0.5;
  t.v = over_0(x[2], x[3]);
  t.us = 0.5 - fabs(u);
  t.k = floor((2 * m->a / t.us + m->b) * u + m->mean + m->half);
  return t;
}

/* Returns whether k is surely accepted. About half of them are, at no cost. */
RANDOM_FN int transformed_sure (const Transformed *m, const TransformedTry *t) {
  return t->us >= 0.07 && t->v <= m->sure;
}

RANDOM_FN int transformed_late (const Transformed *m, const TransformedTry *t) {
  const int poisson = m->n == HUGE_VAL;
  if (!(t->k >= 0 && t->k <= m->n) ||
      (poisson && t->us < 0.013 && t->v > t->us))
    return 0;
  return random_log(t->v * m->scale / (m->a / (t->us * t->us) + m->b)) <=
         (poisson ? log_poisson(t->k, m->mean) :
                    log_binomial(t->k, m->n, m->p) - m->likeliest);
}

RANDOM_FN double draw_transformed (Words *w, const Transformed *m) {
  for (;;) {
    const TransformedTry t = next_transformed(w, m);
    if (transformed_sure(m, &t) || transformed_late(m, &t))
      return t.k;
  }
}

RANDOM_FN int is_lam (double lam) { return lam >= 0 && lam <= 0x1p62; }

RANDOM_FN int64_t draw_poisson (Words *w, double lam) {
  if (!is_lam(lam))
    return -1;
  if (lam < 10) {
    const Inversion f = poisson_inversion(lam);
    return (int64_t)draw_by_inversion(w, &f);
  }
  const Transformed m = poisson_transformed(lam);
  return (int64_t)draw_transformed(w, &m);
}

RANDOM_FN int is_binomial (double n, double p) {
  return n >= 0 && n <= 0x1p53 && p >= 0 && p <= 1;
}

/* For p > 1/2 the failures are drawn. */
RANDOM_FN double lesser_p (double p) { return p > 0.5 ? 1 - p : p; }

RANDOM_FN int64_t draw_binomial (Words *w, double n, double p) {
  if (!is_binomial(n, p))
    return -1;
  const double less = lesser_p(p);
  double k;
  if (n * less < 10) {
    const Inversion f = binomial_inversion(n, less);
    k = draw_by_inversion(w, &f);
  } else {
    const Transformed m = binomial_transformed(n, less);
    k = draw_transformed(w, &m);
  }
  return (int64_t)(p > 0.5 ? n - k : k);
}

#endif

/*
** fft_plan.c - plans of Fourier transforms, and the cache of them that all
** threads of the process share.
**
** DESIGN. A kernel opens the plan when it runs, so that no graph and no queued
** operation holds one. Plans that no kernel uses are freed, the longest unused
** first, while all plans together are larger than FFT_CACHE.
**
** All roots of unity are computed in double from an angle of an eighth of the
** circle at most, which an integer fraction reduces exactly, and then rounded.
** So the error of a transform of n elements grows as the logarithm of n.
*/
#include "fft_plan.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Overridable: bytes of plans to keep, besides the latest one. */
#if !defined(FFT_CACHE)
#define FFT_CACHE ((size_t)64 << 20)
#endif

static struct {
  pthread_mutex_t lock;
  FftPlan *first; /* the latest used */
  size_t bytes;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* {== roots of unity ================================================== */

/* exp(-2 pi i k / n) */
static void root (size_t k, size_t n, double *re, double *im) {
  k %= n;
  bool below = (k > n - k);
  if (below)
    k = n - k; /* up to half the circle */
  bool left = (4 * k > n);
  double part = left ? (double)(n - 2 * k) / 2 : (double)k; /* to a quarter */
  if (left && (n & 1) == 0)
    part = (double)(n / 2 - k);
  const bool steep = (8 * part > (double)n);
  double rest = steep ? ((double)n - 4 * part) / 4 : part;
  const double angle = 2 * 3.14159265358979323846 * rest / (double)n;
  double c = steep ? sin(angle) : cos(angle);
  double s = steep ? cos(angle) : sin(angle);
  *re = left ? -c : c;
  *im = below ? s : -s;
}

typedef struct Filler {
  char *at; /* the next table; NULL: they are only measured */
  size_t bytes, size;
} Filler;

/* Sets 'table' to room for n numbers. */
static void take (Filler *f, FftTable *table, size_t n) {
  size_t half = (n * f->size + 63) / 64 * 64;
  if (f->at != NULL) {
    table->re = f->at + f->bytes;
    table->im = f->at + f->bytes + half;
  }
  f->bytes += 2 * half;
}

static void store (const Filler *f, const FftTable *table, size_t i, double re,
                   double im) {
  if (f->size == sizeof(float)) {
    ((float *)(uintptr_t)table->re)[i] = (float)re;
    ((float *)(uintptr_t)table->im)[i] = (float)im;
  } else {
    ((double *)(uintptr_t)table->re)[i] = re;
    ((double *)(uintptr_t)table->im)[i] = im;
  }
}

static void store_root (const Filler *f, const FftTable *table, size_t i,
                        size_t k, size_t n) {
  double re, im;
  root(k, n, &re, &im);
  store(f, table, i, re, im);
}

static void fill_roots (Filler *f, FftTable *table, size_t count, size_t n) {
  take(f, table, count);
  for (size_t k = 0; k < count && f->at != NULL; k++)
    store_root(f, table, k, k, n);
}

static void fill_twists (Filler *f, FftStage *s) {
  take(f, &s->twists, s->r * s->l);
  for (size_t k = 0; k < s->r && f->at != NULL; k++)
    for (size_t p = 0; p < s->l; p++)
      store_root(f, &s->twists, k * s->l + p, p * k, s->r * s->l);
}

/* ==} */

/* {== stages ========================================================== */

/* Factors 4 come first, because they take the fewest operations. */
static void find_factors (FftStage *s) {
  int count = 0;
  size_t r = s->r;
  for (; r % 4 == 0; r /= 4)
    s->factor[count++] = 4;
  for (unsigned char f = 2; r > 1; f++)
    for (; r % f == 0; r /= f)
      s->factor[count++] = f;
}

/* Adds the passes of a transform at 'stage'. */
static FftStage *add_passes (Filler *f, const FftShape *shape,
                             FftStage *stage) {
  size_t done = 1;
  for (int i = 0; i < shape->npasses; i++, stage++) {
    stage->what = FFT_PASS;
    stage->r = shape->radix[i];
    stage->s = done;
    stage->l = shape->m / done / stage->r;
    stage->first = (i == 0);
    stage->last = (i == shape->npasses - 1);
    done *= stage->r;
    find_factors(stage);
    fill_roots(f, &stage->roots, stage->r, stage->r);
    if (stage->l > 1)
      fill_twists(f, stage);
  }
  return stage;
}

/* The chirp exp(-pi i j^2 / n), j < n, of Bluestein's algorithm, and 0 up to
** m. */
static void fill_chirp (Filler *f, FftTable *chirp, size_t n, size_t m) {
  take(f, chirp, m);
  for (size_t j = 0, k = 0; j < n && f->at != NULL; j++) {
    store_root(f, chirp, j, k, 2 * n);
    k = (k + 2 * j + 1) % (2 * n); /* (j + 1)^2 */
  }
  for (size_t j = n; j < m && f->at != NULL; j++)
    store(f, chirp, j, 0, 0);
}

/* Sets 'table' to the transform of the conjugated chirp, divided by m. */
static bool fill_kernel (Filler *f, FftTable *table, size_t n, size_t m) {
  take(f, table, m);
  if (f->at == NULL)
    return true;
  const FftPlan *plan = fft_plan_open(m, 0, sizeof(double));
  double *b = calloc(2 * m, sizeof *b);
  bool done = (plan != NULL && b != NULL);
  for (size_t j = 0, k = 0; j < n && done; j++) {
    root(k, 2 * n, &b[2 * j], &b[2 * j + 1]);
    b[2 * j + 1] = -b[2 * j + 1];
    if (j > 0)
      memcpy(&b[2 * (m - j)], &b[2 * j], 2 * sizeof *b);
    k = (k + 2 * j + 1) % (2 * n);
  }
  done = done && fft_plan_transform(plan, b);
  for (size_t k = 0; k < m && done; k++)
    store(f, table, k, b[2 * k] / (double)m, b[2 * k + 1] / (double)m);
  free(b);
  if (plan != NULL)
    fft_plan_close(plan);
  return done;
}

/* Adds the passes of a convolution with the chirp. The second transform is
** inverse, as re and im are swapped before it and after it. */
static bool add_convolution (Filler *f, FftPlan *p, FftStage **stage) {
  const FftShape *shape = &p->shape;
  FftStage *first = *stage;
  FftStage *second = add_passes(f, shape, first);
  FftStage *end = second + shape->npasses;
  memcpy(second, first, (size_t)shape->npasses * sizeof *first);
  fill_chirp(f, &first->before, shape->inner, shape->m);
  second[-1].turned_after = true;
  end[-1].turned = true;
  end[-1].after = first->before;
  *stage = end;
  return fill_kernel(f, &second[-1].after, shape->inner, shape->m);
}

/* Adds the stages and their tables; only measures the tables where f->at is
** NULL. */
static bool fill (Filler *f, FftPlan *p) {
  FftStage *stage = p->stage;
  bool joins = p->shape.halved && (p->kind & FFT_REAL_OUT) != 0;
  bool splits = p->shape.halved && !joins, done = true;
  FftStage *other = &p->stage[p->shape.nstages - 1];
  if (joins)
    other = stage++;
  FftStage *opens = stage;
  if (p->shape.convolved)
    done = add_convolution(f, p, &stage);
  else
    stage = add_passes(f, &p->shape, stage);
  opens->opens = stage[-1].closes = true;
  if (joins || splits) {
    other->what = joins ? FFT_JOIN : FFT_SPLIT;
    fill_roots(f, &other->roots, p->shape.inner / 2 + 1, p->shape.n);
  }
  return done;
}

/* Makes a plan. */
static FftPlan *build (size_t n, int kind, size_t size) {
  FftPlan head = {.kind = kind, .size = size, .users = 1};
  if (!fft_shape(&head.shape, n, kind))
    return NULL;
  FftPlan scratch = head;
  Filler f = {.size = size};
  fill(&f, &scratch);
  head.bytes = sizeof head + f.bytes + 64;
  FftPlan *p = malloc(head.bytes);
  if (p == NULL)
    return NULL;
  *p = head;
  f.at = (char *)(((uintptr_t)(p + 1) + 63) & ~(uintptr_t)63);
  f.bytes = 0;
  if (fill(&f, p))
    return p;
  free(p);
  return NULL;
}

/* ==} */

/* {== the cache ======================================================= */

/* Returns a plan of the cache with one more user, or NULL. Under the lock. */
static FftPlan *find (size_t n, int kind, size_t size) {
  for (FftPlan **at = &cache.first, *p; (p = *at) != NULL; at = &p->next)
    if (p->shape.n == n && p->kind == kind && p->size == size) {
      *at = p->next;
      p->next = cache.first;
      cache.first = p;
      p->users++;
      return p;
    }
  return NULL;
}

/* Frees the plan that was used longest ago and has no user, but not the latest
** one, which the next stage or part of a transform uses again. */
static bool free_oldest (void) {
  FftPlan **oldest = NULL;
  if (cache.first == NULL)
    return false;
  for (FftPlan **at = &cache.first->next; *at != NULL; at = &(*at)->next)
    if ((*at)->users == 0)
      oldest = at;
  if (oldest == NULL)
    return false;
  FftPlan *p = *oldest;
  *oldest = p->next;
  cache.bytes -= p->bytes;
  free(p);
  return true;
}

static void trim (void) {
  while (cache.bytes > FFT_CACHE && free_oldest())
    ;
}

/* Returns the kind of which there is a plan: the direction changes no table,
** nor do real lines that are not halved. */
static int table_kind (size_t n, int kind) {
  return (n % 2 != 0)                 ? 0
         : (kind & FFT_REAL_OUT) != 0 ? FFT_REAL_OUT
                                      : kind & FFT_HALF;
}

/* Another thread may make the same plan meanwhile. */
const FftPlan *fft_plan_open (size_t n, int kind, size_t size) {
  kind = table_kind(n, kind);
  pthread_mutex_lock(&cache.lock);
  FftPlan *p = find(n, kind, size);
  pthread_mutex_unlock(&cache.lock);
  if (p != NULL)
    return p;
  FftPlan *built = build(n, kind, size);
  if (built == NULL)
    return NULL;
  pthread_mutex_lock(&cache.lock);
  p = find(n, kind, size);
  if (p == NULL) {
    p = built;
    p->next = cache.first;
    cache.first = p;
    cache.bytes += p->bytes;
    trim();
  }
  pthread_mutex_unlock(&cache.lock);
  if (p != built)
    free(built);
  return p;
}

void fft_plan_close (const FftPlan *plan) {
  pthread_mutex_lock(&cache.lock);
  ((FftPlan *)(uintptr_t)plan)->users--;
  trim();
  pthread_mutex_unlock(&cache.lock);
}

/* ==} */

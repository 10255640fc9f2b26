/*
** lapack.c - the host kernels of tide.linalg: a routine of LAPACK for each
** matrix of a batch. LAPACK is part of OpenBLAS; with another BLAS it is looked
** for under its own name. Without it lapack_own.c does the same.
**
** All arguments of a Fortran routine are pointers, except for the lengths of
** strings behind them. So one call does for the routine of every type.
*/
#include "lapack_host.h"

#include <dlfcn.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "host_kernels.h"
#include "kernels/ops.h"

/* {== the library ===================================================== */

typedef void Routine (void);

enum { TYPES = 4 };

static struct {
  pthread_once_t once;
  const char *name; /* NULL: there is none */
  Routine *routine[TYPES][LAPACK_ROUTINES];
} lapack = {.once = PTHREAD_ONCE_INIT};

static const DType types[TYPES] = {DTYPE_FLOAT32, DTYPE_FLOAT64,
                                   DTYPE_COMPLEX64, DTYPE_COMPLEX128};

static int index_of (DType t) {
  int i = 0;
  while (types[i] != t)
    i++;
  return i;
}

static bool take (void *lib, const char *name) {
  char symbol[16];
  for (int t = 0; t < TYPES; t++)
    for (int i = 0; i < LAPACK_ROUTINES; i++) {
      snprintf(symbol, sizeof symbol, "%c%s_", lapack_letter(types[t]),
               lapack_names[i][lapack_is_complex(types[t])]);
      void *address = dlsym(lib, symbol);
      if (address == NULL)
        return false;
      memcpy(&lapack.routine[t][i], &address, sizeof address);
    }
  lapack.name = name;
  return true;
}

static void find (void) {
  const char *chosen = getenv("TIDE_BLAS"), *own = "liblapack.so.3";
  if (blas_find() && take(blas_library(), blas_name()))
    return;
  if ((chosen != NULL && strcmp(chosen, "none") == 0) || !blas_has_room())
    return;
  void *lib = dlopen(own, RTLD_NOW | RTLD_LOCAL);
  if (lib != NULL && !take(lib, own))
    dlclose(lib);
}

const char *lapack_host_name (void) {
  pthread_once(&lapack.once, find);
  return lapack.name;
}

/* ==} */

/* {== calls =========================================================== */

/* The parts of the workspace of one call. */
typedef struct Space {
  int *integers;
  void *reals, *own; /* 'own': of the routine's type, */
  int length;        /* so many; -1: how many is asked for */
} Space;

typedef const void *P;

static const int asks = -1;

/* Returns the numbers of integers and of real numbers that a routine needs
** besides its own workspace. */
static void measure (const LapackJob *j, size_t *integers, size_t *reals) {
  const size_t m = j->m, n = j->n;
  const bool is_complex = lapack_is_complex(j->t);
  *integers = *reals = 0;
  if (j->routine == LAPACK_gesdd) {
    *integers = 8 * n;
    *reals = !is_complex ? 0 : 5 * n * n + 2 * m * n + 7 * n;
  } else if (j->routine == LAPACK_syevd) {
    *integers = 3 + 5 * n;
    *reals = !is_complex ? 0 : 1 + 5 * n + 2 * n * n;
  } else if (j->routine == LAPACK_geev) {
    *reals = 2 * n + (is_complex ? 0 : n * n);
  }
}

/* The parts of a matrix's decomposition that a flag asks for. */
static const char *jobz_of (size_t flag) {
  return flag == 0 ? "N" : flag == 1 ? "S" : "A";
}

/* Makes complex vectors of those of a real matrix, where a conjugate pair has
** two columns: the real and the imaginary parts. */
#define UNPACK(T) \
  static void unpack_##T(size_t n, const T *parts, T *w, T *v) { \
    const T *re = parts, *im = parts + n, *from = parts + 2 * n; \
    for (size_t j = 0; j < n; j++) { \
      const size_t pair = im[j] < 0 ? j - 1 : j; \
      const T sign = (T)(im[j] > 0 ? 1 : im[j] < 0 ? -1 : 0); \
      w[2 * j] = re[j]; \
      w[2 * j + 1] = im[j]; \
      for (size_t i = 0; i < n && v != NULL; i++) { \
        T *z = v + 2 * (j * n + i); \
        z[0] = from[pair * n + i]; \
        z[1] = (sign == 0) ? 0 : sign * from[(pair + 1) * n + i]; \
      } \
    } \
  }
UNPACK(float)
UNPACK(double)

static int geev (Routine *f, const LapackCall *c, const Space *s) {
  const int n = (int)c->job->n, one = 1;
  const char *job = c->job->flag != 0 ? "V" : "N";
  const bool single = (c->job->t == DTYPE_FLOAT32);
  const size_t real = single ? sizeof(float) : sizeof(double);
  char *w = s->reals;
  int info = 0;
  if (lapack_is_complex(c->job->t)) {
    ((void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P, size_t,
               size_t))f)("N", job, &n, c->at[0], &n, c->at[1], NULL, &one,
                          c->at[2], &n, s->own, &s->length, s->reals, &info, 1,
                          1);
    return info;
  }
  char *im = w + c->job->n * real, *v = im + c->job->n * real;
  ((void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P, size_t,
             size_t))f)("N", job, &n, c->at[0], &n, w, im, NULL, &one, v, &n,
                        s->own, &s->length, &info, 1, 1);
  void *vectors = c->job->flag != 0 ? c->at[2] : NULL;
  if (s->length != asks && single)
    unpack_float(c->job->n, s->reals, c->at[1], vectors);
  else if (s->length != asks)
    unpack_double(c->job->n, s->reals, c->at[1], vectors);
  return info;
}

static int gesdd (Routine *f, const LapackCall *c, const Space *s) {
  const int m = (int)c->job->m, n = (int)c->job->n;
  const char *job = jobz_of(c->job->flag);
  int info = 0;
  if (lapack_is_complex(c->job->t))
    ((void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
               size_t))f)(job, &m, &n, c->at[0], &m, c->at[1], c->at[2], &m,
                          c->at[3], &n, s->own, &s->length, s->reals,
                          s->integers, &info, 1);
  else
    ((void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, P,
               size_t))f)(job, &m, &n, c->at[0], &m, c->at[1], c->at[2], &m,
                          c->at[3], &n, s->own, &s->length, s->integers, &info,
                          1);
  return info;
}

static int syevd (Routine *f, const LapackCall *c, const Space *s) {
  const int n = (int)c->job->n;
  const char *job = c->job->flag != 0 ? "V" : "N";
  size_t integers, reals;
  measure(c->job, &integers, &reals);
  const int ni = s->length == asks ? asks : (int)integers,
            nr = s->length == asks ? asks : (int)reals;
  int info = 0;
  if (lapack_is_complex(c->job->t))
    ((void (*)(P, P, P, P, P, P, P, P, P, P, P, P, P, size_t,
               size_t))f)(job, "U", &n, c->at[0], &n, c->at[1], s->own,
                          &s->length, s->reals, &nr, s->integers, &ni, &info, 1,
                          1);
  else
    ((void (*)(P, P, P, P, P, P, P, P, P, P, P, size_t,
               size_t))f)(job, "U", &n, c->at[0], &n, c->at[1], s->own,
                          &s->length, s->integers, &ni, &info, 1, 1);
  return info;
}

static int run (const LapackCall *c, const Space *s) {
  const LapackJob *j = c->job;
  Routine *f = lapack.routine[index_of(j->t)][j->routine];
  const int m = (int)j->m, n = (int)j->n, k = (int)j->k;
  void *a = c->at[0], *b = c->at[1];
  int info = 0;
  switch (j->routine) {
    case LAPACK_potrf:
      ((void (*)(P, P, P, P, P, size_t))f)("L", &n, a, &n, &info, 1);
      break;
    case LAPACK_getrf:
      ((void (*)(P, P, P, P, P, P))f)(&m, &n, a, &m, b, &info);
      break;
    case LAPACK_getrs:
      ((void (*)(P, P, P, P, P, P, P, P, P, size_t))f)(j->flag != 0 ? "T" : "N",
                                                       &n, &k, a, &n, b,
                                                       c->at[2], &n, &info, 1);
      break;
    case LAPACK_geqrf:
      ((void (*)(P, P, P, P, P, P, P, P))f)(&m, &n, a, &m, b, s->own,
                                            &s->length, &info);
      break;
    case LAPACK_orgqr:
      ((void (*)(P, P, P, P, P, P, P, P, P))f)(&m, &n, &k, a, &m, b, s->own,
                                               &s->length, &info);
      break;
    case LAPACK_gesdd: return gesdd(f, c, s);
    case LAPACK_syevd: return syevd(f, c, s);
    case LAPACK_geev: return geev(f, c, s);
    case LAPACK_ROUTINES: break;
  }
  return info;
}

static size_t round_up (size_t bytes) { return (bytes + 15) / 16 * 16; }

/* Finds the bytes before the real numbers of a workspace, and before the
** routine's own. */
static void find_parts (const LapackJob *j, size_t *reals, size_t *own) {
  const bool wide = (j->t == DTYPE_FLOAT64 || j->t == DTYPE_COMPLEX128);
  size_t nintegers, nreals;
  measure(j, &nintegers, &nreals);
  *reals = round_up(nintegers * sizeof(int));
  *own = *reals + round_up(nreals * (wide ? sizeof(double) : sizeof(float)));
}

static Space divide (const LapackCall *c) {
  size_t reals, own;
  find_parts(c->job, &reals, &own);
  size_t length = (c->bytes - own) / dtype_size(c->job->t);
  return (Space){(int *)c->work, c->work + reals, c->work + own,
                 length > INT_MAX ? INT_MAX : (int)length};
}

/* Asks a routine for the length of its own workspace. */
static size_t length_of (const LapackJob *j) {
  double best[2] = {0, 0}, none[2];
  float single;
  int integer;
  LapackCall c = {.job = j, .at = {none, none, none, none}};
  Space s = {&integer, none, best, asks};
  if (j->routine <= LAPACK_getrs)
    return 0;
  run(&c, &s);
  memcpy(&single, best, sizeof single);
  bool wide = (j->t == DTYPE_FLOAT64 || j->t == DTYPE_COMPLEX128);
  return (size_t)(wide ? best[0] : (double)single * (1 + 1e-6)) + 1;
}

/* Whole numbers of 16 bytes, so that each room begins with one. */
size_t lapack_host_bytes (const LapackJob *j) {
  size_t reals, own;
  if (lapack_host_name() == NULL)
    return lapack_host_own_bytes(j);
  find_parts(j, &reals, &own);
  return round_up(own + length_of(j) * dtype_size(j->t));
}

/* ==} */

/* Tells whether a routine may never end for NaN. */
static bool iterates (LapackRoutine r) {
  return r == LAPACK_gesdd || r == LAPACK_syevd || r == LAPACK_geev;
}

/* Tells whether 'n' real numbers are finite. */
static bool are_finite (bool single, const void *a, size_t n) {
  const float *x = a;
  const double *y = a;
  bool finite = true;
  for (size_t i = 0; i < n && single; i++)
    finite &= fabsf(x[i]) <= FLT_MAX;
  for (size_t i = 0; i < n && !single; i++)
    finite &= fabs(y[i]) <= DBL_MAX;
  return finite;
}

/* Tells whether all that a routine reads of a matrix is finite. Square ones
** have no m. syevd reads an upper triangle, and of its diagonal real parts. */
static bool is_finite (const LapackJob *j, const char *a) {
  const size_t each = lapack_is_complex(j->t) ? 2 : 1, n = j->n;
  const bool single = (j->t == DTYPE_FLOAT32 || j->t == DTYPE_COMPLEX64);
  const size_t step = n * dtype_size(j->t);
  bool finite = true;
  if (j->routine != LAPACK_syevd)
    return are_finite(single, a, n * each * (j->m > 0 ? j->m : n));
  for (size_t i = 0; i < n && finite; i++)
    finite = are_finite(single, a + i * step, i * each + 1);
  return finite;
}

/* Runs a job for matrices 'first' up to 'last' of the batch. */
static void run_some (LapackCall *c, int32_t *info, size_t first, size_t last) {
  const LapackJob *j = c->job;
  const bool own = (lapack_host_name() == NULL);
  const Space space = (own || c->work == NULL) ? (Space){0} : divide(c);
  size_t steps[LAPACK_OPERANDS];
  for (int i = 0; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(j, i);
    steps[i] = o.elements * dtype_size(o.t);
    if (c->at[i] != NULL)
      c->at[i] = (char *)c->at[i] + first * steps[i];
  }
  for (size_t b = first; b < last; b++) {
    if (iterates(j->routine) && !is_finite(j, c->at[0]))
      info[b] = 1;
    else
      info[b] = own ? lapack_host_run_own(c) : run(c, &space);
    for (int i = 0; i < LAPACK_OPERANDS; i++)
      if (c->at[i] != NULL)
        c->at[i] = (char *)c->at[i] + steps[i];
  }
}

/* Divides a batch into as many runs as there are rooms for workspace, which are
** the units of the launch. */
static void run_batch (DType t, void **params, const unsigned block[3]) {
  PARAM(4, int32_t *, info);
  PARAM(5, char *, work);
  size_t sizes[8];
  for (int i = 0; i < 8; i++)
    memcpy(&sizes[i], params[6 + i], sizeof *sizes);
  const LapackJob job = {(LapackRoutine)sizes[0],
                         t,
                         sizes[1],
                         sizes[2],
                         sizes[3],
                         sizes[4],
                         sizes[5]};
  const size_t bytes = sizes[6], rooms = sizes[7];
  SPAN(rooms);
  for (size_t room = first; room < last; room++) {
    LapackCall c = {.job = &job, .bytes = bytes};
    if (bytes > 0) /* else there is no workspace */
      c.work = work + room * bytes;
    for (int i = 0; i < LAPACK_OPERANDS; i++)
      memcpy(&c.at[i], params[i], sizeof c.at[i]);
    run_some(&c, info, job.batches * room / rooms,
             job.batches * (room + 1) / rooms);
  }
}

#define LAPACK(s, t) \
  HOST_KERNEL(lapack_##s) { \
    (void)grid; \
    run_batch(t, params, block); \
  }
LAPACK(f32, DTYPE_FLOAT32)
LAPACK(f64, DTYPE_FLOAT64)
LAPACK(c64, DTYPE_COMPLEX64)
LAPACK(c128, DTYPE_COMPLEX128)

/* Reports the first matrix of a batch whose job failed, counted from 1, in the
** high half of the word, and its 'info' in the low half. */
HOST_KERNEL(lapack_info) {
  PARAM(0, const int32_t *, info);
  PARAM(1, int64_t *, word);
  PARAM(2, size_t, n);
  (void)grid, (void)block;
  for (size_t i = 0; i < n; i++)
    if (info[i] != 0) {
      report_index(word, (int64_t)((i + 1) << 32 | (uint32_t)info[i]));
      return;
    }
}

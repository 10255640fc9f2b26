/*
** lapack_own.c - the routines of lapack.def without LAPACK: plain loops, in
** float64 and complex128. Matrices of other types are converted before and
** after.
*/
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lapack_host.h"

#define FN static

#define W double
#define R double
#define EPSILON DBL_EPSILON
#define NAME(f) f##_real
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) ((void)(x), 0.0)
#define ABS(x) fabs(x)
#define PHASE(x, size) ((x) < 0 ? -1.0 : 1.0)
#include "kernels/lapack_loops.h"

#define W double _Complex
#define R double
#define EPSILON DBL_EPSILON
#define NAME(f) f##_complex
#define CONJ(x) conj(x)
#define REAL(x) creal(x)
#define IMAG(x) cimag(x)
#define ABS(x) cabs(x)
#define PHASE(x, size) ((x) / (size))
#include "kernels/lapack_loops.h"

/* {== conversions ===================================================== */

/* Converts n elements to an arithmetic of W, and back. */
#define LOAD(W, T, name) \
  static void load_##name(W *to, const T *from, size_t n) { \
    for (size_t i = 0; i < n; i++) \
      to[i] = (W)from[i]; \
  }
#define STORE(W, T, name) \
  static void store_##name(T *to, const W *from, size_t n) { \
    for (size_t i = 0; i < n; i++) \
      to[i] = (T)from[i]; \
  }
#define BOTH(W, T, name) LOAD(W, T, name) STORE(W, T, name)
BOTH(double, float, s)
BOTH(double, double, d)
BOTH(double _Complex, float _Complex, c)
BOTH(double _Complex, double _Complex, z)
LOAD(double _Complex, float, sc)
LOAD(double _Complex, double, dz)

static void load (void *to, const void *from, DType t, size_t n) {
  switch (t) {
    case DTYPE_FLOAT32: load_s(to, from, n); break;
    case DTYPE_FLOAT64: load_d(to, from, n); break;
    case DTYPE_COMPLEX64: load_c(to, from, n); break;
    default: load_z(to, from, n); break;
  }
}

static void store (void *to, const void *from, DType t, size_t n) {
  switch (t) {
    case DTYPE_FLOAT32: store_s(to, from, n); break;
    case DTYPE_FLOAT64: store_d(to, from, n); break;
    case DTYPE_COMPLEX64: store_c(to, from, n); break;
    default: store_z(to, from, n); break;
  }
}

/* ==} */

size_t lapack_host_own_bytes (const LapackJob *j) {
  size_t elements = lapack_work(j);
  for (int i = 0; i < LAPACK_OPERANDS; i++)
    elements += lapack_operand(j, i).elements;
  return elements * sizeof(double _Complex);
}

/* Eigenvalues are computed in complex numbers. */
static int find_eigenvalues (const LapackCall *c, double _Complex *at[]) {
  const LapackJob *j = c->job;
  const size_t n = j->n;
  if (j->t == DTYPE_FLOAT32)
    load_sc(at[0], c->at[0], n * n);
  else if (j->t == DTYPE_FLOAT64)
    load_dz(at[0], c->at[0], n * n);
  else
    load(at[0], c->at[0], j->t, n * n);
  int info = lapack_host_eigenvalues(at[0], n, at[4], at[1],
                                     j->flag != 0 ? at[2] : NULL);
  for (int i = 1; i < 3; i++) {
    const LapackOperand o = lapack_operand(j, i);
    store(c->at[i], at[i], o.t, o.elements);
  }
  return info;
}

int lapack_host_run_own (const LapackCall *c) {
  const LapackJob *j = c->job;
  void *at[LAPACK_OPERANDS + 1];
  double _Complex *work = (double _Complex *)c->work;
  int info;
  for (int i = 0; i <= LAPACK_OPERANDS; i++) {
    at[i] = work;
    if (i < LAPACK_OPERANDS)
      work += lapack_operand(j, i).elements;
  }
  if (j->routine == LAPACK_geev)
    return find_eigenvalues(c, (double _Complex **)at);
  for (int i = 0; i < LAPACK_OPERANDS; i++) {
    const LapackOperand a = lapack_operand(j, i);
    if ((a.access == 'r' || a.access == 'x') && a.t == j->t)
      load(at[i], c->at[i], a.t, a.elements);
  }
#define RUN(kind) \
  do { \
    const Job_##kind o = {j->m, j->n, j->k, j->flag, c->at[1], at[1]}; \
    info = run_##kind(j->routine, &o, at[0], at[1], at[2], at[3], at[4]); \
  } while (0)
  if (lapack_is_complex(j->t))
    RUN(complex);
  else
    RUN(real);
#undef RUN
  for (int i = 0; i < LAPACK_OPERANDS; i++) {
    const LapackOperand a = lapack_operand(j, i);
    if ((a.access == 'w' || a.access == 'x') && a.t != DTYPE_INT32)
      store(c->at[i], at[i], a.t, a.elements);
  }
  return info;
}

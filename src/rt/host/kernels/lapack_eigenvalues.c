/*
** lapack_eigenvalues.c - eigenvalues and eigenvectors of any matrix, without
** LAPACK: reflections make it a Hessenberg matrix, and rotations with shifts
** (the QR algorithm) a triangular one. Matrices are stored by columns.
*/
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lapack_host.h"

typedef double _Complex C;

enum { TRIES = 300 }; /* for each eigenvalue */

/* A = Z T Z^H: T replaces the matrix. */
typedef struct Schur {
  C *a, *z; /* z: NULL if not wanted */
  size_t n;
} Schur;

#define AT(a, i, j) ((a)[(j)*n + (i)])

/* {== Hessenberg ====================================================== */

/* Multiplies m by I - tau v v^H from the right; v has elements from k on. */
static void reflect_columns (C *m, size_t n, const C *v, double tau, size_t k) {
  for (size_t i = 0; i < n; i++) {
    C sum = 0;
    for (size_t j = k; j < n; j++)
      sum += AT(m, i, j) * v[j];
    for (size_t j = k; j < n; j++)
      AT(m, i, j) -= tau * sum * conj(v[j]);
  }
}

static void reflect_rows (C *m, size_t n, const C *v, double tau, size_t k) {
  for (size_t j = 0; j < n; j++) {
    C sum = 0;
    for (size_t i = k; i < n; i++)
      sum += conj(v[i]) * AT(m, i, j);
    for (size_t i = k; i < n; i++)
      AT(m, i, j) -= tau * v[i] * sum;
  }
}

/* Clears column k below the place under the diagonal. 'v' is workspace. */
static void clear_column (const Schur *s, size_t k, C *v) {
  const size_t n = s->n;
  double most = 0, squares = 0, size;
  for (size_t i = k + 1; i < n; i++)
    most = fmax(most, cabs(AT(s->a, i, k)));
  if (most == 0)
    return;
  for (size_t i = k + 1; i < n; i++) {
    v[i] = AT(s->a, i, k) / most;
    squares += creal(v[i] * conj(v[i]));
  }
  size = cabs(v[k + 1]);
  v[k + 1] += size > 0 ? v[k + 1] / size * sqrt(squares) : sqrt(squares);
  squares = 0;
  for (size_t i = k + 1; i < n; i++)
    squares += creal(v[i] * conj(v[i]));
  reflect_rows(s->a, n, v, 2 / squares, k + 1);
  reflect_columns(s->a, n, v, 2 / squares, k + 1);
  if (s->z != NULL)
    reflect_columns(s->z, n, v, 2 / squares, k + 1);
  for (size_t i = k + 2; i < n; i++)
    AT(s->a, i, k) = 0;
}

/* ==} */

/* {== QR algorithm ==================================================== */

/* Rotates rows k and k + 1, from column 'from' on, so that the element of the
** second in column 'at' is 0. */
static void rotate_rows (const Schur *s, size_t k, size_t from, C *c, C *t) {
  const size_t n = s->n;
  const C x = AT(s->a, k, from), y = AT(s->a, k + 1, from);
  const double size = hypot(cabs(x), cabs(y));
  *c = size > 0 ? x / size : 1;
  *t = size > 0 ? y / size : 0;
  for (size_t j = from; j < n; j++) {
    const C p = AT(s->a, k, j), q = AT(s->a, k + 1, j);
    AT(s->a, k, j) = conj(*c) * p + conj(*t) * q;
    AT(s->a, k + 1, j) = *c * q - *t * p;
  }
}

/* Applies the rotation to columns k and k + 1, down to row 'last'. */
static void rotate_columns (C *m, size_t n, size_t k, size_t last, C c, C t) {
  for (size_t i = 0; i <= last; i++) {
    const C p = AT(m, i, k), q = AT(m, i, k + 1);
    AT(m, i, k) = c * p + t * q;
    AT(m, i, k + 1) = conj(c) * q - conj(t) * p;
  }
}

/* The eigenvalue of the last two rows and columns up to 'hi' that is nearer to
** the last element; every tenth try takes another shift. */
static C find_shift (const Schur *s, size_t hi, int tries) {
  const size_t n = s->n;
  const C a = AT(s->a, hi - 1, hi - 1), b = AT(s->a, hi - 1, hi),
          c = AT(s->a, hi, hi - 1), d = AT(s->a, hi, hi);
  if (tries % 10 == 9)
    return d + cabs(c);
  const C half = (a - d) / 2, root = csqrt(half * half + b * c);
  const C more = half + root, less = half - root;
  const C far = cabs(more) > cabs(less) ? more : less;
  return far == 0 ? d : d - b * c / far;
}

/* One step on rows and columns lo to hi. */
static void step (const Schur *s, size_t lo, size_t hi, C shift, C *turns) {
  const size_t n = s->n;
  for (size_t i = lo; i <= hi; i++)
    AT(s->a, i, i) -= shift;
  for (size_t k = lo; k < hi; k++)
    rotate_rows(s, k, k, &turns[2 * k], &turns[2 * k + 1]);
  for (size_t k = lo; k < hi; k++) {
    const size_t last = k + 1;
    rotate_columns(s->a, n, k, last, turns[2 * k], turns[2 * k + 1]);
    if (s->z != NULL)
      rotate_columns(s->z, n, k, n - 1, turns[2 * k], turns[2 * k + 1]);
  }
  for (size_t i = lo; i <= hi; i++)
    AT(s->a, i, i) += shift;
}

/* Sets negligible elements under the diagonal, up to row 'hi', to 0, and
** returns the first row of the part that has none. */
static size_t find_part (const Schur *s, size_t hi, double norm) {
  const size_t n = s->n;
  size_t lo = hi;
  for (; lo > 0; lo--) {
    double near = cabs(AT(s->a, lo, lo)) + cabs(AT(s->a, lo - 1, lo - 1));
    if (cabs(AT(s->a, lo, lo - 1)) <= DBL_EPSILON * (near > 0 ? near : norm)) {
      AT(s->a, lo, lo - 1) = 0;
      break;
    }
  }
  return lo;
}

static int make_triangular (const Schur *s, C *turns) {
  const size_t n = s->n;
  double norm = 0;
  for (size_t i = 0; i < n * n; i++)
    norm = fmax(norm, cabs(s->a[i]));
  int tries = 0;
  for (size_t hi = n - 1; hi > 0;) {
    const size_t lo = find_part(s, hi, norm);
    if (lo == hi) {
      hi--;
      tries = 0;
    } else if (tries++ >= TRIES) {
      return (int)hi + 1;
    } else {
      step(s, lo, hi, find_shift(s, hi, tries - 1), turns);
    }
  }
  return 0;
}

/* ==} */

/* {== eigenvectors ==================================================== */

/* Sets y to the eigenvector of the triangular matrix for its k-th element on
** the diagonal; elements after k are 0. */
static void solve_vector (const Schur *s, size_t k, double small, C *y) {
  const size_t n = s->n;
  y[k] = 1;
  for (size_t i = k; i-- > 0;) {
    C sum = 0, apart = AT(s->a, i, i) - AT(s->a, k, k);
    for (size_t j = i + 1; j <= k; j++)
      sum += AT(s->a, i, j) * y[j];
    if (cabs(apart) < small)
      apart = small;
    y[i] = -sum / apart;
  }
}

/* Makes the vector's norm 1 and its greatest element real, like LAPACK. */
static void normalize (C *v, size_t n) {
  double squares = 0, most = 0;
  size_t best = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, cabs(v[i]));
  for (size_t i = 0; i < n; i++) {
    v[i] /= most;
    squares += creal(v[i] * conj(v[i]));
    best = cabs(v[i]) > cabs(v[best]) ? i : best;
  }
  const C turn = conj(v[best]) / cabs(v[best]) / sqrt(squares);
  for (size_t i = 0; i < n; i++)
    v[i] *= turn;
  v[best] = creal(v[best]);
}

static void find_vectors (const Schur *s, C *v, C *y) {
  const size_t n = s->n;
  double norm = 0;
  for (size_t i = 0; i < n * n; i++)
    norm = fmax(norm, cabs(s->a[i]));
  for (size_t k = 0; k < n; k++) {
    solve_vector(s, k, fmax(DBL_EPSILON * norm, DBL_MIN), y);
    for (size_t i = 0; i < n; i++) {
      AT(v, i, k) = 0;
      for (size_t j = 0; j <= k; j++)
        AT(v, i, k) += AT(s->z, i, j) * y[j];
    }
    normalize(&AT(v, 0, k), n);
  }
}

/* ==} */

int lapack_host_eigenvalues (C *a, size_t n, C *work, C *w, C *v) {
  Schur s = {a, v != NULL ? work : NULL, n};
  C *room = work + n * n;
  for (size_t i = 0; i < n * n; i++)
    work[i] = (i % (n + 1) == 0);
  for (size_t k = 0; k + 2 < n; k++)
    clear_column(&s, k, room);
  int info = make_triangular(&s, room);
  for (size_t k = 0; k < n; k++)
    w[k] = AT(a, k, k);
  if (info == 0 && v != NULL)
    find_vectors(&s, v, room);
  return info;
}

/*
** lapack_loops.h - the routines of src/rt/kernels/lapack.def as plain loops,
** for one matrix: of the host device without LAPACK (lapack_own.c), and of
** CUDA for batches of small matrices (lapack.cu). Matrices are stored by
** columns.
**
** Valid C and CUDA C++; included once for each arithmetic, whose macros it
** ends: W, the type of elements; R, the real numbers of it, and EPSILON, their
** relative distance; NAME(f), a name of its own; CONJ, REAL, IMAG, ABS;
** PHASE(x, size), x over its absolute value; and FN, what functions begin
** with.
*/

/* One matrix of a job. */
typedef struct NAME(Job) {
  size_t m, n, k, flag;
  int32_t *rows; /* of getrf and getrs: b */
  R *values;     /* of gesdd and syevd: b */
} NAME(Job);

#define ADDRESS(a, ld, i, j) ((a)[(size_t)(j) * (ld) + (size_t)(i)])

/* y -= x * by, of n elements. */
FN void NAME(subtract) (W *y, const W *x, W by, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] -= x[i] * by;
}

/* {== Cholesky ======================================================== */

FN int NAME(potrf) (const NAME(Job) *o, W *a) {
  const size_t n = o->n;
  for (size_t j = 0; j < n; j++) {
    W *column = &ADDRESS(a, n, 0, j);
    for (size_t k = 0; k < j; k++) {
      const W *left = &ADDRESS(a, n, 0, k);
      NAME(subtract)(column + j, left + j, CONJ(left[j]), n - j);
    }
    if (!(REAL(column[j]) > 0))
      return (int)j + 1;
    const R root = sqrt(REAL(column[j]));
    column[j] = root;
    for (size_t i = j + 1; i < n; i++)
      column[i] = column[i] / root;
  }
  return 0;
}

/* ==} */

/* {== LU ============================================================== */

FN void NAME(swap) (W *a, size_t ld, size_t columns, size_t i, size_t k) {
  for (size_t j = 0; j < columns && i != k; j++) {
    W kept = ADDRESS(a, ld, i, j);
    ADDRESS(a, ld, i, j) = ADDRESS(a, ld, k, j);
    ADDRESS(a, ld, k, j) = kept;
  }
}

FN int NAME(getrf) (const NAME(Job) *o, W *a) {
  const size_t m = o->m, n = o->n, least = m < n ? m : n;
  int info = 0;
  for (size_t j = 0; j < least; j++) {
    size_t best = j;
    for (size_t i = j + 1; i < m; i++)
      if (fabs(REAL(ADDRESS(a, m, i, j))) +
            fabs(IMAG(ADDRESS(a, m, i, j))) >
          fabs(REAL(ADDRESS(a, m, best, j))) +
            fabs(IMAG(ADDRESS(a, m, best, j))))
        best = i;
    o->rows[j] = (int32_t)best + 1;
    NAME(swap)(a, m, n, j, best);
    W *column = &ADDRESS(a, m, 0, j);
    if (ABS(column[j]) == 0) {
      info = info != 0 ? info : (int)j + 1;
      continue;
    }
    for (size_t i = j + 1; i < m; i++)
      column[i] /= column[j];
    for (size_t k = j + 1; k < n; k++)
      NAME(subtract)(&ADDRESS(a, m, j + 1, k), column + j + 1,
                     ADDRESS(a, m, j, k), m - j - 1);
  }
  return info;
}

FN void NAME(solve_plain) (const W *a, size_t n, W *x) {
  for (size_t j = 0; j < n; j++)
    NAME(subtract)(x + j + 1, &ADDRESS(a, n, j + 1, j), x[j], n - j - 1);
  for (size_t j = n; j-- > 0;) {
    x[j] /= ADDRESS(a, n, j, j);
    NAME(subtract)(x, &ADDRESS(a, n, 0, j), x[j], j);
  }
}

FN void NAME(solve_turned) (const W *a, size_t n, W *x) {
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < j; i++)
      x[j] -= ADDRESS(a, n, i, j) * x[i];
    x[j] /= ADDRESS(a, n, j, j);
  }
  for (size_t j = n; j-- > 0;)
    for (size_t i = j + 1; i < n; i++)
      x[j] -= ADDRESS(a, n, i, j) * x[i];
}

FN int NAME(getrs) (const NAME(Job) *o, const W *a, W *x) {
  const size_t n = o->n, k = o->k;
  for (size_t i = 0; i < n && o->flag == 0; i++)
    NAME(swap)(x, n, k, i, (size_t)o->rows[i] - 1);
  for (size_t j = 0; j < k; j++)
    if (o->flag == 0)
      NAME(solve_plain)(a, n, x + j * n);
    else
      NAME(solve_turned)(a, n, x + j * n);
  for (size_t i = n; i-- > 0 && o->flag != 0;)
    NAME(swap)(x, n, k, i, (size_t)o->rows[i] - 1);
  return 0;
}

/* ==} */

/* {== vectors ========================================================= */

/* Rotations of numbers that are not finite may never end. */
FN bool NAME(is_finite) (const W *x, size_t n) {
  R sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += REAL(x[i]) * 0 + IMAG(x[i]) * 0;
  return sum == 0;
}

/* Returns x^H y. */
FN W NAME(dot) (const W *x, const W *y, size_t n) {
  W sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += CONJ(x[i]) * y[i];
  return sum;
}

/* Returns the Euclidean norm, without overflow. */
FN R NAME(norm) (const W *x, size_t n) {
  R most = 0, sum = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, ABS(x[i]));
  for (size_t i = 0; i < n && most > 0; i++) {
    const R part = ABS(x[i]) / most;
    sum += part * part;
  }
  return most * sqrt(sum);
}

/*
** The columns x and y become c x - s p* y and s x + c p* y: a rotation that
** makes them orthogonal if their product x^H y is p t of phase p. For rows,
** with a step between their elements, p is the conjugate.
*/
FN void NAME(rotate) (W *x, W *y, size_t n, size_t step, R c, R s, W p) {
  for (size_t i = 0; i < n; i++, x += step, y += step) {
    const W kept = *x, turned = CONJ(p) * *y;
    *x = c * kept - s * turned;
    *y = s * kept + c * turned;
  }
}

/* Finds the rotation for columns with squares a and b, and the size of their
** product. */
FN void NAME(find_rotation) (R a, R b, R product, R *c, R *s) {
  const R zeta = (b - a) / (2 * product);
  const R t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot((R)1, zeta));
  *c = 1 / hypot((R)1, t);
  *s = *c * t;
}

/* ==} */

/* {== QR ============================================================== */

/* Makes the reflector H = I - tau v v^H with H^H x = (beta, 0, ...). v[0] is
** 1, the rest replaces that of x, and beta x[0]. */
FN W NAME(reflect) (W *x, size_t n) {
  const R rest = NAME(norm)(x + 1, n - 1);
  const W alpha = x[0];
  if (rest == 0 && IMAG(alpha) == 0)
    return 0;
  const R size = hypot(ABS(alpha), rest);
  const R beta = REAL(alpha) > 0 ? -size : size;
  for (size_t i = 1; i < n; i++)
    x[i] /= alpha - beta;
  x[0] = beta;
  return (beta - alpha) / beta;
}

/* Applies I - tau v v^H to a column; v[0] counts as 1. */
FN void NAME(apply) (const W *v, W tau, W *x, size_t n) {
  const W along = tau * (x[0] + NAME(dot)(v + 1, x + 1, n - 1));
  x[0] -= along;
  NAME(subtract)(x + 1, v + 1, along, n - 1);
}

FN int NAME(geqrf) (const NAME(Job) *o, W *a, W *tau) {
  const size_t m = o->m, n = o->n;
  for (size_t j = 0; j < m && j < n; j++) {
    W *v = &ADDRESS(a, m, j, j);
    tau[j] = NAME(reflect)(v, m - j);
    for (size_t k = j + 1; k < n; k++)
      NAME(apply)(v, CONJ(tau[j]), &ADDRESS(a, m, j, k), m - j);
  }
  return 0;
}

FN int NAME(orgqr) (const NAME(Job) *o, W *a, const W *tau) {
  const size_t m = o->m, n = o->n, k = o->k;
  for (size_t j = k; j < n; j++)
    for (size_t i = 0; i < m; i++)
      ADDRESS(a, m, i, j) = (i == j);
  for (size_t j = k; j-- > 0;) {
    W *v = &ADDRESS(a, m, j, j);
    for (size_t i = j + 1; i < n; i++)
      NAME(apply)(v, tau[j], &ADDRESS(a, m, j, i), m - j);
    for (size_t i = 1; i < m - j; i++)
      v[i] *= -tau[j];
    v[0] = (W)1 - tau[j];
    for (size_t i = 0; i < j; i++)
      ADDRESS(a, m, i, j) = 0;
  }
  return 0;
}

/* ==} */

/* {== SVD: Jacobi's rotations of columns ============================== */

/* Makes columns p and q of x orthogonal; turns those of v likewise. Returns
** whether they were not. Columns no longer than 'noise' have been rounded to
** nothing: they stay as they are. */
FN bool NAME(meet) (W *x, size_t m, W *v, size_t n, R noise, size_t p,
                    size_t q) {
  W *xp = x + p * m, *xq = x + q * m;
  const R a = REAL(NAME(dot)(xp, xp, m)), b = REAL(NAME(dot)(xq, xq, m));
  const W product = NAME(dot)(xp, xq, m);
  const R size = ABS(product), small = 4 * EPSILON * sqrt((R)m);
  if (size <= small * sqrt(a) * sqrt(b) || size == 0 ||
      fmin(a, b) <= noise * noise)
    return false;
  R c, s;
  NAME(find_rotation)(a, b, size, &c, &s);
  NAME(rotate)(xp, xq, m, 1, c, s, PHASE(product, size));
  NAME(rotate)(v + p * n, v + q * n, n, 1, c, s, PHASE(product, size));
  return true;
}

/* Sets column j of u, of m elements, to a vector that is orthogonal to those
** before it: the unit vector that lies least among them, without its parts
** there. */
FN void NAME(complete) (W *u, size_t m, size_t j) {
  W *own = u + j * m;
  size_t best = 0;
  R least = 2;
  for (size_t i = 0; i < m; i++) {
    R sum = 0;
    for (size_t k = 0; k < j; k++)
      sum += ABS(ADDRESS(u, m, i, k)) * ABS(ADDRESS(u, m, i, k));
    if (sum < least)
      least = sum, best = i;
  }
  for (size_t i = 0; i < m; i++)
    own[i] = (i == best);
  for (int twice = 0; twice < 2; twice++)
    for (size_t k = 0; k < j; k++)
      NAME(subtract)(own, u + k * m, NAME(dot)(u + k * m, own, m), m);
  const R size = NAME(norm)(own, m);
  for (size_t i = 0; i < m; i++)
    own[i] /= size;
}

/* Returns the place of the greatest of 'n' values from 'from' on. */
FN size_t NAME(find_greatest) (const R *values, size_t from, size_t n) {
  size_t best = from;
  for (size_t i = from + 1; i < n; i++)
    if (values[i] > values[best])
      best = i;
  return best;
}

FN void NAME(swap_columns) (W *a, size_t m, size_t i, size_t j) {
  for (size_t k = 0; k < m && i != j; k++) {
    const W kept = a[i * m + k];
    a[i * m + k] = a[j * m + k];
    a[j * m + k] = kept;
  }
}

FN void NAME(sort_columns) (R *values, W *a, size_t m, W *b, size_t n) {
  for (size_t j = 0; j < n; j++) {
    const size_t best = NAME(find_greatest)(values, j, n);
    const R kept = values[j];
    values[j] = values[best];
    values[best] = kept;
    NAME(swap_columns)(a, m, j, best);
    NAME(swap_columns)(b, n, j, best);
  }
}

/* Divides the columns of x by their norms, s. Columns no longer than 'noise',
** and those beyond n, become orthogonal to the others. */
FN void NAME(finish) (const NAME(Job) *o, const W *x, W *u, R noise) {
  const size_t m = o->m, n = o->n, columns = o->flag == 2 ? m : n;
  for (size_t j = 0; j < columns; j++) {
    if (j >= n || o->values[j] <= noise)
      NAME(complete)(u, m, j);
    else
      for (size_t i = 0; i < m; i++)
        u[j * m + i] = x[j * m + i] / o->values[j];
  }
}

/* 'work' holds x of m by n, whose columns become orthogonal, and the product
** of the rotations, v. */
FN int NAME(gesdd) (const NAME(Job) *o, const W *a, W *u, W *vh, W *work) {
  const size_t m = o->m, n = o->n;
  W *x = work, *v = work + m * n;
  R scale = 0;
  if (!NAME(is_finite)(a, m * n))
    return 1;
  for (size_t i = 0; i < m * n; i++)
    scale = fmax(scale, ABS(a[i]));
  for (size_t i = 0; i < m * n; i++)
    x[i] = scale > 0 ? a[i] / scale : 0;
  for (size_t i = 0; i < n * n; i++)
    v[i] = (i % (n + 1) == 0);
  const R noise = EPSILON * NAME(norm)(x, m * n);
  int sweeps = 0;
  bool turned = true;
  for (; turned && sweeps < 60; sweeps++) {
    turned = false;
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++)
        turned |= NAME(meet)(x, m, v, n, noise, p, q);
  }
  for (size_t j = 0; j < n; j++)
    o->values[j] = NAME(norm)(x + j * m, m);
  NAME(sort_columns)(o->values, x, m, v, n);
  if (o->flag != 0) {
    NAME(finish)(o, x, u, noise);
    for (size_t i = 0; i < n * n; i++)
      vh[i] = CONJ(ADDRESS(v, n, i / n, i % n));
  }
  for (size_t j = 0; j < n; j++)
    o->values[j] *= scale;
  return turned;
}

/* ==} */

/* {== eigenvalues of a Hermitian matrix: Jacobi's rotations =========== */

/* Makes a[p][q] 0, if it is not small enough. */
FN bool NAME(clear) (W *a, size_t n, W *v, R small, size_t p, size_t q) {
  const W off = ADDRESS(a, n, p, q);
  const R size = ABS(off);
  R c, s;
  if (size <= small)
    return false;
  const W phase = PHASE(off, size);
  NAME(find_rotation)(REAL(ADDRESS(a, n, p, p)), REAL(ADDRESS(a, n, q, q)),
                      size, &c, &s);
  NAME(rotate)(a + p * n, a + q * n, n, 1, c, s, phase);
  NAME(rotate)(a + p, a + q, n, n, c, s, CONJ(phase));
  NAME(rotate)(v + p * n, v + q * n, n, 1, c, s, phase);
  ADDRESS(a, n, p, q) = ADDRESS(a, n, q, p) = 0;
  return true;
}

FN int NAME(syevd) (const NAME(Job) *o, W *a, W *v) {
  const size_t n = o->n;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i <= j; i++) {
      ADDRESS(a, n, j, i) = i == j ? REAL(ADDRESS(a, n, j, j))
                                   : CONJ(ADDRESS(a, n, i, j));
      ADDRESS(v, n, i, j) = (i == j);
      ADDRESS(v, n, j, i) = (i == j);
    }
  if (!NAME(is_finite)(a, n * n)) /* the triangle that is read */
    return 1;
  const R small = EPSILON / 4 * NAME(norm)(a, n * n);
  bool turned = true;
  for (int sweeps = 0; turned && sweeps < 60; sweeps++) {
    turned = false;
    for (size_t p = 0; p < n; p++)
      for (size_t q = p + 1; q < n; q++)
        turned |= NAME(clear)(a, n, v, small / (R)n, p, q);
  }
  for (size_t j = 0; j < n; j++) /* descending, then turned round */
    o->values[j] = -REAL(ADDRESS(a, n, j, j));
  NAME(sort_columns)(o->values, a, n, v, n);
  for (size_t j = 0; j < n; j++)
    o->values[j] = -o->values[j];
  memcpy(a, v, n * n * sizeof *v);
  return turned;
}

/* ==} */

/* Runs a routine on a matrix. 'work' has room for lapack_work elements.
** Returns LAPACK's info. */
FN int NAME(run) (int routine, const NAME(Job) *o, W *a, W *b, W *c, W *d,
                  W *work) {
  switch (routine) {
    case LAPACK_potrf: return NAME(potrf)(o, a);
    case LAPACK_getrf: return NAME(getrf)(o, a);
    case LAPACK_getrs: return NAME(getrs)(o, a, c);
    case LAPACK_geqrf: return NAME(geqrf)(o, a, b);
    case LAPACK_orgqr: return NAME(orgqr)(o, a, b);
    case LAPACK_gesdd: return NAME(gesdd)(o, a, c, d, work);
    case LAPACK_syevd: return NAME(syevd)(o, a, work);
    default: return 0;
  }
}

#undef ADDRESS
#undef W
#undef R
#undef EPSILON
#undef NAME
#undef CONJ
#undef REAL
#undef IMAG
#undef ABS
#undef PHASE

/* blas.h - the machine's BLAS, if it has a good one. See blas.c. */
#ifndef TIDE_RT_HOST_KERNELS_BLAS_H
#define TIDE_RT_HOST_KERNELS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* What a BLAS multiplies: floats, doubles, complex numbers of those. */
typedef enum BlasKind {
  BLAS_S, BLAS_D, BLAS_C, BLAS_Z, BLAS_KINDS
} BlasKind;

/*
** z = x y for row-major matrices, m by k and k by n, by a BLAS. false: there is
** none for that kind, or the matrices are too large.
*/
bool host_blas (BlasKind kind, void *z, const void *x, const void *y, size_t m,
                size_t k, size_t n);

#endif

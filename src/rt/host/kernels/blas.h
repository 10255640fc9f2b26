/* blas.h - the machine's BLAS, if it has a good one. See blas.c. */
#ifndef TIDE_RT_HOST_KERNELS_BLAS_H
#define TIDE_RT_HOST_KERNELS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* What a BLAS multiplies: floats, doubles, complex numbers of those. */
typedef enum BlasKind {
  BLAS_S, BLAS_D, BLAS_C, BLAS_Z, BLAS_KINDS
} BlasKind;

/* Is there one that multiplies m by k and k by n of that kind, and is it worth
** the call? */
bool host_hasblas (BlasKind kind, size_t m, size_t k, size_t n);

/* z = x y for row-major matrices that it takes. */
void host_blas (BlasKind kind, void *z, const void *x, const void *y, size_t m,
                size_t k, size_t n);

/* Is there one? Looks for it, if nobody has. */
bool host_findblas (void);

/* Why one that TIDE_BLAS names is none: what the loader says. */
const char *host_blasfault (void);

/* Its name, or NULL. */
const char *host_blasname (void);

#endif

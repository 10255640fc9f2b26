/* blas.h - products of matrices by the machine's BLAS. See blas.c. */
#ifndef TIDE_RT_HOST_KERNELS_BLAS_H
#define TIDE_RT_HOST_KERNELS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* The types that a BLAS multiplies: floats, doubles, complex numbers of
** those. */
typedef enum BlasKind { BLAS_S, BLAS_D, BLAS_C, BLAS_Z, BLAS_KINDS } BlasKind;

/* Tells whether there is a BLAS for m by k times k by n of that kind, and
** whether the call is worth it. */
bool host_hasblas (BlasKind kind, size_t m, size_t k, size_t n);

/* z = x y for row-major matrices that host_hasblas accepts. */
void host_blas (BlasKind kind, void *z, const void *x, const void *y, size_t m,
                size_t k, size_t n);

/* Tells whether there is a BLAS; the first call looks for it. */
bool host_findblas (void);

/* Returns the loader's error for the library that TIDE_BLAS names. */
const char *host_blasfault (void);

/* Returns the library's name, or NULL. */
const char *host_blasname (void);

#endif

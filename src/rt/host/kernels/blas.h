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
bool blas_suits (BlasKind kind, size_t m, size_t k, size_t n);

/* z = x y for row-major matrices that blas_suits accepts. */
void blas_multiply (BlasKind kind, void *z, const void *x, const void *y,
                    size_t m, size_t k, size_t n);

/* Tells whether there is a BLAS; the first call looks for it. */
bool blas_find (void);

/* Returns dlopen's handle of the library, or NULL. */
void *blas_library (void);

/* Lets an OpenBLAS use up to n threads, but no more than it began with, from
** its next product on; also one that is found later. */
void blas_limit_threads (int n);

/* Returns the loader's error for the library that TIDE_BLAS names. */
const char *blas_error (void);

/* Returns the library's name, or NULL. */
const char *blas_name (void);

/*
** Tells whether a limit of the address space leaves room for the buffers of a
** library's threads, one for each processor, and of ours. If OpenBLAS (0.3.21)
** gets none, it asks for it again for ever, from when it is loaded. Debian's
** liblapack may be OpenBLAS as well.
*/
bool blas_has_room (void);

#endif

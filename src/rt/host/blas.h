/* blas.h - the machine's BLAS, if it has a good one. See blas.c. */
#ifndef TIDE_BLAS_H
#define TIDE_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/*
** z = x y for row-major matrices, m by k and k by n, of floats ('size' 4) or
** doubles (8), by a BLAS. false: there is none, or the matrices are too large.
*/
bool host_blas (size_t size, void *z, const void *x, const void *y, size_t m,
                size_t k, size_t n);

#endif

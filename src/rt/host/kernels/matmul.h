/*
** matmul.h - cuts a product of matrices into parts for several workers: by rows
** of all batches or, if those are few, by columns.
*/
#ifndef TIDE_RT_HOST_KERNELS_MATMUL_H
#define TIDE_RT_HOST_KERNELS_MATMUL_H

#include <stdbool.h>
#include <stddef.h>

#define THIN 16   /* columns of y, at most, to read its rows as vectors */
#define WIDTH 512 /* columns at a time, if there are more */
#define FEW 16    /* rows */

static inline bool matmul_cuts_columns (size_t m, size_t n, size_t batches) {
  return n > THIN && m * batches < FEW;
}

/* Returns the number of parts that are worth it. */
static inline size_t matmul_parts (size_t m, size_t n, size_t batches) {
  return matmul_cuts_columns(m, n, batches) ? n / WIDTH + 1 : m * batches;
}

/* Returns the number of elements for which an elementwise operation takes as
** long. */
static inline size_t matmul_work (size_t m, size_t k, size_t n,
                                  size_t batches) {
  return m * k * batches * (n / 8 + 1);
}

/* matmul_thin.c: z = x y, m rows of n columns. False: n is 1, or more than
** THIN. */
bool matmul_thin_i32 (void *z, const void *x, const void *y, size_t m, size_t k,
                      size_t n);
bool matmul_thin_i64 (void *z, const void *x, const void *y, size_t m, size_t k,
                      size_t n);
bool matmul_thin_f32 (void *z, const void *x, const void *y, size_t m, size_t k,
                      size_t n);
bool matmul_thin_f64 (void *z, const void *x, const void *y, size_t m, size_t k,
                      size_t n);

#endif

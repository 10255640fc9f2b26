/* lapack_host.h - jobs for LAPACK on the host device. See lapack.c. */
#ifndef TIDE_RT_HOST_KERNELS_LAPACK_HOST_H
#define TIDE_RT_HOST_KERNELS_LAPACK_HOST_H

#include "rt/kernels/lapack.h"

/* The operands of one matrix of a batch, and workspace. */
typedef struct LapackCall {
  const LapackJob *job;
  void *at[LAPACK_OPERANDS];
  char *work;
  size_t bytes;
} LapackCall;

/* Returns the bytes of workspace that a job needs. */
size_t lapack_host_bytes (const LapackJob *j);

/* Returns the name of the loaded LAPACK; NULL: lapack_own does the jobs. */
const char *lapack_host_name (void);

/* lapack_own.c: the same by loops of our own. Returns LAPACK's 'info'. */
size_t lapack_host_own_bytes (const LapackJob *j);
int lapack_host_run_own (const LapackCall *c);

/* lapack_eigenvalues.c: eigenvalues w of the complex n by n matrix a, which is
** overwritten, and unless v is NULL its right eigenvectors. 'work' has room for
** n * (n + 2) numbers. Returns 'info'. */
int lapack_host_eigenvalues (double _Complex *a, size_t n,
                             double _Complex *work, double _Complex *w,
                             double _Complex *v);

#endif

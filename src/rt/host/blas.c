/*
** blas.c - finds a BLAS on the machine when a product of matrices first asks
** for one. TIDE_BLAS names a library, or is "none".
**
** The reference BLAS, which distributions install under the common names, is
** slower than our own loops: a library under such a name is taken only if it
** turns out to be OpenBLAS.
*/
#include "blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* cblas.h's constants */
enum { ROW_MAJOR = 101, NO_TRANS = 111 };

#define GEMM(T) \
  void (*) (int order, int transx, int transy, int m, int n, int k, T alpha, \
            const T *x, int xrow, const T *y, int yrow, T beta, T *z, \
            int zrow)
typedef __typeof__((GEMM(float))NULL) Sgemm;
typedef __typeof__((GEMM(double))NULL) Dgemm;

static struct {
  pthread_once_t once;
  Sgemm sgemm;
  Dgemm dgemm;
} blas = {.once = PTHREAD_ONCE_INIT};

static bool take (const char *name, const char *proof) {
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return false;
  void *s = dlsym(lib, "cblas_sgemm"), *d = dlsym(lib, "cblas_dgemm");
  if (s == NULL || d == NULL || dlsym(lib, proof) == NULL) {
    dlclose(lib);
    return false;
  }
  memcpy(&blas.sgemm, &s, sizeof s);
  memcpy(&blas.dgemm, &d, sizeof d);
  return true;
}

static void find (void) {
  const char *chosen = getenv("TIDE_BLAS");
  if (chosen != NULL && *chosen != '\0') {
    if (strcmp(chosen, "none") != 0)
      take(chosen, "cblas_sgemm");
    return;
  }
  if (!take("libopenblas.so.0", "openblas_get_config") &&
      !take("libblas.so.3", "openblas_get_config"))
    take("libblis.so.4", "bli_info_get_version_str");
}

bool host_blas (size_t size, void *z, const void *x, const void *y, size_t m,
                size_t k, size_t n) {
  pthread_once(&blas.once, find);
  if (blas.sgemm == NULL || m > INT_MAX || k > INT_MAX || n > INT_MAX)
    return false;
  int rows = (int)m, depth = (int)k, columns = (int)n;
  if (size == sizeof(float))
    blas.sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, rows, columns, depth, 1, x,
               depth, y, columns, 0, z, columns);
  else
    blas.dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, rows, columns, depth, 1, x,
               depth, y, columns, 0, z, columns);
  return true;
}

/*
** blas.c - finds a BLAS on the machine for the first product of matrices.
** TIDE_BLAS names a library, or is "none".
**
** The reference BLAS, which distributions install under the common names, is
** slower than our own loops. So a library under such a name is taken only if it
** turns out to be OpenBLAS.
*/
#include "blas.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rt/host/team.h"

/* Overridable: with fewer rows or columns, or shorter sums, our own loops are
** as fast as memory, or done before a BLAS begins. */
#if !defined(LEAST_SIDE)
#define LEAST_SIDE 17
#endif
#if !defined(LEAST_DEPTH)
#define LEAST_DEPTH 8
#endif

/* More than the address space that a thread of OpenBLAS takes. */
#define BUFFER ((size_t)160 << 20)

/* cblas.h's constants */
enum { ROW_MAJOR = 101, NO_TRANS = 111 };

#define GEMM(Scale, T) \
  void (*)(int order, int transx, int transy, int m, int n, int k, \
           Scale alpha, const T *x, int xrow, const T *y, int yrow, \
           Scale beta, T *z, int zrow)
typedef __typeof__((GEMM(float, float))NULL) Sgemm;
typedef __typeof__((GEMM(double, double))NULL) Dgemm;
typedef __typeof__((GEMM(const void *, void))NULL) Cgemm;

static struct {
  pthread_once_t once;
  bool usable;
  const char *name;
  void *lib; /* the library, NULL: none */
  Sgemm sgemm;
  Dgemm dgemm;
  Cgemm cgemm, zgemm;
  void (*set_threads)(int n); /* OpenBLAS's, or NULL */
  int threads;                /* how many it began with */
  int limit;                  /* atomic; 0: none */
  bool found;                 /* atomic: 'find' has ended */
  char why[160];              /* the error if a named library fails */
} blas = {.once = PTHREAD_ONCE_INIT};

static bool get (void *lib, const char *name, void *fn) {
  void *address = dlsym(lib, name);
  memcpy(fn, &address, sizeof address);
  return address != NULL;
}

/* Looks for OpenBLAS's own functions in the library. */
static void find_threads (void *lib) {
  int (*get_threads)(void);
  if (get(lib, "openblas_get_num_threads", &get_threads) &&
      get(lib, "openblas_set_num_threads", &blas.set_threads))
    blas.threads = get_threads();
}

static bool take (const char *name, const char *proof) {
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) {
    snprintf(blas.why, sizeof blas.why, "%s", dlerror());
    return false;
  }
  blas.usable = dlsym(lib, proof) != NULL &&
                get(lib, "cblas_sgemm", &blas.sgemm) &&
                get(lib, "cblas_dgemm", &blas.dgemm) &&
                get(lib, "cblas_cgemm", &blas.cgemm) &&
                get(lib, "cblas_zgemm", &blas.zgemm);
  blas.name = name;
  if (!blas.usable) {
    snprintf(blas.why, sizeof blas.why, "it lacks cblas_sgemm or its kin");
    dlclose(lib);
  } else {
    blas.lib = lib;
    find_threads(lib);
  }
  return blas.usable;
}

/* Threads beyond those that are there would have to be made beside running
** products, so there are never more. */
static void apply_limit (void) {
  int n = __atomic_load_n(&blas.limit, __ATOMIC_SEQ_CST);
  if (n > 0 && blas.set_threads != NULL)
    blas.set_threads(n < blas.threads ? n : blas.threads);
}

void blas_limit_threads (int n) {
  __atomic_store_n(&blas.limit, n, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&blas.found, __ATOMIC_SEQ_CST))
    apply_limit();
}

static void look (void) {
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

bool blas_has_room (void) {
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
    return true;
  const long cores = sysconf(_SC_NPROCESSORS_CONF);
  const size_t bytes = (size_t)(team_size() + cores) * BUFFER;
  void *p = mmap(NULL, bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED)
    munmap(p, bytes);
  return p != MAP_FAILED;
}

static void find (void) {
  if (blas_has_room())
    look();
  else
    snprintf(blas.why, sizeof blas.why, "the address space is limited");
  __atomic_store_n(&blas.found, true, __ATOMIC_SEQ_CST);
  apply_limit();
}

bool blas_find (void) {
  pthread_once(&blas.once, find);
  return blas.usable;
}

void *blas_library (void) { return blas_find() ? blas.lib : NULL; }

const char *blas_error (void) { return blas.why; }

const char *blas_name (void) { return blas_find() ? blas.name : NULL; }

bool blas_suits (BlasKind kind, size_t m, size_t k, size_t n) {
  return kind != BLAS_KINDS && m >= LEAST_SIDE && n >= LEAST_SIDE &&
         k >= LEAST_DEPTH && m <= INT_MAX && k <= INT_MAX && n <= INT_MAX &&
         blas_find();
}

void blas_multiply (BlasKind kind, void *z, const void *x, const void *y,
                    size_t m, size_t k, size_t n) {
  static const float one[] = {1, 0}, none[] = {0, 0};
  static const double one64[] = {1, 0}, none64[] = {0, 0};
  int rows = (int)m, depth = (int)k, columns = (int)n;
#define CALL(gemm, alpha, beta) \
  blas.gemm(ROW_MAJOR, NO_TRANS, NO_TRANS, rows, columns, depth, alpha, x, \
            depth, y, columns, beta, z, columns)
  switch (kind) {
    case BLAS_S: CALL(sgemm, 1, 0); break;
    case BLAS_D: CALL(dgemm, 1, 0); break;
    case BLAS_C: CALL(cgemm, one, none); break;
    case BLAS_Z: CALL(zgemm, one64, none64); break;
    case BLAS_KINDS: break;
  }
#undef CALL
}

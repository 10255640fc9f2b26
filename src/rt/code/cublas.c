/*
** cublas.c - products of matrices of floats and complex numbers by cuBLAS,
** loaded for the first product. It is never linked; without it
** kernels/matmul.cuh does the products.
**
** DESIGN. cuBLAS loads kernels when it first needs them, which waits for the
** device (see shared.c). So it is called under the shared lock and only while
** no stream is held (device_lock.c). No call waits for that: while a stream is
** held, tide's own kernel does the product. Because of the lock one handle for
** each device is enough for all threads. A handle is not made while the stream
** captures, because that allocates memory.
**
** Every product has workspace of its own, which hazards order like any other
** operand. So products on several streams do not interfere, and a capture
** allocates nothing. cuBLAS computes column by column: z' = y' x' on the same
** bytes.
*/
#include "cublas.h"

#include <dlfcn.h>
#include <limits.h>

#include "library.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/kernels/dtypes.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"

/* Overridable: smaller products, by number of multiplications, are not worth
** it. */
#if !defined(GEMM_LEAST)
#define GEMM_LEAST ((double)(1 << 20))
#endif

/* The workspace that NVIDIA recommends on Hopper, and on other devices. */
enum { WORK_LARGE = 32 << 20, WORK_SMALL = 4 << 20 };

/* cublas_api.h's and library_types.h's constants */
enum {
  OP_N = 0,
  OP_T = 1,
  REAL_32F = 0,
  REAL_64F = 1,
  REAL_16F = 2,
  COMPLEX_32F = 4,
  COMPLEX_64F = 5,
  REAL_16BF = 14,
  COMPUTE_16F = 64,
  COMPUTE_32F = 68,
  COMPUTE_64F = 70,
  COMPUTE_32F_FAST_TF32 = 77,
  ALGO_DEFAULT = -1,
  WIDE_SUMS = 16
};

/* A matrix times a vector: of float32, of float64. */
typedef int Gemv (void *handle, int trans, int m, int n, const void *alpha,
                  const void *a, int lda, const void *x, int incx,
                  const void *beta, void *y, int incy);

static struct {
  pthread_once_t once;
  bool usable;
  const char *name; /* of the library */
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*set_stream)(void *handle, CUstream s);
  int (*set_math)(void *handle, int mode);
  int (*set_workspace)(void *handle, void *work, size_t bytes);
  int (*gemm)(void *handle, int transa, int transb, int m, int n, int k,
              const void *alpha, const void *a, int atype, int lda,
              long long astep, const void *b, int btype, int ldb,
              long long bstep, const void *beta, void *c, int ctype, int ldc,
              long long cstep, int batches, int compute, int algo);
  int (*single)(void *handle, int transa, int transb, int m, int n, int k,
                const void *alpha, const void *a, int atype, int lda,
                const void *b, int btype, int ldb, const void *beta, void *c,
                int ctype, int ldc, int compute, int algo); /* or NULL */
  Gemv *sgemv, *dgemv;                                      /* or NULL */
} cublas = {.once = PTHREAD_ONCE_INIT};

static bool load (const char *name) {
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return false;
  if (library_entry(lib, "cublasCreate_v2", &cublas.create) &&
      library_entry(lib, "cublasDestroy_v2", &cublas.destroy) &&
      library_entry(lib, "cublasSetStream_v2", &cublas.set_stream) &&
      library_entry(lib, "cublasSetMathMode", &cublas.set_math) &&
      library_entry(lib, "cublasSetWorkspace_v2", &cublas.set_workspace) &&
      library_entry(lib, "cublasGemmStridedBatchedEx", &cublas.gemm)) {
    library_entry(lib, "cublasGemmEx", &cublas.single);
    library_entry(lib, "cublasSgemv_v2", &cublas.sgemv);
    library_entry(lib, "cublasDgemv_v2", &cublas.dgemv);
    cublas.name = name;
    return true;
  }
  dlclose(lib);
  return false;
}

static void load_any (void) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "/usr/local/cuda/lib64/libcublas.so",
                                      NULL};
  cublas.usable = library_choose("TIDE_LIBCUBLAS", names, load);
}

/* Returns cuBLAS's constant for a type, or -1. */
static int type_of (DType t) {
  switch (t) {
    case DTYPE_FLOAT16: return REAL_16F;
    case DTYPE_BFLOAT16: return REAL_16BF;
    case DTYPE_FLOAT32: return REAL_32F;
    case DTYPE_FLOAT64: return REAL_64F;
    case DTYPE_COMPLEX64: return COMPLEX_32F;
    case DTYPE_COMPLEX128: return COMPLEX_64F;
    default: return -1;
  }
}

bool cublas_accepts (RtDevice *dev, RtGemm *g) {
  double work = (double)g->m * (double)g->k * (double)g->n * (double)g->batches;
  if (context_is_host(dev) || work < GEMM_LEAST || type_of(g->t) < 0 ||
      g->m > INT_MAX || g->k > INT_MAX || g->n > INT_MAX ||
      g->batches > INT_MAX)
    return false;
  bool large = g->m * g->n * g->batches * dtype_size(g->t) >= WORK_LARGE;
  g->bytes = large ? WORK_LARGE : WORK_SMALL;
  pthread_once(&cublas.once, load_any);
  return cublas.usable;
}

const char *cublas_name (void) {
  pthread_once(&cublas.once, load_any);
  return cublas.usable ? cublas.name : NULL;
}

void cublas_free (RtShared *sh) {
  if (sh->blas != NULL)
    cublas.destroy(sh->blas);
  sh->blas = NULL;
}

/* The lock is held and no stream is. Reductions of 16 bits must not round
** partial sums to 16 bits. */
static bool has_handle (RtDevice *dev, bool capturing) {
  RtShared *sh = dev->shared;
  if (sh->blas != NULL || sh->noblas || capturing)
    return sh->blas != NULL;
  if (cublas.create(&sh->blas) != 0)
    sh->blas = NULL;
  else if (cublas.set_math(sh->blas, WIDE_SUMS) != 0)
    cublas_free(sh);
  else
    library_note(dev);
  sh->noblas = (sh->blas == NULL);
  return !sh->noblas;
}

static const void *at (CUdeviceptr p) { return (const void *)(uintptr_t)p; }

static int compute_of (const RtGemm *g) {
  return (g->t == DTYPE_FLOAT64 || g->t == DTYPE_COMPLEX128) ? COMPUTE_64F
         : g->narrow && g->t == DTYPE_FLOAT16                ? COMPUTE_16F
         : g->tf32 ? COMPUTE_32F_FAST_TF32
                   : COMPUTE_32F;
}

/* The factors alpha and beta, of the type of the computation; complex if the
** elements are. */
typedef struct GemmScale {
  const void *one, *none;
} GemmScale;

static GemmScale factors_of (int compute) {
  static const float one[] = {1, 0}, none[] = {0, 0};
  static const double one64[] = {1, 0}, none64[] = {0, 0};
  static const uint16_t one16 = 0x3C00, none16 = 0;
  return compute == COMPUTE_64F   ? (GemmScale){one64, none64}
         : compute == COMPUTE_16F ? (GemmScale){&one16, &none16}
                                  : (GemmScale){one, none};
}

/* Returns the function for a matrix times a vector, which is faster than a
** product of matrices; NULL: none fits. */
static Gemv *gemv_for (const RtGemm *g) {
  if ((g->n > 1 && g->m > 1) || g->batches > 1 || g->tf32 || g->turned != 0)
    return NULL;
  return g->t == DTYPE_FLOAT32   ? cublas.sgemv
         : g->t == DTYPE_FLOAT64 ? cublas.dgemv
                                 : NULL;
}

/* A single product calls the function for one, because cuBLAS may choose
** another kernel for a batch of one. */
static bool multiply_matrices (void *handle, const RtGemm *g) {
  const int type = type_of(g->t), compute = compute_of(g);
  const GemmScale f = factors_of(compute);
  const int m = (int)g->m, k = (int)g->k, n = (int)g->n;
  const bool xturned = (g->turned & 1) != 0, yturned = (g->turned & 2) != 0;
  const int xt = xturned ? OP_T : OP_N, yt = yturned ? OP_T : OP_N;
  const int xrow = xturned ? m : k, yrow = yturned ? k : n;
  void *z = (void *)(uintptr_t)g->z;
  if (g->batches == 1 && cublas.single != NULL)
    return cublas.single(handle, yt, xt, n, m, k, f.one, at(g->y), type, yrow,
                         at(g->x), type, xrow, f.none, z, type, n, compute,
                         ALGO_DEFAULT) == 0;
  return cublas.gemm(handle, yt, xt, n, m, k, f.one, at(g->y), type, yrow,
                     (long long)g->ystep, at(g->x), type, xrow,
                     (long long)g->xstep, f.none, z, type, n,
                     (long long)(g->m * g->n), (int)g->batches, compute,
                     ALGO_DEFAULT) == 0;
}

static bool multiply (void *handle, const RtGemm *g) {
  const GemmScale f = factors_of(compute_of(g));
  const int m = (int)g->m, k = (int)g->k, n = (int)g->n;
  Gemv *gemv = gemv_for(g);
  if (gemv != NULL && n == 1)
    return gemv(handle, OP_T, k, m, f.one, at(g->x), k, at(g->y), 1, f.none,
                (void *)(uintptr_t)g->z, 1) == 0;
  if (gemv != NULL)
    return gemv(handle, OP_N, n, k, f.one, at(g->y), n, at(g->x), 1, f.none,
                (void *)(uintptr_t)g->z, 1) == 0;
  return multiply_matrices(handle, g);
}

/* The stream is set first, because setting it forgets the workspace. */
bool cublas_gemm (RtStream *s, const RtGemm *g) {
  RtShared *sh = s->dev->shared;
  if (!device_lock_try(s->dev))
    return false;
  bool done = has_handle(s->dev, s->capture != NULL);
  library_order(s);
  done = done && cublas.set_stream(sh->blas, s->handle) == 0 &&
         cublas.set_workspace(sh->blas, (void *)(uintptr_t)g->work, g->bytes) ==
           0 &&
         multiply(sh->blas, g);
  device_lock_release(s->dev);
  return done;
}

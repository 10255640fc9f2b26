
#include "rt/driver/shared.h"
#include "rt/kernels/dtypes.h"
/* cublas.h - products of matrices of floats by cuBLAS. See cublas.c. */
#ifndef TIDE_RT_CODE_CUBLAS_H
#define TIDE_RT_CODE_CUBLAS_H

/*
** z = x y, row-major and dense: m by k and k by n, 'batches' of them, xstep and
** ystep elements apart. Elements of 16 bits are summed as float32; with
** 'narrow' float16 may be summed as float16. No other product uses 'work'
** meanwhile.
*/
typedef struct RtGemm {
  CUdeviceptr z, x, y, work;
  size_t bytes; /* of 'work' */
  size_t m, k, n, batches, xstep, ystep;
  DType t;
  size_t turned; /* bit 0: x is k by m in memory; bit 1: y is n by k */
  bool tf32;     /* float32 may be multiplied with fewer digits */
  bool narrow;   /* float16 may be summed as float16 */
} RtGemm;

/* Tells whether cuBLAS is loaded and suits this product; then sets 'bytes'. */
bool cublas_accepts (RtDevice *dev, RtGemm *g);

/*
** Queues it, for op.c only. false: cuBLAS cannot do it now, or would wait
** for the device while a stream is held; launch a kernel of tide's instead.
*/
bool cublas_gemm (RtStream *s, const RtGemm *g);

/* Returns the name of the loaded library; NULL: there is none, or it is off. */
const char *cublas_name (void);

/* Frees the handle, before the context goes. */
void cublas_free (RtShared *sh);

#endif

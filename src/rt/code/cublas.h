
#include "rt/driver/shared.h"
/* cublas.h - products of matrices of floats by cuBLAS. See cublas.c. */
#ifndef TIDE_RT_CODE_CUBLAS_H
#define TIDE_RT_CODE_CUBLAS_H


/*
** z = x y, row-major and dense: m by k and k by n, 'batches' of them, xstep and
** ystep elements apart. Elements of 16 bits are added as float32, unless
** 'narrow' lets float16 be. 'work' is memory that nobody else uses meanwhile.
*/
typedef struct RtGemm {
  CUdeviceptr z, x, y, work;
  size_t bytes;  /* of 'work' */
  size_t m, k, n, batches, xstep, ystep;
  DType t;
  size_t turned; /* bit 0: those of x are k by m in memory; 1: y's, n by k */
  bool tf32;     /* float32 may be multiplied with fewer digits */
  bool narrow;   /* float16 may be added as such */
} RtGemm;

/* Is the product one for cuBLAS, and is there one? Then 'bytes' is set. */
bool rt_wantsgemm (RtDevice *dev, RtGemm *g);

/*
** Queues it, for submit.c only. false: cuBLAS cannot do it now, or would wait
** for the device while a stream is held: let a kernel of our own do it.
*/
bool rt_gemm (RtStream *s, const RtGemm *g);

/* The library that is used, or NULL: none can be had, or none is wanted. */
const char *rt_cublasname (void);

/* Before the context goes. */
void rt_dropgemm (RtShared *sh);

#endif

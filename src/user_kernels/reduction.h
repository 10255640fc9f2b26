/* reduction.h - what reductionkernel.c and reduction_code.c share. */
#ifndef TIDE_USER_KERNELS_REDUCTION_H
#define TIDE_USER_KERNELS_REDUCTION_H

#include "kernel_params.h"

enum { REDUCTION_THREADS = 256 };

/* User values of a ReductionKernel: its texts, then the kernels made so far. */
enum { REDUCTION_MAP = 1, REDUCTION_REDUCE, REDUCTION_POST,
       REDUCTION_IDENTITY, REDUCTION_NAME, REDUCTION_WHAT,
       REDUCTION_OWN = REDUCTION_WHAT,
       REDUCTION_UVS = REDUCTION_OWN + VARIANTS };

/* A call: which axes go, and where the result is put. */
typedef struct Reduction {
  Binding b;
  bool gone[MAX_DIMS];
  bool keepdims;
  int options, out; /* where the table and its 'out' are, or 0 */
  size_t results, n;
  int ndim;         /* of the result */
  int64_t shape[MAX_DIMS];
} Reduction;

/* reduction_launch.c: queues it, for results that are some. */
void tide_reduce (lua_State *L, RtStream *s, Generated *g, int at,
                  const Reduction *r, const Array *z);

extern const Recipe tide_reductionrecipe;

#endif

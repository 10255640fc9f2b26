/* reduction.h - shared by reductionkernel.c and reduction_code.c. */
#ifndef TIDE_USER_KERNELS_REDUCTION_H
#define TIDE_USER_KERNELS_REDUCTION_H

#include "params.h"

enum { REDUCTION_THREADS = 256 };

/* User values of a ReductionKernel: its options, then the kernels made so
** far. */
enum {
  REDUCTION_PARAMS = 1,
  REDUCTION_OUT,
  REDUCTION_MAP,
  REDUCTION_REDUCE,
  REDUCTION_POST,
  REDUCTION_IDENTITY,
  REDUCTION_NAME,
  REDUCTION_TYPE,
  REDUCTION_WHAT,
  REDUCTION_CONTEXT,
  REDUCTION_OWN = REDUCTION_CONTEXT + CONTEXT_UVS - 1,
  REDUCTION_UVS = REDUCTION_OWN + VARIANTS
};

/* A call: the reduced axes, and the target of the result. */
typedef struct ReductionCall {
  Binding b;
  bool gone[MAX_DIMS];
  bool keepdims;
  int options, out; /* indices of the table and its 'out', or 0 */
  size_t results, n;
  int ndim; /* of the result */
  int64_t shape[MAX_DIMS];
} ReductionCall;

/* reduction_launch.c: queues the call, if the result has elements. */
void reduction_run (lua_State *L, RtStream *s, Generated *g, int at,
                    const ReductionCall *r, const Array *z);

extern const Recipe reduction_recipe;

#endif

/* lapack.h - jobs for LAPACK: a routine over a batch of matrices. The routines
** are in lapack.def. See src/rt/host/kernels/lapack.c for the host device and
** src/rt/code/cusolver.c for CUDA. */
#ifndef TIDE_RT_KERNELS_LAPACK_H
#define TIDE_RT_KERNELS_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "dtypes.h"

enum { LAPACK_OPERANDS = 4 };

typedef enum LapackRoutine {
#define ROUTINE(name, complex, a, b, c, d) LAPACK_##name,
#include "lapack.def"
#undef ROUTINE
  LAPACK_ROUTINES
} LapackRoutine;

typedef struct LapackJob {
  LapackRoutine routine;
  DType t; /* float32, float64, complex64 or complex128 */
  size_t flag, m, n, k, batches;
} LapackJob;

/* One operand of a routine. */
typedef struct LapackOperand {
  char access; /* 'r', 'w', 'x'; 0: there is none */
  DType t;
  size_t elements; /* of one matrix of the batch */
} LapackOperand;

/* LAPACK's names behind the letter of the type, for real and complex types. */
extern const char *const lapack_names[LAPACK_ROUTINES][2];

/* Returns operand i of the job. */
LapackOperand lapack_operand (const LapackJob *j, int i);

/* Returns how many elements of workspace kernels/lapack_loops.h needs for a
** matrix; lapack_eigenvalues.c likewise. */
size_t lapack_work (const LapackJob *j);

static inline bool lapack_is_complex (DType t) {
  return t == DTYPE_COMPLEX64 || t == DTYPE_COMPLEX128;
}

/* Returns the letter of a type: s, d, c or z. */
static inline char lapack_letter (DType t) {
  return t == DTYPE_FLOAT32     ? 's'
         : t == DTYPE_FLOAT64   ? 'd'
         : t == DTYPE_COMPLEX64 ? 'c'
                                : 'z';
}

#endif

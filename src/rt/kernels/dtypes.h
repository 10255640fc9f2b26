/*
** dtypes.h - the element types, and kernel ids: the part of the built-in
** kernels that most files need. The rest, kernels.h, depends on the list of
** operations.
*/
#ifndef TIDE_RT_KERNELS_DTYPES_H
#define TIDE_RT_KERNELS_DTYPES_H

#include <stddef.h>
#include <stdint.h>

typedef enum DType {
#define D(ID, suffix, name, bytes) DTYPE_##ID,
#include "rt/kernels/dtype.def"
#undef D
  DTYPE_COUNT
} DType;

typedef int KernelId; /* index into kernel_infos; negative: no such kernel */

/* The bits of infinity; 0 for types that are not real floats. */
extern const uint64_t dtype_infinities[DTYPE_COUNT];

/* Bytes of an element. */
extern const uint8_t dtype_sizes[DTYPE_COUNT];

static inline size_t dtype_size (DType t) { return dtype_sizes[t]; }

#endif

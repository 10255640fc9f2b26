/*
** dtypes.h - the element types, and the id of a kernel: what of the built-in
** kernels is in everybody's data. The rest, kernels.h, depends on what
** operations there are.
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

typedef int KernelId;  /* index into rt_kernels; negative: no such kernel */

/* The bits of infinity; 0 for what is no float, or a pair of them. */
extern const uint64_t rt_dtype_infinities[DTYPE_COUNT];

/* Bytes of an element. */
extern const uint8_t rt_dtype_sizes[DTYPE_COUNT];

static inline size_t rt_dtype_size (DType t) { return rt_dtype_sizes[t]; }

#endif

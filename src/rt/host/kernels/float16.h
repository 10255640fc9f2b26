/*
** float16.h - float16 on the host device, many at a time, by instructions that
** the compiler does not use for loops.
*/
#ifndef TIDE_RT_HOST_KERNELS_FLOAT16_H
#define TIDE_RT_HOST_KERNELS_FLOAT16_H

#include <stddef.h>

#include "kernels/types.h"

enum { HALVES = 256 }; /* elements that go through float32 together */

/* Like load_f16 and f16_of_float of kernels/half.h, bit for bit, but for the
** payload of a widened NaN. */
void float16_widen (float *z, const t_f16 *x, size_t n);
void float16_narrow (t_f16 *z, const float *x, size_t n);

#endif

/*
** halves.h - float16 on the host device, many at a time: what a processor has
** instructions for, and the compiler makes of no loop.
*/
#ifndef TIDE_RT_HOST_KERNELS_HALVES_H
#define TIDE_RT_HOST_KERNELS_HALVES_H

#include <stddef.h>

#include "kernels/types.h"

enum { HALVES = 256 };  /* that go by way of float32 together */

/* As load_f16 and f16_of_float of kernels/half.h, bit for bit, but for what a
** NaN has besides its sign when it is widened. */
void host_widen (float *z, const t_f16 *x, size_t n);
void host_narrow (t_f16 *z, const float *x, size_t n);

#endif

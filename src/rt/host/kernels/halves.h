/*
** halves.h - float16 on the host device, many at a time: what a processor has
** instructions for, and the compiler makes of no loop.
*/
#ifndef TIDE_RT_HOST_KERNELS_HALVES_H
#define TIDE_RT_HOST_KERNELS_HALVES_H

#include <stddef.h>

#include "kernels/types.h"

enum { HALVES = 256 };  /* that go by way of float32 together */

/* The same bits as load_f16, but for the payload of a NaN, and to_f16. */
void host_widen (float *z, const t_f16 *x, size_t n);
void host_narrow (t_f16 *z, const float *x, size_t n);

#endif

/*
** divide.h - divides rows of integers by one number: dense host kernels of x, y
** and n elements, also for the kernels of any strides (strided.h). See
** divide.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_DIVIDE_H
#define TIDE_RT_HOST_KERNELS_DIVIDE_H

#include "host_kernels.h"

/* M(suffix, type, unsigned type, its bits) */
#define SET_SIGNED(M) \
  M(i8, int8_t, uint8_t, 8) \
  M(i16, int16_t, uint16_t, 16) \
  M(i32, int32_t, uint32_t, 32) M(i64, int64_t, uint64_t, 64)
#define SET_UNSIGNED(M) \
  M(u8, uint8_t, uint8_t, 8) \
  M(u16, uint16_t, uint16_t, 16) \
  M(u32, uint32_t, uint32_t, 32) M(u64, uint64_t, uint64_t, 64)

#define DIVIDES(s, T, U, bits) \
  HOST_KERNEL(floordiv_vs_##s); \
  HOST_KERNEL(mod_vs_##s); \
  HOST_KERNEL(fmod_by_##s);
SET_SIGNED(DIVIDES)
SET_UNSIGNED(DIVIDES)
#undef DIVIDES

#endif

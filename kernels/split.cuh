/*
** split.cuh - splits an element's number into its indices along the axes.
*/
#ifndef TIDE_SPLIT_CUH
#define TIDE_SPLIT_CUH

#include <stddef.h>
#include <stdint.h>

/* e = q*d + r; most numbers are small enough for the short division. */
struct Split {
  size_t q, r;
  __device__ __forceinline__ Split (size_t e, size_t d) {
    if (d == 1) {
      q = e;
      r = 0;
    } else if (((e | d) >> 32) == 0) {
      q = (uint32_t)e / (uint32_t)d;
      r = (uint32_t)e % (uint32_t)d;
    } else {
      q = e / d;
      r = e % d;
    }
  }
};

#endif

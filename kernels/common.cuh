/*
** common.cuh - index helpers of the kernels, and packs; nothing else.
*/
#ifndef TIDE_COMMON_CUH
#define TIDE_COMMON_CUH

#include <stddef.h>
#include <stdint.h>

/* Grid-stride loop: for (i = first(); i < n; i += stride()). */
static __device__ __forceinline__ size_t first (void) {
  return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ size_t stride (void) {
  return (size_t)gridDim.x * blockDim.x;
}

/* N neighbours that move as one access of up to 16 bytes. */
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
};

/* May x be accessed in packs of N? The same answer in every thread. */
template <int N, class T>
static __device__ __forceinline__ bool aligned (const T *x) {
  return (uintptr_t)x % (sizeof(T) * N) == 0;
}

/* Pack i of x; 'whole': as one access, which x is aligned for. */
template <int N, class T>
static __device__ __forceinline__ Pack<T, N> load_pack (const T *x, size_t i,
                                                        bool whole) {
  Pack<T, N> p;
  if (whole)
    return reinterpret_cast<const Pack<T, N> *>(x)[i];
#pragma unroll
  for (int k = 0; k < N; k++)
    p.at[k] = x[i * N + k];
  return p;
}

template <int N, class T>
static __device__ __forceinline__ void store_pack (T *z, size_t i,
                                                   const Pack<T, N> &p,
                                                   bool whole) {
  if (whole) {
    reinterpret_cast<Pack<T, N> *>(z)[i] = p;
    return;
  }
#pragma unroll
  for (int k = 0; k < N; k++)
    z[i * N + k] = p.at[k];
}

#endif

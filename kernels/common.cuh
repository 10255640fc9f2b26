/*
** common.cuh - the beginning of all kernels, index helpers, and packs; nothing
** else.
*/
#ifndef TIDE_COMMON_CUH
#define TIDE_COMMON_CUH

#include <stddef.h>
#include <stdint.h>

/*
** Every kernel begins with this: it waits until all earlier work of the stream,
** or of the graph, is done and visible. On a device that can, the driver starts
** a kernel while the one before it is ending (programmatic dependent launch,
** CUDA programming guide, 2025: see dispatch_launch). That hides most of a
** launch: a fifth of the time of 100 kernels of 1 us in a graph (H200, driver
** 580). No kernel tells its followers to start earlier, because their blocks
** would take room from blocks that have work.
*/
static __device__ __forceinline__ void after_previous (void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

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

/* Tells whether x can be accessed in packs of N. The answer is the same in
** every thread. */
template <int N, class T>
static __device__ __forceinline__ bool aligned (const T *x) {
  return (uintptr_t)x % (sizeof(T) * N) == 0;
}

/* Loads pack i of x; 'whole': as one access, for which x is aligned. */
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

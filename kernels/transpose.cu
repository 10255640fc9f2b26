/*
** transpose.cu - copies between operands with adjacent elements along different
** axes: transpose_w32 moves elements of 32 bits. Host kernels:
** src/rt/host/kernels/transpose.c.
**
** A block moves a tile of the last two axes through shared memory. So it reads
** along the axis where x has stride 1, and writes along that where z has. A
** tile has 64 by 64 elements, which is 16 loads a thread, or 32 by 32 for wide
** elements; a column of padding keeps its columns in different banks. Moves two
** elements for each copied one.
*/
#include "common.cuh"
#include "geometry.h"
#include "types.h"

template <class T>
static __device__ __forceinline__ void transpose (T *z, const T *x,
                                                  const Geometry &g) {
  constexpr int TILE = TRANSPOSE_TILE(T), STEP = MAP_BLOCK / TILE;
  __shared__ T tile[TILE][TILE + 1];
  const int last = g.ndim - 1, row = g.ndim - 2;
  const int lane = threadIdx.x % TILE, first_k = threadIdx.x / TILE;
  const uint64_t down = (uint64_t)(g.shape[row] + TILE - 1) / TILE;
  for (uint64_t t = blockIdx.x; t < g.items; t += gridDim.x) {
    uint64_t rest = t / g.row;
    const int64_t j = (int64_t)(t - rest * g.row) * TILE;
    const int64_t i = (int64_t)(rest % down) * TILE;
    const int64_t width = g.shape[last] - j, height = g.shape[row] - i;
    int64_t az = i * g.stride[0][row] + j, ax = i + j * g.stride[1][last];
    rest /= down;
    for (int d = row - 1; d >= 0; d--) {
      const int64_t k = (int64_t)(rest % (uint64_t)g.shape[d]);
      rest /= (uint64_t)g.shape[d];
      az += k * g.stride[0][d];
      ax += k * g.stride[1][d];
    }
#pragma unroll
    for (int k = 0; k < TILE; k += STEP)
      if (lane < height && first_k + k < width)
        tile[first_k + k][lane] = x[ax + lane +
                                    (first_k + k) * g.stride[1][last]];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k += STEP)
      if (lane < width && first_k + k < height)
        z[az + (first_k + k) * g.stride[0][row] + lane] =
          tile[lane][first_k + k];
    __syncthreads();
  }
}

#define TRANSPOSE(b) \
  extern "C" __global__ void __launch_bounds__(MAP_BLOCK) \
  transpose_##b (t_##b *z, const t_##b *x, \
                 const __grid_constant__ Geometry g) { \
    after_previous(); \
    transpose(z, x, g); \
  }
SET_WIDTH(TRANSPOSE)

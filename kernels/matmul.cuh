/*
** matmul.cuh - z = x y, matrices of m by k and k by n, 'batches' of them:
** matmul_f32 and so on. On the host device: src/rt/host/kernels/matmul.c.
**
** A block computes MATMUL_TILE by MATMUL_TILE elements of one z. It walks along
** k, with MATMUL_DEPTH columns of x and rows of y in shared memory at a time.
** Each of its 256 threads has a square of 4 by 4 elements in registers, so a
** loaded element is used 64 times. Integers wrap around. Products of floats,
** and of the parts of complex numbers, are fused with the sum, in the order of
** k whatever the shape. Elements of 16 bits are summed as float32.
**
** xstep and ystep are the distances of the matrices of a batch; 0 is the same
** matrix for all. Bit 0 of 'turned': x is k by m in memory; bit 1: y is n by k.
*/
#ifndef TIDE_MATMUL_CUH
#define TIDE_MATMUL_CUH

#include "common.cuh"
#include "ops.h"

#define SIDE 4  /* of a thread's square */

template <class T>
static __device__ __forceinline__ auto element (T x) { return wrap(x); }
static __device__ __forceinline__ t_c64 element (t_c64 x) { return x; }
static __device__ __forceinline__ t_c128 element (t_c128 x) { return x; }
static __device__ __forceinline__ float element (t_f16 x) {
  return load_f16(x);
}
static __device__ __forceinline__ float element (t_bf16 x) {
  return load_bf16(x);
}

template <class T, class A>
static __device__ __forceinline__ void keep (T *z, A a) { *z = (T)a; }
static __device__ __forceinline__ void keep (t_f16 *z, float a) {
  *z = to_f16(a);
}
static __device__ __forceinline__ void keep (t_bf16 *z, float a) {
  *z = to_bf16(a);
}

template <class A>
static __device__ __forceinline__ A multiply_add (A x, A y, A a) {
  return a + x * y;
}
static __device__ __forceinline__ float multiply_add (float x, float y,
                                                      float a) {
  return fmaf(x, y, a);
}
static __device__ __forceinline__ double multiply_add (double x, double y,
                                                       double a) {
  return fma(x, y, a);
}

#define MULTIPLY_ADD_PARTS(C) \
  static __device__ __forceinline__ C multiply_add (C x, C y, C a) { \
    a.re = multiply_add(-x.im, y.im, multiply_add(x.re, y.re, a.re)); \
    a.im = multiply_add(x.im, y.re, multiply_add(x.re, y.im, a.im)); \
    return a; \
  }

MULTIPLY_ADD_PARTS(t_c64)
MULTIPLY_ADD_PARTS(t_c128)

template <class T, class A>
static __device__ __forceinline__ void matmul (T *z, const T *x, const T *y,
    size_t m, size_t k, size_t n, size_t xstep, size_t ystep, size_t turned) {
  __shared__ A xs[MATMUL_DEPTH][MATMUL_TILE], ys[MATMUL_DEPTH][MATMUL_TILE];
  const size_t across = (n + MATMUL_TILE - 1) / MATMUL_TILE;
  const size_t down = (m + MATMUL_TILE - 1) / MATMUL_TILE;
  const size_t batch = blockIdx.x / across / down;
  const size_t row = blockIdx.x / across % down * MATMUL_TILE;
  const size_t column = blockIdx.x % across * MATMUL_TILE;
  const unsigned t = threadIdx.x, top = t / 16 * SIDE, left = t % 16 * SIDE;
  const size_t xdown = turned & 1 ? 1 : k, xalong = turned & 1 ? m : 1;
  const size_t ydown = turned & 2 ? 1 : n, yalong = turned & 2 ? k : 1;
  A a[SIDE][SIDE] = {};
  x += batch * xstep;
  y += batch * ystep;
  z += batch * m * n;
  for (size_t at = 0; at < k; at += MATMUL_DEPTH) {
    const size_t xi = row + t / 4, yi = at + t / 16;
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      const size_t xj = at + t % 4 * SIDE + i, yj = column + left + i;
      xs[t % 4 * SIDE + i][t / 4] =
          xi < m && xj < k ? element(x[xi * xdown + xj * xalong]) : A();
      ys[t / 16][left + i] =
          yi < k && yj < n ? element(y[yi * ydown + yj * yalong]) : A();
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < MATMUL_DEPTH; d++)
#pragma unroll
      for (int i = 0; i < SIDE; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
          a[i][j] = multiply_add(xs[d][top + i], ys[d][left + j], a[i][j]);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++)
#pragma unroll
    for (int j = 0; j < SIDE; j++)
      if (row + top + i < m && column + left + j < n)
        keep(&z[(row + top + i) * n + column + left + j], a[i][j]);
}

#undef SIDE
#undef MULTIPLY_ADD_PARTS

#endif

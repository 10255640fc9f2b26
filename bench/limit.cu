/*
** limit.cu - the kernels of the limit program (limit.c), nothing else.
**
** The small ones work on 1024 float32 with 4 blocks of 256 threads (sum1k: one
** block). The big ones come in a few shapes each; limit.c runs them all and
** keeps the best, so that its figure is what this machine can do.
*/

#define SMALL 1024

extern "C" __global__ void mul3 (const float *x, const float *y, float *z) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < SMALL)
    z[i] = x[i] * y[i];
}

extern "C" __global__ void mul8 (const float *x, const float *y, float *z) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < SMALL)
    z[i] = x[i] * y[i] + 8.0f;
}

/* Each block takes so long; 16 of them fill an eighth of an H200. */
extern "C" __global__ void busy (float *z, long long ns) {
  long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < ns);
  if (threadIdx.x == 0)
    z[blockIdx.x] = (float)ns;
}

/* x[i] = (i % 1024) / 4: never all alike, and sums stay exact in float64 */
extern "C" __global__ void fill (float *x, size_t n) {
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    x[i] = (float)(i % 1024) * 0.25f;
}

/* Sum over the block; the result is valid in thread 0. 'blockDim' <= 1024. */
static __device__ float block_sum (float a) {
  __shared__ float part[32];
  for (int d = 16; d > 0; d /= 2)
    a += __shfl_down_sync(0xffffffffu, a, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = a;
  __syncthreads();
  if (threadIdx.x >= 32)
    return 0.0f;
  a = (threadIdx.x < blockDim.x / 32) ? part[threadIdx.x] : 0.0f;
  for (int d = 16; d > 0; d /= 2)
    a += __shfl_down_sync(0xffffffffu, a, d);
  return a;
}

/* One block sums n floats: the whole of sum1k, the second step of a big sum. */
extern "C" __global__ void sum1 (const float *x, float *out, unsigned n) {
  float a = 0.0f;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    a += x[i];
  a = block_sum(a);
  if (threadIdx.x == 0)
    *out = a;
}

static __device__ float4 add4 (float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/*
** c = a + b, 12 bytes an element. Each thread moves U float4, 'blockDim' apart;
** all loads are issued before the first store. n4 must be a multiple of
** U * blockDim.
*/
template <int U>
static __device__ void add_body (const float4 *a, const float4 *b, float4 *c) {
  size_t first = (size_t)blockIdx.x * blockDim.x * U + threadIdx.x;
  float4 p[U], q[U];
#pragma unroll
  for (int u = 0; u < U; u++) {
    p[u] = __ldcs(a + first + u * blockDim.x);
    q[u] = __ldcs(b + first + u * blockDim.x);
  }
#pragma unroll
  for (int u = 0; u < U; u++)
    __stcs(c + first + u * blockDim.x, add4(p[u], q[u]));
}

#define ADD(U) \
  extern "C" __global__ void add##U (const float4 *a, const float4 *b, \
                                     float4 *c) { \
    add_body<U>(a, b, c); \
  }

ADD(1)
ADD(2)
ADD(4)

/* c = a, 8 bytes an element, in the same way. */
template <int U>
static __device__ void copy_body (const float4 *a, float4 *c) {
  size_t first = (size_t)blockIdx.x * blockDim.x * U + threadIdx.x;
  float4 p[U];
#pragma unroll
  for (int u = 0; u < U; u++)
    p[u] = __ldcs(a + first + u * blockDim.x);
#pragma unroll
  for (int u = 0; u < U; u++)
    __stcs(c + first + u * blockDim.x, p[u]);
}

#define COPY(U) \
  extern "C" __global__ void copy##U (const float4 *a, const float4 *, \
                                      float4 *c) { \
    copy_body<U>(a, c); \
  }

COPY(1)
COPY(2)
COPY(4)

/*
** One partial sum a block, 4 bytes an element. Each thread keeps U float4 in
** flight; what is left past the last full round is taken singly.
*/
template <int U>
static __device__ void sum_body (const float4 *x, float *part, size_t n4) {
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (; i + (U - 1) * step < n4; i += U * step) {
    float4 v[U];
#pragma unroll
    for (int u = 0; u < U; u++)
      v[u] = __ldcs(x + i + u * step);
#pragma unroll
    for (int u = 0; u < U; u++)
      a = add4(a, v[u]);
  }
  for (; i < n4; i += step)
    a = add4(a, x[i]);
  float s = block_sum((a.x + a.y) + (a.z + a.w));
  if (threadIdx.x == 0)
    part[blockIdx.x] = s;
}

#define SUM(U) \
  extern "C" __global__ void sum##U##_parts (const float4 *x, float *part, \
                                             size_t n4) { \
    sum_body<U>(x, part, n4); \
  }

SUM(2)
SUM(4)
SUM(8)

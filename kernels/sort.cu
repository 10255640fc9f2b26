/*
** sort.cu - sorts rows of n elements, or says in which order they are. Written
** by hand: the radix_ and rows_ lines of kernels.def. Twins:
** src/rt/host/sort.c.
**
** Elements become keys (keys.h). Rows of up to ROWS_TILE are sorted whole, as
** many as a block's shared memory holds, by a bitonic network. Longer ones go
** through a stable radix sort, a pass a byte. A row is cut into chunks, one a
** block, and a pass is three launches:
**
**   radix_count:   counts[row][digit][chunk]
**   radix_offsets: counts become offsets within their digit; totals[row][digit]
**   radix_sort, radix_order: keys (and places) go where they belong
**
** Memory-bound: a pass reads the keys twice and writes them once. In the last
** step a block ranks a tile in its order, warp by warp, then puts it together
** by digit in shared memory, so that neighbours in memory are written by
** neighbouring threads. radix_order carries places of 32 bits along; its last
** pass writes them alone, as int64 from 1.
*/
#include "common.cuh"
#include "keys.h"

#define WARPS (SORT_BLOCK / 32)
#define ALL 0xffffffffu

/* {== elements and keys =============================================== */

static __device__ __forceinline__ uint32_t bits_at (const void *x, size_t i,
                                                    int width, uint32_t) {
  switch (width) {
    case 1: return static_cast<const uint8_t *>(x)[i];
    case 2: return static_cast<const uint16_t *>(x)[i];
    default: return static_cast<const uint32_t *>(x)[i];
  }
}

static __device__ __forceinline__ uint64_t bits_at (const void *x, size_t i,
                                                    int, uint64_t) {
  return static_cast<const uint64_t *>(x)[i];
}

static __device__ __forceinline__ void put_bits (void *z, size_t i, int width,
                                                 uint32_t bits) {
  switch (width) {
    case 1: static_cast<uint8_t *>(z)[i] = (uint8_t)bits; break;
    case 2: static_cast<uint16_t *>(z)[i] = (uint16_t)bits; break;
    default: static_cast<uint32_t *>(z)[i] = bits;
  }
}

static __device__ __forceinline__ void put_bits (void *z, size_t i, int,
                                                 uint64_t bits) {
  static_cast<uint64_t *>(z)[i] = bits;
}

/* Element i as a key: of the array that is sorted, or of what a pass left. */
template <class K>
static __device__ __forceinline__ K key_at (const void *x, size_t i, K sign,
                                            K inf, int64_t pass) {
  if (!PASS_FIRST(pass))
    return static_cast<const K *>(x)[i];
  return tokey(bits_at(x, i, PASS_WIDTH(pass), sign), sign, inf,
               PASS_ORDER(pass));
}

template <class K>
static __device__ __forceinline__ void put_key (void *z, size_t i, K key,
                                                K sign, K inf, int64_t pass) {
  if (PASS_LAST(pass))
    put_bits(z, i, PASS_WIDTH(pass), fromkey(key, sign, inf));
  else
    static_cast<K *>(z)[i] = key;
}

/* ==} */

/* {== radix sort ====================================================== */

/*
** The sum of what the threads before this one have; '*all' that of all. 'part'
** is free again afterwards. All threads of the block call it.
*/
static __device__ __forceinline__ uint32_t before (uint32_t own,
    uint32_t *part, uint32_t *all) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = own;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const uint32_t other = __shfl_up_sync(ALL, sum, d);
    if (lane >= d)
      sum += other;
  }
  if (lane == 31)
    part[warp] = sum;
  __syncthreads();
  uint32_t prefix = 0, total = 0;
#pragma unroll
  for (int w = 0; w < WARPS; w++) {
    if (w < warp)
      prefix += part[w];
    total += part[w];
  }
  __syncthreads();
  *all = total;
  return prefix + sum - own;
}

template <class K>
static __device__ __forceinline__ void count (uint32_t *counts, const void *x,
    size_t n, size_t chunk, size_t chunks, K sign, K inf, int64_t pass) {
  __shared__ uint32_t digits[WARPS][DIGITS];
  const size_t row = blockIdx.x / chunks, c = blockIdx.x % chunks;
  const size_t from = c * chunk, to = n - from < chunk ? n : from + chunk;
  for (int w = 0; w < WARPS; w++)
    digits[w][threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 4
  for (size_t i = from + threadIdx.x; i < to; i += SORT_BLOCK) {
    const K key = key_at<K>(x, row * n + i, sign, inf, pass);
    atomicAdd(&digits[threadIdx.x / 32][key >> PASS_SHIFT(pass) & 255], 1u);
  }
  __syncthreads();
  uint32_t sum = 0;
  for (int w = 0; w < WARPS; w++)
    sum += digits[w][threadIdx.x];
  counts[(row * DIGITS + threadIdx.x) * chunks + c] = sum;
}

/* The lanes of the warp whose digit is this one's. */
static __device__ __forceinline__ unsigned peers_of (unsigned digit) {
  unsigned peers = ALL;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    const bool set = (digit >> b & 1) != 0;
    const unsigned with = __ballot_sync(ALL, set);
    peers &= set ? with : ~with;
  }
  return peers;
}

/*
** How many of the warp's earlier elements have this digit; 'counts' is how many
** each digit had so far. All lanes of the warp call it.
*/
static __device__ __forceinline__ uint32_t rank_of (unsigned digit,
                                                    uint32_t *counts) {
  const unsigned lane = threadIdx.x % 32, peers = peers_of(digit);
  const int leader = __ffs((int)peers) - 1;
  uint32_t prior = 0;
  if (lane == leader) {
    prior = counts[digit];
    counts[digit] = prior + __popc(peers);
  }
  __syncwarp();
  prior = __shfl_sync(ALL, prior, leader);
  return prior + __popc(peers & ((1u << lane) - 1));
}

/*
** The tiles of one chunk, one after the other. 'zi' and 'xi' are places, if
** PAIRS; xi NULL: those are 0, 1 ... yet. zk NULL: keys are not wanted.
*/
template <class K, int ITEMS, bool PAIRS>
static __device__ __forceinline__ void move (void *zk, const void *x, void *zi,
    const uint32_t *xi, const uint32_t *offsets, const uint32_t *totals,
    size_t n, size_t chunk, size_t chunks, K sign, K inf, int64_t pass) {
  constexpr int TILE = SORT_BLOCK * ITEMS;
  __shared__ uint32_t counts[WARPS][DIGITS];
  __shared__ uint32_t start[DIGITS];  /* of a digit in the tile */
  __shared__ uint32_t base[DIGITS];   /* of a digit's next ones in the row */
  __shared__ uint32_t part[WARPS];
  __shared__ K stage[TILE];
  uint32_t *places = reinterpret_cast<uint32_t *>(stage);
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const size_t row = blockIdx.x / chunks, c = blockIdx.x % chunks;
  const size_t from = c * chunk, to = n - from < chunk ? n : from + chunk;
  uint32_t all;
  base[t] = before(totals[row * DIGITS + t], part, &all) +
            offsets[(row * DIGITS + t) * chunks + c];
  for (size_t tile = from; tile < to; tile += TILE) {
    const size_t left = to - tile;
    K key[ITEMS];
    uint32_t at[ITEMS], place[ITEMS];
    for (int w = 0; w < WARPS; w++)
      counts[w][t] = 0;
    /* Beyond the end: the last of the last digit, which nobody writes. */
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
      const unsigned i = (warp * ITEMS + k) * 32 + lane;
      key[k] = i < left ? key_at<K>(x, row * n + tile + i, sign, inf, pass)
                        : (K)~(K)0;
      if (PAIRS)
        place[k] = i >= left ? 0 : xi == NULL ? (uint32_t)(tile + i)
                                              : xi[row * n + tile + i];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
      at[k] = rank_of(key[k] >> PASS_SHIFT(pass) & 255, counts[warp]);
      __syncwarp();
    }
    __syncthreads();
    uint32_t own = 0;  /* thread t is digit t's */
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
      const uint32_t one = counts[w][t];
      counts[w][t] = own;
      own += one;
    }
    start[t] = before(own, part, &all);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
      const unsigned digit = key[k] >> PASS_SHIFT(pass) & 255;
      at[k] += start[digit] + counts[warp][digit];
      stage[at[k]] = key[k];
    }
    __syncthreads();
    uint32_t goes[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
      const unsigned i = k * SORT_BLOCK + t;
      const K moved = stage[i];
      const unsigned digit = moved >> PASS_SHIFT(pass) & 255;
      goes[k] = base[digit] + i - start[digit];
      if (i < left && zk != NULL)
        put_key<K>(zk, row * n + goes[k], moved, sign, inf, pass);
    }
    __syncthreads();
    if (PAIRS) {
#pragma unroll
      for (int k = 0; k < ITEMS; k++)
        places[at[k]] = place[k];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < ITEMS; k++) {
        const unsigned i = k * SORT_BLOCK + t;
        if (i < left && PASS_LAST(pass))
          static_cast<int64_t *>(zi)[row * n + goes[k]] =
              (int64_t)places[i] + 1;
        else if (i < left)
          static_cast<uint32_t *>(zi)[row * n + goes[k]] = places[i];
      }
    }
    base[t] += own;
    __syncthreads();
  }
}

#define KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)

KERNEL(SORT_BLOCK) radix_offsets (uint32_t *counts, uint32_t *totals,
                                  size_t chunks) {
  __shared__ uint32_t part[WARPS];
  uint32_t *own = counts + blockIdx.x * chunks, sum = 0;
  for (size_t c = 0; c < chunks; c += SORT_BLOCK) {
    uint32_t all;
    const size_t i = c + threadIdx.x;
    const uint32_t ahead = before(i < chunks ? own[i] : 0, part, &all);
    if (i < chunks)
      own[i] = sum + ahead;
    sum += all;
  }
  if (threadIdx.x == 0)
    totals[blockIdx.x] = sum;
}

#define RADIX(s, K) \
  KERNEL(SORT_BLOCK) radix_count_##s (uint32_t *counts, const void *x, \
      size_t n, size_t chunk, size_t chunks, K sign, K inf, int64_t pass) { \
    count<K>(counts, x, n, chunk, chunks, sign, inf, pass); \
  } \
  KERNEL(SORT_BLOCK) radix_sort_##s (void *z, const void *x, \
      const uint32_t *offsets, const uint32_t *totals, size_t n, \
      size_t chunk, size_t chunks, K sign, K inf, int64_t pass) { \
    move<K, SORT_BYTES / sizeof(K), false>(z, x, NULL, NULL, offsets, \
        totals, n, chunk, chunks, sign, inf, pass); \
  } \
  KERNEL(SORT_BLOCK) radix_order_##s (void *zk, const void *x, void *zi, \
      const uint32_t *xi, const uint32_t *offsets, const uint32_t *totals, \
      size_t n, size_t chunk, size_t chunks, K sign, K inf, int64_t pass) { \
    move<K, SORT_BYTES / sizeof(K), true>(zk, x, zi, xi, offsets, totals, n, \
        chunk, chunks, sign, inf, pass); \
  }
SET_KEY(RADIX)

/* ==} */

/* {== bitonic sort ==================================================== */

/*
** Rows of n, each in 'room' slots, a power of two; slots beyond n hold what is
** last. Places, if PAIRS, make all pairs different, hence the order stable.
*/
template <class K, bool PAIRS>
static __device__ __forceinline__ void whole (void *z, const void *x, size_t n,
    size_t room, size_t rows, K sign, K inf, int64_t pass) {
  __shared__ K key[ROWS_TILE];
  __shared__ uint16_t place[PAIRS ? ROWS_TILE : 1];
  const size_t first_row = blockIdx.x * (ROWS_TILE / room);
  for (unsigned s = threadIdx.x; s < ROWS_TILE; s += ROWS_BLOCK) {
    const size_t row = first_row + s / room, i = s % room;
    const bool has = row < rows && i < n;
    key[s] = has ? key_at<K>(x, row * n + i, sign, inf, pass) : (K)~(K)0;
    if (PAIRS)
      place[s] = (uint16_t)i;
  }
  __syncthreads();
  for (unsigned size = 2; size <= room; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      for (unsigned t = threadIdx.x; t < ROWS_TILE / 2; t += ROWS_BLOCK) {
        const unsigned i = 2 * t - (t & (d - 1)), j = i + d;
        const bool up = (i & (room - 1) & size) == 0;
        const K a = key[i], b = key[j];
        bool swap = up ? a > b : b > a;
        if (PAIRS && a == b)
          swap = (place[i] > place[j]) == up;
        if (swap) {
          key[i] = b;
          key[j] = a;
          if (PAIRS) {
            const uint16_t p = place[i];
            place[i] = place[j];
            place[j] = p;
          }
        }
      }
      __syncthreads();
    }
  for (unsigned s = threadIdx.x; s < ROWS_TILE; s += ROWS_BLOCK) {
    const size_t row = first_row + s / room, i = s % room;
    if (row >= rows || i >= n)
      continue;
    if (PAIRS)
      static_cast<int64_t *>(z)[row * n + i] = (int64_t)place[s] + 1;
    else
      put_key<K>(z, row * n + i, key[s], sign, inf, pass);
  }
}

#define ROWS(s, K) \
  KERNEL(ROWS_BLOCK) rows_sort_##s (void *z, const void *x, size_t n, \
      size_t room, size_t rows, K sign, K inf, int64_t pass) { \
    whole<K, false>(z, x, n, room, rows, sign, inf, pass); \
  } \
  KERNEL(ROWS_BLOCK) rows_order_##s (void *z, const void *x, size_t n, \
      size_t room, size_t rows, K sign, K inf, int64_t pass) { \
    whole<K, true>(z, x, n, room, rows, sign, inf, pass); \
  }
SET_KEY(ROWS)

/* ==} */

#undef KERNEL
#undef WARPS
#undef ALL

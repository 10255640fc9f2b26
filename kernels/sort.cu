/*
** sort.cu - sorts rows of n elements, or returns their order. Written by hand:
** see by_hand.lua. Host kernels: src/rt/host/kernels/sort.c. Short rows are in
** rows.cu.
**
** Elements become keys (keys.h), which go through a stable radix sort, a pass a
** byte:
**
**   radix_count:   counts[row][pass][digit], for all passes at once
**   radix_offsets: turns counts into the places in the row where their elements
**                  begin; if all of a single row have the same digit,
**                  common[pass] is set
**   radix_sort, radix_order: a pass; moves keys (and places) to their places
**
** A pass whose digit is common does nothing, so small integers of any type take
** as many passes as they have bytes. Only the device knows which passes are
** left, so each finds out there what it reads and writes (ends_of).
**
** Memory-bound: reads the keys once to count them, and in each pass reads and
** writes them once (Adinets and Merrill, Onesweep, 2022). A block of a pass
** takes the next tile, ranks it in its order, warp by warp, and publishes how
** many of each digit it has. The counts of earlier tiles tell where its own
** elements go. It first groups them by digit in shared memory, so that
** neighbouring threads write neighbours in memory. radix_order carries places
** of 32 bits along; its last pass writes only these, as int64 from 1. Published
** numbers have SORT_BITS bits, so a pass takes long rows in parts, a launch
** each.
*/
#include "keys.cuh"

#define WARPS (SORT_BLOCK / 32)
#define ALL 0xffffffffu
#define LOOK 4  /* tiles that are looked at together */
#define KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)

/* {== radix sort: counts ============================================== */

/* A block takes one chunk of a row. */
template <class K>
static __device__ __forceinline__ void count (uint32_t *counts, const void *x,
    size_t n, size_t parts, size_t chunk, size_t chunks, K sign, K inf,
    int64_t pass) {
  constexpr int N = 8;
  __shared__ uint32_t digits[sizeof(K) * DIGITS];
  const unsigned t = threadIdx.x;
  const int width = PASS_WIDTH(pass);
  const size_t row = blockIdx.x / chunks, c = blockIdx.x % chunks;
  const size_t from = c * chunk, to = n - from < chunk ? n : from + chunk;
  for (int i = t; i < width * DIGITS; i += SORT_BLOCK)
    digits[i] = 0;
  __syncthreads();
  for (size_t at = from; at < to; at += N * SORT_BLOCK) {
    const uint32_t left = to - at < N * SORT_BLOCK ? to - at : N * SORT_BLOCK;
    K key[N];
    load<K, N, SORT_BLOCK>(key, x, row * n + at, t, left, sign, inf, pass);
#pragma unroll
    for (int k = 0; k < N; k++)
      if (t + k * SORT_BLOCK < left)
#pragma unroll
        for (int p = 0; p < sizeof(K); p++)
          if (p < width)
            atomicAdd(&digits[p * DIGITS + (key[k] >> 8 * p & 255)], 1u);
  }
  __syncthreads();
  counts += row * width * parts * DIGITS;
  for (int i = t; i < width * DIGITS; i += SORT_BLOCK)
    if (digits[i] != 0)
      atomicAdd(&counts[i / DIGITS * parts * DIGITS + i % DIGITS], digits[i]);
}

/* A block takes one pass of a row, a thread a digit. */
KERNEL(DIGITS) radix_offsets (uint32_t *counts, uint32_t *common, size_t n,
                              size_t parts) {
  after_previous();
  __shared__ uint32_t sums[DIGITS / 32];
  uint32_t *own = counts + blockIdx.x * parts * DIGITS + threadIdx.x;
  if (common != NULL && *own == n)
    common[blockIdx.x] = 1;
  *own = before(*own, sums);
}

/* ==} */

/* {== radix sort: a pass ============================================== */

/*
** The lanes of the warp with the same digit. Written in PTX, which gives half
** as many instructions as C++: a bit is tested once, and nothing is selected by
** it.
*/
static __device__ __forceinline__ unsigned peers_of (unsigned digit) {
  unsigned peers = ALL;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    unsigned with;
    asm volatile ("{\n\t"
                  ".reg .pred has;\n\t"
                  ".reg .b32 one;\n\t"
                  "and.b32 one, %1, %2;\n\t"
                  "setp.ne.u32 has, one, 0;\n\t"
                  "vote.sync.ballot.b32 %0, has, 0xffffffff;\n\t"
                  "@!has not.b32 %0, %0;\n\t"
                  "}" : "=r" (with) : "r" (digit), "r" (1u << b));
    peers &= with;
  }
  return peers;
}

/* *p = x in shared memory, if 'does', without a branch. */
static __device__ __forceinline__ void put_if (bool does, uint32_t *p,
                                               uint32_t x) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile ("{\n\t"
                ".reg .pred does;\n\t"
                "setp.ne.u32 does, %0, 0;\n\t"
                "@does st.volatile.shared.u32 [%1], %2;\n\t"
                "}" :: "r" ((int)does), "r" (at), "r" (x) : "memory");
}

/*
** Returns how many of the warp's earlier elements have this digit; 'counts' has
** the number of each digit so far. All lanes of the warp call it.
*/
static __device__ __forceinline__ uint32_t rank_of (unsigned digit,
    unsigned peers, uint32_t *counts) {
  const unsigned lane = threadIdx.x % 32;
  const uint32_t rank = static_cast<volatile uint32_t *>(counts)[digit] +
                        __popc(peers & ((1u << lane) - 1));
  __syncwarp();
  put_if(peers >> lane == 1, &counts[digit], rank + 1);
  __syncwarp();
  return rank;
}

/*
** Data that blocks exchange: 'state' has a ticket for each launch, the 'turn'
** of the sort, which deals out the tiles; then a word for each digit of each
** tile. The word's upper bits tell the kind of its lower ones: the number of
** elements in the tile ('own'), or in it and the tiles of its row before it
** ('sum'). A launch finds words of the kind that the previous one left: zeros,
** at first.
*/
struct Kinds {
  uint32_t none, own, sum;
};

static __device__ __forceinline__ Kinds kinds_of (size_t turn) {
  const uint32_t none = (uint32_t)turn * 2 % 3;
  return {none << SORT_BITS, (none + 1) % 3 << SORT_BITS,
          (none + 2) % 3 << SORT_BITS};
}

/*
** Returns how many elements of the word's digit the tiles before this one have;
** 'tile' is the number of those tiles. They have begun already, and each
** publishes its own count before it waits, so this ends. Each word is complete
** by itself, so no memory order is needed.
*/
static __device__ __forceinline__ uint32_t sum_before (
    const volatile uint32_t *word, uint32_t tile, Kinds kinds) {
  const uint32_t mask = ((uint32_t)1 << SORT_BITS) - 1;
  uint32_t sum = 0;
  for (; tile > 0; word -= LOOK * DIGITS, tile -= LOOK) {
    uint32_t seen[LOOK];
#pragma unroll
    for (int k = 0; k < LOOK; k++)
      seen[k] = *(word - (ptrdiff_t)(k < tile ? k + 1 : tile) * DIGITS);
#pragma unroll
    for (int k = 0; k < LOOK; k++) {
      while ((seen[k] & ~mask) == kinds.none)
        seen[k] = *(word - (ptrdiff_t)(k + 1) * DIGITS);
      sum += seen[k] & mask;
      if ((seen[k] & ~mask) == kinds.sum)  /* always so in the first tile */
        return sum;
    }
  }
  return sum;
}

/* The launch: part 'number' of 'parts', of equal size but for the last. */
struct Part {
  size_t turn, number, parts, size;
};

/* The place of a tile. */
struct Tile {
  size_t row;       /* its number */
  uint32_t from;    /* in the row */
  uint32_t left;    /* elements of the part, also those beyond the tile */
  uint32_t number;  /* of all */
  uint32_t behind;  /* tiles of the part before it */
  bool last;        /* of the part */
};

/* Takes the next tile that no block has taken yet. */
static __device__ __forceinline__ Tile next_tile (uint32_t *tickets, Part p,
                                                  size_t n, uint32_t size) {
  const uint32_t each = (uint32_t)((p.size + size - 1) / size);
  const size_t begin = p.number * p.size;
  const size_t end = n - begin < p.size ? n : begin + p.size;
  Tile t;
  t.number = atomicAdd(&tickets[p.turn], 1u);
  t.row = t.number / each;
  t.behind = t.number % each;
  t.last = t.behind == each - 1;
  const size_t from = begin + (size_t)t.behind * size;
  t.from = (uint32_t)from;
  t.left = from < end ? (uint32_t)(end - from) : 0;
  return t;
}

/* Writes a block's elements, k * SORT_BLOCK + its number in each thread, to
** their places, except for elements beyond 'left'. */
template <class T, class K, int ITEMS>
static __device__ __forceinline__ void write (T *z, const K *has,
                                              const uint32_t *goes,
                                              uint32_t left) {
  if (left >= ITEMS * SORT_BLOCK) {
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      z[goes[k]] = (T)has[k];
  } else {
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      if (k * SORT_BLOCK + threadIdx.x < left)
        z[goes[k]] = (T)has[k];
  }
}

template <class K, int ITEMS>
static __device__ __forceinline__ void write_keys (void *z, size_t row, K *key,
    const uint32_t *goes, uint32_t left, K sign, K inf, int64_t pass) {
  const bool last = PASS_LAST(pass);
  if (last)
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      key[k] = fromkey(key[k], sign, inf, pass);
  if (sizeof(K) == 8 || !last || PASS_WIDTH(pass) == 4)
    write<K, K, ITEMS>(static_cast<K *>(z) + row, key, goes, left);
  else if (PASS_WIDTH(pass) == 2)
    write<uint16_t, K, ITEMS>(static_cast<uint16_t *>(z) + row, key, goes,
                              left);
  else
    write<uint8_t, K, ITEMS>(static_cast<uint8_t *>(z) + row, key, goes, left);
}

/*
** The input and output of a pass. 'zi' and 'xi' are places, if PAIRS; xi NULL:
** they are still 0, 1 ... The last pass of PAIRS writes no keys.
*/
struct Ends {
  void *zk;
  const void *x;
  void *zi;
  const uint32_t *xi;
};

/* The arrays of a sort some passes of which may have nothing to do: the result,
** the input, and two places for keys (and places) in between. For a sort
** without places these are the result and one more. */
struct Between {
  const uint32_t *common;  /* NULL: no pass is skipped */
  void *result, *keys, *other_keys;
  uint32_t *places, *other_places;
};

/*
** Finds the input and output of this pass among those that are not skipped; it
** is number *turn. Updates in *pass whether it is the first or last of them.
** The last one writes the result. If all digits are common, only the last pass
** is done. False: this pass is skipped.
*/
template <bool PAIRS>
static __device__ __forceinline__ bool ends_of (Ends *e, const Between &b,
                                                int64_t *pass, size_t *turn) {
  const int digit = PASS_DIGIT(*pass), width = PASS_WIDTH(*pass);
  uint32_t all = 0, before = 0;
  for (int p = 0; p < width; p++) {
    const uint32_t own = b.common[p] == 0;
    all += own;
    before += p < digit ? own : 0;
  }
  if (all == 0 ? digit < width - 1 : b.common[digit] != 0)
    return false;
  all += all == 0;
  const bool first = before == 0, last = before + 1 == all;
  const bool other = ((all - before) & 1) != 0;  /* like the last pass */
  e->x = first ? e->x : other ? b.keys : b.other_keys;
  e->zk = other ? b.other_keys : b.keys;
  if (PAIRS) {
    e->xi = first ? NULL : other ? b.places : b.other_places;
    e->zi = last ? b.result : other ? b.other_places : b.places;
  }
  *pass = (*pass & ~PASS(0, 0, 1, 1, 0, 0)) | PASS(0, 0, first, last, 0, 0);
  *turn = before;
  return true;
}

template <class K, bool PAIRS>
static __device__ __forceinline__ void move (Ends e, const Between &between,
    uint32_t *offsets, uint32_t *state, size_t n, Part part, K sign, K inf,
    int64_t pass) {
  constexpr int ITEMS = SORT_BYTES / sizeof(K), TILE = SORT_TILE(K);
  constexpr size_t COUNTS = sizeof(uint32_t) * WARPS * DIGITS;
  constexpr size_t STAGE = sizeof(K) * TILE;
  __shared__ __align__(16) char room[COUNTS > STAGE ? COUNTS : STAGE];
  __shared__ uint32_t shift[DIGITS];  /* from the tile to the row */
  __shared__ uint32_t sums[DIGITS / 32];
  __shared__ Tile shared;
  K *stage = reinterpret_cast<K *>(room);
  uint32_t *places = reinterpret_cast<uint32_t *>(room);
  uint32_t (*counts)[DIGITS] = reinterpret_cast<uint32_t (*)[DIGITS]>(room);
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int bit = PASS_SHIFT(pass);
  size_t turn = part.turn;
  if (between.common != NULL && !ends_of<PAIRS>(&e, between, &pass, &turn))
    return;
  if (t == 0)
    shared = next_tile(state, part, n, TILE);
#pragma unroll
  for (int d = 0; d < DIGITS; d += 32)
    counts[warp][d + lane] = 0;
  __syncthreads();
  const Tile &tile = shared;
  const Kinds kinds = kinds_of(turn);
  volatile uint32_t *word = state + t +  /* of digit t */
      SORT_TICKETS(PASS_WIDTH(pass) * part.parts) +
      (size_t)tile.number * DIGITS;
  if (tile.left == 0) {
    if (t < DIGITS)
      *word = kinds.sum;
    return;
  }
  const size_t row = tile.row * n;
  const uint32_t i0 = warp * (ITEMS * 32) + lane;  /* this lane's first */
  const bool busy = __any_sync(ALL, i0 < tile.left) != 0;
  K key[ITEMS];
  uint32_t at[ITEMS];
  if (busy) {
    load<K, ITEMS, 32>(key, e.x, row + tile.from, i0, tile.left, sign, inf,
                       pass);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      at[k] = peers_of(key[k] >> bit & 255);
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      at[k] = rank_of(key[k] >> bit & 255, at[k], counts[warp]);
  }
  __syncthreads();
  /* Thread t has digit t. */
  uint32_t own = 0, of[WARPS];
  if (t < DIGITS) {
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
      of[w] = counts[w][t];
      own += of[w];
    }
    *word = own | (tile.behind > 0 ? kinds.own : kinds.sum);
  }
  const uint32_t start = before(own, sums);
  if (t < DIGITS) {
    uint32_t sum = start;
#pragma unroll
    for (int w = 0; w < WARPS; w++) {
      counts[w][t] = sum;
      sum += of[w];
    }
  }
  __syncthreads();
  if (busy)
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      at[k] += counts[warp][key[k] >> bit & 255];
  __syncthreads();
  if (busy)
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      stage[at[k]] = key[k];
  if (t < DIGITS) {
    uint32_t *base = offsets + t +
        ((tile.row * PASS_WIDTH(pass) + PASS_DIGIT(pass)) * part.parts +
         part.number) * DIGITS;
    const uint32_t sum = sum_before(word, tile.behind, kinds);
    if (tile.behind > 0)
      *word = (sum + own) | kinds.sum;
    shift[t] = *base + sum - start;
    if (tile.last && part.number + 1 < part.parts)
      base[DIGITS] = *base + sum + own;  /* for the next part */
  }
  __syncthreads();
  uint32_t goes[ITEMS];
#pragma unroll
  for (int k = 0; k < ITEMS; k++)
    key[k] = stage[k * SORT_BLOCK + t];
#pragma unroll
  for (int k = 0; k < ITEMS; k++)
    goes[k] = shift[key[k] >> bit & 255] + k * SORT_BLOCK + t;
  if (!PAIRS) {
    write_keys<K, ITEMS>(e.zk, row, key, goes, tile.left, sign, inf, pass);
    return;
  }
  if (!PASS_LAST(pass))
    write<K, K, ITEMS>(static_cast<K *>(e.zk) + row, key, goes, tile.left);
  uint32_t place[ITEMS];
  if (e.xi != NULL)
    read<uint32_t, uint32_t, ITEMS, 32>(place, e.xi, row + tile.from, i0,
                                        tile.left);
  else
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      place[k] = tile.from + i0 + k * 32;
  __syncthreads();
  if (busy)
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      places[at[k]] = place[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < ITEMS; k++)
    place[k] = places[k * SORT_BLOCK + t];
  if (!PASS_LAST(pass)) {
    write<uint32_t, uint32_t, ITEMS>(static_cast<uint32_t *>(e.zi) + row,
                                     place, goes, tile.left);
  } else {
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
      place[k]++;
    write<int64_t, uint32_t, ITEMS>(static_cast<int64_t *>(e.zi) + row,
                                    place, goes, tile.left);
  }
}

#define PASSES(threads) extern "C" __global__ void \
    __launch_bounds__(threads, SORT_RESIDENT)
#define RADIX(s, K) \
  KERNEL(SORT_BLOCK) radix_count_##s (uint32_t *counts, const void *x, \
      size_t n, size_t parts, size_t chunk, size_t chunks, K sign, K inf, \
      int64_t pass) { \
    after_previous(); \
    count<K>(counts, x, n, parts, chunk, chunks, sign, inf, pass); \
  } \
  PASSES(SORT_BLOCK) radix_sort_##s (void *z, const void *x, void *w, \
      uint32_t *offsets, uint32_t *state, const uint32_t *common, size_t n, \
      size_t turn, size_t part, size_t parts, size_t size, K sign, K inf, \
      int64_t pass) { \
    after_previous(); \
    move<K, false>({z, x, NULL, NULL}, {common, z, w, z, NULL, NULL}, \
                   offsets, state, n, {turn, part, parts, size}, sign, inf, \
                   pass); \
  } \
  PASSES(SORT_BLOCK) radix_order_##s (void *zk, const void *x, void *zi, \
      const uint32_t *xi, void *z, void *k0, void *k1, uint32_t *p0, \
      uint32_t *p1, uint32_t *offsets, uint32_t *state, \
      const uint32_t *common, size_t n, size_t turn, size_t part, \
      size_t parts, size_t size, K sign, K inf, int64_t pass) { \
    after_previous(); \
    move<K, true>({zk, x, zi, xi}, {common, z, k0, k1, p0, p1}, offsets, \
                  state, n, {turn, part, parts, size}, sign, inf, pass); \
  }
SET_KEY(RADIX)

/* ==} */

#undef KERNEL
#undef PASSES
#undef WARPS
#undef ALL
#undef LOOK

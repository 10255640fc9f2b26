/*
** plans.c - how kernels that take several launches divide their work: functions
** of the shape alone, so that floats come out the same on every device.
*/
#include "kernels.h"

#include "kernels/axis.h"
#include "kernels/chunks.h"
#include "kernels/softmax.h"
#include "kernels/types.h"
#include "rt/kernels/ids.h"

static size_t ceiling (size_t n, size_t each) {
  return n / each + (n % each != 0);
}

static size_t atmost (size_t n, size_t most) { return n < most ? n : most; }

static unsigned grid (size_t blocks) {
  return (unsigned)atmost(blocks > 0 ? blocks : 1, INT32_MAX);
}

/* {== scans =========================================================== */

/* Overridable: 16 waves of four blocks on each of an H200's 132 SMs. */
#if !defined(SCAN_BLOCKS)
#define SCAN_BLOCKS (132 * 64)
#endif

/* Overridable: up to here one block is faster than three launches. */
#if !defined(SCAN_WHOLE_MAX)
#define SCAN_WHOLE_MAX (4 * SCAN_TILE)
#endif

static bool in_rows (size_t n, size_t inner) {
  return inner == 1 && n > SCAN_SHORT;
}

/* Returns the number of chunks of a line for which 'lines' lines keep 'wanted'
** takers busy. */
static size_t cut (size_t lines, size_t wanted, size_t most) {
  return (lines >= wanted / 4) ? 1 : atmost(ceiling(wanted, lines), most);
}

unsigned kernel_scan_grid (size_t n, size_t inner, size_t chunk, size_t lines) {
  size_t each = in_rows(n, inner) ? SCAN_TEAM(chunk) : 1;
  return grid(ceiling(lines * ceiling(n, chunk), SCAN_BLOCK / each));
}

ScanPlan kernel_plan_scan (size_t n, size_t inner, size_t lines) {
  ScanPlan p = {.chunk = n, .chunks = 1};
  bool rows = in_rows(n, inner);
  if (rows && n > SCAN_WHOLE_MAX) {
    size_t chunks = cut(lines, SCAN_BLOCKS, ceiling(n, 2 * SCAN_TILE));
    p.chunk = ceiling(ceiling(n, chunks), SCAN_TILE) * SCAN_TILE;
  } else if (!rows && n > SCAN_SHORT) {
    size_t threads = SCAN_BLOCKS * SCAN_BLOCK / 2;
    p.chunk = ceiling(n, cut(lines, threads, ceiling(n, SCAN_SHORT)));
  }
  p.chunks = ceiling(n, p.chunk);
  p.grid = kernel_scan_grid(n, inner, p.chunk, lines);
  return p;
}

/* ==} */

/* {== moments ========================================================= */

KernelId kernel_moments (MomentsStage stage, DType t) {
  static const int16_t ids[MOMENTS_STAGES][4] = {
    [MOMENTS_AXIS] = {K_moments_axis_f16, K_moments_axis_bf16,
                      K_moments_axis_f32, K_moments_axis_f64},
    [MOMENTS_FINAL] = {K_moments_final_f16, K_moments_final_bf16,
                       K_moments_final_f32, K_moments_final_f64}};
  switch (t) {
    case DTYPE_FLOAT16: return ids[stage][0];
    case DTYPE_BFLOAT16: return ids[stage][1];
    case DTYPE_FLOAT32: return ids[stage][2];
    case DTYPE_FLOAT64: return ids[stage][3];
    default: return -1;
  }
}

unsigned kernel_moments_grid (size_t chunks, size_t results) {
  return grid(ceiling(results,
                      MOMENTS_BLOCK / axis_sharers(chunks, MOMENTS_BLOCK)));
}

/* ==} */

/* {== softmax ========================================================= */

/* Overridable: fewer columns than an H200 has threads for a quarter of it. */
#if !defined(SOFTMAX_COLUMNS)
#define SOFTMAX_COLUMNS (132 * 256)
#endif

KernelId kernel_softmax (DType t) {
  switch (t) {
    case DTYPE_FLOAT16: return K_softmax_axis_f16;
    case DTYPE_BFLOAT16: return K_softmax_axis_bf16;
    case DTYPE_FLOAT32: return K_softmax_axis_f32;
    case DTYPE_FLOAT64: return K_softmax_axis_f64;
    default: return -1;
  }
}

SoftmaxPlan kernel_plan_softmax (DType t, size_t outer, size_t n,
                                 size_t inner) {
  const size_t bytes = (t == DTYPE_FLOAT64) ? sizeof(double) : sizeof(float);
  SoftmaxPlan p = {outer * inner >= SOFTMAX_COLUMNS, 1, SOFTMAX_BLOCK};
  if (inner == 1) {
    p.held = n <= SOFTMAX_MOST * SOFTMAX_HELD(bytes);
    p.block = softmax_block(n, bytes);
    p.grid = grid(ceiling(outer, p.block / softmax_group(n, bytes)));
  } else {
    p.grid = grid(ceiling(outer * inner, SOFTMAX_BLOCK));
  }
  return p;
}

/* ==} */

/* {== sorts =========================================================== */

/* Overridable: a wave of eight blocks on each of an H200's 132 SMs counts. */
#if !defined(SORT_BLOCKS)
#define SORT_BLOCKS (132 * 8)
#endif

/* Overridable: the most elements of a part. Its counts have SORT_BITS bits even
** if the last tile counts elements beyond its end. */
#if !defined(SORT_PART)
#define SORT_PART ((size_t)1 << (SORT_BITS - 1))
#endif

/* Overridable: fewer rows than a processor sorts side by side are partitioned
** in less time from so many elements on. */
#if !defined(PARTITION_LEAST)
#define PARTITION_LEAST 128
#define PARTITION_ROWS 8
#endif

KernelId kernel_sort (SortStage stage, bool order, DType t) {
  static const int16_t ids[SORT_STAGES][2][2] = {
    [SORT_COUNT] = {{K_radix_count_k32, K_radix_count_k64},
                    {K_radix_count_k32, K_radix_count_k64}},
    [SORT_OFFSETS] = {{K_radix_offsets, K_radix_offsets},
                      {K_radix_offsets, K_radix_offsets}},
    [SORT_RADIX] = {{K_radix_sort_k32, K_radix_sort_k64},
                    {K_radix_order_k32, K_radix_order_k64}},
    [SORT_ROWS] = {{K_rows_sort_k32, K_rows_sort_k64},
                   {K_rows_order_k32, K_rows_order_k64}},
    [CHUNK_COUNT] = {{K_chunk_count_k32, K_chunk_count_k64},
                     {K_chunk_count_k32, K_chunk_count_k64}},
    [CHUNK_OFFSETS] = {{K_chunk_offsets, K_chunk_offsets},
                       {K_chunk_offsets, K_chunk_offsets}},
    [CHUNK_RADIX] = {{K_chunk_sort_k32, K_chunk_sort_k64},
                     {K_chunk_order_k32, K_chunk_order_k64}},
  };
  return ids[stage][order][dtype_size(t) > 4];
}

static void plan_rows (SortPlan *p, size_t n, size_t rows) {
  for (p->room = 1; p->room < n;)
    p->room *= 2;
  p->grid = grid(ceiling(rows, ROWS_TILE / p->room));
}

static void plan_chunks (SortPlan *p, size_t n, size_t rows) {
  p->chunks = n / CHUNK_WORTH;
  p->chunks = atmost(p->chunks < 1 ? 1 : p->chunks, CHUNKS_MOST);
  p->counts = rows * p->chunks * (sizeof(ChunkCounts) / 4);
  p->grid = 1;
}

static bool plan_radix (SortPlan *p, size_t n, size_t rows, size_t width,
                        size_t tile) {
  size_t chunks = atmost(ceiling(SORT_BLOCKS, rows), ceiling(n, tile));
  p->chunk = ceiling(ceiling(n, chunks), tile) * tile;
  p->chunks = ceiling(n, p->chunk);
  p->part = (n <= SORT_PART) ? n : SORT_PART / tile * tile;
  p->parts = ceiling(n, p->part);
  size_t tiles = rows * ceiling(p->part, tile);
  p->counts = rows * width * p->parts * 256;
  p->state = SORT_TICKETS(width * p->parts) + tiles * 256;
  p->grid = grid(tiles);
  p->count_grid = grid(rows * p->chunks);
  p->offsets_grid = grid(rows * width);
  return tiles <= INT32_MAX && rows * p->chunks <= INT32_MAX;
}

bool kernel_plan_sort (size_t n, size_t rows, DType t, bool host, SortPlan *p) {
  size_t width = dtype_size(t);
  size_t tile = (width > 4) ? SORT_TILE(uint64_t) : SORT_TILE(uint32_t);
  *p = (SortPlan){0};
  if (n <= ROWS_TILE) {
    plan_rows(p, n, rows);
    return ceiling(rows, ROWS_TILE / p->room) <= INT32_MAX;
  }
  if (n > UINT32_MAX || rows > INT32_MAX / 256)
    return false;
  if (host) {
    plan_chunks(p, n, rows);
    return true;
  }
  return plan_radix(p, n, rows, width, tile);
}

bool kernel_plan_pairs (size_t n, int digits, SortPlan *p) {
  *p = (SortPlan){0};
  return n <= UINT32_MAX &&
         plan_radix(p, n, 1, (size_t)digits, SORT_TILE(uint32_t));
}

KernelId kernel_partition (size_t n, size_t rows, DType t) {
  const size_t least = rows < PARTITION_ROWS ? PARTITION_LEAST : ROWS_TILE + 1;
  if (n < least || n > UINT32_MAX)
    return -1;
  switch (dtype_size(t)) {
    case 1: return K_partition_k8;
    case 2: return K_partition_k16;
    case 4: return K_partition_k32;
    default: return K_partition_k64;
  }
}

KernelId kernel_topk (DType t) {
  return dtype_size(t) > 4 ? K_topk_k64 : K_topk_k32;
}

size_t kernel_topk_chunks (size_t n, size_t rows, size_t k) {
  size_t chunks = ceiling(n, TOPK_ROOM), blocks;
  if (n <= ROWS_TILE || k == 0 || k > TOPK_MOST ||
      __builtin_mul_overflow(chunks, rows, &blocks) || blocks > INT32_MAX)
    return 0;
  return chunks;
}

/* ==} */

KernelId kernel_dot (ReduceStage stage, DType t) {
  const bool whole = (stage == REDUCE_WHOLE);
  switch (t) {
    case DTYPE_FLOAT16: return whole ? K_dot_whole_f16 : K_dot_partial_f16;
    case DTYPE_BFLOAT16: return whole ? K_dot_whole_bf16 : K_dot_partial_bf16;
    case DTYPE_FLOAT32: return whole ? K_dot_whole_f32 : K_dot_partial_f32;
    case DTYPE_FLOAT64: return whole ? K_dot_whole_f64 : K_dot_partial_f64;
    default: return -1;
  }
}

KernelId kernel_dot_rows (DType t, size_t rows, size_t n) {
  KernelId id = (t == DTYPE_FLOAT32)   ? K_dot_rows_f32
                : (t == DTYPE_FLOAT64) ? K_dot_rows_f64
                                       : -1;
  bool none = (id < 0 || rows == 0 || n == 0);
  return (none || kernel_axis_chunks(id, rows, n, 1) > 1) ? -1 : id;
}

unsigned kernel_matmul_grid (size_t m, size_t n, size_t batches) {
  size_t blocks;
  if (__builtin_mul_overflow(ceiling(m, MATMUL_TILE), ceiling(n, MATMUL_TILE),
                             &blocks) ||
      __builtin_mul_overflow(blocks, batches, &blocks) || blocks > INT32_MAX)
    return 0;
  return (unsigned)blocks;
}

/*
** transpose.c - host kernels of kernels/transpose.cu: copies where z has its
** neighbours along the last axis and x along the one before. Tiles are a line
** of the cache wide on both sides, so that each touched line is used whole;
** elements of 4 and 8 bytes are transposed in registers.
*/
#include "host_kernels.h"
#include "transpose.h"

#include "kernels/geometry.h"
#include "kernels/types.h"

/* {== tiles =========================================================== */

/* Transposes height by width elements of x; rows of z begin xs apart in x. */
#define PART_OF(b) \
  static void part_##b(t_##b *z, int64_t zs, const t_##b *x, int64_t xs, \
                       int64_t height, int64_t width) { \
    enum { TILE = TRANSPOSE_LINE / sizeof(t_##b) }; \
    t_##b tile[TILE][TILE]; \
    for (int64_t l = 0; l < width; l++) \
      for (int64_t k = 0; k < height; k++) \
        tile[k][l] = x[k + l * xs]; \
    for (int64_t k = 0; k < height; k++) \
      for (int64_t l = 0; l < width; l++) \
        z[k * zs + l] = tile[k][l]; \
  }

SET_WIDTH(PART_OF)

/* Transposes a whole tile. */
#define WHOLE_OF(b) \
  static void whole_##b(t_##b *z, int64_t zs, const t_##b *x, int64_t xs) { \
    enum { TILE = TRANSPOSE_LINE / sizeof(t_##b) }; \
    part_##b(z, zs, x, xs, TILE, TILE); \
  }

WHOLE_OF(w8)
WHOLE_OF(w16)
WHOLE_OF(w128)

typedef uint32_t Four __attribute__((vector_size(16)));
typedef uint64_t Two __attribute__((vector_size(16)));

#if defined(__clang__)
#define SHUFFLE(a, b, V, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, V, ...) __builtin_shuffle(a, b, (V){__VA_ARGS__})
#endif

static void whole_w32 (t_w32 *z, int64_t zs, const t_w32 *x, int64_t xs) {
  enum { TILE = TRANSPOSE_LINE / 4 };
  for (int l = 0; l < TILE; l += 4) {
    for (int k = 0; k < TILE; k += 4) {
      Four in[4], low[2], high[2], out[4];
      for (int i = 0; i < 4; i++)
        memcpy(&in[i], x + k + (l + i) * xs, sizeof in[i]);
      for (int i = 0; i < 2; i++) {
        low[i] = SHUFFLE(in[2 * i], in[2 * i + 1], Four, 0, 4, 1, 5);
        high[i] = SHUFFLE(in[2 * i], in[2 * i + 1], Four, 2, 6, 3, 7);
      }
      out[0] = SHUFFLE(low[0], low[1], Four, 0, 1, 4, 5);
      out[1] = SHUFFLE(low[0], low[1], Four, 2, 3, 6, 7);
      out[2] = SHUFFLE(high[0], high[1], Four, 0, 1, 4, 5);
      out[3] = SHUFFLE(high[0], high[1], Four, 2, 3, 6, 7);
      for (int i = 0; i < 4; i++)
        memcpy(z + (k + i) * zs + l, &out[i], sizeof out[i]);
    }
  }
}

static void whole_w64 (t_w64 *z, int64_t zs, const t_w64 *x, int64_t xs) {
  enum { TILE = TRANSPOSE_LINE / 8 };
  for (int l = 0; l < TILE; l += 2) {
    for (int k = 0; k < TILE; k += 2) {
      Two in[2], out[2];
      memcpy(&in[0], x + k + l * xs, sizeof in[0]);
      memcpy(&in[1], x + k + (l + 1) * xs, sizeof in[1]);
      out[0] = SHUFFLE(in[0], in[1], Two, 0, 2);
      out[1] = SHUFFLE(in[0], in[1], Two, 1, 3);
      memcpy(z + k * zs + l, &out[0], sizeof out[0]);
      memcpy(z + (k + 1) * zs + l, &out[1], sizeof out[1]);
    }
  }
}

/* ==} */

/* Finds where line 'unit' of tiles begins in both; returns its rows from there
** on. */
static int64_t find_line (const Geometry *g, size_t unit, size_t size,
                          uintptr_t at[2]) {
  const int rows = g->ndim - 2;
  const int64_t tile = (int64_t)(TRANSPOSE_LINE / size);
  const size_t lines = transpose_lines(g->shape[rows], size);
  const int64_t first = (int64_t)(unit % lines) * tile;
  int64_t place[2] = {first * g->stride[0][rows], first * g->stride[1][rows]};
  unit /= lines;
  for (int d = rows - 1; d >= 0; d--) {
    const int64_t i = (int64_t)(unit % (size_t)g->shape[d]);
    unit /= (size_t)g->shape[d];
    place[0] += i * g->stride[0][d];
    place[1] += i * g->stride[1][d];
  }
  at[0] += (uintptr_t)(place[0] * (int64_t)size);
  at[1] += (uintptr_t)(place[1] * (int64_t)size);
  return g->shape[rows] - first < tile ? g->shape[rows] - first : tile;
}

#define TRANSPOSE_OF(b) \
  HOST_KERNEL(transpose_##b) { \
    enum { TILE = TRANSPOSE_LINE / sizeof(t_##b) }; \
    PARAM(0, uintptr_t, z); \
    PARAM(1, uintptr_t, x); \
    const Geometry *g = params[2]; \
    const int last_axis = g->ndim - 1; \
    const int64_t n = g->shape[last_axis]; \
    const int64_t zs = g->stride[0][last_axis - 1]; \
    const int64_t xs = g->stride[1][last_axis]; \
    SPAN(transpose_parts(g, sizeof(t_##b))); \
    (void)grid; \
    for (size_t unit = first; unit < last; unit++) { \
      uintptr_t at[2] = {z, x}; \
      const int64_t height = find_line(g, unit, sizeof(t_##b), at); \
      t_##b *to = (t_##b *)at[0]; \
      const t_##b *from = (const t_##b *)at[1]; \
      for (int64_t j = 0; j < n; j += TILE) { \
        const int64_t width = n - j < TILE ? n - j : TILE; \
        if (width == TILE && height == TILE) \
          whole_##b(to + j, zs, from + j * xs, xs); \
        else \
          part_##b(to + j, zs, from + j * xs, xs, height, width); \
      } \
    } \
  }

SET_WIDTH(TRANSPOSE_OF)

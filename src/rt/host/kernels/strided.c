/*
** strided.c - elementwise operations and copies between operands of any
** strides, as in kernels/strided.cuh. Rows whose operands are runs, or one
** number, are done by the dense kernels; other rows by loops of their own.
** transpose.c has the copies that exchange the last two axes.
*/
#include "strided.h"

#include <stdlib.h>
#include <string.h>

#include "host_kernels.h"
#include "kernels/types.h"
#include "rt/host/bytes.h"

/* Finds the dense host kernel for such a row, and the operand that is a number
** in it. */
static int form_of (const Rows *f, const Row *r, int *number) {
  int64_t x = r->step[1], y = (f->sides == 2) ? x : r->step[2];
  *number = (y == 0) ? 2 : 1;
  if (r->step[0] != 1)
    return -1;
  return (x == 1 && y == 1)   ? 0
         : (x == 1 && y == 0) ? 1
         : (x == 0 && y == 1) ? 2
                              : -1;
}

/* {== rows of copies ================================================== */

/* Copies to a run: from a run, from one element for all, or from any stride.
** The usual strides are constants, for which the compiler has vectors. The row
** is read before, because for the compiler an element might be part of it. */
#define OPEN_ROW(T) \
  const size_t n = r->n; \
  const int64_t from = r->step[1]; \
  T *const z = (T *)r->at[0]; \
  const T *const x = (const T *)r->at[1]
#define COPY(to, from) \
  INDEPENDENT \
  for (size_t i = 0; i < n; i++) \
  z[(int64_t)i * (to)] = x[(int64_t)i * (from)]
#define COPY_RUN(b) \
  WIDE static void copy_run_##b(const Row *r) { \
    OPEN_ROW(t_##b); \
    const t_##b one = *x; \
    if (from == 1) \
      bytes_copy(z, x, n * sizeof *z); \
    else if (from == 0) \
      for (size_t i = 0; i < n; i++) \
        z[i] = one; \
    else if (from == -1) \
      COPY(1, -1); \
    else if (from == 2) \
      COPY(1, 2); \
    else \
      COPY(1, from); \
  }
SET_WIDTH(COPY_RUN)

static void copy_run (const Row *r, size_t size) {
  (size == 16  ? copy_run_w128
   : size == 8 ? copy_run_w64
   : size == 4 ? copy_run_w32
   : size == 2 ? copy_run_w16
               : copy_run_w8)(r);
}

void strided_gather (void *to, const void *from, size_t n, int64_t apart,
                     size_t size) {
  const Row r = {{(uintptr_t)to, (uintptr_t)from}, {1, apart}, n};
  copy_run(&r, size);
}

/* ==} */

static const unsigned one[3] = {1, 1, 1};

typedef struct Bytes16 {
  uint64_t part[2];
} Bytes16;

/* Copies n elements of a run to places that are 'by' bytes apart. */
static void spread (char *z, int64_t by, const void *from, size_t n,
                    size_t size) {
#define SPREAD(T) \
  for (size_t i = 0; i < n; i++, z += by) \
  *(T *)z = ((const T *)from)[i]
  if (size == 16)
    SPREAD(Bytes16);
  else if (size == 8)
    SPREAD(uint64_t);
  else if (size == 4)
    SPREAD(uint32_t);
  else if (size == 2)
    SPREAD(uint16_t);
  else
    SPREAD(uint8_t);
#undef SPREAD
}

enum {
  PACK = 2048, /* bytes of a side: all sides stay in the cache */
  FEW = 64     /* elements not worth packing, if there is a loop for them */
};

/* Uses the dense host kernel, which gives the same results for the same
** numbers. Operands that are not runs are packed into one. */
static void do_packed (const Rows *f, const Row *r) {
  Bytes16 side[GEOMETRY_SIDES][PACK / sizeof(Bytes16)];
  void *at[GEOMETRY_SIDES];
  size_t most = f->size[0] > f->size[1] ? f->size[0] : f->size[1];
  most = PACK / (f->sides == 3 && f->size[2] > most ? f->size[2] : most);
  for (size_t n, i = 0; i < r->n; i += n) {
    n = r->n - i < most ? r->n - i : most;
    for (int k = 0; k < f->sides; k++) {
      uintptr_t own = r->at[k] + (uintptr_t)((int64_t)i * r->step[k] *
                                             (int64_t)f->size[k]);
      at[k] = (r->step[k] == 1) ? (void *)own : (void *)side[k];
      if (k > 0 && r->step[k] != 1 && (r->step[k] != 0 || i == 0))
        strided_gather(at[k], (const void *)own, n, r->step[k], f->size[k]);
    }
    f->run[0]((void *[]){&at[0], &at[1], f->sides == 3 ? (void *)&at[2] : &n,
                         &n},
              one, one);
    if (r->step[0] != 1) {
      const int64_t by = r->step[0] * (int64_t)f->size[0];
      spread((char *)r->at[0] + (int64_t)i * by, by, at[0], n, f->size[0]);
    }
  }
}

/* Tells whether packing has vectors for the row's strides, where a loop over
** all sides has none. */
static bool packs_well (const Rows *f, const Row *r) {
  bool usual = (r->step[0] == 1 && f->run[0] != NULL && !f->truth);
  for (int k = 1; usual && k < f->sides; k++)
    usual = (r->step[k] >= -1 && r->step[k] <= 2);
  return usual && r->n >= FEW;
}

static void do_row (const Rows *f, Row *r) {
  uint64_t value[2] = {0};
  int side, form = form_of(f, r, &side);
  if (form < 0 || f->run[form] == NULL) {
    if (f->any == NULL || packs_well(f, r))
      do_packed(f, r);
    else
      f->any(r);
    return;
  }
  void *params[] = {&r->at[0], &r->at[1],
                    f->sides == 2 ? (void *)&r->n : &r->at[2], &r->n};
  if (form > 0) {
    memcpy(value, (void *)r->at[side], f->size[side]);
    value[0] = f->truth ? (value[0] != 0) : value[0];
    params[side] = value;
  }
  if (form == 2 && f->even) {
    params[1] = params[2];
    params[2] = value;
  }
  f->run[form](params, one, one);
}

/* Tells whether an operand is better read along the axis before the last. */
static bool is_crossed (const Geometry *g, int sides) {
  int last = g->ndim - 1;
  for (int k = 1; k < sides; k++) {
    int64_t step = g->stride[k][last], other = g->stride[k][last - 1];
    if (other != 0 && llabs(step) > llabs(other))
      return true;
  }
  return false;
}

/*
** Columns of a plane that are done for all rows before the next ones, so that a
** line that is read across is still in the cache for its neighbours.
*/
enum { ACROSS = 32 };

/* Does the rows of the last two axes, from r on. */
static void do_plane (const Geometry *g, const Rows *f, const Row *r) {
  int last = g->ndim - 1;
  int64_t n = g->shape[last], rows = (last > 0) ? g->shape[last - 1] : 1;
  int64_t width = (last > 0 && is_crossed(g, f->sides)) ? ACROSS : n;
  Row row = *r;
  for (int64_t j = 0; j < n; j += width) {
    row.n = (size_t)(n - j < width ? n - j : width);
    for (int64_t i = 0; i < rows; i++) {
      for (int k = 0; k < f->sides; k++) {
        int64_t by = j * r->step[k];
        if (last > 0)
          by += i * g->stride[k][last - 1];
        row.at[k] = r->at[k] + (uintptr_t)(by * (int64_t)f->size[k]);
      }
      do_row(f, &row);
    }
  }
}

/* Visits the planes; the outermost axis varies slowest. */
static void each_row (const Geometry *g, const Rows *f, Row *r) {
  int64_t at[GEOMETRY_DIMS] = {0};
  int d;
  for (int k = 0; k < GEOMETRY_SIDES; k++)
    r->step[k] = g->stride[k][g->ndim - 1];
  do {
    do_plane(g, f, r);
    for (d = g->ndim - 3; d >= 0; d--) {
      int64_t by = (++at[d] < g->shape[d]) ? 1 : 1 - g->shape[d];
      for (int k = 0; k < f->sides; k++)
        r->at[k] += (uintptr_t)(by * g->stride[k][d] * (int64_t)f->size[k]);
      if (by == 1)
        break;
      at[d] = 0;
    }
  } while (d >= 0);
}

/* Does the planes of a part, which are a geometry of their own. */
static void do_part (const Geometry *whole, const unsigned block[3],
                     const Rows *f, Row *r) {
  Geometry g = *whole;
  const int d = strided_cut_axis(whole);
  SPAN((size_t)whole->shape[d]);
  g.shape[d] = (int64_t)(last - first);
  for (int k = 0; k < f->sides; k++)
    r->at[k] += (uintptr_t)((int64_t)first * g.stride[k][d] *
                            (int64_t)f->size[k]);
  each_row(&g, f, r);
}

void strided_run (void **params, const unsigned block[3], bool number,
                  const Rows *f) {
  const Geometry *g = params[f->sides + number];
  Row r = {0};
  for (int k = 0; k < f->sides; k++) {
    PARAM(k, uintptr_t, at);
    r.at[k] = (at != 0) ? at : (uintptr_t)params[f->sides];
  }
  if (block[2] > 1)
    do_part(g, block, f, &r);
  else
    each_row(g, f, &r);
}

/* {== copies =========================================================== */

#define STRIDED_COPY(b) \
  static void copy_row_##b(const Row *r) { \
    OPEN_ROW(t_##b); \
    const t_##b one = *x; \
    const int64_t to = r->step[0]; \
    if (to == 1) \
      copy_run_##b(r); \
    else if (from == 0) \
      for (size_t i = 0; i < n; i++) \
        z[(int64_t)i * to] = one; \
    else \
      COPY(to, from); \
  } \
  HOST_KERNEL(copy_nd_##b) { \
    static const Rows f = {.any = copy_row_##b, \
                           .sides = 2, \
                           .size = {sizeof(t_##b), sizeof(t_##b)}}; \
    (void)grid; \
    strided_run(params, block, true, &f); \
  }
SET_WIDTH(STRIDED_COPY)

/* ==} */

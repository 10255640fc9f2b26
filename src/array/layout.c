/*
** layout.c - shapes and strides: the bytes that a view spans, overlap of
** views, common shapes, and for kernels the few axes to which a set of operands
** can be reduced.
*/
#include "layout.h"

#include <assert.h>
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/error.h"
#include "rt/kernels/kernels.h"

static_assert((int)MAX_DIMS == (int)GEOMETRY_DIMS, "room for each axis");

/* {== bytes of views ================================================== */

void layout_span (const Array *a, size_t *lo, size_t *hi) {
  int64_t down = 0, up = 0, size = (int64_t)dtype_size(a->dtype);
  const int64_t *strides = array_stride(a);
  for (int i = 0; i < a->ndim && !a->dense; i++) {
    int64_t far = (a->shape[i] - 1) * strides[i];
    *(far < 0 ? &down : &up) += far;
  }
  if (a->dense)
    up = (int64_t)a->size - 1;
  *lo = a->off + (size_t)(down * size);
  *hi = a->off + (size_t)((up + 1) * size);
}

bool layout_overlaps (const Array *a, const Array *b) {
  size_t alo, ahi, blo, bhi;
  if (a->block == NULL || a->block != b->block)
    return false;
  layout_span(a, &alo, &ahi);
  layout_span(b, &blo, &bhi);
  return alo < bhi && blo < ahi;
}

bool layout_same_view (const Array *a, const Array *b) {
  return a->block == b->block && a->off == b->off &&
         dtype_size(a->dtype) == dtype_size(b->dtype) &&
         array_same_shape(a, b) &&
         (a->ndim == 0 || memcmp(array_stride(a), array_stride(b),
                                 (size_t)a->ndim * sizeof *a->shape) == 0);
}

const char *layout_why_readonly (const Array *a) {
  return a->readonly  ? "the array is read-only, as its owner has it; write to "
                        "a :copy() of it"
         : a->repeats ? "elements of a broadcast array share memory and cannot "
                        "be written; write to a :copy() of it"
                      : NULL;
}

void layout_check_writable (lua_State *L, int arg, const Array *a) {
  const char *why = layout_why_readonly(a);
  if (why != NULL)
    argerror_raise(L, arg, "%s", why);
}

/* ==} */

/* Copies elements 'step' bytes apart, from 'at' to 'run', or back. There is a
** version for each size, because a copy of unknown size is a call. */
static void copy_steps (char *at, int64_t step, char *run, int64_t n,
                        size_t size, bool back) {
#define STEPS(bytes) \
  case bytes: \
    for (int64_t i = 0; i < n; i++) \
      memcpy(back ? at + i *step : run + i * (bytes), \
             back ? run + i * (bytes) : at + i * step, bytes); \
    break;
  switch (size) { STEPS(1) STEPS(2) STEPS(4) STEPS(8) STEPS(16) }
#undef STEPS
}

/* Returns the bytes of the elements below 'axis' if they are a run; else 0. */
static size_t run_bytes (const Array *h, int axis) {
  int64_t next = 1;
  for (int i = h->ndim - 1; i >= axis; i--) {
    if (h->shape[i] != 1 && array_stride(h)[i] != next)
      return 0;
    next *= h->shape[i];
  }
  return (size_t)next * dtype_size(h->dtype);
}

/* Copies the elements below 'axis' from 'at' to 'run', or back. Returns the end
** of the run. */
static char *copy_run (const Array *h, int axis, char *at, char *run,
                       bool back) {
  size_t size = dtype_size(h->dtype), bytes = run_bytes(h, axis);
  if (bytes > 0) {
    memcpy(back ? at : run, back ? run : at, bytes);
    return run + bytes;
  }
  int64_t n = h->shape[axis], step = array_stride(h)[axis] * (int64_t)size;
  if (axis + 1 == h->ndim) {
    copy_steps(at, step, run, n, size, back);
    return run + (size_t)n * size;
  }
  for (int64_t i = 0; i < n; i++)
    run = copy_run(h, axis + 1, at + i * step, run, back);
  return run;
}

void layout_gather (const Array *h, void *to) {
  if (h->size > 0)
    copy_run(h, 0, (char *)(uintptr_t)array_pointer(h), to, false);
}

void layout_scatter (const Array *h, void *from) {
  if (h->size > 0)
    copy_run(h, 0, (char *)(uintptr_t)array_pointer(h), from, true);
}

/* {== shapes ========================================================== */

bool layout_has_shape (const Array *a, int n, const int64_t *shape) {
  return n == a->ndim &&
         (n == 0 || memcmp(shape, a->shape, (size_t)n * sizeof *shape) == 0);
}

bool layout_is_broadcast (const Array *from, const Array *to) {
  int shift = to->ndim - from->ndim;
  if (shift < 0)
    return false;
  for (int i = 0; i < from->ndim; i++)
    if (from->shape[i] != 1 && from->shape[i] != to->shape[shift + i])
      return false;
  return true;
}

static int mismatch (lua_State *L, const Array *a, const Array *b) {
  array_push_shape(L, a);
  array_push_shape(L, b);
  return error_raise(L,
                     "shapes %s and %s do not match: they cannot be broadcast",
                     lua_tostring(L, -2), lua_tostring(L, -1));
}

int layout_broadcast (lua_State *L, const Array *a, const Array *b,
                      int64_t shape[MAX_DIMS]) {
  int ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int i = 1; i <= ndim; i++) { /* from the last axis to the first */
    int64_t m = (i <= a->ndim) ? a->shape[a->ndim - i] : 1;
    int64_t n = (i <= b->ndim) ? b->shape[b->ndim - i] : 1;
    if (m != n && m != 1 && n != 1)
      mismatch(L, a, b);
    shape[ndim - i] = (m == 1) ? n : m;
  }
  return ndim;
}

/* ==} */

/* {== for kernels ===================================================== */

/* One axis of all operands. */
typedef struct Axis {
  int64_t n;
  int64_t stride[GEOMETRY_SIDES];
} Axis;

/* Reads axis i of z in each operand. */
static void read_axis (Axis *axis, const Sides side, int i) {
  const Array *z = side[0];
  axis->n = z->shape[i];
  for (int k = 0; k < GEOMETRY_SIDES; k++) {
    const Array *a = side[k];
    int own = (a != NULL) ? i - (z->ndim - a->ndim) : -1;
    axis->stride[k] = (own >= 0 && a->shape[own] != 1) ? array_stride(a)[own]
                                                       : 0;
  }
}

/* Reverses the axis, so that z is written forwards. */
static void flip (Axis *axis, const Sides side, Places at) {
  for (int k = 0; k < GEOMETRY_SIDES; k++) {
    if (side[k] == NULL)
      continue;
    at[k] += (CUdeviceptr)((axis->n - 1) * axis->stride[k] *
                           (int64_t)dtype_size(side[k]->dtype));
    axis->stride[k] = -axis->stride[k];
  }
}

/* Tells whether the two axes, outer and inner, are one run for each operand. */
static bool is_run (const Axis *outer, const Axis *inner) {
  for (int k = 0; k < GEOMETRY_SIDES; k++)
    if (outer->stride[k] != inner->n * inner->stride[k])
      return false;
  return true;
}

/* Orders axes by z's strides, because kernels write along the last axis. */
static int place_axis (Axis *axes, int n, const Axis *axis, bool sorted) {
  int i = n;
  for (; i > 0 && !sorted && axes[i - 1].stride[0] < axis->stride[0]; i--)
    axes[i] = axes[i - 1];
  axes[i] = *axis;
  return n + 1;
}

/* Finds the axes longer than one, in order and merged; at least one. */
static int find_axes (Axis axes[MAX_DIMS], const Sides side, Places at) {
  int n = 0, merged = 0;
  Axis axis;
  for (int i = 0; i < side[0]->ndim; i++) {
    if (side[0]->shape[i] == 1)
      continue;
    read_axis(&axis, side, i);
    if (axis.stride[0] < 0)
      flip(&axis, side, at);
    n = place_axis(axes, n, &axis, side[0]->dense);
  }
  if (n == 0)
    axes[n++] = (Axis){1, {1, 1, 1}};
  for (int i = 1; i < n; i++) {
    if (is_run(&axes[merged], &axes[i])) {
      axes[i].n *= axes[merged].n;
      axes[merged] = axes[i];
    } else {
      axes[++merged] = axes[i];
    }
  }
  return merged + 1;
}

/* Tells whether whole items of 'pack' elements are aligned runs of z. */
static bool is_packed (const Geometry *g, const Sides side, const Places at,
                       int pack) {
  int last = g->ndim - 1;
  if (g->stride[0][last] != 1 ||
      at[0] % ((size_t)pack * dtype_size(side[0]->dtype)))
    return false;
  for (int d = 0; d < last; d++)
    if (g->stride[0][d] % pack != 0)
      return false;
  return g->shape[last] >= pack;
}

static void count_items (Geometry *g, int pack) {
  g->pack = pack;
  g->row = ((uint64_t)g->shape[g->ndim - 1] + (uint64_t)pack - 1) /
           (uint64_t)pack;
  g->items = g->row;
  for (int d = 0; d < g->ndim - 1; d++)
    g->items *= (uint64_t)g->shape[d];
}

void layout_make (Geometry *g, const Sides side, int pack, Places at) {
  Axis axes[MAX_DIMS];
  for (int k = 0; k < GEOMETRY_SIDES; k++)
    at[k] = (side[k] != NULL) ? array_pointer(side[k]) : 0;
  g->ndim = find_axes(axes, side, at);
  for (int d = 0; d < g->ndim; d++) {
    g->shape[d] = axes[d].n;
    for (int k = 0; k < GEOMETRY_SIDES; k++)
      g->stride[k][d] = axes[d].stride[k];
  }
  count_items(g, is_packed(g, side, at, pack) ? pack : 1);
}

/* Joins pairs of elements if they always are neighbours. */
static bool widen (Geometry *g, const Places at, size_t size) {
  int last = g->ndim - 1;
  bool even = (at[0] % (2 * size) == 0 && at[1] % (2 * size) == 0 &&
               g->shape[last] % 2 == 0);
  for (int k = 0; k < 2 && even; k++) {
    even = (g->stride[k][last] == 1);
    for (int d = 0; d < last && even; d++)
      even = (g->stride[k][d] % 2 == 0);
  }
  for (int d = 0; d < last && even; d++) {
    g->stride[0][d] /= 2;
    g->stride[1][d] /= 2;
  }
  g->shape[last] /= even ? 2 : 1;
  return even;
}

/* Cuts z into packs of 16 bytes, if it is one run. */
static void count_packs (Geometry *g, const Places at, size_t size) {
  int64_t run = 1;
  for (int d = g->ndim - 1; d >= 0; d--) {
    if (g->stride[0][d] != run)
      return;
    run *= g->shape[d];
  }
  if (size == 16 || at[0] % 16 != 0)
    return;
  g->pack = (int32_t)(16 / size);
  g->items = ((uint64_t)run + (uint64_t)g->pack - 1) / (uint64_t)g->pack;
}

size_t layout_make_copy (Geometry *g, const Array *z, const Array *x,
                         Places at) {
  size_t size = dtype_size(z->dtype);
  layout_make(g, (Sides){z, x, NULL}, 1, at);
  while (size < 16 && x != NULL && widen(g, at, size))
    size *= 2;
  count_items(g, 1);
  if (x != NULL)
    count_packs(g, at, size);
  return size;
}

static void move_axis (Geometry *g, int from, int to) {
  int64_t n = g->shape[from], z = g->stride[0][from], x = g->stride[1][from];
  for (int d = from; d < to; d++) {
    g->shape[d] = g->shape[d + 1];
    g->stride[0][d] = g->stride[0][d + 1];
    g->stride[1][d] = g->stride[1][d + 1];
  }
  g->shape[to] = n;
  g->stride[0][to] = z;
  g->stride[1][to] = x;
}

/* Reverses axis d, for elements of so many bytes. */
static void turn_axis (Geometry *g, int d, Places at, size_t size) {
  for (int k = 0; k < 2; k++) {
    at[k] += (CUdeviceptr)((g->shape[d] - 1) * g->stride[k][d] * (int64_t)size);
    g->stride[k][d] = -g->stride[k][d];
  }
}

static bool is_one (int64_t stride) { return stride == 1 || stride == -1; }

bool layout_tile (Geometry *g, Places at, size_t size, int tile) {
  int last = g->ndim - 1, run = last - 1;
  for (; run >= 0 && !is_one(g->stride[1][run]); run--)
    ;
  if (run < 0 || g->stride[0][last] != 1 || g->stride[1][last] == 0 ||
      g->stride[1][last] == 1 || g->shape[last] < tile / 4 ||
      g->shape[run] < tile / 4)
    return false;
  if (g->stride[1][run] < 0)
    turn_axis(g, run, at, size);
  move_axis(g, run, last - 1);
  g->row = (uint64_t)((g->shape[last] + tile - 1) / tile);
  g->items = g->row * (uint64_t)((g->shape[last - 1] + tile - 1) / tile);
  for (int d = 0; d < last - 1; d++)
    g->items *= (uint64_t)g->shape[d];
  return true;
}

/* ==} */

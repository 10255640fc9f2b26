/*
** sort.c - sort and argsort along an axis. See kernels/sort.cu.
*/

#include "array/array.h"
#include "array/axes.h"
#include "array/copy.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "array/upload.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sort.h"

#include "kernels/keys.h"
#include "rt/queue/op_types.h"

KeyRule sort_key_rule (DType t) {
  bool has_sign = dtype_is_float(t) ||
                  (dtype_kind(t) == KIND_INTEGER && !dtype_is_unsigned(t));
  return (KeyRule){(uint64_t)has_sign << (8 * dtype_size(t) - 1) % 64,
                   dtype_infinities[t]};
}

/*
** Memory for a radix sort, in one array: source and target of keys and places,
** the counts of all passes, and data that blocks exchange.
*/
typedef struct Scratch {
  Array *all;
  CUdeviceptr keys[2], places[2], counts, state;
  CUdeviceptr common; /* a word for each byte, behind them; 0: not used */
} Scratch;

enum { COMMON = 8 }; /* words: the most bytes of an element */

typedef struct Sort {
  size_t n, rows;
  bool order; /* the result is places */
  bool down;  /* descending */
  int width;  /* bytes of an element: as many passes */
  KeyRule rule;
  SortPlan plan;
  Scratch scratch;
} Sort;

enum { APART = 256 }; /* alignment of parts, which may be read in packs */

/* Takes so many bytes of memory whose first '*used' are taken. Returns their
** offset. */
static size_t take (size_t *used, size_t bytes) {
  size_t at = *used;
  *used += (bytes + APART - 1) / APART * APART;
  return at;
}

/* Pushes the scratch memory. Keys of a sort go back and forth between it and
** the result; an argsort needs both sides in it. */
static void push_scratch (lua_State *L, RtStream *s, Sort *k, Array *x) {
  size_t size = k->n * k->rows, used = 0;
  size_t at[5], key = (k->width > 4) ? 8 : 4;
  at[0] = take(&used, size * key);
  at[1] = take(&used, k->order ? size * key : 0);
  at[2] = take(&used, k->order ? size * 4 : 0);
  at[3] = take(&used, k->order ? size * 4 : 0);
  at[4] = take(&used, (k->plan.counts + k->plan.state + COMMON) * 4);
  int64_t bytes = (int64_t)used;
  k->scratch.all = array_new(L, x->dev, DTYPE_UINT8, 1, &bytes, s);
  CUdeviceptr p = array_pointer(k->scratch.all);
  for (int i = 0; i < 2; i++) {
    k->scratch.keys[i] = p + at[i];
    k->scratch.places[i] = p + at[2 + i];
  }
  k->scratch.counts = p + at[4];
  k->scratch.state = k->scratch.counts + k->plan.counts * 4;
  if (k->rows == 1 && k->plan.parts == 1)
    k->scratch.common = k->scratch.state + k->plan.state * 4;
}

/* Sets so many words of the array, from 'at' on, to 0. */
static void clear_words (lua_State *L, RtStream *s, const Array *all,
                         CUdeviceptr at, size_t words) {
  KernelId id = kernel_fill(DTYPE_UINT32);
  Element zero = {0};
  void *params[] = {&at, &zero, &words};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  launch_writes(&op, all);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, words), params);
}

/* Counts the digits of all passes, to find the targets of elements. */
static void count (lua_State *L, RtStream *s, Sort *k, Array *x) {
  SortPlan *p = &k->plan;
  Scratch *w = &k->scratch;
  int64_t pass = PASS(0, k->width, 1, 0, k->order, k->down);
  Op op, next;
  op_start(&op, OP_LAUNCH, NULL);
  op_start(&next, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x);
  void *params[] = {&w->counts,    &px,          &k->n,
                    &p->parts,     &p->chunk,    &p->chunks,
                    &k->rule.sign, &k->rule.inf, &pass};
  launch_writes(&op, w->all);
  launch_kernel(L, s, &op, kernel_sort(SORT_COUNT, k->order, x->dtype),
                p->count_grid, params);
  void *rest[] = {&w->counts, &w->common, &k->n, &p->parts};
  launch_writes(&next, w->all);
  launch_kernel(L, s, &next, kernel_sort(SORT_OFFSETS, k->order, x->dtype),
                p->offsets_grid, rest);
}

/* Finds where pass number 'digit' leaves elements and places; -1: the input. A
** sort writes the scratch and the result in turn, so that the last pass writes
** the result. An argsort uses the two sides of the scratch, and writes only
** places in the end. */
static void find_ends (const Sort *k, const Array *z, const Array *x, int digit,
                       CUdeviceptr ends[2]) {
  const Scratch *w = &k->scratch;
  bool last = (digit == k->width - 1);
  int side = (k->width - digit) % 2;
  ends[0] = (digit < 0) ? array_pointer(x) : w->keys[k->order ? side : 0];
  ends[1] = (digit < 0 || !k->order) ? 0 : w->places[side];
  if (digit >= 0 && k->order && last) {
    ends[0] = 0;
    ends[1] = array_pointer(z);
  } else if (digit >= 0 && !k->order && side == 1) {
    ends[0] = array_pointer(z);
  }
}

/* Begins a launch of pass number 'digit': its accesses and its ends. If digits
** may be common to all elements, only the device knows which; 'in' is then the
** input. */
static void start_pass (Op *op, const Sort *k, Array *z, Array *x, int digit,
                        CUdeviceptr in[2], CUdeviceptr out[2]) {
  op_start(op, OP_LAUNCH, NULL);
  launch_reads(op, x);
  launch_writes(op, k->scratch.all);
  launch_writes(op, z);
  find_ends(k, z, x, k->scratch.common != 0 ? -1 : digit - 1, in);
  find_ends(k, z, x, digit, out);
}

/* Moves one part of pass number 'digit'. */
static void move (lua_State *L, RtStream *s, Sort *k, Array *z, Array *x,
                  int digit, size_t part) {
  SortPlan *p = &k->plan;
  Scratch *w = &k->scratch;
  CUdeviceptr in[2], out[2];
  int64_t pass = PASS(digit, k->width, digit == 0, digit == k->width - 1,
                      k->order, k->down);
  size_t turn = (size_t)digit * p->parts + part;
  CUdeviceptr pz = array_pointer(z);
  Op op;
  start_pass(&op, k, z, x, digit, in, out);
  if (w->common != 0 && !k->order)
    out[0] = pz;
  void *sorting[] = {&out[0],      &in[0],     &w->keys[0], &w->counts,
                     &w->state,    &w->common, &k->n,       &turn,
                     &part,        &p->parts,  &p->part,    &k->rule.sign,
                     &k->rule.inf, &pass};
  void *ordering[] = {&out[0],       &in[0],        &out[1],      &in[1],
                      &pz,           &w->keys[0],   &w->keys[1],  &w->places[0],
                      &w->places[1], &w->counts,    &w->state,    &w->common,
                      &k->n,         &turn,         &part,        &p->parts,
                      &p->part,      &k->rule.sign, &k->rule.inf, &pass};
  launch_kernel(L, s, &op, kernel_sort(SORT_RADIX, k->order, x->dtype), p->grid,
                k->order ? ordering : sorting);
}

/* Sorts digit after digit, from the lowest. */
static void radix (lua_State *L, RtStream *s, Sort *k, Array *z, Array *x) {
  push_scratch(L, s, k, x);
  clear_words(L, s, k->scratch.all, k->scratch.counts,
              k->plan.counts + k->plan.state + COMMON);
  count(L, s, k, x);
  for (int digit = 0; digit < k->width; digit++)
    for (size_t part = 0; part < k->plan.parts; part++)
      move(L, s, k, z, x, digit, part);
  array_drop(L, lua_gettop(L) - 1);
}

/* One of the launches of pass number 'digit'. */
static void launch_chunks (lua_State *L, RtStream *s, Sort *k, Array *z,
                           Array *x, SortStage stage, int digit) {
  SortPlan *p = &k->plan;
  Scratch *w = &k->scratch;
  CUdeviceptr in[2], out[2];
  int64_t pass = PASS(digit, k->width, digit == 0, digit == k->width - 1,
                      k->order, k->down);
  Op op;
  start_pass(&op, k, z, x, digit, in, out);
  void *counting[] = {&w->counts, &in[0],        &k->n,        &p->chunks,
                      &k->rows,   &k->rule.sign, &k->rule.inf, &pass};
  void *adding[] = {&w->counts, &p->chunks, &k->rows};
  void *sorting[] = {&out[0],  &in[0],        &w->counts,   &k->n, &p->chunks,
                     &k->rows, &k->rule.sign, &k->rule.inf, &pass};
  void *ordering[] = {&out[0],       &in[0],       &out[1],    &in[1],
                      &w->counts,    &k->n,        &p->chunks, &k->rows,
                      &k->rule.sign, &k->rule.inf, &pass};
  launch_kernel(L, s, &op, kernel_sort(stage, k->order, x->dtype), p->grid,
                stage == CHUNK_COUNT     ? counting
                : stage == CHUNK_OFFSETS ? adding
                : k->order               ? ordering
                                         : sorting);
}

/* Sorts on the host device, in parallel chunks. */
static void chunks (lua_State *L, RtStream *s, Sort *k, Array *z, Array *x) {
  push_scratch(L, s, k, x);
  for (int digit = 0; digit < k->width; digit++)
    for (int stage = CHUNK_COUNT; stage <= CHUNK_RADIX; stage++)
      launch_chunks(L, s, k, z, x, (SortStage)stage, digit);
  array_drop(L, lua_gettop(L) - 1);
}

/* {== pairs =========================================================== */

void sort_push_pairs (lua_State *L, RtStream *s, RtDevice *dev, SortPairs *p) {
  size_t used = 0, at[5];
  if (!kernel_plan_pairs(p->n, p->digits, &p->plan))
    error_raise(L, "too many elements to sort");
  for (int i = 0; i < 4; i++)
    at[i] = take(&used, p->n * 4);
  size_t words = (p->plan.counts + p->plan.state + 1) / 2 * 2 + 2;
  at[4] = take(&used, words * 4);
  int64_t bytes = (int64_t)used;
  p->all = array_new(L, dev, DTYPE_UINT8, 1, &bytes, s);
  CUdeviceptr base = array_pointer(p->all);
  for (int i = 0; i < 2; i++) {
    p->keys[i] = base + at[i];
    p->own[i] = base + at[2 + i];
  }
  p->counts = base + at[4];
  p->state = p->counts + p->plan.counts * 4;
  p->flag = p->counts + (words - 2) * 4;
  clear_words(L, s, p->all, p->counts, words);
}

static void count_pairs (lua_State *L, RtStream *s, SortPairs *p) {
  uint64_t zero = 0;
  int64_t pass = PASS(0, p->digits, 0, 0, 1, 0);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  launch_writes(&op, p->all);
  void *params[] = {&p->counts,     &p->keys[0],    &p->n,
                    &p->plan.parts, &p->plan.chunk, &p->plan.chunks,
                    &zero,          &zero,          &pass};
  launch_kernel(L, s, &op, kernel_sort(SORT_COUNT, true, DTYPE_UINT32),
                p->plan.count_grid, params);
}

static void add_counts (lua_State *L, RtStream *s, SortPairs *p) {
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  launch_writes(&op, p->all);
  CUdeviceptr none = 0;
  void *params[] = {&p->counts, &none, &p->n, &p->plan.parts};
  launch_kernel(L, s, &op, kernel_sort(SORT_OFFSETS, true, DTYPE_UINT32),
                p->plan.offsets_grid, params);
}

int sort_pairs (lua_State *L, RtStream *s, SortPairs *p) {
  CUdeviceptr none = 0;
  uint64_t zero = 0;
  int from = 0;
  count_pairs(L, s, p);
  add_counts(L, s, p);
  for (int digit = p->least; digit < p->digits; digit++, from = !from)
    for (size_t part = 0; part < p->plan.parts; part++) {
      int64_t pass = PASS(digit, p->digits, 0, 0, 1, 0);
      size_t turn = (size_t)(digit - p->least) * p->plan.parts + part;
      Op op;
      op_start(&op, OP_LAUNCH, NULL);
      launch_writes(&op, p->all);
      void *params[] = {
        &p->keys[!from], &p->keys[from], &p->own[!from], &p->own[from],
        &none,           &none,          &none,          &none,
        &none,           &p->counts,     &p->state,      &none,
        &p->n,           &turn,          &part,          &p->plan.parts,
        &p->plan.part,   &zero,          &zero,          &pass};
      launch_kernel(L, s, &op, kernel_sort(SORT_RADIX, true, DTYPE_UINT32),
                    p->plan.grid, params);
    }
  return from;
}

/* ==} */

static void whole (lua_State *L, RtStream *s, Sort *k, Array *z, Array *x) {
  int64_t pass = PASS(0, k->width, 1, 1, k->order, k->down);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pz = launch_writes(&op, z);
  void *params[] = {&pz,      &px,           &k->n,        &k->plan.room,
                    &k->rows, &k->rule.sign, &k->rule.inf, &pass};
  launch_kernel(L, s, &op, kernel_sort(SORT_ROWS, k->order, x->dtype),
                k->plan.grid, params);
}

void sort_add_place (SortPlaces *p, int64_t at) {
  size_t i = p->n;
  if (i >= PARTITION_PLACES) {
    p->n = PARTITION_PLACES + 1;
    return;
  }
  for (; i > 0 && p->at[i - 1] > at; i--)
    p->at[i] = p->at[i - 1];
  p->at[i] = at;
  p->n++;
}

/* Leaves z in order at the places. Returns false if a sort is faster. */
static bool partition (lua_State *L, RtStream *s, Sort *k, Array *z, Array *x,
                       const SortPlaces *only) {
  KernelId id = kernel_partition(k->n, k->rows, x->dtype);
  if (only == NULL || only->n > PARTITION_PLACES || id < 0)
    return false;
  size_t nat = only->n, all = only->others;
  int64_t shape = (int64_t)nat, pass = PASS(0, k->width, 1, 1, k->order, 0);
  Array *at = array_new(L, x->dev, DTYPE_INT64, 1, &shape, s);
  upload_bytes(L, s, at, (const char *)only->at, "sort");
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pat = launch_reads(&op, at),
              pz = launch_writes(&op, z);
  void *params[] = {&pz,  &px,  &pat,          &k->n,        &k->rows,
                    &nat, &all, &k->rule.sign, &k->rule.inf, &pass};
  launch_kernel(L, s, &op, id, 1, params);
  array_drop(L, lua_gettop(L) - 1);
  return true;
}

/* Sorts rows of one element. */
static void single (lua_State *L, RtStream *s, bool order, Array *z, Array *x) {
  uint64_t first[2] = {1}; /* kernels take 16 bytes */
  if (order)
    copy_strided(L, s, z, NULL, first);
  else
    array_copyto(L, s, z, x);
}

void sort_push_rows (lua_State *L, RtStream *s, bool order, bool down,
                     const SortPlaces *only) {
  Array *x = operand_push_dense(L, -1, array_check(L, -1)->dtype);
  if (dtype_kind(x->dtype) == KIND_COMPLEX)
    error_raise(L, "'%s' is not defined for %s arrays",
                order ? "argsort" : "sort", dtype_name(x->dtype));
  Array *z = array_new(L, x->dev, order ? DTYPE_INT64 : x->dtype, x->ndim,
                       x->shape, s);
  if (z->size == 0)
    return;
  Sort k = {.order = order, .down = down, .rule = sort_key_rule(x->dtype)};
  k.n = (x->ndim > 0) ? (size_t)x->shape[x->ndim - 1] : 1;
  k.rows = x->size / k.n;
  k.width = (int)dtype_size(x->dtype);
  if (k.n == 1) {
    single(L, s, order, z, x);
    return;
  }
  bool host = context_is_host(x->dev);
  if (!kernel_plan_sort(k.n, k.rows, x->dtype, host, &k.plan))
    error_raise(L, "too many elements to sort");
  if (host && partition(L, s, &k, z, x, only))
    return;
  if (k.plan.room > 0)
    whole(L, s, &k, z, x);
  else
    (host ? chunks : radix)(L, s, &k, z, x);
}

/* Pushes the view of 'a' with that axis and the last one swapped. */
static void push_exchanged (lua_State *L, Array *a, int axis) {
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  axes[axis] = a->ndim - 1;
  axes[a->ndim - 1] = axis;
  shape_push_permuted(L, a, axes);
}

int sort_along (lua_State *L, int arg, bool order, const SortPlaces *only) {
  static const char *const names[] = {"axis", "out", "descending", NULL};
  int axis;
  lua_settop(L, arg + 1);
  Array *a = array_check(L, 1);
  argerror_check(L, !lua_isboolean(L, arg), arg,
                 "axis must be an integer, got boolean; the greatest come "
                 "first by { descending = true }");
  int options = operand_opt_axis(L, arg, a->ndim, names, &axis);
  bool down = !lua_isnil(L, options) &&
              option_flag(L, options, "descending", false);
  RtStream *s = current_get_stream(L, a->dev);
  if (axis < 0 || axis == a->ndim - 1) {
    lua_pushvalue(L, 1);
    sort_push_rows(L, s, order, down, only);
    return result_deliver_out(L, options, s);
  }
  push_exchanged(L, a, axis);
  sort_push_rows(L, s, order, down, only);
  push_exchanged(L, array_check(L, -1), axis);
  array_push_dense(L, -1);
  return result_deliver_out(L, options, s);
}

/* sort(a [, axis] [, { axis=, out=, descending= }]) -> a sorted copy; the last
** axis by default. NaNs are greater than all else. */
static int array_sort (lua_State *L) { return sort_along(L, 2, false, NULL); }

/* argsort(a [, axis] [, { axis=, out=, descending= }]) -> int64 indices, from
** 1, for which a:take(indices) is sorted. Stable. */
static int array_argsort (lua_State *L) { return sort_along(L, 2, true, NULL); }

static const Function functions[] = {
  {"argsort", array_argsort, 3},
  {"sort", array_sort, 3},
  {NULL, NULL, 0},
};

void open_sort (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

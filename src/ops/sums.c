/*
** sums.c - adds floats to the elements of an array at places that may be
** repeated. The order follows from the shapes and the places only, so that the
** result is the same every time. Sums are float64.
**
** With one row and few places, each part of the elements has a sum for each
** place (kernels/sums.cu). Otherwise the host device adds in the order of the
** elements, and CUDA sorts them by their places: with one row as pairs of place
** and number, up to buckets of places or, if most places get nothing, to runs
** of one place (sums.cu). With rows, or lines across an axis, the order of the
** places is used (kernels/scatter.h).
*/
#include "sums.h"

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/entry.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sort.h"

#include "kernels/scatter.h"
#include "kernels/types.h"
#include "rt/queue/op_types.h"

/* Overridable: the blocks that an H200's 132 SMs run at once. */
#if !defined(SUMS_BLOCKS)
#define SUMS_BLOCKS (132 * SUMS_RESIDENT)
#endif

/* Elements for each index: so many are worth a sum each, on the host device;
** and reading and writing so many takes as long as one pass of the sort. */
enum { SUMS_WORTH = 64, SUMS_SPARSE = 4 };

/* Sums on the host device: elements for a part, elements that a sum is worth,
** because a row's sums are also written and added up, and rows at most. */
enum { ROW_PART = 1 << 16, ROW_WORTH = 4, ROWS = 16 };

static size_t ceiling (size_t n, size_t each) {
  return n / each + (n % each != 0);
}

/* Returns the kernel of that name for floats of 't'. */
static KernelId kernel_for (const char *name, DType t) {
  char full[48];
  snprintf(full, sizeof full, "%s_%s", name,
           t == DTYPE_FLOAT16    ? "f16"
           : t == DTYPE_BFLOAT16 ? "bf16"
           : t == DTYPE_FLOAT32  ? "f32"
                                 : "f64");
  return kernel_named(full);
}

/* Pushes the check of the first kernel that writes z, if it needs one. */
static Check *push_check (lua_State *L, RtStream *s, const Sums *k) {
  return (k->x != NULL) ? indices_push_check(L, s, k->x) : NULL;
}

/* Begins the first write of z, after which so many more launches must go
** through. */
static CUdeviceptr begins_writing (Op *op, const Sums *k, int more) {
  CUdeviceptr pz = launch_writes(op, k->z);
  indices_plan_copy(op, k->a, k->z);
  op->ahead += more;
  return pz;
}

/* {== partial sums of runs ============================================ */

enum { LEVELS = 16 }; /* more than needed: each has a 16th of the entries */

/* The output of a launch for the next one: sums, followed by their places. */
typedef struct Level {
  size_t m;      /* entries of a row, */
  Array *left;   /* which are in this array */
  size_t places; /* bytes from the first sum to the first place */
} Level;

/* Pushes memory for the outputs of the launches, of which the first has chunks
** of 'first' elements. Returns the number of launches. */
static int push_levels (lua_State *L, RtStream *s, const Sums *k, size_t inner,
                        size_t first, Level level[LEVELS]) {
  size_t m = k->index->size, chunk = first;
  for (int n = 0;; n++, chunk = SCATTER_CHUNK) {
    level[n] = (Level){.m = m};
    if (m <= chunk)
      return n + 1;
    m = 2 * ceiling(m, chunk);
    level[n].places = k->rows * m * inner * sizeof(double);
    int64_t words = (int64_t)(k->rows * m * inner + m);
    level[n].left = array_new(L, k->a->dev, DTYPE_INT64, 1, &words, s);
  }
}

/* Makes one launch of scatter.h; later ones must go through. The first one has
** the check. */
static void add_up (lua_State *L, RtStream *s, const Sums *k, DType part,
                    const Array *order, const Array *places, size_t inner,
                    size_t vn, const Level *level, int i, int n,
                    const Check *check) {
  const Array *from = (i > 0) ? level[i - 1].left : NULL;
  const Array *left = level[i].left;
  size_t rows = k->rows;
  int64_t *bad = index_error_word(check);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pv = 0, pi = 0, po = 0, sums = 0, pl = 0, next = 0, pp;
  if (from == NULL) {
    pv = launch_reads(&op, k->v);
    pi = launch_reads(&op, k->index);
    po = launch_reads(&op, order);
    pp = launch_reads(&op, places);
  } else {
    sums = launch_reads(&op, from);
    pp = sums + level[i - 1].places;
  }
  if (left != NULL) {
    pl = launch_writes(&op, left);
    next = pl + level[i].places;
  }
  CUdeviceptr pz = (i == 0) ? begins_writing(&op, k, n - 1)
                            : launch_writes(&op, k->z);
  void *params[] = {&pz,    &pv,   &sums, &pl,           &pp,
                    &po,    &next, &pi,   (void *)&k->n, (void *)&level[i].m,
                    &inner, &vn,   &rows, &bad};
  KernelId id = kernel_for("scatter", part);
  size_t count = rows * inner * SCATTER_CHUNKS(level[i].m);
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, count), params,
                 index_error_idx(L, check));
}

/* ==} */

/* {== rows and lines ================================================== */

/* Splits complex numbers into two floats each. */
static DType part_of (DType t, size_t *parts) {
  *parts = (dtype_kind(t) == KIND_COMPLEX) ? 2 : 1;
  return t == DTYPE_COMPLEX64    ? DTYPE_FLOAT32
         : t == DTYPE_COMPLEX128 ? DTYPE_FLOAT64
                                 : t;
}

/* Pushes the order of the places, which are sorted as the smallest integers
** that hold them. */
static Array *push_order (lua_State *L, const Sums *k, Array *p) {
  DType t = k->n <= UINT8_MAX    ? DTYPE_UINT8
            : k->n <= UINT16_MAX ? DTYPE_UINT16
            : k->n <= UINT32_MAX ? DTYPE_UINT32
                                 : DTYPE_INT64;
  int64_t size = (int64_t)p->size;
  array_push_view(L, p, 1, &size, NULL, p->off);
  array_push_cast(L, lua_gettop(L), t);
  class_push_method(L, -1, "argsort");
  lua_insert(L, -2);
  entry_call(L, k->name, 1, 1);
  return array_check(L, -1);
}

/* Pushes the places of the index, from 1, 0 for none; *x describes them. */
static Array *push_places (lua_State *L, RtStream *s, const Sums *k,
                           Indices *x) {
  *x = *k->x;
  return indices_push_places(L, s, x, (Lines){1, k->index->size, 1}, false);
}

static void add_lines (lua_State *L, RtStream *s, const Sums *k, DType part,
                       size_t inner, size_t vn) {
  Level level[LEVELS];
  Indices x;
  Array *places = push_places(L, s, k, &x), *order = push_order(L, k, places);
  int n = push_levels(L, s, k, inner, SCATTER_CHUNK, level);
  Check *check = indices_push_check(L, s, &x);
  for (int i = 0; i < n; i++)
    add_up(L, s, k, part, order, places, inner, vn, level, i, n,
           i == 0 ? check : NULL);
}

/* Tells whether to add in the order of the elements, in one launch: on the host
** device, if there are not many more indices than elements. */
static bool is_ordered (const Sums *k) {
  return k->n / SUMS_WORTH <= k->index->size;
}

static void add_ordered (lua_State *L, RtStream *s, const Sums *k, DType part,
                         size_t inner, size_t vn) {
  size_t rows = k->rows;
  int64_t size = (int64_t)(k->n * inner);
  Indices x;
  Array *places = push_places(L, s, k, &x);
  Array *sums = array_new(L, k->a->dev, DTYPE_FLOAT64, 1, &size, s);
  Check *check = indices_push_check(L, s, &x);
  int64_t *bad = index_error_word(check);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pp = launch_reads(&op, places), pv = launch_reads(&op, k->v),
              pi = launch_reads(&op, k->index), ps = launch_writes(&op, sums),
              pz = begins_writing(&op, k, 0);
  void *params[] = {
    &pz,    &ps, &pp,   &pv, &pi, (void *)&k->n, (void *)&places->size,
    &inner, &vn, &rows, &bad};
  launch_checked(L, s, &op, kernel_for("scatter_ordered", part), 1, params,
                 index_error_idx(L, check));
}

/* ==} */

/* {== few places ====================================================== */

/* Returns the number from which the index counts. */
static int64_t base_of (const Sums *k) {
  return (k->x != NULL) ? (int64_t)k->x->base : k->base;
}

static size_t mode_of (const Sums *k) {
  return (k->x != NULL) ? k->x->mode : PLACE_BIN;
}

size_t sums_parts (size_t n, size_t bins) {
  size_t parts = n / ROW_PART, most = n / (ROW_WORTH * bins);
  parts = (parts < most) ? parts : most;
  return (parts == 0) ? 1 : (parts < ROWS) ? parts : ROWS;
}

static bool is_host (const Sums *k) { return context_is_host(k->z->dev); }

static size_t blocks_of (const Sums *k) {
  size_t m = k->index->size, blocks = ceiling(m, SUMS_BLOCK);
  if (is_host(k))
    return sums_parts(m, k->n);
  return (blocks < SUMS_BLOCKS) ? blocks : SUMS_BLOCKS;
}

/* Pushes the sums of blocks, a row for each, with one more word that tells of
** an index without a place. */
static Array *push_rows (lua_State *L, RtStream *s, const Sums *k) {
  DType t = (DType)k->z->dtype;
  size_t m = k->index->size, blocks = blocks_of(k);
  int64_t shape[] = {(int64_t)blocks, (int64_t)k->n + 1};
  Array *sums = array_new(L, k->a->dev, DTYPE_FLOAT64, 2, shape, s);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr ps = launch_writes(&op, sums), pi = launch_reads(&op, k->index),
              pv = launch_reads(&op, k->v);
  int64_t base = base_of(k);
  size_t mode = mode_of(k);
  void *params[] = {&ps,   &pi,  &pv, (void *)&k->n, &m, (void *)&k->vn,
                    &base, &mode};
  launch_kernel(L, s, &op, kernel_for("sums_few", t), (unsigned)blocks, params);
  return sums;
}

static void add_few (lua_State *L, RtStream *s, const Sums *k) {
  Array *sums = push_rows(L, s, k);
  size_t rows = (size_t)sums->shape[0];
  Check *check = push_check(L, s, k);
  int64_t *bad = index_error_word(check);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr ps = launch_reads(&op, sums), pz = begins_writing(&op, k, 0);
  void *params[] = {&pz, &ps, (void *)&k->n, &rows, &bad};
  launch_checked(L, s, &op, kernel_for("sums_total", (DType)k->z->dtype),
                 (unsigned)ceiling(k->n, 32), params,
                 index_error_idx(L, check));
}

/* ==} */

/* {== one row, on CUDA ================================================ */

/* Pushes the places and the numbers of their values as sorted pairs. Returns at
** which of its places 'p' has them. */
static int push_sorted (lua_State *L, RtStream *s, const Sums *k,
                        SortPairs *p) {
  DType t = (DType)k->z->dtype;
  sort_push_pairs(L, s, k->a->dev, p);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  launch_writes(&op, p->all);
  CUdeviceptr pi = launch_reads(&op, k->index), pv = launch_reads(&op, k->v);
  int64_t base = base_of(k);
  size_t mode = mode_of(k);
  void *params[] = {&p->keys[0],   &p->own[0], &p->flag,       &pi,   &pv,
                    (void *)&k->n, &p->n,      (void *)&k->vn, &base, &mode};
  KernelId id = kernel_for("sums_keys", t);
  launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, p->n), params);
  return sort_pairs(L, s, p);
}

static int digits_of (size_t n) {
  int digits = 1;
  while (digits < 4 && n > (size_t)1 << 8 * digits)
    digits++;
  return digits;
}

/* Adds the shares' unfinished buckets: two rows of sums each, then their
** numbers. */
static void add_joined (lua_State *L, RtStream *s, const Sums *k,
                        const Array *left, size_t many) {
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pl = launch_reads(&op, left), pz = launch_writes(&op, k->z);
  CUdeviceptr next = pl + 2 * many * SUMS_BUCKET * sizeof(double);
  void *params[] = {&pz, &pl, &next, (void *)&k->n, &many};
  launch_kernel(L, s, &op, kernel_for("sums_joined", (DType)k->z->dtype),
                (unsigned)many, params);
}

/* Adds by buckets, which have the last digit of a place. */
static void add_buckets (lua_State *L, RtStream *s, const Sums *k) {
  DType t = (DType)k->z->dtype;
  SortPairs p = {.n = k->index->size, .digits = digits_of(k->n), .least = 1};
  int at = push_sorted(L, s, k, &p);
  size_t many = ceiling(p.n, SUMS_SHARE);
  int64_t words = (int64_t)(many * (2 * SUMS_BUCKET + 1));
  Array *left = array_new(L, k->a->dev, DTYPE_FLOAT64, 1, &words, s);
  Check *check = push_check(L, s, k);
  int64_t *bad = index_error_word(check);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pv = launch_reads(&op, k->v), pz = begins_writing(&op, k, 1),
              pl = launch_writes(&op, left);
  CUdeviceptr next = pl + 2 * many * SUMS_BUCKET * sizeof(double);
  array_access(&op, p.all, false);
  void *params[] = {&pz,  &p.keys[at],    &p.own[at], &pv,
                    &pl,  &next,          &p.flag,    (void *)&k->n,
                    &p.n, (void *)&k->vn, &bad};
  launch_checked(L, s, &op, kernel_for("sums_parts", t),
                 (unsigned)ceiling(many, SUMS_BLOCK / 32), params,
                 index_error_idx(L, check));
  add_joined(L, s, k, left, many);
}

static void add_sorted (lua_State *L, RtStream *s, const Sums *k) {
  Level level[LEVELS];
  DType t = (DType)k->z->dtype;
  SortPairs p = {.n = k->index->size, .digits = digits_of(k->n)};
  int at = push_sorted(L, s, k, &p);
  int n = push_levels(L, s, k, 1, SUMS_SPAN, level);
  const Array *left = level[0].left;
  Check *check = push_check(L, s, k);
  int64_t *bad = index_error_word(check);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pl = 0, next = 0, pv = launch_reads(&op, k->v),
              pz = begins_writing(&op, k, n - 1);
  if (left != NULL) {
    pl = launch_writes(&op, left);
    next = pl + level[0].places;
  }
  array_access(&op, p.all, false);
  void *params[] = {&pz,     &p.keys[at], &p.own[at],     &pv, &pl, &next,
                    &p.flag, &p.n,        (void *)&k->vn, &bad};
  size_t spans = ceiling(p.n, SUMS_SPAN);
  launch_checked(L, s, &op, kernel_for("sums_runs", t),
                 (unsigned)ceiling(spans, SUMS_BLOCK / 32), params,
                 index_error_idx(L, check));
  for (int i = 1; i < n; i++)
    add_up(L, s, k, t, NULL, NULL, 1, k->vn, level, i, n, NULL);
}

/* ==} */

/* Tells whether each part of the elements has sums of its own. */
static bool is_few (const Sums *k) {
  return is_host(k) ? k->n <= k->index->size : k->n <= SUMS_ROOM;
}

/* Tells whether element numbers and keys, of which one means none, fit in 32
** bits. */
static bool is_row (const Sums *k, size_t inner) {
  return k->rows == 1 && inner == 1 && k->n < UINT32_MAX &&
         k->index->size < UINT32_MAX;
}

void sums_add (lua_State *L, RtStream *s, const Sums *k) {
  size_t parts;
  DType part = part_of((DType)k->z->dtype, &parts);
  size_t inner = k->inner * parts, vn = k->vn * parts;
  if (is_row(k, inner) && is_few(k))
    add_few(L, s, k);
  else if (is_host(k) && is_ordered(k))
    add_ordered(L, s, k, part, inner, vn);
  else if (is_host(k) || !is_row(k, inner))
    add_lines(L, s, k, part, inner, vn);
  else if (k->n / SUMS_SPARSE <= k->index->size)
    add_buckets(L, s, k);
  else
    add_sorted(L, s, k);
}

/*
** fold.c - folds of arrays along axes: the layout of the array's memory, and
** the launches.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/layout.h"
#include "reduce.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"

#include "array/shape.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* {== layout ========================================================== */

/* An axis longer than one. */
typedef struct FoldAxis {
  int64_t n, stride;
  int axis;
  bool gone;
} FoldAxis;

/* Sorts the axes in the order of memory; 'dense': of the memory of a copy. */
static int sort_axes (const Array *a, uint32_t axes, FoldAxis *parts,
                      bool dense) {
  int n = 0;
  int64_t run = (int64_t)a->size;
  for (int i = 0; i < a->ndim; i++) {
    run /= a->shape[i] > 0 ? a->shape[i] : 1;
    FoldAxis p = {a->shape[i], dense ? run : array_stride(a)[i], i,
                  (axes >> i & 1) != 0};
    int k = n;
    if (p.n == 1)
      continue;
    for (; k > 0 && !dense && parts[k - 1].stride < p.stride; k--)
      parts[k] = parts[k - 1];
    parts[k] = p;
    n++;
  }
  return n;
}

/*
** Tells whether the memory is one run in which the folded axes are adjacent
** and, if 'ordered', the others are in order. The order among folded axes does
** not matter.
*/
static bool find_layout (const FoldAxis *parts, int n, bool ordered,
                         Layout *l) {
  int64_t run = 1;
  int last = -1;
  for (int i = n - 1; i >= 0; i--) {
    if (parts[i].stride != run)
      return false;
    run *= parts[i].n;
  }
  *l = (Layout){1, 1, 1};
  for (int i = 0; i < n; i++) {
    const FoldAxis *p = &parts[i];
    size_t *to = p->gone ? &l->n : (l->n > 1) ? &l->inner : &l->outer;
    if (p->gone ? l->inner > 1 : ordered && p->axis < last)
      return false;
    *to *= (size_t)p->n;
    if (!p->gone)
      last = p->axis;
  }
  return true;
}

/* Pushes a copy with the folded axes last. */
static Array *push_sorted (lua_State *L, RtStream *s, Array *a, uint32_t axes,
                           Layout *l) {
  int order[MAX_DIMS], n = 0;
  *l = (Layout){1, 1, 1};
  for (int gone = 0; gone <= 1; gone++) {
    for (int i = 0; i < a->ndim; i++) {
      if ((int)(axes >> i & 1) != gone)
        continue;
      order[n++] = i;
      *(gone ? &l->n : &l->outer) *= (size_t)a->shape[i];
    }
  }
  Array *v = shape_push_permuted(L, a, order);
  Array *b = array_new(L, v->dev, v->dtype, v->ndim, v->shape, s);
  array_copyto(L, s, b, v);
  array_release(v);
  lua_remove(L, -2);
  return b;
}

Array *reduce_push_layout (lua_State *L, RtStream *s, int arg, uint32_t axes,
                           Layout *l) {
  FoldAxis parts[MAX_DIMS];
  Array *a = array_check(L, arg);
  int n = sort_axes(a, axes, parts, a->dense);
  if (a->size == 0 || !find_layout(parts, n, true, l))
    a = push_sorted(L, s, a, axes, l);
  else
    lua_pushvalue(L, arg);
  if (l->n == 1) { /* columns of one element are faster than such rows */
    l->inner *= l->outer;
    l->outer = 1;
  }
  return a;
}

/* ==} */

/* {== all elements ==================================================== */

/* Returns the address of x; without elements, any address but 0. */
static CUdeviceptr place_of (const Array *x, CUdeviceptr anywhere) {
  return (x->size > 0) ? array_pointer(x) : anywhere;
}

/* z = one stage over all elements of x, which are 'apart' elements apart. The
** last stage divides by 'by'. */
static void stage (lua_State *L, RtStream *s, KernelId id, unsigned grid,
                   Array *z, Array *x, int64_t apart, double by) {
  CUdeviceptr pz = array_pointer(z), px = place_of(x, pz);
  size_t n = x->size;
  void *params[] = {&pz, &px, &n, &apart, &by};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  if (x->size > 0)
    array_access(&op, x, false);
  array_access(&op, z, true);
  launch_kernel(L, s, &op, id, grid, params);
}

static void fold_parts (lua_State *L, RtStream *s, Fold f, Array *z, Array *a,
                        int64_t apart) {
  DType t = a->dtype;
  int64_t blocks = kernel_reduce_blocks(a->size);
  Array *partial = array_new(L, a->dev, (DType)kernel_partial_dtype(f.op, t), 1,
                             &blocks, s);
  stage(L, s, kernel_reduce(f.op, REDUCE_PARTIAL, t), (unsigned)blocks, partial,
        a, apart, 1);
  stage(L, s, kernel_reduce(f.op, REDUCE_FINAL, t), 1, z, partial, 1, f.by);
  array_drop(L, lua_gettop(L) - 1);
}

static void fold_all (lua_State *L, RtStream *s, Fold f, Array *z, Array *a,
                      int64_t apart) {
  if (kernel_reduce_blocks(a->size) == 1)
    stage(L, s, kernel_reduce(f.op, REDUCE_WHOLE, a->dtype), 1, z, a, apart,
          f.by);
  else
    fold_parts(L, s, f, z, a, apart);
}

/* Tells whether all elements can be folded in place: in order they must be
** equally far apart. The host device makes a run of each part if it can. */
static bool is_line (const Array *a, int64_t *apart) {
  int64_t n = 1;
  *apart = 1;
  if (a->dense)
    return true;
  for (int i = a->ndim - 1; i >= 0; i--) {
    if (a->shape[i] == 1)
      continue;
    if (n == 1)
      *apart = array_stride(a)[i];
    else if (array_stride(a)[i] != *apart * n)
      return false;
    n *= a->shape[i];
  }
  return !context_is_host(a->dev) || kernel_reduce_apart(a->size);
}

/* z = one stage over all products of x and y. */
static void stage_of_dot (lua_State *L, RtStream *s, KernelId id, unsigned grid,
                          Array *z, Array *x, Array *y) {
  CUdeviceptr pz = array_pointer(z), px = place_of(x, pz), py = place_of(y, pz);
  size_t n = x->size;
  void *params[] = {&pz, &px, &py, &n};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  if (n > 0)
    array_access(&op, x, false);
  if (n > 0 && y != x)
    array_access(&op, y, false);
  array_access(&op, z, true);
  launch_kernel(L, s, &op, id, grid, params);
}

void reduce_dot (lua_State *L, RtStream *s, Array *z, Array *x, Array *y) {
  DType t = (DType)z->dtype;
  int64_t blocks = kernel_reduce_blocks(x->size);
  if (blocks == 1) {
    stage_of_dot(L, s, kernel_dot(REDUCE_WHOLE, t), 1, z, x, y);
    return;
  }
  Array *partial = array_new(L, z->dev, DTYPE_FLOAT64, 1, &blocks, s);
  stage_of_dot(L, s, kernel_dot(REDUCE_PARTIAL, t), (unsigned)blocks, partial,
               x, y);
  stage(L, s, kernel_reduce(REDUCE_sum, REDUCE_FINAL, t), 1, z, partial, 1, 1);
  array_drop(L, lua_gettop(L) - 1);
}

void reduce_dot_rows (lua_State *L, RtStream *s, KernelId id, Array *z,
                      Array *x, Array *y) {
  size_t rows = z->size, n = x->size / rows;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr pz = launch_writes(&op, z), px = launch_reads(&op, x),
              py = launch_reads(&op, y);
  void *params[] = {&pz, &px, &py, &rows, &n};
  launch_blocks(L, s, &op, id, kernel_axis_grid(id, rows, n, 1, 1),
                kernel_axis_block(1), params);
}

/* ==} */

/* {== along an axis =================================================== */

/* Returns the fold that joins accumulators. */
static Fold again (Fold f) { return (Fold){kernel_reduce_again(f.op), f.by}; }

static void launch (lua_State *L, RtStream *s, Fold f, Array *z, Array *x,
                    const Layout *l, size_t chunks, size_t partial) {
  KernelId id = kernel_axis(f.op, x->dtype);
  CUdeviceptr pz = array_pointer(z), px = place_of(x, pz);
  size_t outer = l->outer, n = l->n, inner = l->inner;
  void *params[] = {&pz, &px, &outer, &n, &inner, &chunks, &partial, &f.by};
  Op o;
  op_start(&o, OP_LAUNCH, NULL);
  if (x->size > 0)
    array_access(&o, x, false);
  array_access(&o, z, true);
  launch_blocks(L, s, &o, id, kernel_axis_grid(id, outer, n, inner, chunks),
                kernel_axis_block(inner), params);
}

/* z = x folded in one launch; through a temporary array if the kernel's result
** has another dtype, such as float64 for a sum of float32. */
static void fold_chunk (lua_State *L, RtStream *s, Fold f, Array *z, Array *x,
                        const Layout *l) {
  DType t = (DType)kernel_reduce_dtype(f.op, x->dtype);
  if (t == z->dtype) {
    launch(L, s, f, z, x, l, 1, 0);
    return;
  }
  Array *wide = array_new(L, z->dev, t, z->ndim, z->shape, s);
  launch(L, s, f, wide, x, l, 1, 0);
  array_copyto(L, s, z, array_push_cast(L, lua_gettop(L), z->dtype));
  array_drop(L, lua_gettop(L) - 2);
}

static void fold_axis (lua_State *L, RtStream *s, Fold f, Array *z, Array *x,
                       const Layout *l) {
  KernelId id = kernel_axis(f.op, x->dtype);
  size_t chunks = kernel_axis_chunks(id, l->outer, l->n, l->inner);
  if (chunks == 1) {
    launch(L, s, f, z, x, l, 1, 0);
    return;
  }
  const Layout rest = {l->outer, chunks, l->inner};
  int64_t size = (int64_t)(l->outer * chunks * l->inner);
  Array *partial = array_new(L, x->dev,
                             (DType)kernel_partial_dtype(f.op, x->dtype), 1,
                             &size, s);
  launch(L, s, f, partial, x, l, chunks, 1);
  fold_chunk(L, s, again(f), z, partial, &rest);
  array_drop(L, lua_gettop(L) - 1);
}

/* Folds into memory of its own, because the kernels write runs, which must not
** be read any more. */
static void fold_apart (lua_State *L, RtStream *s, Fold f, Array *z, Array *x,
                        const Layout *l) {
  if (z->dense && !layout_overlaps(z, x)) {
    fold_axis(L, s, f, z, x, l);
    return;
  }
  Array *t = array_new(L, z->dev, z->dtype, z->ndim, z->shape, s);
  fold_axis(L, s, f, t, x, l);
  array_copyto(L, s, z, t);
  array_drop(L, lua_gettop(L) - 1);
}

/* ==} */

/* {== axes that are not adjacent ====================================== */

/* Tells whether the order of folding does not matter to the result. */
static bool is_exact (ReduceOp op, DType t) {
  switch (op) {
    case REDUCE_sum:
    case REDUCE_prod:
    case REDUCE_nansum:
    case REDUCE_sum_abs:
    case REDUCE_euclid:
    case REDUCE_root_sum:
    case REDUCE_nanmean:
    case REDUCE_sum_mean: return dtype_kind(t) < KIND_FLOAT;
    default: return true;
  }
}

/* Returns the folded axes of the longest adjacent run in memory; 0 if the
** memory is not one run, or all of them are adjacent. */
static uint32_t longest_run (const FoldAxis *parts, int n, Layout *l) {
  uint32_t best = 0, axes = 0;
  int64_t most = 1, length = 1, run = 1;
  int runs = 0;
  for (int i = n - 1; i >= 0; i--) {
    if (parts[i].stride != run)
      return 0;
    run *= parts[i].n;
    bool begins = parts[i].gone && (i == n - 1 || !parts[i + 1].gone);
    runs += begins;
    length = (begins ? 1 : length) * (parts[i].gone ? parts[i].n : 1);
    axes = (begins ? 0 : axes) | (parts[i].gone ? 1u << parts[i].axis : 0);
    if (parts[i].gone && length > most) {
      most = length;
      best = axes;
    }
  }
  *l = (Layout){1, 1, 1};
  for (int i = 0; i < n; i++) {
    bool gone = (best >> parts[i].axis & 1) != 0;
    *(gone ? &l->n : l->n > 1 ? &l->inner : &l->outer) *= (size_t)parts[i].n;
  }
  return runs > 1 ? best : 0;
}

/* Pushes the accumulators of a fold of 'a' along those axes of 'l', as an array
** in which these have one element and the others lie as in 'a'. */
static Array *push_partial (lua_State *L, RtStream *s, Fold f, Array *a,
                            uint32_t axes, const FoldAxis *parts, int n,
                            const Layout *l) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS] = {0}, run = 1;
  int64_t size = (int64_t)(l->outer * l->inner);
  for (int i = 0; i < a->ndim; i++)
    shape[i] = (axes >> i & 1) ? 1 : a->shape[i];
  for (int i = n - 1; i >= 0; i--) {
    if (axes >> parts[i].axis & 1)
      continue;
    strides[parts[i].axis] = run;
    run *= parts[i].n;
  }
  Array *t = array_new(L, a->dev, (DType)kernel_partial_dtype(f.op, a->dtype),
                       1, &size, s);
  launch(L, s, f, t, a, l, 1, 1);
  return array_push_view(L, t, a->ndim, shape, strides, t->off);
}

/* Tells whether a launch of its own pays: not if it has too few results to keep
** a GPU busy. */
static bool is_busy (ReduceOp op, const Array *a, const Layout *l) {
  return kernel_axis_chunks(kernel_axis(op, a->dtype), l->outer, l->n,
                            l->inner) == 1;
}

/*
** Folds along axes that are not adjacent in memory: along the longest run
** first, and its accumulators along the others. So no copy has to bring them
** together. If the order matters, it folds in the order of a copy. Returns
** false if the axes are adjacent.
*/
static bool fold_apart_axes (lua_State *L, RtStream *s, Fold f, Array *z,
                             int arg, uint32_t axes) {
  FoldAxis parts[MAX_DIMS];
  Layout l;
  Array *a = array_check(L, arg), *wide = z;
  bool dense = a->dense || !is_exact(f.op, a->dtype);
  int n = sort_axes(a, axes, parts, dense), top = lua_gettop(L);
  uint32_t first = a->size > 0 ? longest_run(parts, n, &l) : 0;
  if (first == 0 || !is_busy(f.op, a, &l))
    return false;
  if (dense)
    a = array_push_dense(L, arg);
  const Fold rest = again(f);
  Array *t = push_partial(L, s, f, a, first, parts, n, &l);
  int at = lua_gettop(L);
  DType made = (DType)kernel_reduce_dtype(rest.op, t->dtype);
  if (made != z->dtype)
    wide = array_new(L, z->dev, made, z->ndim, z->shape, s);
  reduce_fold(L, s, rest, wide, at, axes);
  if (wide != z)
    array_cast(L, s, z, wide);
  array_drop(L, top);
  return true;
}

/* ==} */

/* {== in the order of memory ========================================== */

/* Tells whether a copy, which has the folded axes last, would keep their
** order. */
static bool is_sorted (const FoldAxis *parts, int n, const Layout *l) {
  int last = -1;
  for (int i = 0; i < n; i++) {
    if (parts[i].gone && parts[i].axis < last)
      return false;
    if (parts[i].gone)
      last = parts[i].axis;
  }
  return l->inner == 1;
}

/* Pushes 't', whose axes are the n parts that stay, in the shape of z. */
static Array *push_like (lua_State *L, Array *t, const FoldAxis *parts, int n,
                         const Array *z, int ndim, uint32_t axes) {
  int64_t strides[MAX_DIMS] = {0}, run = 1;
  for (int i = n - 1; i >= 0; i--) {
    int at = parts[i].axis;
    if (parts[i].gone)
      continue;
    if (z->ndim < ndim) /* folded axes are dropped */
      at -= __builtin_popcount(axes & ((1u << at) - 1));
    strides[at] = run;
    run *= parts[i].n;
  }
  return array_push_view(L, t, z->ndim, z->shape, strides, t->off);
}

/*
** Folds a permuted array in the order of its memory, and then reorders the
** result, which is smaller. Returns false if the array is in order, or is no
** run of memory.
*/
static bool fold_permuted (lua_State *L, RtStream *s, Fold f, Array *z,
                           Array *a, uint32_t axes) {
  FoldAxis parts[MAX_DIMS];
  Layout l;
  int64_t shape[MAX_DIMS];
  int n = sort_axes(a, axes, parts, a->dense), kept = 0, top = lua_gettop(L);
  if (a->size == 0 || find_layout(parts, n, true, &l) ||
      !find_layout(parts, n, false, &l) ||
      !(is_exact(f.op, a->dtype) || is_sorted(parts, n, &l)))
    return false;
  for (int i = 0; i < n; i++)
    if (!parts[i].gone)
      shape[kept++] = parts[i].n;
  Array *t = array_new(L, z->dev, z->dtype, kept, shape, s);
  fold_axis(L, s, f, t, a, &l);
  array_copyto(L, s, z, push_like(L, t, parts, n, z, a->ndim, axes));
  array_drop(L, top);
  return true;
}

/* ==} */

/* Folds elements through another dtype, which has kernels. */
static void fold_via (lua_State *L, RtStream *s, Fold f, Array *z, int arg,
                      uint32_t axes, DType via) {
  int top = lua_gettop(L);
  DType made = (DType)kernel_reduce_dtype(f.op, via);
  Array *wide = z;
  array_push_cast(L, arg, via);
  if (made != z->dtype)
    wide = array_new(L, z->dev, made, z->ndim, z->shape, s);
  reduce_fold(L, s, f, wide, top + 1, axes);
  if (wide != z)
    array_cast(L, s, z, wide);
  array_drop(L, top);
}

void reduce_fold (lua_State *L, RtStream *s, Fold f, Array *z, int arg,
                  uint32_t axes) {
  Layout l;
  int64_t apart;
  Array *a = array_check(L, arg);
  if (z->size == 0)
    return;
  if (kernel_axis(f.op, a->dtype) < 0) {
    fold_via(L, s, f, z, arg, axes, kernel_reduce_via(f.op, a->dtype));
    return;
  }
  if (z->size == 1 && is_line(a, &apart)) {
    fold_all(L, s, f, z, a, apart);
    return;
  }
  if (fold_apart_axes(L, s, f, z, arg, axes) ||
      fold_permuted(L, s, f, z, a, axes))
    return;
  Array *x = reduce_push_layout(L, s, arg, axes, &l);
  if (l.outer == 1 && l.inner == 1)
    fold_all(L, s, f, z, x, 1);
  else
    fold_apart(L, s, f, z, x, &l);
  array_drop(L, lua_gettop(L) - 1);
}

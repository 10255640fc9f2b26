/*
** matmul.c - products of matrices and vectors: matmul, dot. See
** kernels/matmul.cuh.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "reduce.h"
#include "result.h"
#include "rt/code/cublas.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

/* Overridable: on the host device, products of 16 bits with at least so many
** multiplications are worth the launches that convert them. */
#if !defined(HALVES_MOST)
#define HALVES_MOST 1000
#endif

/* A product: x is m by k, y is k by n, and z has the axes of the batches, then
** m and n unless they come from vectors. */
typedef struct Product {
  size_t m, k, n, batches;
  size_t xstep, ystep; /* from one matrix of a batch to the next */
  size_t turned;       /* see RtGemm */
  int nbatch, ndim;    /* axes of the batches; of z */
  int64_t shape[MAX_DIMS + 2];
} Product;

static int mismatch (lua_State *L, const Array *a, const Array *b) {
  array_push_shape(L, a);
  array_push_shape(L, b);
  return error_raise(L, "shapes %s and %s cannot be multiplied",
                     lua_tostring(L, -2), lua_tostring(L, -1));
}

/* Reads the shapes. The last axis of 'a' is paired with the last but one of
** 'b', or its only one. */
static void read_shapes (lua_State *L, Product *p, const Array *a,
                         const Array *b) {
  if (a->ndim == 0 || b->ndim == 0)
    error_raise(L, "matmul needs arrays of at least one axis; use mul");
  int64_t k = a->shape[a->ndim - 1];
  bool column = (b->ndim == 1);
  if (k != b->shape[column ? 0 : b->ndim - 2])
    mismatch(L, a, b);
  p->m = (a->ndim == 1) ? 1 : (size_t)a->shape[a->ndim - 2];
  p->k = (size_t)k;
  p->n = column ? 1 : (size_t)b->shape[b->ndim - 1];
  p->turned = 0;
}

/* Returns the number of axes before the last two, which are the batch. */
static int batch_axes (const Array *a) { return a->ndim > 2 ? a->ndim - 2 : 0; }

static void read_batches (lua_State *L, Product *p, const Array *a,
                          const Array *b) {
  int x = batch_axes(a), y = batch_axes(b);
  p->nbatch = p->ndim = (x > y) ? x : y;
  p->batches = 1;
  for (int i = 1; i <= p->nbatch; i++) {
    int64_t own = (i <= x) ? a->shape[x - i] : 1;
    int64_t other = (i <= y) ? b->shape[y - i] : 1;
    if (own != other && own != 1 && other != 1)
      mismatch(L, a, b);
    p->shape[p->nbatch - i] = (own == 1) ? other : own;
    p->batches *= (size_t)p->shape[p->nbatch - i];
  }
  if (a->ndim > 1)
    p->shape[p->ndim++] = (int64_t)p->m;
  if (b->ndim > 1)
    p->shape[p->ndim++] = (int64_t)p->n;
}

/* Tells whether it is dense after swapping the last two axes. */
static bool is_turned (const Array *a) {
  if (a->ndim < 2 || a->dense)
    return false;
  const int64_t *strides = array_stride(a), *shape = a->shape;
  int i = a->ndim - 2;
  int64_t apart = shape[i] * shape[i + 1];
  bool turned = (strides[i] == 1 && strides[i + 1] == shape[i]);
  for (i--; i >= 0 && turned; apart *= shape[i--])
    turned = (shape[i] == 1 || strides[i] == apart);
  return turned;
}

/* Pushes the array at 'arg' with these axes swapped. */
static void push_turned (lua_State *L, int arg) {
  Array *a = array_check(L, arg);
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  axes[a->ndim - 1] = a->ndim - 2;
  axes[a->ndim - 2] = a->ndim - 1;
  shape_push_permuted(L, a, axes);
}

/* Tells whether all matrices of the batch are the same memory. */
static bool is_repeated (const Array *a) {
  for (int i = 0; i < a->ndim - 2; i++)
    if (a->shape[i] > 1 && array_stride(a)[i] != 0)
      return false;
  return a->ndim > 2 && a->size > 0;
}

/* Pushes the first matrix of the batch. */
static Array *push_first (lua_State *L, Array *a) {
  int i = a->ndim - 2;
  return array_push_view(L, a, 2, a->shape + i, array_stride(a) + i, a->off);
}

/*
** Pushes the operand at 'arg' as dense matrices of 't', one for each batch or
** one for all; '*step' says which. If 'turned' is not 0, the pushed matrices
** may be transposes; if so, that bit is set in p->turned.
*/
static Array *push_matrices (lua_State *L, int arg, Product *p, DType t,
                             size_t matrix, size_t *step, size_t turned) {
  int64_t shape[MAX_DIMS];
  Array *a = array_check(L, arg);
  if (a->size > matrix && is_repeated(a)) {
    a = push_first(L, a);
    arg = lua_gettop(L);
  }
  if (a->size == matrix || a->size == p->batches * matrix) {
    *step = (a->size == matrix) ? 0 : matrix;
    if (turned == 0 || a->dtype != t || !is_turned(a))
      return operand_push_dense(L, arg, t);
    p->turned |= turned;
    push_turned(L, arg);
    return operand_push_dense(L, -1, t);
  }
  memcpy(shape, p->shape, (size_t)p->nbatch * sizeof *shape);
  shape[p->nbatch] = a->shape[a->ndim - 2];
  shape[p->nbatch + 1] = a->shape[a->ndim - 1];
  *step = matrix;
  shape_push_broadcast(L, arg, a, p->nbatch + 2, shape);
  return operand_push_dense(L, -1, t);
}

/* {== vectors ========================================================= */

/*
** The stack indices of the factors, x first. A vector and a transposed matrix,
** which is pushed in its memory order, are swapped: the sums are the same, and
** the matrix needs no copy.
*/
static void place_factors (lua_State *L, Product *p, const Array *a,
                           const Array *b, int at[2]) {
  bool column = (p->n == 1 && is_turned(a));
  bool row = (p->m == 1 && is_turned(b));
  at[0] = 1;
  at[1] = 2;
  if (p->nbatch > 0 || !(column || row))
    return;
  size_t m = p->m;
  p->m = p->n;
  p->n = m;
  push_turned(L, column ? 1 : 2);
  at[0] = column ? 2 : lua_gettop(L);
  at[1] = column ? lua_gettop(L) : 1;
}

/* ==} */

/* Where a product may be less exact, to be faster. */
typedef struct Precision {
  bool tf32;   /* float32: products of 10 binary digits */
  bool narrow; /* float16: sums of float16 */
} Precision;

/* Reads option 'accumulate' of a product of dtype 't': the dtype of sums. */
static bool is_narrow (lua_State *L, int options, DType t) {
  static const char *const types[] = {"float32", "float16"};
  int which = 0;
  if (!lua_istable(L, options) ||
      option_get(L, options, "accumulate") == LUA_TNIL)
    return false;
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  while (which < 2 && strcmp(name, types[which]) != 0)
    which++;
  argerror_check(L, which < 2, options,
                 "option 'accumulate' must be 'float32' or 'float16'");
  if (!dtype_is_half(t) || (which == 1 && t != DTYPE_FLOAT16))
    argerror_raise(L, options,
                   "option 'accumulate' is '%s' for products of float16%s "
                   "only, not of %s",
                   name, which == 0 ? " or bfloat16" : "", dtype_name(t));
  lua_settop(L, options);
  return which == 1;
}

/* Pushes a workspace for cuBLAS. */
static Array *push_work (lua_State *L, RtStream *s, const Array *z,
                         size_t bytes) {
  int64_t n = (int64_t)bytes;
  return array_new(L, z->dev, DTYPE_UINT8, 1, &n, s);
}

/* Tells whether the product suits cuBLAS. */
static bool is_gemm (RtDevice *dev, const Product *p, DType t) {
  RtGemm g = {.m = p->m, .k = p->k, .n = p->n, .batches = p->batches, .t = t};
  return cublas_accepts(dev, &g);
}

/* Queues z = x y: by cuBLAS, if it is available and worth it. */
static void multiply (lua_State *L, RtStream *s, Product *p, Array *z, Array *x,
                      Array *y, Precision may) {
  if (p->ystep == 0 && p->xstep > 0 && (p->turned & 1) == 0) {
    /* the same as one tall matrix */
    p->m *= p->batches;
    p->batches = 1;
  }
  unsigned grid = kernel_matmul_grid(p->m, p->n, p->batches);
  if (grid == 0)
    error_raise(L, "too many elements to multiply");
  RtGemm g = {.m = p->m,
              .k = p->k,
              .n = p->n,
              .batches = p->batches,
              .xstep = p->xstep,
              .ystep = p->ystep,
              .t = z->dtype,
              .turned = p->turned,
              .tf32 = may.tf32,
              .narrow = may.narrow};
  Array *work = cublas_accepts(z->dev, &g) ? push_work(L, s, z, g.bytes) : NULL;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), py = launch_reads(&op, y),
              pz = launch_writes(&op, z);
  void *params[] = {&pz,   &px,         &py,       &p->m,     &p->k,
                    &p->n, &p->batches, &p->xstep, &p->ystep, &p->turned};
  if (work != NULL) {
    g.z = pz;
    g.x = px;
    g.y = py;
    g.work = launch_writes(&op, work);
    op.gemm = &g;
  }
  launch_kernel(L, s, &op, kernel_matmul(z->dtype), grid, params);
}

/*
** Returns the dtype in which elements are multiplied. Elements of 16 bits are
** added as float32: the kernels convert them on loading, but a BLAS of the host
** needs them converted.
*/
static DType factor_type (const RtDevice *dev, const Product *p, DType t) {
  double work = (double)p->m * (double)p->k * (double)p->n * (double)p->batches;
  bool converted = (dtype_is_half(t) && context_is_host(dev) &&
                    work >= HALVES_MOST);
  return converted ? DTYPE_FLOAT32 : t;
}

/*
** matmul(a, b [, { accumulate=, out=, tf32= }]) -> the products over the last
** two axes; other axes are a batch and broadcast. A vector is a row on the
** left, a column on the right, and that axis is not in the result. 'tf32':
** products of float32 may be computed with 10 binary digits, if that is faster.
** 'accumulate': cuBLAS may add products of float16 as "float16".
*/
static int array_matmul (lua_State *L) {
  static const char *const names[] = {"accumulate", "out", "tf32", NULL};
  Product p;
  Target to;
  lua_settop(L, 3);
  Array *a = array_check(L, 1), *b = array_check(L, 2);
  array_check_devices(L, a, b);
  read_shapes(L, &p, a, b);
  read_batches(L, &p, a, b);
  DType result = dtype_promote(a->dtype, b->dtype);
  DType t = factor_type(a->dev, &p, result);
  option_check(L, 3, names);
  Precision may = {option_flag(L, 3, "tf32", false), is_narrow(L, 3, result)};
  RtStream *s = current_get_stream(L, a->dev);
  int at[2];
  place_factors(L, &p, a, b, at);
  bool gemm = is_gemm(a->dev, &p, t);
  Array *x = push_matrices(L, at[0], &p, t, p.m * p.k, &p.xstep, gemm);
  Array *y = push_matrices(L, at[1], &p, t, p.k * p.n, &p.ystep, 2 * gemm);
  Like like = {.of = a, .ndim = p.ndim, .shape = p.shape};
  operand_push_out(L, &to, 3, &like, result, s, x, y);
  Array *wide = to.z;
  if (t != result)
    wide = array_new(L, a->dev, t, p.ndim, p.shape, s);
  if (wide->size > 0)
    multiply(L, s, &p, wide, x, y, may);
  if (wide != to.z) {
    array_cast(L, s, to.z, wide);
    array_drop(L, lua_gettop(L) - 1);
  }
  return operand_return(L, &to, s);
}

/* {== dot ============================================================= */

/* Calls method 'name' of the array at 'arg', with the 'n' values on the top. */
static void call (lua_State *L, int arg, const char *name, int n) {
  lua_pushvalue(L, arg);
  class_push_method(L, -1, name);
  lua_insert(L, -2 - n);
  lua_insert(L, -1 - n);
  entry_call(L, "dot", n + 1, 1);
}

/* Pushes the sum of x*y of two vectors, added as 'sum' does. */
static void push_inner (lua_State *L, const Array *a, const Array *b) {
  DType t = dtype_promote(a->dtype, b->dtype);
  if (a->size != b->size)
    mismatch(L, a, b);
  if (dtype_kind(t) == KIND_FLOAT) {
    Array *x = operand_push_dense(L, 1, t), *y = operand_push_dense(L, 2, t);
    RtStream *s = current_get_stream(L, a->dev);
    reduce_dot(L, s, array_new(L, a->dev, t, 0, NULL, s), x, y);
    return;
  }
  lua_pushvalue(L, 2);
  call(L, 1, "mul", 1);
  call(L, -1, "sum", 0);
  array_push_cast(L, -1, t);
}

/*
** Pushes the array at 2, with more than two axes, as a matrix: its last axis
** but one, and all others; these are appended to 'shape', from '*ndim' on.
*/
static void push_flattened (lua_State *L, int64_t shape[], int *ndim) {
  int axes[MAX_DIMS];
  Array *b = array_check(L, 2);
  axes[0] = b->ndim - 2;
  for (int i = 0, n = 1; i < b->ndim; i++)
    if (i != b->ndim - 2) {
      axes[n++] = i;
      shape[(*ndim)++] = b->shape[i];
    }
  b = shape_push_permuted(L, b, axes);
  int64_t matrix[2] = {b->shape[0], 1};
  for (int i = 1; i < b->ndim; i++)
    matrix[1] *= b->shape[i];
  shape_push_reshaped(L, lua_gettop(L), 2, matrix);
}

/* Pushes the product over the last axis of 1 and the last but one of 2, which
** has two or more. */
static void push_outer (lua_State *L, const Array *a, const Array *b) {
  int64_t shape[2 * MAX_DIMS];
  int ndim = 0;
  for (; ndim < a->ndim - 1; ndim++)
    shape[ndim] = a->shape[ndim];
  push_flattened(L, shape, &ndim);
  if (ndim > MAX_DIMS)
    error_raise(L, "the result would have more than %d axes", MAX_DIMS);
  if (a->shape[a->ndim - 1] != b->shape[b->ndim - 2])
    mismatch(L, a, b);
  call(L, 1, "matmul", 1);
  shape_push_reshaped(L, lua_gettop(L), ndim, shape);
}

/*
** dot(a, b [, { out= }]) -> of two vectors the sum of the products, of matrices
** their product, with a 0-d array its multiple; otherwise over the last axis of
** 'a' and the last but one of 'b'.
*/
static int array_dot (lua_State *L) {
  lua_settop(L, 3);
  Array *a = array_check(L, 1), *b = array_check(L, 2);
  array_check_devices(L, a, b);
  bool scalar = (a->ndim == 0 || b->ndim == 0);
  if (scalar || (b->ndim <= 2 && a->ndim + b->ndim > 2)) {
    class_push_method(L, 1, scalar ? "mul" : "matmul");
    for (int i = 1; i <= 3; i++)
      lua_pushvalue(L, i);
    entry_call(L, "dot", 3, 1);
    return 1;
  }
  if (b->ndim == 1)
    push_inner(L, a, b);
  else
    push_outer(L, a, b);
  Array *z = array_check(L, -1);
  if (lua_isnil(L, 3))
    return array_return(L, 3);
  RtStream *s = current_get_stream(L, a->dev);
  Like like = {.of = a, .ndim = z->ndim, .shape = z->shape};
  Array *out = result_push(L, 3, &like, z->dtype, s);
  array_copyto(L, s, out, z);
  return array_return(L, 3);
}

/* ==} */

static const Function functions[] = {
  {"dot", array_dot, 3},
  {"matmul", array_matmul, 3},
  {NULL, NULL, 0},
};

void open_matmul (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

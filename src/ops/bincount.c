/*
** bincount.c - counts of integers, or sums of their weights. See
** kernels/count.cu.
*/
#include "bincount.h"

#include "array/dtype.h"
#include "array/launch.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/option.h"
#include "composed.h"
#include "device/current.h"
#include "mask.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/driver/context.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"
#include "sums.h"

#include "kernels/types.h"
#include "rt/queue/op_types.h"

enum { MOST_BINS = 1 << 30 };

/* {== counts ========================================================== */

/* Overridable: the blocks that an H200's 132 SMs run at once. */
#if !defined(COUNT_BLOCKS)
#define COUNT_BLOCKS (132 * COUNT_RESIDENT)
#endif

void bincount_launch (lua_State *L, RtStream *s, Op *op, const char *name,
                      const Array *x, void **params) {
  size_t each = (size_t)COUNT_BLOCK * COUNT_PACKS * 16 / dtype_size(x->dtype);
  size_t blocks = (x->size + each - 1) / each;
  launch_kernel(L, s, op, kernel_named(name),
                (unsigned)(blocks < COUNT_BLOCKS ? blocks : COUNT_BLOCKS),
                params);
}

/* The dtypes that have kernels, by the suffix of their names. */
typedef enum Countable { COUNTABLE_U8, COUNTABLE_I32, COUNTABLE_I64 } Countable;

/* Pushes the array at 'x' converted to such a dtype. */
static Countable push_countable (lua_State *L, int x) {
  DType t = array_check(L, x)->dtype;
  bool bytes = (t == DTYPE_UINT8 || t == DTYPE_BOOL);
  bool words = (t == DTYPE_INT8 || t == DTYPE_INT16 || t == DTYPE_UINT16 ||
                t == DTYPE_INT32);
  operand_push_dense(L, x,
                     bytes   ? DTYPE_UINT8
                     : words ? DTYPE_INT32
                             : DTYPE_INT64);
  return bytes ? COUNTABLE_U8 : words ? COUNTABLE_I32 : COUNTABLE_I64;
}

int bincount_push (lua_State *L, RtStream *s, int x, int64_t bins,
                   int64_t base) {
  static const char *const names[] = {"bincount_u8", "bincount_i32",
                                      "bincount_i64"};
  const char *name = names[push_countable(L, x)];
  Array *a = array_check(L, -1);
  Array *z = array_new(L, a->dev, DTYPE_INT64, 1, &bins, s);
  array_zero(L, s, z);
  if (a->size > 0 && bins > 0) {
    size_t n = (size_t)bins;
    Op op;
    op_start(&op, OP_LAUNCH, NULL);
    CUdeviceptr px = launch_reads(&op, a), pz = launch_writes(&op, z);
    void *params[] = {&pz, &px, &a->size, &n, &base};
    bincount_launch(L, s, &op, name, a, params);
  }
  return lua_gettop(L);
}

/* ==} */

/* {== weights ========================================================= */

/* Pushes the sums on CUDA. */
static int push_sums (lua_State *L, RtStream *s, int x, int w, int64_t bins,
                      int64_t base) {
  Array *at = operand_push_dense(L, x, DTYPE_INT64);
  Array *v = operand_push_dense(L, w, DTYPE_FLOAT64);
  Array *z = array_new(L, at->dev, DTYPE_FLOAT64, 1, &bins, s);
  int top = lua_gettop(L);
  array_zero(L, s, z);
  const Sums sums = {.name = "bincount",
                     .a = z,
                     .z = z,
                     .rows = 1,
                     .n = (size_t)bins,
                     .inner = 1,
                     .index = at,
                     .base = base,
                     .v = v,
                     .vn = v->size};
  sums_add(L, s, &sums);
  lua_settop(L, top);
  return top;
}

/* Pushes the sums on the host device, where each part has its own sums. */
static int push_rows (lua_State *L, RtStream *s, int x, int w, int64_t bins,
                      int64_t base) {
  static const char *const names[] = {"weights_u8", "weights_i32",
                                      "weights_i64"};
  Countable c = push_countable(L, x);
  Array *a = array_check(L, -1), *v = operand_push_dense(L, w, DTYPE_FLOAT64);
  size_t n = (size_t)bins, parts = sums_parts(a->size, n);
  int64_t shape[] = {(int64_t)parts, bins};
  bool one = (parts == 1);
  Array *z = array_new(L, a->dev, DTYPE_FLOAT64, one ? 1 : 2, shape + one, s);
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, a), pv = launch_reads(&op, v),
              pz = launch_writes(&op, z);
  void *params[] = {&pz, &px, &pv, &a->size, &n, &base, &parts};
  launch_kernel(L, s, &op, kernel_named(names[c]), 1, params);
  if (one)
    return lua_gettop(L);
  lua_pushinteger(L, 1);
  return composed_call(L, "sum", lua_gettop(L) - 1, 1);
}

int bincount_push_sums (lua_State *L, RtStream *s, int x, int w, int64_t bins,
                        int64_t base) {
  Array *a = array_check(L, x);
  if (a->size == 0 || bins == 0) {
    Array *z = array_new(L, a->dev, DTYPE_FLOAT64, 1, &bins, s);
    array_zero(L, s, z);
    return lua_gettop(L);
  }
  bool host = context_is_host(a->dev);
  return (host ? push_rows : push_sums)(L, s, x, w, bins, base);
}

/* ==} */

/* {== arguments ======================================================= */

/* Returns the minimum, or maximum, of the array at 1. Waits. */
static int64_t extreme (lua_State *L, const char *name) {
  int top = lua_gettop(L);
  composed_unary(L, name, 1);
  int z = composed_astype(L, lua_gettop(L), DTYPE_INT64);
  Array *h = array_fetch(L, array_check(L, z), "bincount");
  int64_t value = *(const int64_t *)(uintptr_t)array_pointer(h);
  array_release(h);
  array_drop(L, top);
  return value;
}

/* Returns the number of bins up to the maximum. Raises if an element is
** below. */
static int64_t count_bins (lua_State *L, RtStream *s, int64_t base,
                           int64_t least) {
  Array *a = array_check(L, 1);
  if (a->size == 0)
    return least;
  mask_check_count(L, s, a, "bincount");
  blocking_check(L, a->dev, "bincount");
  int64_t low = extreme(L, "min"), high = extreme(L, "max");
  if (a->dtype == DTYPE_UINT64 && high < 0)
    argerror_raise(L, 1, "too many bins, up to 2^63 or more");
  if (low < base)
    argerror_raise(L, 1, "%I is below the first bin, %I%s", (LUAI_UACINT)low,
                   (LUAI_UACINT)base,
                   low == 0 ? "; { base = 0 } counts from 0" : "");
  if ((uint64_t)high - (uint64_t)base >= MOST_BINS)
    argerror_raise(L, 1, "too many bins, up to %I", (LUAI_UACINT)high);
  int64_t bins = high - base + 1;
  return (bins > least) ? bins : least;
}

/* Reads an option that is a number from 0 to 2^30. */
static int64_t read_number (lua_State *L, int options, const char *name,
                            int64_t def) {
  int64_t n = lua_istable(L, options) ? option_integer(L, options, name, def)
                                      : def;
  if (n != def && (n < 0 || n > MOST_BINS))
    argerror_raise(L, options, "option '%s' must be from 0 to 2^30", name);
  return n;
}

/* Checks the weights at 2, one for each element. */
static void check_weights (lua_State *L, const Array *a) {
  Array *w = array_check(L, 2);
  array_check_devices(L, a, w);
  argerror_check(L, array_same_shape(a, w), 2,
                 "as many weights as elements expected");
  argerror_check(L, dtype_kind(w->dtype) != KIND_COMPLEX, 2,
                 "real weights expected");
}

/*
** bincount(x [, weights] [, { base=, minlength=, size=, out= }]) -> how often
** each integer from 'base' (1) up to the maximum occurs; with weights, float64
** sums of them. 'size': a given number of bins, without a wait.
*/
static int array_bincount (lua_State *L) {
  static const char *const names[] = {"base", "minlength", "out", "size", NULL};
  int options = lua_istable(L, 2) ? 2 : 3;
  lua_settop(L, 3);
  entry_check_end(L, options + 1);
  Array *a = array_check(L, 1);
  if (options == 2)
    argerror_check(L, lua_rawlen(L, 2) == 0, 2,
                   "weights are a tide.Array, not a list; options have names");
  option_check(L, options, names);
  argerror_check(L, dtype_kind(a->dtype) < KIND_FLOAT, 1,
                 "integers expected, got %s", dtype_name(a->dtype));
  bool weighted = options == 3 && !lua_isnil(L, 2);
  if (weighted)
    check_weights(L, a);
  int64_t base = read_number(L, options, "base", 1);
  int64_t least = read_number(L, options, "minlength", 0);
  int64_t bins = read_number(L, options, "size", -1);
  RtStream *s = current_get_stream(L, a->dev);
  lua_pushvalue(L, options);
  if (bins < 0)
    bins = count_bins(L, s, base, least);
  if (weighted)
    bincount_push_sums(L, s, 1, 2, bins, base);
  else
    bincount_push(L, s, 1, bins, base);
  return result_deliver_out(L, 4, s);
}

/* ==} */

static const Function functions[] = {
  {"bincount", array_bincount, 3},
  {NULL, NULL, 0},
};

void open_bincount (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

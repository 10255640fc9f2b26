/*
** histogram.c - counts of elements between edges: histogram, histogram2d. See
** kernels/count.cu.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "bincount.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "sort.h"

enum { MOST_BINS = 1 << 30 };

/* The bins of one axis, and the indices of their edges. */
typedef struct Bins {
  int64_t n;
  int edges;
  bool even; /* equally far apart, within rounding */
} Bins;

/* {== edges =========================================================== */

/* Returns the dtype for comparing elements with edges; floats keep their
** own. */
static DType float_of (DType t) {
  return dtype_kind(t) == KIND_FLOAT ? t : DTYPE_FLOAT64;
}

/* Pushes a 0-d float64 array. */
static int push_number (lua_State *L, RtDevice *dev, RtStream *s,
                        lua_Number number) {
  Array *z = array_new(L, dev, DTYPE_FLOAT64, 0, NULL, s);
  int at = lua_gettop(L);
  lua_pushnumber(L, number);
  array_fill_with(L, s, z, at + 1);
  lua_settop(L, at);
  return at;
}

/* Pushes the minimum and maximum of the array at x, half a unit further apart
** on each side if they are equal; or 0 and 1. */
static void push_extremes (lua_State *L, RtStream *s, int x, int ends[2]) {
  Array *a = array_check(L, x);
  if (a->size == 0) {
    ends[0] = push_number(L, a->dev, s, 0);
    ends[1] = push_number(L, a->dev, s, 1);
    return;
  }
  int low = composed_astype(L, composed_unary(L, "min", x), DTYPE_FLOAT64);
  int high = composed_astype(L, composed_unary(L, "max", x), DTYPE_FLOAT64);
  int more = composed_astype(L, composed_binary(L, "eq", low, high),
                             DTYPE_FLOAT64);
  more = composed_scalar(L, "mul", more, 0.5);
  ends[0] = composed_binary(L, "sub", low, more);
  ends[1] = composed_binary(L, "add", high, more);
}

/* Returns number i of the list at 'idx'. */
static lua_Number number_at (lua_State *L, int options, int idx, int i) {
  lua_rawgeti(L, idx, i);
  argerror_check(L, lua_type(L, -1) == LUA_TNUMBER, options,
                 "option 'range' must have two numbers, the first below the "
                 "second");
  lua_Number x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

/* Pushes the ends that the table at 'range' gives, or those of the elements. */
static void push_ends (lua_State *L, RtStream *s, int x, int options, int range,
                       int ends[2]) {
  Array *a = array_check(L, x);
  if (lua_isnil(L, range)) {
    push_extremes(L, s, x, ends);
    return;
  }
  argerror_check(L, lua_istable(L, range) && lua_rawlen(L, range) == 2, options,
                 "option 'range' must have two numbers, the first below the "
                 "second");
  list_check_in(L, options, range, 2, "option 'range'");
  lua_Number low = number_at(L, options, range, 1),
             high = number_at(L, options, range, 2);
  argerror_check(L, low <= high && high - low <= 0x1p1023, options,
                 "option 'range' must have two numbers, the first below the "
                 "second");
  lua_Number more = (low == high) ? 0.5 : 0;
  ends[0] = push_number(L, a->dev, s, low - more);
  ends[1] = push_number(L, a->dev, s, high + more);
}

/* Pushes n + 1 edges between the ends, as NumPy's linspace does. */
static int push_even (lua_State *L, RtStream *s, int64_t n, const int ends[2],
                      DType t) {
  int64_t count = n + 1;
  Array *low = array_check(L, ends[0]);
  Array *at = array_new(L, low->dev, DTYPE_INT64, 1, &count, s);
  launch_arange(L, s, at, (Element){0}, (Element){.bits = 1});
  int i = lua_gettop(L);
  int step = composed_scalar(L, "div",
                             composed_binary(L, "sub", ends[1], ends[0]),
                             (lua_Number)n);
  int z = composed_binary(L, "add", composed_binary(L, "mul", i, step),
                          ends[0]);
  int last = composed_scalar(L, "eq", i, (lua_Number)n);
  lua_pushvalue(L, ends[1]);
  lua_pushvalue(L, z);
  return composed_astype(L, composed_call(L, "where", last, 2), t);
}

/* Checks that the value at 'arg' may be edges; errors name argument 'named'. */
static void check_edges (lua_State *L, int arg, int named) {
  const Array *e = array_test_any(L, arg);
  if (e == NULL && !lua_istable(L, arg))
    argerror_raise(L, named,
                   "number of bins, tide.Array or table of edges expected, got "
                   "%s",
                   type_push_name(L, arg));
  argerror_check(L, e == NULL || !e->closed, named, "array is closed");
}

/* Pushes the given edges at 'arg', an array or a table. */
static int push_given (lua_State *L, int arg, int named, Array *a,
                       RtStream *s) {
  check_edges(L, arg, named);
  int edges = composed_operand(L, arg, sort_beside(a), a->dev, s);
  Array *e = array_check(L, edges);
  array_check_devices(L, a, e);
  argerror_check(L, e->ndim == 1 && e->size >= 2, named,
                 "edges must have one axis of two elements or more");
  argerror_check(L, dtype_kind(e->dtype) != KIND_COMPLEX, named,
                 "real edges expected");
  return edges;
}

/* Pushes the edges of the bins at 'arg', a number or edges, for the array at x.
** The value is from argument 'named'. */
static Bins push_edges (lua_State *L, RtStream *s, int x, int arg, int named,
                        int options, int range) {
  Array *a = array_check(L, x);
  Bins b = {.n = 10, .even = true};
  int ends[2];
  if (!lua_isnil(L, arg) && lua_type(L, arg) != LUA_TNUMBER) {
    b.edges = push_given(L, arg, named, a, s);
    b.n = (int64_t)array_check(L, b.edges)->size - 1;
    b.even = false;
    return b;
  }
  if (!lua_isnil(L, arg)) {
    int isint;
    b.n = lua_tointegerx(L, arg, &isint);
    argerror_check(L, isint && b.n >= 1 && b.n <= MOST_BINS, named,
                   "the number of bins must be an integer from 1 to 2^30");
  }
  push_ends(L, s, x, options, range, ends);
  b.edges = push_even(L, s, b.n, ends, float_of(a->dtype));
  return b;
}

/* ==} */

/* {== counts ========================================================== */

/* Pushes the bin number of each element of the array at x, from 1; 0 or the
** number of bins + 1 if it is in none. */
static int push_numbers (lua_State *L, RtStream *s, int x, const Bins *b) {
  int z = sort_push_places(L, s, b->edges, x, (Search){.last = true});
  lua_pushinteger(L, -1);
  int last = composed_call(L, "take", b->edges, 1);
  int on = composed_binary(L, "eq", x, last);
  lua_pushinteger(L, b->n);
  lua_pushvalue(L, z);
  return composed_call(L, "where", on, 2);
}

/* Pushes the counts of the array at x, without storing a number for each
** element if there are kernels for that. */
static int push_counts (lua_State *L, RtStream *s, int x, const Bins *b) {
  DType t = dtype_promote(array_check(L, x)->dtype,
                          array_check(L, b->edges)->dtype);
  if (dtype_is_half(t))
    t = DTYPE_FLOAT32;
  if (dtype_kind(t) < KIND_FLOAT && dtype_size(t) < 8)
    t = DTYPE_FLOAT64; /* it has all numbers of 't' */
  if (dtype_kind(t) < KIND_FLOAT)
    return bincount_push(L, s, push_numbers(L, s, x, b), b->n, 1);
  Array *a = operand_push_dense(L, x, t),
        *e = operand_push_dense(L, b->edges, t);
  Array *z = array_new(L, a->dev, DTYPE_INT64, 1, &b->n, s);
  array_zero(L, s, z);
  if (a->size > 0) {
    size_t n = (size_t)b->n, even = b->even;
    Op op;
    op_start(&op, OP_LAUNCH, NULL);
    CUdeviceptr px = launch_reads(&op, a), pe = launch_reads(&op, e),
                pz = launch_writes(&op, z);
    void *params[] = {&pz, &px, &pe, &a->size, &n, &even};
    bincount_launch(L, s, &op,
                    t == DTYPE_FLOAT32 ? "histogram_f32" : "histogram_f64", a,
                    params);
  }
  return lua_gettop(L);
}

/* Pushes the sums of weights that are integers, in 64 bits. Elements outside
** are added up beside, as bins 0 and bins + 1. */
static int push_integers (lua_State *L, RtStream *s, int x, int w,
                          int64_t bins) {
  int64_t n = bins + 2;
  const Array *own = array_check(L, w);
  DType t = dtype_is_unsigned(own->dtype) ? DTYPE_UINT64 : DTYPE_INT64;
  Array *z = array_new(L, own->dev, t, 1, &n, s);
  int sums = lua_gettop(L);
  array_zero(L, s, z);
  x = composed_astype(L, x, DTYPE_INT64);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, bins + 1);
  x = composed_call(L, "clip", x, 2);
  lua_pushinteger(L, 1);
  x = composed_call(L, "add", x, 1);
  w = composed_astype(L, w, t);
  lua_pushvalue(L, x);
  lua_pushvalue(L, w);
  composed_call(L, "scatter_add", sums, 2);
  array_push_view(L, z, 1, &bins, array_stride(z), z->off + sizeof(int64_t));
  return lua_gettop(L);
}

/* Pushes the sums of the weights at 'w' by the bin numbers at x, from 1, in
** their own dtype; integers wrap around. */
static int push_sums (lua_State *L, RtStream *s, int x, int w, int64_t bins) {
  DType t = array_check(L, w)->dtype;
  int z = (dtype_kind(t) == KIND_INTEGER)
            ? push_integers(L, s, x, w, bins)
            : bincount_push_sums(L, s, x, w, bins, 1);
  return (t == DTYPE_BOOL) ? z : composed_astype(L, z, t);
}

/* Pushes the widths of bins. */
static int push_widths (lua_State *L, int edges) {
  return composed_unary(L, "diff", composed_astype(L, edges, DTYPE_FLOAT64));
}

/* Pushes the counts at z divided by the sum and by the units of each bin. */
static int push_density (lua_State *L, int z, int units, int sum) {
  z = composed_astype(L, z, DTYPE_FLOAT64);
  return composed_binary(L, "div", composed_binary(L, "div", z, units), sum);
}

/* ==} */

/* {== histogram ======================================================= */

/* Indices of the options' values, behind the arguments. */
enum { RANGE = 4, WEIGHTS, LAST };

static const char *const names[] = {"density", "range", "weights", NULL};

/* Checks the weights at 'w', one for each element. Returns false if there are
** none. */
static bool check_weights (lua_State *L, int options, int w, const Array *a) {
  if (lua_isnil(L, w))
    return false;
  Array *own = array_test(L, w);
  if (own == NULL || own->closed)
    argerror_raise(L, options,
                   "option 'weights' must be an open tide.Array, got %s",
                   array_push_got(L, w));
  array_check_open(L, options, own);
  array_check_devices(L, a, own);
  argerror_check(L, array_same_shape(a, own), options,
                 "option 'weights' must have one for each element");
  argerror_check(L, dtype_kind(own->dtype) != KIND_COMPLEX, options,
                 "option 'weights' must be real");
  return true;
}

static Array *check_real (lua_State *L, int arg) {
  Array *a = array_check(L, arg);
  if (dtype_kind(a->dtype) == KIND_COMPLEX)
    argerror_raise(L, arg, "real numbers expected, got %s",
                   dtype_name(a->dtype));
  return a;
}

/* Tells whether it is the table of options: it has names. */
static bool are_options (lua_State *L, int arg) {
  return lua_istable(L, arg) && lua_rawlen(L, arg) == 0;
}

/* Leaves only the results at x and y, and z if it is not 0, above the n first
** values. */
static int give (lua_State *L, int n, int x, int y, int z) {
  int results = (z != 0) ? 3 : 2;
  luaL_checkstack(L, results, NULL);
  lua_pushvalue(L, x);
  lua_pushvalue(L, y);
  if (z != 0)
    lua_pushvalue(L, z);
  lua_rotate(L, n + 1, results);
  array_drop(L, n + results);
  return results;
}

/*
** histogram(a [, bins] [, { density=, range=, weights= }]) -> the number of
** elements in each of so many bins (10) from minimum to maximum, or between
** given edges; and the edges.
*/
static int array_histogram (lua_State *L) {
  lua_settop(L, 3);
  Array *a = check_real(L, 1);
  int options = are_options(L, 2) ? 2 : 3;
  entry_check_end(L, options + 1);
  option_check(L, options, names);
  bool density = option_flag(L, options, "density", false);
  composed_option(L, options, "range");
  composed_option(L, options, "weights");
  RtStream *s = current_get_stream(L, a->dev);
  bool weighted = check_weights(L, options, WEIGHTS, a);
  if (options == 2)
    lua_pushnil(L);
  else
    lua_pushvalue(L, 2);
  Bins b = push_edges(L, s, 1, LAST, 2, options, RANGE);
  int z = weighted ? push_sums(L, s, push_numbers(L, s, 1, &b), WEIGHTS, b.n)
                   : push_counts(L, s, 1, &b);
  if (density)
    z = push_density(L, z, push_widths(L, b.edges),
                     composed_unary(L, "sum", z));
  return give(L, LAST, z, b.edges, 0);
}

/* ==} */

/* {== histogram2d ===================================================== */

/* Pushes element i of the list at 'arg' if that is a list of two; else the
** value or, with 'none', nil. */
static int push_each (lua_State *L, int arg, int i, bool none) {
  bool pair = lua_istable(L, arg) && lua_rawlen(L, arg) == 2;
  if (pair)
    lua_rawgeti(L, arg, i);
  else if (none)
    lua_pushnil(L);
  else
    lua_pushvalue(L, arg);
  return lua_gettop(L);
}

enum { RANGE2 = 5, WEIGHTS2, FIRST }; /* then bins and range of each axis */

/* Pushes the cell number of each element, row by row from 1; or 0. */
static int push_cells (lua_State *L, RtStream *s, const Bins b[2]) {
  int cell[2], in[2];
  for (int i = 0; i < 2; i++) {
    cell[i] = push_numbers(L, s, i + 1, &b[i]);
    in[i] = composed_scalar(L, "ge", cell[i], 1);
    in[i] = composed_binary(L, "band", in[i],
                            composed_scalar(L, "le", cell[i],
                                            (lua_Number)b[i].n));
  }
  lua_pushinteger(L, 1);
  int z = composed_call(L, "sub", cell[0], 1);
  lua_pushinteger(L, b[1].n);
  z = composed_binary(L, "add", composed_call(L, "mul", z, 1), cell[1]);
  int inside = composed_binary(L, "band", in[0], in[1]);
  lua_pushvalue(L, z);
  lua_pushinteger(L, 0);
  return composed_call(L, "where", inside, 2);
}

/* Pushes the counts at z divided by the sum and by the area of each cell. */
static int push_density2d (lua_State *L, int z, const Bins b[2]) {
  int sum = composed_unary(L, "sum", z), x = push_widths(L, b[0].edges);
  lua_pushinteger(L, 2);
  x = composed_call(L, "expand_dims", x, 1);
  z = composed_binary(L, "div", composed_astype(L, z, DTYPE_FLOAT64), x);
  return push_density(L, z, push_widths(L, b[1].edges), sum);
}

/*
** histogram2d(x, y [, bins] [, { density=, range=, weights= }]) -> the number
** of points in each cell, with a row for each bin of x; the edges of x and of
** y. 'bins' and 'range' are one value for both, or a list of two.
*/
static int array_histogram2d (lua_State *L) {
  Bins b[2];
  lua_settop(L, 4);
  Array *x = check_real(L, 1), *y = check_real(L, 2);
  int options = are_options(L, 3) ? 3 : 4;
  entry_check_end(L, options + 1);
  array_check_devices(L, x, y);
  argerror_check(L, array_same_shape(x, y), 2,
                 "as many numbers expected as the first array has");
  option_check(L, options, names);
  bool density = option_flag(L, options, "density", false);
  composed_option(L, options, "range");
  composed_option(L, options, "weights");
  argerror_check(L,
                 lua_isnil(L, RANGE2) ||
                   (lua_istable(L, RANGE2) && lua_rawlen(L, RANGE2) == 2),
                 options, "option 'range' must have a range for each axis");
  if (lua_istable(L, RANGE2))
    list_check_in(L, options, RANGE2, 2, "option 'range'");
  if (options == 4 && lua_istable(L, 3) && lua_rawlen(L, 3) == 2)
    list_check(L, 3, 2, "a list of bins for each axis");
  RtStream *s = current_get_stream(L, x->dev);
  bool weighted = check_weights(L, options, WEIGHTS2, x);
  for (int i = 1; i <= 2; i++) {
    if (options == 3)
      lua_pushnil(L);
    else
      push_each(L, 3, i, false);
    push_each(L, RANGE2, i, true);
  }
  for (int i = 0; i < 2; i++)
    b[i] = push_edges(L, s, i + 1, FIRST + 2 * i, 3, options,
                      FIRST + 2 * i + 1);
  argerror_check(L, b[0].n <= MOST_BINS / b[1].n, 3, "too many cells");
  int cells = push_cells(L, s, b),
      z = weighted ? push_sums(L, s, cells, WEIGHTS2, b[0].n * b[1].n)
                   : bincount_push(L, s, cells, b[0].n * b[1].n, 1);
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    lua_pushinteger(L, b[i].n);
    lua_rawseti(L, -2, i + 1);
  }
  z = composed_call(L, "reshape", z, 1);
  if (density)
    z = push_density2d(L, z, b);
  return give(L, FIRST + 3, z, b[0].edges, b[1].edges);
}

/* ==} */

static const Function functions[] = {
  {"histogram", array_histogram, 3},
  {"histogram2d", array_histogram2d, 4},
  {NULL, NULL, 0},
};

void open_histogram (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

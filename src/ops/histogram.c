/*
** histogram.c - counts of elements between edges: histogram, histogram2d. See
** kernels/count.cu.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "bincount.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/list.h"
#include "base/slip.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
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
  return tide_kind(t) == KIND_FLOAT ? t : DTYPE_FLOAT64;
}

/* Pushes a 0-d float64 array. */
static int push_number (lua_State *L, RtDevice *dev, RtStream *s,
                        lua_Number number) {
  Array *z = tide_newarray(L, dev, DTYPE_FLOAT64, 0, NULL, s);
  int at = lua_gettop(L);
  lua_pushnumber(L, number);
  tide_fillarray(L, s, z, at + 1);
  lua_settop(L, at);
  return at;
}

/* Pushes the minimum and maximum of the array at x, half a unit further apart
** on each side if they are equal; or 0 and 1. */
static void push_extremes (lua_State *L, RtStream *s, int x, int ends[2]) {
  Array *a = tide_checkarray(L, x);
  if (a->size == 0) {
    ends[0] = push_number(L, a->dev, s, 0);
    ends[1] = push_number(L, a->dev, s, 1);
    return;
  }
  int low = tide_applyastype(L, tide_apply(L, "min", x), DTYPE_FLOAT64);
  int high = tide_applyastype(L, tide_apply(L, "max", x), DTYPE_FLOAT64);
  int more = tide_applyastype(L, tide_applyto(L, "eq", low, high),
                              DTYPE_FLOAT64);
  more = tide_applynumber(L, "mul", more, 0.5);
  ends[0] = tide_applyto(L, "sub", low, more);
  ends[1] = tide_applyto(L, "add", high, more);
}

/* Returns number i of the list at 'idx'. */
static lua_Number number_at (lua_State *L, int options, int idx, int i) {
  lua_rawgeti(L, idx, i);
  tide_argcheck(L, lua_type(L, -1) == LUA_TNUMBER, options,
                "option 'range' must have two numbers, the first below the "
                "second");
  lua_Number x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

/* Pushes the ends that the table at 'range' gives, or those of the elements. */
static void push_ends (lua_State *L, RtStream *s, int x, int options, int range,
                       int ends[2]) {
  Array *a = tide_checkarray(L, x);
  if (lua_isnil(L, range)) {
    push_extremes(L, s, x, ends);
    return;
  }
  tide_argcheck(L, lua_istable(L, range) && lua_rawlen(L, range) == 2, options,
                "option 'range' must have two numbers, the first below the "
                "second");
  tide_checklistin(L, options, range, 2, "option 'range'");
  lua_Number low = number_at(L, options, range, 1),
             high = number_at(L, options, range, 2);
  tide_argcheck(L, low <= high && high - low <= 0x1p1023, options,
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
  Array *low = tide_checkarray(L, ends[0]);
  Array *at = tide_newarray(L, low->dev, DTYPE_INT64, 1, &count, s);
  tide_arange(L, s, at, (Element){0}, (Element){.bits = 1});
  int i = lua_gettop(L);
  int step = tide_applynumber(L, "div",
                              tide_applyto(L, "sub", ends[1], ends[0]),
                              (lua_Number)n);
  int z = tide_applyto(L, "add", tide_applyto(L, "mul", i, step), ends[0]);
  int last = tide_applynumber(L, "eq", i, (lua_Number)n);
  lua_pushvalue(L, ends[1]);
  lua_pushvalue(L, z);
  return tide_applyastype(L, tide_applywith(L, "where", last, 2), t);
}

/* Checks that the value at 'arg' may be edges; errors blame argument
** 'blamed'. */
static void check_edges (lua_State *L, int arg, int blamed) {
  const Array *e = tide_testany(L, arg);
  if (e == NULL && !lua_istable(L, arg))
    tide_argerror(L, blamed,
                  "number of bins, tide.Array "
                  "or table of edges expected, got %s",
                  tide_pushtypename(L, arg));
  tide_argcheck(L, e == NULL || !e->closed, blamed, "array is closed");
}

/* Pushes the given edges at 'arg', an array or a table. */
static int push_given (lua_State *L, int arg, int blamed, Array *a,
                       RtStream *s) {
  check_edges(L, arg, blamed);
  int edges = tide_pushoperand(L, arg, NULL, a->dev, s);
  Array *e = tide_checkarray(L, edges);
  tide_checkdevices(L, a, e);
  tide_argcheck(L, e->ndim == 1 && e->size >= 2, blamed,
                "edges must have one axis of two elements or more");
  tide_argcheck(L, tide_kind(e->dtype) != KIND_COMPLEX, blamed,
                "real edges expected");
  return edges;
}

/* Pushes the edges of the bins at 'arg', a number or edges, for the array at x.
** The value is from argument 'blamed'. */
static Bins push_edges (lua_State *L, RtStream *s, int x, int arg, int blamed,
                        int options, int range) {
  Array *a = tide_checkarray(L, x);
  Bins b = {.n = 10, .even = true};
  int ends[2];
  if (!lua_isnil(L, arg) && lua_type(L, arg) != LUA_TNUMBER) {
    b.edges = push_given(L, arg, blamed, a, s);
    b.n = (int64_t)tide_checkarray(L, b.edges)->size - 1;
    b.even = false;
    return b;
  }
  if (!lua_isnil(L, arg)) {
    int isint;
    b.n = lua_tointegerx(L, arg, &isint);
    tide_argcheck(L, isint && b.n >= 1 && b.n <= MOST_BINS, blamed,
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
  int z = tide_pushsearched(L, s, b->edges, x, (Search){.last = true});
  lua_pushinteger(L, -1);
  int last = tide_applywith(L, "take", b->edges, 1);
  int on = tide_applyto(L, "eq", x, last);
  lua_pushinteger(L, b->n);
  lua_pushvalue(L, z);
  return tide_applywith(L, "where", on, 2);
}

/* Pushes the counts of the array at x, without storing a number for each
** element if there are kernels for that. */
static int push_counts (lua_State *L, RtStream *s, int x, const Bins *b) {
  DType t = tide_promote(tide_checkarray(L, x)->dtype,
                         tide_checkarray(L, b->edges)->dtype);
  if (tide_ishalf(t))
    t = DTYPE_FLOAT32;
  if (tide_kind(t) < KIND_FLOAT && rt_dtype_size(t) < 8)
    t = DTYPE_FLOAT64; /* it has all numbers of 't' */
  if (tide_kind(t) < KIND_FLOAT)
    return tide_pushcounts(L, s, push_numbers(L, s, x, b), b->n, 1);
  Array *a = tide_pushplain(L, x, t), *e = tide_pushplain(L, b->edges, t);
  Array *z = tide_newarray(L, a->dev, DTYPE_INT64, 1, &b->n, s);
  tide_zero(L, s, z);
  if (a->size > 0) {
    size_t n = (size_t)b->n, even = b->even;
    Op op;
    rt_startop(&op, OP_LAUNCH, NULL);
    CUdeviceptr px = tide_reads(&op, a), pe = tide_reads(&op, e),
                pz = tide_writes(&op, z);
    void *params[] = {&pz, &px, &pe, &a->size, &n, &even};
    tide_launchcounts(L, s, &op,
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
  const Array *own = tide_checkarray(L, w);
  DType t = tide_isunsigned(own->dtype) ? DTYPE_UINT64 : DTYPE_INT64;
  Array *z = tide_newarray(L, own->dev, t, 1, &n, s);
  int sums = lua_gettop(L);
  tide_zero(L, s, z);
  x = tide_applyastype(L, x, DTYPE_INT64);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, bins + 1);
  x = tide_applywith(L, "clip", x, 2);
  lua_pushinteger(L, 1);
  x = tide_applywith(L, "add", x, 1);
  w = tide_applyastype(L, w, t);
  lua_pushvalue(L, x);
  lua_pushvalue(L, w);
  tide_applywith(L, "scatter_add", sums, 2);
  tide_pushview(L, z, 1, &bins, tide_strides(z), z->off + sizeof(int64_t));
  return lua_gettop(L);
}

/* Pushes the sums of the weights at 'w' by the bin numbers at x, from 1, in
** their own dtype; integers wrap around. */
static int push_sums (lua_State *L, RtStream *s, int x, int w, int64_t bins) {
  DType t = tide_checkarray(L, w)->dtype;
  int z = (tide_kind(t) == KIND_INTEGER)
            ? push_integers(L, s, x, w, bins)
            : tide_pushweights(L, s, x, w, bins, 1);
  return (t == DTYPE_BOOL) ? z : tide_applyastype(L, z, t);
}

/* Pushes the widths of bins. */
static int push_widths (lua_State *L, int edges) {
  return tide_apply(L, "diff", tide_applyastype(L, edges, DTYPE_FLOAT64));
}

/* Pushes the counts at z divided by the sum and by the units of each bin. */
static int push_density (lua_State *L, int z, int units, int sum) {
  z = tide_applyastype(L, z, DTYPE_FLOAT64);
  return tide_applyto(L, "div", tide_applyto(L, "div", z, units), sum);
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
  Array *own = tide_testarray(L, w);
  if (own == NULL || own->closed)
    tide_argerror(L, options, "option 'weights' must be an open tide.Array");
  tide_checkopen(L, options, own);
  tide_checkdevices(L, a, own);
  tide_argcheck(L, tide_sameshape(a, own), options,
                "option 'weights' must have one for each element");
  tide_argcheck(L, tide_kind(own->dtype) != KIND_COMPLEX, options,
                "option 'weights' must be real");
  return true;
}

static Array *check_real (lua_State *L, int arg) {
  Array *a = tide_checkarray(L, arg);
  if (tide_kind(a->dtype) == KIND_COMPLEX)
    tide_argerror(L, arg, "real numbers expected, got %s",
                  tide_dtypename(a->dtype));
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
  tide_drop(L, n + results);
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
  tide_checkend(L, options + 1);
  tide_checkoptions(L, options, names);
  bool density = tide_optflag(L, options, "density", false);
  tide_keepoption(L, options, "range");
  tide_keepoption(L, options, "weights");
  RtStream *s = tide_currentstream(L, a->dev);
  bool weighted = check_weights(L, options, WEIGHTS, a);
  if (options == 2)
    lua_pushnil(L);
  else
    lua_pushvalue(L, 2);
  Bins b = push_edges(L, s, 1, LAST, 2, options, RANGE);
  int z = weighted ? push_sums(L, s, push_numbers(L, s, 1, &b), WEIGHTS, b.n)
                   : push_counts(L, s, 1, &b);
  if (density)
    z = push_density(L, z, push_widths(L, b.edges), tide_apply(L, "sum", z));
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
    in[i] = tide_applynumber(L, "ge", cell[i], 1);
    in[i] = tide_applyto(L, "band", in[i],
                         tide_applynumber(L, "le", cell[i],
                                          (lua_Number)b[i].n));
  }
  lua_pushinteger(L, 1);
  int z = tide_applywith(L, "sub", cell[0], 1);
  lua_pushinteger(L, b[1].n);
  z = tide_applyto(L, "add", tide_applywith(L, "mul", z, 1), cell[1]);
  int inside = tide_applyto(L, "band", in[0], in[1]);
  lua_pushvalue(L, z);
  lua_pushinteger(L, 0);
  return tide_applywith(L, "where", inside, 2);
}

/* Pushes the counts at z divided by the sum and by the area of each cell. */
static int push_density2d (lua_State *L, int z, const Bins b[2]) {
  int sum = tide_apply(L, "sum", z), x = push_widths(L, b[0].edges);
  lua_pushinteger(L, 2);
  x = tide_applywith(L, "expand_dims", x, 1);
  z = tide_applyto(L, "div", tide_applyastype(L, z, DTYPE_FLOAT64), x);
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
  tide_checkend(L, options + 1);
  tide_checkdevices(L, x, y);
  tide_argcheck(L, tide_sameshape(x, y), 2,
                "as many numbers expected as the first array has");
  tide_checkoptions(L, options, names);
  bool density = tide_optflag(L, options, "density", false);
  tide_keepoption(L, options, "range");
  tide_keepoption(L, options, "weights");
  tide_argcheck(L,
                lua_isnil(L, RANGE2) ||
                  (lua_istable(L, RANGE2) && lua_rawlen(L, RANGE2) == 2),
                options, "option 'range' must have a range for each axis");
  if (lua_istable(L, RANGE2))
    tide_checklistin(L, options, RANGE2, 2, "option 'range'");
  if (options == 4 && lua_istable(L, 3) && lua_rawlen(L, 3) == 2)
    tide_checklist(L, 3, 2, "a list of bins for each axis");
  RtStream *s = tide_currentstream(L, x->dev);
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
  tide_argcheck(L, b[0].n <= MOST_BINS / b[1].n, 3, "too many cells");
  int cells = push_cells(L, s, b),
      z = weighted ? push_sums(L, s, cells, WEIGHTS2, b[0].n * b[1].n)
                   : tide_pushcounts(L, s, cells, b[0].n * b[1].n, 1);
  lua_createtable(L, 2, 0);
  for (int i = 0; i < 2; i++) {
    lua_pushinteger(L, b[i].n);
    lua_rawseti(L, -2, i + 1);
  }
  z = tide_applywith(L, "reshape", z, 1);
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

void tide_openhistogram (lua_State *L) {
  tide_setfuncs(L, functions);
  tide_addmethods(L, &tide_arrayclass, functions);
}

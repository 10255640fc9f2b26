/*
** convolve.c - convolve, correlate, convolve2d, correlate2d: windows that slide
** over an array. A convolution is a correlation with the window reversed. See
** kernels/convolve.cu.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "fourier.h"
#include "openers.h"
#include "operands.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"

typedef enum ConvolveMode { MODE_FULL, MODE_SAME, MODE_VALID } ConvolveMode;
typedef enum Method { METHOD_AUTO, METHOD_DIRECT, METHOD_FFT } Method;

/* One of the functions. */
typedef struct Variant {
  int ndim;
  bool reversed;     /* the window is reversed; else it is conjugated */
  ConvolveMode mode; /* the default */
} Variant;

/* An axis: lengths of array, window and result; and how much of the first
** window lies before the array. */
typedef struct Slide {
  int64_t n, window, result, before;
} Slide;

/* The operands. With one axis, the other axis has length 1. */
typedef struct Windows {
  const Variant *variant;
  Array *a, *b;
  bool swapped;    /* a is the window, because it is shorter */
  DType result, t; /* of the result; of the computation */
  Method method;
  Slide axis[2];
} Windows;

/* {== arguments ======================================================= */

static const char *const modes[] = {"full", "same", "valid", NULL};
static const char *const methods[] = {"auto", "direct", "fft", NULL};

/* Reads [mode] [, { method=, mode=, out= }] from 3 on. Returns the index of the
** options. */
static int read_options (lua_State *L, Windows *w, ConvolveMode *mode) {
  static const char *const names[] = {"method", "mode", "out", NULL};
  int options = lua_istable(L, 3) ? 3 : 4;
  if (options == 3)
    argerror_check(L, lua_isnil(L, 4), 4, "nothing comes after the options");
  else
    *mode = (ConvolveMode)option_choice(L, 3, (int)*mode, modes);
  if (option_check(L, options, names)) {
    bool given = (option_get(L, options, "mode") != LUA_TNIL);
    argerror_check(L, !given || options == 3 || lua_isnil(L, 3), options,
                   "option 'mode' is given besides a mode");
    *mode = (ConvolveMode)option_word(L, options, "mode", (int)*mode, modes);
    w->method = (Method)option_word(L, options, "method", METHOD_AUTO, methods);
  }
  lua_settop(L, 5);
  return options;
}

static Array *check_array (lua_State *L, int arg, int ndim) {
  Array *a = array_check(L, arg);
  if (a->ndim != ndim)
    argerror_raise(L, arg, "an array of %d ax%s expected, got one of %d", ndim,
                   ndim == 1 ? "is" : "es", a->ndim);
  argerror_check(L, a->size > 0, arg, "an array without elements");
  return a;
}

/* Tells whether b is longer than a, so that they are swapped: with one axis
** always, with two if the window must lie inside. */
static bool is_swapped (lua_State *L, const Windows *w, ConvolveMode mode) {
  const int64_t *a = w->a->shape, *b = w->b->shape;
  if (w->variant->ndim == 1)
    return b[0] > a[0];
  if (mode != MODE_VALID)
    return false;
  bool more = (b[0] > a[0] || b[1] > a[1]);
  if (more && (b[0] < a[0] || b[1] < a[1]))
    error_raise(L, "'valid': one array must be as long as the other along both "
                   "axes");
  return more;
}

/* Finds the windows. The first one of 'same' is half before the array: with one
** axis as in NumPy, with two as in SciPy. */
static void slide (const Windows *w, Slide *s, ConvolveMode mode) {
  int64_t most = s->window - 1;
  bool early = (w->variant->ndim == 2 && !w->variant->reversed);
  s->result = (mode == MODE_FULL)   ? s->n + most
              : (mode == MODE_SAME) ? s->n
                                    : s->n - most;
  s->before = (mode == MODE_FULL)    ? most
              : (mode == MODE_VALID) ? 0
              : early                ? most / 2
                                     : most - most / 2;
}

static void read_windows (lua_State *L, Windows *w, ConvolveMode mode) {
  w->a = check_array(L, 1, w->variant->ndim);
  w->b = check_array(L, 2, w->variant->ndim);
  array_check_devices(L, w->a, w->b);
  w->swapped = is_swapped(L, w, mode);
  w->result = dtype_promote(w->a->dtype, w->b->dtype);
  w->axis[0] = (Slide){1, 1, 1, 0};
  for (int i = 0; i < w->variant->ndim; i++) {
    Slide *s = &w->axis[2 - w->variant->ndim + i];
    s->n = (w->swapped ? w->b : w->a)->shape[i];
    s->window = (w->swapped ? w->a : w->b)->shape[i];
    slide(w, s, mode);
  }
}

/* ==} */

/* {== windows ========================================================= */

/* Returns the dtype whose kernel gives identical bits, because integers wrap
** around. */
static DType computed_in (DType t) {
  return dtype_is_half(t)              ? DTYPE_FLOAT32
         : dtype_kind(t) >= KIND_FLOAT ? t
         : dtype_size(t) == 8          ? DTYPE_INT64
                                       : DTYPE_INT32;
}

static const char *kernel_name (DType t) {
  switch (t) {
    case DTYPE_INT32: return "correlate_i32";
    case DTYPE_INT64: return "correlate_i64";
    case DTYPE_FLOAT32: return "correlate_f32";
    case DTYPE_FLOAT64: return "correlate_f64";
    case DTYPE_COMPLEX64: return "correlate_c64";
    default: return "correlate_c128";
  }
}

/* Queues z = x correlated with v; all are dense. */
static void correlate (lua_State *L, RtStream *s, const Windows *w, Array *z,
                       Array *x, Array *v) {
  const Slide *down = &w->axis[0], *right = &w->axis[1];
  KernelId id = kernel_named(kernel_name(w->t));
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = launch_reads(&op, x), pv = launch_reads(&op, v),
              pz = launch_writes(&op, z);
  size_t columns = (size_t)right->result, xrows = (size_t)down->n,
         xcolumns = (size_t)right->n, wrows = (size_t)down->window,
         wcolumns = (size_t)right->window, top = (size_t)down->before,
         left = (size_t)right->before;
  void *params[] = {&pz,    &px,       &pv,  &columns, &xrows,  &xcolumns,
                    &wrows, &wcolumns, &top, &left,    &z->size};
  launch_kernel(L, s, &op, id, kernel_strided_grid(z->size), params);
}

/* Pushes the operand at 'arg' in the dtype of the computation; the second one
** of a correlation is conjugated. */
static void push_operand (lua_State *L, const Windows *w, int arg) {
  array_push_cast(L, arg, w->t);
  if (arg == 2 && !w->variant->reversed && dtype_kind(w->t) == KIND_COMPLEX)
    composed_unary(L, "conj", lua_gettop(L));
}

/* Pushes the sums of products of the arrays at x and v. */
static void push_sums (lua_State *L, RtStream *s, const Windows *w, int x,
                       int v) {
  int64_t shape[] = {w->axis[0].result, w->axis[1].result};
  int ndim = w->variant->ndim;
  Array *a = operand_push_dense(L, x, w->t);
  if (w->variant->reversed)
    v = composed_unary(L, "flip", v);
  Array *b = operand_push_dense(L, v, w->t);
  Array *z = array_new(L, a->dev, w->t, ndim, shape + 2 - ndim, s);
  correlate(L, s, w, z, a, b);
}

/* As push_sums, by Fourier transforms. */
static void push_by_fft (lua_State *L, RtStream *s, const Windows *w, int x,
                         int v) {
  int ndim = w->variant->ndim;
  const Slide *axis = w->axis + 2 - ndim;
  FourierPart part[2];
  if (!w->variant->reversed)
    v = composed_unary(L, "flip", v);
  for (int i = 0; i < ndim; i++)
    part[i] = (FourierPart){axis[i].window - 1 - axis[i].before,
                            axis[i].result};
  fourier_push_convolved(L, s, x, v, part);
}

/* Tells whether to use Fourier transforms. They are not exact, so integers stay
** away from them. */
static bool by_fft (lua_State *L, const Windows *w, int options) {
  double results = 1, taps = 1, points = 1;
  bool can = (dtype_kind(w->t) >= KIND_FLOAT);
  argerror_check(L, w->method != METHOD_FFT || can, options,
                 "method 'fft' is for floats and complex numbers, got %s",
                 dtype_name(w->result));
  for (int i = 0; i < 2; i++) {
    const Slide *s = &w->axis[i];
    results *= (double)s->result;
    taps *= (double)s->window;
    points *= (double)s->n + (double)s->window - 1;
  }
  return w->method == METHOD_FFT ||
         (w->method == METHOD_AUTO && can &&
          fourier_pays(w->a->dev, results, taps, points));
}

/* Pushes the result. If operands of a correlation were swapped, it is
** reversed. */
static void push_result (lua_State *L, const Windows *w, RtStream *s,
                         int options) {
  bool fft = by_fft(L, w, options);
  push_operand(L, w, w->swapped ? 2 : 1);
  int x = lua_gettop(L);
  push_operand(L, w, w->swapped ? 1 : 2);
  (fft ? push_by_fft : push_sums)(L, s, w, x, lua_gettop(L));
  int at = lua_gettop(L);
  if (w->result == DTYPE_BOOL)
    at = composed_scalar(L, "ne", at, 0);
  else
    array_push_cast(L, at, w->result);
  if (w->swapped && !w->variant->reversed)
    array_push_dense(L, composed_unary(L, "flip", lua_gettop(L)));
}

static int convolve (lua_State *L, const Variant *variant) {
  Windows w = {.variant = variant};
  ConvolveMode mode = variant->mode;
  lua_settop(L, 5);
  int options = read_options(L, &w, &mode);
  read_windows(L, &w, mode);
  w.t = computed_in(w.result);
  RtStream *s = current_get_stream(L, w.a->dev);
  push_result(L, &w, s, options);
  return result_deliver_out(L, options, s);
}

/* ==} */

/* convolve(a, b [, mode] [, { method=, mode=, out= }]) -> the sums of
** a[i - p] b[p]; 'full' by default, as in NumPy. */
static int array_convolve (lua_State *L) {
  static const Variant variant = {1, true, MODE_FULL};
  return convolve(L, &variant);
}

/* correlate(a, b [, mode] [, { method=, mode=, out= }]) -> the sums of
** a[i + p] b[p], b conjugated; 'valid' by default, as in NumPy. */
static int array_correlate (lua_State *L) {
  static const Variant variant = {1, false, MODE_VALID};
  return convolve(L, &variant);
}

/* Convolves matrices, as SciPy's convolve2d does. */
static int array_convolve2d (lua_State *L) {
  static const Variant variant = {2, true, MODE_FULL};
  return convolve(L, &variant);
}

static int array_correlate2d (lua_State *L) {
  static const Variant variant = {2, false, MODE_FULL};
  return convolve(L, &variant);
}

static const Function functions[] = {
  {"convolve", array_convolve, 4},
  {"convolve2d", array_convolve2d, 4},
  {"correlate", array_correlate, 4},
  {"correlate2d", array_correlate2d, 4},
  {NULL, NULL, 0},
};

void open_convolve (lua_State *L) {
  class_set_funcs(L, functions);
  class_add_methods(L, &array_class, functions);
}

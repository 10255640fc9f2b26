/*
** fft.c - tide.fft: Fourier transforms along an axis, or along one axis after
** the other. See fourier.c.
*/
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/field.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "fourier.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/fft.h"

/* One of the functions. */
typedef struct Variant {
  const char *name;
  int axes;       /* by default so many of the last; 0: all; -1: it has one */
  int kind;       /* of the last axis; of others only whether it is inverse */
  bool conjugate; /* hfft and ihfft: the other direction, conjugated */
} Variant;

typedef enum Norm { NORM_BACKWARD, NORM_ORTHO, NORM_FORWARD } Norm;

/* The arguments. */
typedef struct Request {
  const Variant *variant;
  Array *a;
  int options;
  int count; /* of axes */
  int axes[MAX_DIMS];
  int64_t n[MAX_DIMS]; /* the length of each transform */
  Norm norm;
} Request;

static bool is_real_out (const Variant *v) {
  return (v->kind & FFT_REAL_OUT) != 0;
}

/* {== arguments ======================================================= */

static Norm read_norm (lua_State *L, int options) {
  static const char *const norms[] = {"backward", "ortho", "forward", NULL};
  return (Norm)option_word(L, options, "norm", NORM_BACKWARD, norms);
}

/* Pushes argument 2 or the option, which must not be given both. Returns the
** index of the argument that has it. */
static int push_setting (lua_State *L, const Request *r, const char *name) {
  bool given = (r->options > 2 && !lua_isnil(L, 2));
  if (!lua_istable(L, r->options)) {
    lua_pushvalue(L, 2);
    return 2;
  }
  option_get(L, r->options, name);
  if (!given)
    return r->options;
  argerror_check(L, lua_isnil(L, -1), r->options,
                 "option '%s' is given besides argument 2", name);
  lua_pushvalue(L, 2);
  lua_remove(L, -2);
  return 2;
}

/* Returns the length of a transform at 'idx', which argument 'arg' has. */
static int64_t check_length (lua_State *L, int arg, int idx) {
  int isint;
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    argerror_raise(L, arg, "the length of a transform is an integer, got %s",
                   luaL_typename(L, idx));
  argerror_check(L, n >= 1, arg, "a transform has at least one point, got %I",
                 (LUAI_UACINT)n);
  return n;
}

/* Reads lengths into r->n. Returns their number, or -1. */
static int read_lengths (lua_State *L, Request *r) {
  int arg = push_setting(L, r, "s"), list = lua_gettop(L);
  if (lua_isnil(L, list))
    return -1;
  argerror_check(L, lua_istable(L, list), arg,
                 "list of lengths expected, got %s", luaL_typename(L, list));
  lua_Unsigned n = lua_rawlen(L, list);
  argerror_check(L, n >= 1 && n <= MAX_DIMS, arg,
                 "list of 1 to %d lengths expected, got %I", MAX_DIMS,
                 (LUAI_UACINT)n);
  list_check_in(L, arg, list, n, "a list of lengths");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, list, i + 1);
    r->n[i] = check_length(L, arg, -1);
    lua_pop(L, 1);
  }
  return (int)n;
}

/* Sets the last axes, so many; all if 'count' is 0. */
static void set_last (lua_State *L, Request *r, int count, int arg) {
  int ndim = r->a->ndim;
  r->count = (count == 0) ? ndim : count;
  argerror_check(L, r->count <= ndim, arg,
                 "an array of at least %d ax%s expected, got one of %d",
                 r->count, r->count == 1 ? "is" : "es", ndim);
  for (int i = 0; i < r->count; i++)
    r->axes[i] = ndim - r->count + i;
}

/* Reads the axes of a transform along several. */
static void read_axes (lua_State *L, Request *r) {
  int lengths = read_lengths(L, r);
  bool listed = lua_istable(L, r->options) &&
                option_get(L, r->options, "axes") != LUA_TNIL;
  if (listed)
    r->count = axes_check_at(L, r->options, lua_gettop(L), r->a->ndim, r->axes);
  else
    set_last(L, r, lengths > 0 ? lengths : r->variant->axes, 1);
  argerror_check(L, r->count > 0 || !listed, r->options,
                 "option 'axes' must have at least one axis");
  argerror_check(L, r->count > 0, 1, "an array of at least 1 axis expected");
  argerror_check(L, lengths < 0 || lengths == r->count, listed ? r->options : 2,
                 "%d lengths for %d axes", lengths, r->count);
  for (int i = 0; i < r->count && lengths < 0; i++)
    r->n[i] = -1;
}

static void read_axis (lua_State *L, Request *r) {
  int arg = push_setting(L, r, "n");
  r->n[0] = lua_isnil(L, -1) ? -1 : check_length(L, arg, -1);
  set_last(L, r, 1, 1);
  int axis = lua_istable(L, r->options)
               ? axes_option_one(L, r->options, false, r->a->ndim)
               : -1;
  if (axis >= 0)
    r->axes[0] = axis;
}

/* Sets lengths that are not given to those of the array, or to the even one of
** a real array with so many frequencies. */
static void complete (lua_State *L, Request *r) {
  for (int i = 0; i < r->count; i++) {
    int64_t own = r->a->shape[r->axes[i]];
    if (is_real_out(r->variant) && i == r->count - 1)
      own = 2 * (own - 1);
    if (r->n[i] < 0)
      r->n[i] = own;
    argerror_check(L, r->n[i] >= 1, 1,
                   "a transform has at least one point, got %I along axis %d",
                   (LUAI_UACINT)(own < 0 ? 0 : own), r->axes[i] + 1);
  }
}

/* Reads (a [, n or s] [, options]). */
static void read_request (lua_State *L, Request *r, const Variant *v) {
  static const char *const one[] = {"axis", "n", "norm", "out", NULL};
  static const char *const several[] = {"axes", "norm", "out", "s", NULL};
  lua_settop(L, 3);
  r->variant = v;
  r->a = array_check(L, 1);
  r->options = lua_istable(L, 2) && lua_rawlen(L, 2) == 0 ? 2 : 3;
  argerror_check(L, r->options == 3 || lua_isnil(L, 3), 3,
                 "nothing comes after the options");
  option_check(L, r->options, v->axes < 0 ? one : several);
  if (v->axes < 0)
    read_axis(L, r);
  else
    read_axes(L, r);
  complete(L, r);
  r->norm = read_norm(L, r->options);
  lua_settop(L, 3);
}

/* ==} */

/* {== transforms ====================================================== */

/* Returns the dtype of the real numbers that stand for 't'. */
static DType real_of (lua_State *L, DType t) {
  if (dtype_kind(t) < KIND_FLOAT)
    t = dtype_default(L);
  return (t == DTYPE_FLOAT64 || t == DTYPE_COMPLEX128) ? DTYPE_FLOAT64
                                                       : DTYPE_FLOAT32;
}

static DType complex_of (DType real) {
  return (real == DTYPE_FLOAT64) ? DTYPE_COMPLEX128 : DTYPE_COMPLEX64;
}

/* Pushes the operand in the dtype of the first transform. */
static void push_operand (lua_State *L, const Request *r, DType real) {
  const int kind = r->variant->kind;
  bool complex = (dtype_kind(r->a->dtype) == KIND_COMPLEX);
  if ((kind & FFT_REAL_IN) != 0 && complex)
    argerror_raise(L, 1, "an array of real numbers expected, got %s",
                   dtype_name(r->a->dtype));
  if (complex || is_real_out(r->variant))
    array_push_cast(L, 1, complex_of(real));
  else
    array_push_cast(L, 1, real);
  if (r->variant->conjugate && is_real_out(r->variant) && complex)
    composed_unary(L, "conj", lua_gettop(L));
}

/* Returns the factor for one axis of length n. */
static double scale_of (const Request *r, int64_t n) {
  bool inverse = (r->variant->kind & FFT_INVERSE) != 0;
  return (r->norm == NORM_ORTHO)                  ? 1 / sqrt((double)n)
         : ((r->norm == NORM_FORWARD) == inverse) ? 1
                                                  : 1 / (double)n;
}

/* Returns the kind of the transform along the i-th axis. Real numbers become
** complex along the last axis. */
static int kind_of (const Request *r, int i, DType t) {
  int kind = r->variant->kind;
  if (r->variant->conjugate)
    kind ^= FFT_INVERSE;
  if (i < r->count - 1)
    kind &= FFT_INVERSE;
  return kind | (dtype_is_float(t) ? FFT_REAL_IN : 0);
}

/* Pushes the transform along the i-th axis of the array at the top, in place of
** that one if it is one of ours, from 'base' on. */
static Array *push_axis (lua_State *L, RtStream *s, const Request *r, int i,
                         int base) {
  Array *x = array_check(L, lua_gettop(L));
  const Fourier f = {.axis = r->axes[i],
                     .n = r->n[i],
                     .kind = kind_of(r, i, (DType)x->dtype),
                     .scale = scale_of(r, r->n[i])};
  Array *z = fourier_push(L, s, lua_gettop(L), &f, lua_gettop(L) > base);
  if (lua_gettop(L) > base + 1)
    lua_rotate(L, base + 1, 1);
  array_drop(L, base + 1);
  return z;
}

/* The last axis is the first of a real array, and else the last of all. */
static int transform (lua_State *L, const Variant *v) {
  Request r;
  read_request(L, &r, v);
  RtStream *s = current_get_stream(L, r.a->dev);
  DType real = real_of(L, (DType)r.a->dtype);
  push_operand(L, &r, real);
  int base = lua_gettop(L);
  if (!is_real_out(v))
    push_axis(L, s, &r, r.count - 1, base);
  for (int i = r.count - 2; i >= 0; i--)
    push_axis(L, s, &r, i, base);
  if (is_real_out(v))
    push_axis(L, s, &r, r.count - 1, base);
  if (v->conjugate && !is_real_out(v))
    composed_unary(L, "conj_", lua_gettop(L));
  return result_deliver_out(L, r.options, s);
}

/* ==} */

#define REAL_HALF (FFT_REAL_IN | FFT_HALF)
#define HALF_REAL (FFT_REAL_OUT | FFT_INVERSE)

/* FUNCTION(name, axes, kind, conjugate) */
#define FUNCTIONS(FUNCTION) \
  FUNCTION(fft, -1, 0, false) \
  FUNCTION(fft2, 2, 0, false) \
  FUNCTION(fftn, 0, 0, false) \
  FUNCTION(hfft, -1, FFT_REAL_OUT, true) \
  FUNCTION(ifft, -1, FFT_INVERSE, false) \
  FUNCTION(ifft2, 2, FFT_INVERSE, false) \
  FUNCTION(ifftn, 0, FFT_INVERSE, false) \
  FUNCTION(ihfft, -1, REAL_HALF | FFT_INVERSE, true) \
  FUNCTION(irfft, -1, HALF_REAL, false) \
  FUNCTION(irfft2, 2, HALF_REAL, false) \
  FUNCTION(irfftn, 0, HALF_REAL, false) \
  FUNCTION(rfft, -1, REAL_HALF, false) \
  FUNCTION(rfft2, 2, REAL_HALF, false) \
  FUNCTION(rfftn, 0, REAL_HALF, false)

#define DEFINE(name, axes, kind, conjugate) \
  static int fft_##name(lua_State *L) { \
    static const Variant variant = {#name, axes, kind, conjugate}; \
    return transform(L, &variant); \
  }
FUNCTIONS(DEFINE)

static const Function functions[] = {
#define LIST(name, axes, kind, conjugate) {#name, fft_##name, 3},
  FUNCTIONS(LIST){NULL, NULL, 0},
};

/* Sets tide.fft in the module table on the top. */
void open_fft (lua_State *L) {
  lua_newtable(L);
  class_set_funcs(L, functions);
  open_fftfreq(L);
  field_set_strict(L, "tide.fft");
  lua_setfield(L, -2, "fft");
}

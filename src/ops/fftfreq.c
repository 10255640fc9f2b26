/*
** fftfreq.c - the frequencies of a Fourier transform: fftfreq, rfftfreq; and
** their order: fftshift, ifftshift.
*/
#include <string.h>

#include "array/array.h"
#include "array/axes.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "base/state.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"

/* Sets elements [at, at + n) of z to the numbers from 'from' on. */
static void count_up (lua_State *L, RtStream *s, Array *z, int64_t at,
                      int64_t n, double from) {
  Element first = {0}, step = {0};
  const double one = 1;
  memcpy(first.bytes, &from, sizeof from);
  memcpy(step.bytes, &one, sizeof one);
  Array *part = array_push_view(L, z, 1, &n, NULL,
                                z->off + (size_t)at * sizeof(double));
  launch_arange(L, s, part, first, step);
  array_drop(L, lua_gettop(L) - 1);
}

/* Reads (n [, d] [, dtype]) and returns the frequencies. Only those of complex
** lines have negative ones, in the second half. */
static int frequencies (lua_State *L, bool real) {
  int64_t n = arg_check_integer(L, 1);
  argerror_check(L, n >= 1, 1, "an integer from 1 on expected, got %I",
                 (LUAI_UACINT)n);
  argerror_check(L, n <= (int64_t)1 << 46, 1, "too many elements");
  bool spaced = !lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TSTRING;
  lua_Number d = spaced ? luaL_checknumber(L, 2) : 1;
  int at = (lua_type(L, 2) == LUA_TSTRING) ? 2 : 3;
  argerror_check(L, at == 3 || lua_isnoneornil(L, 3), 3,
                 "nothing comes after the dtype");
  DType t = dtype_opt(L, at, dtype_default(L));
  argerror_check(L, dtype_is_float(t), at, "a dtype of floats expected, got %s",
                 dtype_name(t));
  lua_settop(L, 3);
  RtDevice *dev = current_get_device(L);
  RtStream *s = current_get_stream(L, dev);
  int64_t count = real ? n / 2 + 1 : n, half = real ? count : (n + 1) / 2;
  Array *z = array_new(L, dev, DTYPE_FLOAT64, 1, &count, s);
  count_up(L, s, z, 0, half, 0);
  if (half < count)
    count_up(L, s, z, half, count - half, -(double)(n / 2));
  composed_scalar(L, "mul", lua_gettop(L), 1 / ((lua_Number)n * d));
  array_push_cast(L, lua_gettop(L), t);
  return array_return(L, 3);
}

/* fftfreq(n [, d] [, dtype]) -> the frequencies of 'fft' for samples 'd'
** apart. */
static int fft_fftfreq (lua_State *L) { return frequencies(L, false); }

/* rfftfreq(n [, d] [, dtype]) -> those of 'rfft'. */
static int fft_rfftfreq (lua_State *L) { return frequencies(L, true); }

/* Reads the axes at 2 or of the options; all by default. */
static int read_axes (lua_State *L, const Array *a, int axes[MAX_DIMS],
                      int *options) {
  static const char *const names[] = {"axes", "out", NULL};
  int count = a->ndim, arg = 2;
  bool listed = lua_istable(L, 2) && lua_rawlen(L, 2) > 0;
  *options = (lua_istable(L, 2) && !listed) ? 2 : 3;
  argerror_check(L, *options == 3 || lua_isnil(L, 3), 3,
                 "nothing comes after the options");
  if (option_check(L, *options, names) &&
      option_get(L, *options, "axes") != LUA_TNIL) {
    argerror_check(L, *options == 2 || lua_isnil(L, 2), *options,
                   "option 'axes' is given besides axes");
    arg = *options;
  } else {
    lua_settop(L, 3);
    if (*options == 3)
      lua_pushvalue(L, 2);
    else
      lua_pushnil(L);
  }
  for (int i = 0; i < count; i++)
    axes[i] = i;
  if (!lua_isnil(L, 4))
    count = axes_check_at(L, arg, 4, a->ndim, axes);
  lua_settop(L, 3);
  return count;
}

/* Shifts by half of each axis. */
static int shift (lua_State *L, bool back) {
  int axes[MAX_DIMS], options;
  lua_settop(L, 3);
  Array *a = array_check(L, 1);
  int count = read_axes(L, a, axes, &options);
  RtStream *s = current_get_stream(L, a->dev);
  lua_createtable(L, count, 0);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    int64_t by = a->shape[axes[i]] / 2;
    lua_pushinteger(L, back ? -by : by);
    lua_rawseti(L, -3, i + 1);
    lua_pushinteger(L, axes[i] + 1);
    lua_rawseti(L, -2, i + 1);
  }
  if (count > 0)
    composed_call(L, "roll", 1, 2);
  else
    composed_unary(L, "copy", 1);
  return result_deliver_out(L, options, s);
}

/* fftshift(a [, axes] [, { axes=, out= }]) -> frequency 0 comes to the
** middle. */
static int fft_fftshift (lua_State *L) { return shift(L, false); }

/* ifftshift(a [, axes] [, { axes=, out= }]) -> its inverse. */
static int fft_ifftshift (lua_State *L) { return shift(L, true); }

static const Function functions[] = {
  {"fftfreq", fft_fftfreq, 3},
  {"fftshift", fft_fftshift, 3},
  {"ifftshift", fft_ifftshift, 3},
  {"rfftfreq", fft_rfftfreq, 3},
  {NULL, NULL, 0},
};

/* Adds them to the table on the top, tide.fft. */
void open_fftfreq (lua_State *L) { class_set_funcs(L, functions); }

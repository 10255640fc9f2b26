/*
** print.c - arrays as text, like NumPy: a header with shape, dtype and device,
** then the values, long axes elided. Only what is shown leaves the device, and
** nothing here raises: where values cannot be had there is the header alone.
*/
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/state.h"
#include "complex.h"
#include "copy.h"
#include "device/current.h"
#include "device/device.h"
#include "dtype.h"
#include "rt/kernels/kernels.h"
#include "rt/program/numeral.h"
#include "rt/submit.h"

enum { EDGE = 3, THRESHOLD = 1000, WIDTH = 75, MAX_SHOWN = 6144 };

/* Rows from..to of an axis are elided if the array is long. */
static bool elided (const Array *a, int axis) {
  return a->size > THRESHOLD && a->shape[axis] > 2 * EDGE;
}

static void push_header (lua_State *L, const Array *a) {
  char name[DEVICE_NAME];
  tide_pushshape(L, a);
  lua_pushfstring(L, "%s %s %s %s", a->object.class->name,
                  lua_tostring(L, -1), tide_dtypename(a->dtype),
                  tide_devicename(a->dev, name));
  lua_remove(L, -2);
}

/* {== fetching what is shown ========================================== */

static int64_t shown (const Array *a, int axis) {
  return elided(a, axis) ? 2 * EDGE : a->shape[axis];
}

/* A view on the C stack. */
typedef union Box {
  Array array;
  char room[sizeof(Array) + 2 * MAX_DIMS * sizeof(int64_t)];
} Box;

/* The corner of 'of', which is 'a' or what is shown of it: bit i of 'corner'
** says which end of the i-th elided axis. */
static const Array *make_box (Box *box, const Array *of, const Array *a,
                              unsigned corner) {
  Array *v = &box->array;
  *v = *of;
  v->dense = false;
  memcpy(v->shape, of->shape, 2 * (size_t)of->ndim * sizeof *of->shape);
  for (int i = 0; i < a->ndim; i++) {
    if (!elided(a, i))
      continue;
    v->shape[i] = EDGE;
    if (corner & 1)
      v->off += (size_t)((of->shape[i] - EDGE) * tide_strides(of)[i] *
                         (int64_t)rt_dtype_size(of->dtype));
    corner >>= 1;
  }
  return v;
}

/* Queues copies of the corners to 'h', page-locked memory for what is shown. */
static Status copy_corners (const Array *a, RtStream *s, const Array *h) {
  Box to, from;
  unsigned corners = 1;
  Status st = 0;
  for (int i = 0; i < a->ndim; i++)
    corners <<= elided(a, i);
  for (unsigned i = 0; i < corners && st == 0; i++) {
    CopyOp c;
    st = tide_startcopy(&c, make_box(&to, h, a, i), make_box(&from, a, a, i),
                        NULL, "tostring");
    if (st == 0)
      st = rt_submit(s, &c.op);
  }
  return st;
}

/* ==} */

/* {== text ============================================================ */

static void format (lua_State *L, const char *p, DType t, char text[64]) {
  double part[2];
  tide_pushelement(L, p, t);
  if (tide_kind(t) == KIND_COMPLEX) {
    tide_tocomplex(L, -1, part);
    tide_formatcomplex(text, 64, part, t == DTYPE_COMPLEX64 ? 7 : 9);
  } else if (lua_isboolean(L, -1))
    snprintf(text, 64, "%s", lua_toboolean(L, -1) ? "true" : "false");
  else if (t == DTYPE_UINT64)
    snprintf(text, 64, "%llu", (unsigned long long)lua_tointeger(L, -1));
  else if (lua_isinteger(L, -1))
    snprintf(text, 64, "%lld", (long long)lua_tointeger(L, -1));
  else
    rt_writefloat(text, tide_ishalf(t) ? 4 : t == DTYPE_FLOAT32 ? 7 : 9,
                  lua_tonumber(L, -1));
  lua_pop(L, 1);
}

typedef struct Text {
  lua_State *L;
  const Array *a;
  const char *at;   /* the next fetched element */
  int width, column;
} Text;

static int widest (lua_State *L, const char *p, size_t n, DType t) {
  char text[64];
  int width = 0;
  for (size_t i = 0; i < n; i++) {
    format(L, p + i * rt_dtype_size(t), t, text);
    if ((int)strlen(text) > width)
      width = (int)strlen(text);
  }
  return width;
}

static void newline (Text *t, luaL_Buffer *b, int indent) {
  luaL_addchar(b, '\n');
  for (int i = 0; i < indent; i++)
    luaL_addchar(b, ' ');
  t->column = indent;
}

static void add_value (Text *t, luaL_Buffer *b, int axis, bool first) {
  char text[64], padded[96];
  format(t->L, t->at, t->a->dtype, text);
  t->at += rt_dtype_size(t->a->dtype);
  if (!first && t->column + t->width + 2 > WIDTH)
    newline(t, b, axis);
  else if (!first)
    luaL_addchar(b, ' ');
  int n = snprintf(padded, sizeof padded, "%*s", t->width, text);
  luaL_addlstring(b, padded, (size_t)n);
  t->column += n + 1;
}

/* Adds what is below 'axis'; lines continue 'axis' columns in. */
static void add_axis (Text *t, luaL_Buffer *b, int axis) {
  const Array *a = t->a;
  bool last = (axis == a->ndim - 1);
  luaL_addchar(b, '{');
  t->column++;
  for (int64_t i = 0; i < a->shape[axis]; i++) {
    if (elided(a, axis) && i == EDGE) {
      i = a->shape[axis] - EDGE;
      if (!last)
        newline(t, b, axis + 1);
      luaL_addstring(b, last ? " ..." : "...");
      t->column += 4;
    }
    if (last) {
      add_value(t, b, axis + 1, i == 0);
    } else {
      if (i > 0)
        newline(t, b, axis + 1);
      add_axis(t, b, axis + 1);
    }
  }
  luaL_addchar(b, '}');
}

/* ==} */

/* May values be read here and now? */
static bool readable (lua_State *L, const Array *a, const RtStream *s) {
  const Runtime *rt = a->dev->rt;
  return a->block != NULL && s->capture == NULL && rt->ncaptures == 0 &&
         a->dev->fault.code == 0 && rt->running == NULL &&
         (rt->shut == 0 || tide_mayserve(L, tide_owner(rt)));
}

/* Adds the values to the header on the top. The fetched elements are at 'p'. */
static void add_values (lua_State *L, const Array *a, const char *p,
                        size_t n) {
  luaL_Buffer b;
  Text t = {L, a, p, widest(L, p, n, a->dtype), 0};
  luaL_buffinit(L, &b);
  luaL_addchar(&b, '\n');
  if (a->ndim == 0)
    add_value(&t, &b, 0, true);
  else
    add_axis(&t, &b, 0);
  luaL_pushresult(&b);
  lua_concat(L, 2);
}

/* Pushes page-locked memory with what is shown of 'a'; false: it cannot be had,
** and nothing is pushed. Waits. */
static bool push_shown (lua_State *L, const Array *a, RtStream *s,
                        const int64_t *shape) {
  Array *h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, shape);
  tide_checkcalm(L, tide_state(L));
  tide_noteplace(L, h->dev->rt);
  Status st = a->closed ? RT_MISUSE : copy_corners(a, s, h);
  if (st == RT_BLOCKED)
    tide_fail(L, st);
  if (st == 0)
    tide_waithost(L, h, 0, 0, false, "tostring");
  else
    lua_pop(L, 1);
  return st == 0;
}

/* tostring(a): waits for the work that still writes what is shown. Where no
** wait is allowed, in a host function or a capture, it shows no values. */
int tide_array__tostring (lua_State *L) {
  tide_rt(L);
  Array *a = tide_testany(L, 1);
  if (a == NULL)
    return luaL_typeerror(L, 1, tide_arrayclass.name);
  if (a->closed)
    return lua_pushfstring(L, "%s (closed)", a->object.class->name), 1;
  if (tide_isstale(a))
    return lua_pushfstring(L, "%s (device was reset)",
                           a->object.class->name), 1;
  push_header(L, a);
  RtStream *s = tide_currentstream(L, a->dev);
  if (!readable(L, a, s))
    return 1;
  int64_t shape[MAX_DIMS], n = 1;
  for (int i = 0; i < a->ndim; i++)
    n *= shape[i] = shown(a, i);
  if (n > MAX_SHOWN)  /* many long axes: too much to look at */
    return 1;
  if (!push_shown(L, a, s, shape))
    return 1;
  Array *h = lua_touserdata(L, -1);
  lua_pushvalue(L, -2);  /* the header */
  add_values(L, a, (const char *)(uintptr_t)tide_pointer(h), (size_t)n);
  tide_closearray(h);
  return 1;
}

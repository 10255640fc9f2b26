/*
** print.c - arrays as text, like NumPy: a header with shape, dtype and device,
** then the values, long axes elided. Only what is shown leaves the device, and
** nothing here raises: where values cannot be had there is the header alone.
*/
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "current.h"
#include "device.h"
#include "dtype.h"
#include "rt/block.h"
#include "rt/submit.h"

enum { EDGE = 3, THRESHOLD = 1000, WIDTH = 75, MAX_RUNS = 1024 };

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

/* Runs of shown elements: whole arrays, or the edges of each axis. */
typedef struct Runs {
  size_t at[MAX_RUNS], n[MAX_RUNS];  /* first element and length */
  int count;  /* may say that there were more */
} Runs;

static void find_runs (const Array *a, int axis, size_t at, size_t length,
                       Runs *r) {
  if (axis == a->ndim || a->size <= THRESHOLD) {
    if (r->count < MAX_RUNS) {
      r->at[r->count] = at;
      r->n[r->count] = length;
    }
    r->count++;
    return;
  }
  int64_t n = a->shape[axis];
  size_t row = length / (size_t)n;
  bool skip = elided(a, axis);
  if (axis == a->ndim - 1) {  /* the last axis: two runs, or one */
    size_t edge = skip ? EDGE : (size_t)n;
    find_runs(a, a->ndim, at, edge, r);
    if (skip)
      find_runs(a, a->ndim, at + (size_t)n - EDGE, EDGE, r);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    if (skip && i == EDGE)
      i = n - EDGE;
    find_runs(a, axis + 1, at + (size_t)i * row, row, r);
  }
}

/* Copies the runs, one after the other, into page-locked memory. 0: done. */
static Status fetch (const Array *a, RtStream *s, const Runs *r,
                     RtBlock *to) {
  size_t size = rt_dtype_size(a->dtype), done = 0;
  if (a->block == NULL)  /* a finalizer has closed it meanwhile */
    return RT_MISUSE;
  for (int i = 0; i < r->count; i++) {
    Op op = {.kind = OP_COPY, .name = "tostring"};
    op.u.copy.dst = to->ptr + done;
    op.u.copy.src = tide_pointer(a) + r->at[i] * size;
    op.u.copy.bytes = r->n[i] * size;
    rt_access(&op, a->block, a->off + r->at[i] * size, r->n[i] * size, false);
    rt_access(&op, to, done, r->n[i] * size, true);
    Status st = rt_submit(s, &op);
    if (st != 0)
      return st;
    done += r->n[i] * size;
  }
  return rt_hostaccess(to, 0, done, false, "tostring");
}

/* ==} */

/* {== text ============================================================ */

static void format (lua_State *L, const char *p, DType t, char text[32]) {
  tide_pushelement(L, p, t);
  if (lua_isboolean(L, -1))
    snprintf(text, 32, "%s", lua_toboolean(L, -1) ? "true" : "false");
  else if (lua_isinteger(L, -1))
    snprintf(text, 32, "%lld", (long long)lua_tointeger(L, -1));
  else if (lua_tonumber(L, -1) != lua_tonumber(L, -1))
    snprintf(text, 32, "nan");  /* whichever sign it has */
  else
    snprintf(text, 32, t == DTYPE_FLOAT32 ? "%.7g" : "%.9g",
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
  char text[32];
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
  char text[32], padded[64];
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
static bool readable (const Array *a, const RtStream *s) {
  return !a->closed && a->block != NULL && a->block->ncaptures == 0 &&
         s->capture == NULL && a->dev->rt->ncaptures == 0;
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

/* tostring(a): waits for the work that still writes what is shown. */
int tide_array__tostring (lua_State *L) {
  Runs runs;
  runs.count = 0;
  tide_rt(L);
  Array *a = lua_touserdata(L, 1);
  if (tide_testobject(L, 1, &tide_hostarrayclass) == NULL)
    a = tide_checkobject(L, 1, &tide_arrayclass);
  if (a->closed)
    return lua_pushfstring(L, "%s (closed)", a->object.class->name), 1;
  if (tide_isstale(a))
    return lua_pushfstring(L, "%s (device was reset)",
                           a->object.class->name), 1;
  push_header(L, a);
  RtStream *s = tide_currentstream(L, a->dev);
  if (!readable(a, s))
    return 1;
  find_runs(a, 0, 0, a->size, &runs);
  int64_t n = 0;
  if (runs.count > MAX_RUNS)  /* many long axes: too much to look at */
    return 1;
  for (int i = 0; i < runs.count; i++)
    n += (int64_t)runs.n[i];
  Array *h = tide_newhostarray(L, a->dev, a->dtype, 1, &n);
  if (fetch(a, s, &runs, h->block) != 0)
    return lua_pop(L, 1), 1;
  lua_insert(L, -2);  /* the memory below, the header on the top */
  add_values(L, a, (const char *)(uintptr_t)tide_pointer(h), (size_t)n);
  return 1;
}

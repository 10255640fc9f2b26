/*
** rawlaunch.c - launches of a RawKernel: converts Lua values to the arguments
** of its signature. Raises an error that names an argument that does not fit.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/arg.h"
#include "base/class.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "device/device.h"
#include "device/stream.h"
#include "device/submit.h"
#include "include/tide.h"
#include "rawkernel.h"
#include "rt/code/code_types.h"
#include "rt/code/codes.h"
#include "rt/driver/names.h"
#include "rt/program/numeral.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"

/* A launch while its arguments are read; they are on the stack from 'first'. */
typedef struct RawLaunch {
  RawKernel *k;
  RtDevice *dev;
  int first, n;
  Op op;
  Access own[MAX_PARAMS], *access;
  uint64_t values[MAX_PARAMS];
  void *params[MAX_PARAMS];
} RawLaunch;

/* {== errors ========================================================== */

static int wrong (lua_State *L, const RawLaunch *l, int i, const char *text) {
  const Param *p = &l->k->sig.at[i];
  if (p->name[0] == '\0')
    return error_raise(L, "%s: argument %d %s", l->k->what, i + 1, text);
  return error_raise(L, "%s: argument %d ('%s') %s", l->k->what, i + 1, p->name,
                     text);
}

static int wrong_type (lua_State *L, const RawLaunch *l, int i,
                       const char *expected) {
  const char *got = luaL_typename(L, l->first + i);
  if (luaL_getmetafield(L, l->first + i, "__name") == LUA_TSTRING)
    got = lua_tostring(L, -1);
  return wrong(L, l, i,
               lua_pushfstring(L, "must be %s, got %s", expected, got));
}

/* ==} */

/* {== by value ======================================================== */

/* 'why' has formats for the type and the number. */
static void wrong_float (lua_State *L, RawLaunch *l, int i, const char *why) {
  char text[NUMERAL];
  numeral_write(text, 14, lua_tonumber(L, l->first + i));
  wrong(L, l, i, lua_pushfstring(L, why, l->k->sig.at[i].type, text));
}

static void read_integer (lua_State *L, RawLaunch *l, int i) {
  const Param *p = &l->k->sig.at[i];
  int exact, bits = 8 * (int)p->size;
  bool is_unsigned = (p->ctype == C_UINT);
  if (lua_type(L, l->first + i) != LUA_TNUMBER)
    wrong_type(L, l, i, p->type);
  lua_Integer v = lua_tointegerx(L, l->first + i, &exact);
  if (!exact)
    wrong_float(L, l, i, "must be %s: %s has no such value");
  int64_t low = is_unsigned  ? 0
                : bits == 64 ? INT64_MIN
                             : -(INT64_C(1) << (bits - 1));
  int64_t high = (bits == 64)
                   ? INT64_MAX
                   : (INT64_C(1) << (is_unsigned ? bits : bits - 1)) - 1;
  if (v < low || v > high)
    wrong(L, l, i,
          lua_pushfstring(L, "must be %s: %I is out of its range", p->type,
                          (LUAI_UACINT)v));
  l->values[i] = (uint64_t)v; /* little-endian: its first bytes */
}

static void read_float (lua_State *L, RawLaunch *l, int i) {
  const Param *p = &l->k->sig.at[i];
  if (lua_type(L, l->first + i) != LUA_TNUMBER)
    wrong_type(L, l, i, p->type);
  double v = lua_tonumber(L, l->first + i);
  float single = (float)v;
  if (p->size == sizeof(double)) {
    memcpy(&l->values[i], &v, sizeof v);
    return;
  }
  if (isinf(single) && !isinf(v))
    wrong_float(L, l, i, "must be %s: %s is out of its range");
  memcpy(&l->values[i], &single, sizeof single);
}

static void read_bytes (lua_State *L, RawLaunch *l, int i) {
  const Param *p = &l->k->sig.at[i];
  size_t len = 0;
  const char *bytes = NULL;
  if (lua_type(L, l->first + i) == LUA_TSTRING)
    bytes = lua_tolstring(L, l->first + i, &len);
  if (bytes == NULL || len != p->size)
    wrong(L, l, i,
          lua_pushfstring(
            L, "must be the %d bytes of a %s (see string.pack), got %s of %d",
            (int)p->size, p->type, luaL_typename(L, l->first + i), (int)len));
  l->params[i] = (void *)bytes;
}

static void read_value (lua_State *L, RawLaunch *l, int i) {
  switch (l->k->sig.at[i].ctype) {
    case C_BOOL:
      if (!lua_isboolean(L, l->first + i))
        wrong_type(L, l, i, "a boolean");
      l->values[i] = (uint64_t)lua_toboolean(L, l->first + i);
      break;
    case C_INT:
    case C_UINT: read_integer(L, l, i); break;
    case C_FLOAT: read_float(L, l, i); break;
    default: read_bytes(L, l, i);
  }
}

/* ==} */

/* {== pointers ======================================================== */

static void check_array (lua_State *L, const RawLaunch *l, int i,
                         const Array *a) {
  const Param *p = &l->k->sig.at[i];
  char x[DEVICE_NAME], y[DEVICE_NAME];
  if (a->closed)
    wrong(L, l, i, "is a closed array");
  if (array_is_stale(a))
    wrong(L, l, i, "is an array whose device was reset");
  if (a->dev != l->dev)
    wrong(L, l, i,
          lua_pushfstring(L,
                          "is an array on device %s, others are on device %s",
                          device_write_name(a->dev, x),
                          device_write_name(l->dev, y)));
  if (p->dtype >= 0 && p->dtype != a->dtype)
    wrong(L, l, i,
          lua_pushfstring(
            L, "must be an array of %s, as it is %s%s *; got one of %s",
            dtype_name((DType)p->dtype), p->constant ? "const " : "", p->type,
            dtype_name(a->dtype)));
}

/* Passes an array as the address of its first element. */
static void read_pointer (lua_State *L, RawLaunch *l, int i) {
  const Param *p = &l->k->sig.at[i];
  Array *a = array_test(L, l->first + i);
  if (a == NULL && lua_islightuserdata(L, l->first + i) &&
      !limits_exclude(L, TIDE_POINTERS)) {
    l->values[i] = (uint64_t)(uintptr_t)lua_touserdata(L, l->first + i);
    l->op.opaque = true;
    return;
  }
  if (a == NULL)
    wrong_type(L, l, i, "a tide.Array or a tide.Pointer");
  check_array(L, l, i, a);
  if (a->size == 0)
    return;
  Op one;
  one.naccess = 0;
  array_access(&one, a, !p->constant);
  one.own[0].blind = false;
  l->access[l->op.naccess++] = one.own[0];
  l->values[i] = array_pointer(a);
}

/* Pointer(address) -> a pointer argument for RawKernels. tide knows nothing
** about its memory, so it orders nothing by it. */
int rawkernel_pointer (lua_State *L) {
  lua_pushlightuserdata(L, (void *)(uintptr_t)arg_check_integer(L, 1));
  return 1;
}

/* ==} */

/* {== grid and block ================================================== */

static void read_size (lua_State *L, int idx, const char *what,
                       const RawKernel *k, unsigned *to) {
  int isint;
  lua_Integer n = lua_tointegerx(L, idx, &isint);
  if (!isint || lua_type(L, idx) != LUA_TNUMBER)
    error_raise(L,
                "%s: %s must be an integer or a table of up to three, got %s",
                k->what, what, luaL_typename(L, idx));
  if (n < 1 || n > INT32_MAX)
    error_raise(L, "%s: %s must be positive and below 2^31, got %I", k->what,
                what, (LUAI_UACINT)n);
  *to = (unsigned)n;
}

static void read_sizes (lua_State *L, int idx, const char *what,
                        const RawKernel *k, unsigned to[3]) {
  to[0] = to[1] = to[2] = 1;
  if (!lua_istable(L, idx)) {
    read_size(L, idx, what, k, &to[0]);
    return;
  }
  lua_Unsigned n = lua_rawlen(L, idx);
  if (n < 1 || n > 3)
    error_raise(L, "%s: %s must have one to three sizes, got %d", k->what, what,
                (int)n);
  list_check_of(L, k->what, idx, n, "a list of sizes");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, idx, i + 1);
    read_size(L, -1, what, k, &to[i]);
    lua_pop(L, 1);
  }
}

static void check_sizes (lua_State *L, const RawLaunch *l, const Code *c) {
  const unsigned *g = l->op.u.launch.grid, *b = l->op.u.launch.block;
  if (g[1] > 65535 || g[2] > 65535)
    error_raise(L,
                "%s: grid must not be larger than 65535 but in its first size",
                l->k->what);
  uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
  if (threads > (uint64_t)c->threads || b[2] > 64)
    error_raise(L,
                "%s: block must not have more than %d threads (64 in its third "
                "size), has %I",
                l->k->what, c->threads, (LUAI_UACINT)threads);
}

/* ==} */

/* {== launches ======================================================== */

/* Returns the device of the first array, or the current one. */
static RtDevice *find_device (lua_State *L, const RawLaunch *l) {
  for (int i = 0; i < l->n; i++) {
    const Array *a = array_test(L, l->first + i);
    if (a != NULL)
      return a->dev;
  }
  return current_get_device(L);
}

static void check_count (lua_State *L, const RawLaunch *l) {
  if (l->n == l->k->sig.n)
    return;
  lua_pushvalue(L, 1);
  luaL_tolstring(L, -1, NULL);
  error_raise(L, "%s takes %d argument%s, got %d: %s", l->k->what, l->k->sig.n,
              l->k->sig.n == 1 ? "" : "s", l->n, lua_tostring(L, -1));
}

static size_t count_variables (const Code *c) {
  const RtVariable *v = NULL;
  size_t n = 0;
  while ((v = code_next_variable(c->rc, v)) != NULL)
    n++;
  return n;
}

/* Makes room for the accesses. Finalizers run here, which may make arrays of
** variables. */
static void make_room (lua_State *L, RawLaunch *l, const Code *c) {
  l->access = l->own;
  for (size_t n, room = 0; (n = count_variables(c)) > room; room = n)
    l->access = class_new_memory(L, (MAX_PARAMS + n) * sizeof *l->access);
  l->op.access = l->access;
}

/* Adds the variables of the kernel's module that arrays stand for: whether it
** uses them is not known. Constants are only read. */
static void add_variables (RawLaunch *l, const Code *c) {
  const RtVariable *v = NULL;
  while ((v = code_next_variable(c->rc, v)) != NULL) {
    const size_t off = (size_t)(v->ptr - v->block->ptr);
    l->access[l->op.naccess++] = (Access){v->block, off, v->bytes, v->written,
                                          false};
  }
}

/* Does everything that may run Lua first, so that no argument is closed after
** it was checked. */
static void run (lua_State *L, RawLaunch *l, RtStream *s, lua_Integer shared) {
  check_count(L, l);
  Code *c = rawkernel_code(L, 1, l->k, l->dev);
  check_sizes(L, l, c);
  rawkernel_allow_shared(L, c, (unsigned)shared);
  make_room(L, l, c);
  l->op.kind = OP_LAUNCH;
  l->op.name = c->rc->name->text;
  l->op.foreign = true;
  l->op.code = c->rc;
  l->op.u.launch.fn = c->fn;
  l->op.u.launch.shared = (unsigned)shared;
  l->op.u.launch.params = l->params;
  for (int i = 0; i < l->n; i++) {
    l->values[i] = 0;
    l->params[i] = &l->values[i];
    if (l->k->sig.at[i].pointer)
      read_pointer(L, l, i);
    else
      read_value(L, l, i);
  }
  add_variables(l, c);
  submit_work(L, s, &l->op);
}

static RawLaunch *begin (lua_State *L, RawLaunch *l) {
  l->k = class_check(L, 1, &rawkernel_class);
  memset(&l->op, 0, sizeof l->op);
  return l;
}

/* k(grid, block, ...) -> k: on the current stream. */
int rawkernel__call (lua_State *L) {
  RawLaunch l;
  begin(L, &l);
  read_sizes(L, 2, "grid", l.k, l.op.u.launch.grid);
  read_sizes(L, 3, "block", l.k, l.op.u.launch.block);
  l.first = 4;
  l.n = lua_gettop(L) - 3;
  l.dev = find_device(L, &l);
  run(L, &l, current_get_stream(L, l.dev), 0);
  lua_settop(L, 1);
  return 1;
}

/* Pushes the arguments of the option 'args', whose count may be n. */
static void push_arguments (lua_State *L, RawLaunch *l) {
  int type = option_get(L, 2, "args");
  if (type != LUA_TTABLE && type != LUA_TNIL)
    error_raise(L, "%s: option 'args' must be a table, got %s", l->k->what,
                luaL_typename(L, -1));
  int list = lua_gettop(L);
  lua_Unsigned n = (type == LUA_TNIL) ? 0 : lua_rawlen(L, list);
  if (n > MAX_PARAMS)
    error_raise(L, "%s: option 'args' has more than %d values", l->k->what,
                MAX_PARAMS);
  if (type != LUA_TNIL)
    list_check_of(L, l->k->what, list, n, "option 'args', a list");
  luaL_checkstack(L, (int)n + 10, NULL);
  for (int i = 0; i < (int)n; i++)
    lua_rawgeti(L, list, i + 1);
  l->first = list + 1;
  l->n = (int)n;
}

/* k:launch{ grid=, block=, shared=, stream=, args={...} } -> k */
int rawkernel_launch (lua_State *L) {
  static const char *const names[] = {"grid",   "block", "shared",
                                      "stream", "args",  NULL};
  RawLaunch l;
  begin(L, &l);
  type_check(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  option_check(L, 2, names);
  option_get(L, 2, "grid");
  read_sizes(L, 3, "grid", l.k, l.op.u.launch.grid);
  option_get(L, 2, "block");
  read_sizes(L, 4, "block", l.k, l.op.u.launch.block);
  lua_Integer shared = option_integer(L, 2, "shared", 0);
  if (shared < 0 || shared > INT32_MAX)
    error_raise(L, "%s: option 'shared' must be a number of bytes, got %I",
                l.k->what, (LUAI_UACINT)shared);
  bool given = option_get(L, 2, "stream") != LUA_TNIL;
  push_arguments(L, &l);
  l.dev = find_device(L, &l);
  RtStream *s = given ? stream_resolve(L, stream_check(L, 5))
                      : current_get_stream(L, l.dev);
  if (s->dev != l.dev)
    error_raise(L, "%s: option 'stream' is of another device than the arrays",
                l.k->what);
  run(L, &l, s, shared);
  lua_settop(L, 1);
  return 1;
}

/* ==} */

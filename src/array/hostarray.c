/*
** hostarray.c - the HostArray type: page-locked memory, for fast copies. Every
** access from Lua waits for the copies that touch it.
*/
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "dtype.h"
#include "index.h"
#include "layout.h"
#include "openers.h"
#include "rt/comm/poison.h"
#include "rt/kernels/dtypes.h"
#include "rt/os/file_limit.h"

static Array *check_host (lua_State *L, int arg) {
  Array *h = class_check(L, arg, &array_host_class);
  array_check_open(L, arg, h);
  return h;
}

static char *bytes_of (const Array *h) {
  return (char *)(uintptr_t)array_pointer(h);
}

/* Waits until Lua may read (or write) 'len' bytes from 'off' of 'h'. */
static void access (lua_State *L, Array *h, size_t off, size_t len, bool write,
                    const char *what) {
  size_t lo = h->off + off, hi = lo + len;
  if (len == 0)
    return;
  array_wait_host(L, h, lo, hi, write, what);
  if (write)
    poison_clear(h->block, lo, hi);
}

/*
** Makes bools of bytes from outside in the first 'len' of a HostArray of bool:
** any nonzero byte becomes 1, because the kernels rely on that.
*/
static void set_truth (Array *h, size_t len) {
  for (size_t i = 0; h->dtype == DTYPE_BOOL && i < len; i++)
    bytes_of(h)[i] = (bytes_of(h)[i] != 0);
}

/* HostArray(shape [, dtype]) -> zeroed page-locked memory. */
static int core_HostArray (lua_State *L) {
  int64_t shape[MAX_DIMS];
  state_rt(L);
  array_check_args(L, 2, "HostArray");
  int ndim = array_check_shape(L, 1, shape);
  DType t = dtype_opt(L, 2, dtype_default(L));
  Array *h = array_new_host(L, current_get_device(L), t, ndim, shape);
  if (h->size > 0)
    memset(bytes_of(h), 0, array_bytes(h));
  return 1;
}

/* {== elements ======================================================== */

/* Returns the offset of a part's only element from the first one of 'h'; it is
** negative in reversed views. */
static int64_t place_of (const Array *h, const IndexPart *p) {
  return p->at * (int64_t)dtype_size(h->dtype);
}

/* h[key]: an element if the key drops all axes, else a view. */
static int host_index (lua_State *L) {
  IndexPart p;
  Array *h = check_host(L, 1);
  if (index_is_past(L, h, 2))
    return lua_pushnil(L), 1;
  index_read_key(L, h, 2, &p);
  if (p.ndim > 0) {
    index_push_part(L, h, &p);
    return 1;
  }
  int64_t off = place_of(h, &p);
  access(L, h, (size_t)off, dtype_size(h->dtype), false, "hostarray index");
  dtype_push_element(L, bytes_of(h) + off, h->dtype);
  return 1;
}

/* {== bytes =========================================================== */

/* {== in bulk ========================================================= */

/*
** Files and strings need a run of bytes. Returns 'h' as a run whose first 'len'
** bytes may be read or written: its own memory or, for a view that is no run, a
** pushed copy. put_run copies bytes from outside back. No Lua code runs in
** between.
*/
static char *ready_run (lua_State *L, Array *h, size_t len, bool write,
                        const char *what) {
  if (h->dense) {
    access(L, h, 0, len, write, what);
    return bytes_of(h);
  }
  char *run = class_new_memory(L, array_bytes(h));
  array_wait_host(L, h, 0, 0, write, what);
  layout_gather(h, run);
  return run;
}

static void put_run (Array *h, char *run, size_t len) {
  if (h->dense) {
    set_truth(h, len);
    return;
  }
  for (size_t i = 0; h->dtype == DTYPE_BOOL && i < len; i++)
    run[i] = (run[i] != 0);
  layout_scatter(h, run);
}

/* Writes the element to all places. */
static void fill (lua_State *L, Array *h, const Element *element,
                  const char *what) {
  size_t bytes = array_bytes(h), done = dtype_size(h->dtype), n;
  char *run = ready_run(L, h, bytes, true, what);
  if (bytes > 0)
    memcpy(run, element, done);
  for (; done < bytes; done += n) { /* doubles the written part */
    n = done < bytes - done ? done : bytes - done;
    memcpy(run + done, run, n);
  }
  put_run(h, run, 0);
}

/* h:fill(value) -> h */
static int host_fill (lua_State *L) {
  Element element;
  Array *h = check_host(L, 1);
  const char *bad = dtype_read_element(L, 2, h->dtype, &element);
  if (bad != NULL)
    dtype_refuse_element(L, 2, bad);
  fill(L, h, &element, "hostarray:fill");
  lua_settop(L, 1);
  return 1;
}

static int refuse_value (lua_State *L, const char *why) {
  if (lua_type(L, 3) == LUA_TNUMBER)
    return argerror_raise(L, 3, "%s", why);
  return argerror_raise(L, 3, "%s (got %s)", why, type_push_name(L, 3));
}

/* h[key] = x: at once for a number or a table; a copy of an array is queued, as
** always. */
static int host__newindex (lua_State *L) {
  Element element;
  IndexPart p;
  Array *h = check_host(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return error_raise(L, "field '%s' of tide.HostArray cannot be set",
                       lua_tostring(L, 2));
  index_read_key(L, h, 2, &p);
  if (array_test_any(L, 3) != NULL || (p.ndim > 0 && lua_istable(L, 3))) {
    Array *part = index_push_part(L, h, &p);
    array_assign(L, part, 3);
    array_release(part);
    return 0;
  }
  const char *bad = dtype_read_element(L, 3, h->dtype, &element);
  if (bad != NULL)
    return refuse_value(L, p.ndim == 0 || dtype_is_scalar(L, 3)
                             ? bad
                             : "number, boolean, table or array expected");
  if (p.ndim > 0) {
    Array *part = index_push_part(L, h, &p);
    fill(L, part, &element, "hostarray index");
    array_release(part);
    return 0;
  }
  size_t size = dtype_size(h->dtype);
  int64_t off = place_of(h, &p);
  access(L, h, (size_t)off, size, true, "hostarray index");
  memcpy(bytes_of(h) + off, &element, size);
  return 0;
}

void array_write_host (lua_State *L, Array *h, const char *bytes, size_t len,
                       const char *what) {
  char *run = ready_run(L, h, len, true, what);
  if (len > 0)
    memcpy(run, bytes, len);
  put_run(h, run, len);
}

/* h:set(string) -> h: sets its bytes, exactly as many as h has. */
static int host_set (lua_State *L) {
  size_t len;
  Array *h = check_host(L, 1);
  const char *bytes = arg_check_lstring(L, 2, &len);
  argerror_check(L, len == array_bytes(h), 2,
                 "string of %I bytes expected, got %I",
                 (LUAI_UACINT)array_bytes(h), (LUAI_UACINT)len);
  array_write_host(L, h, bytes, len, "hostarray:set");
  lua_settop(L, 1);
  return 1;
}

static FILE *check_file (lua_State *L, int arg, const char *mode) {
  luaL_Stream *f = luaL_testudata(L, arg, LUA_FILEHANDLE);
  if (f == NULL && lua_type(L, arg) == LUA_TSTRING)
    argerror_raise(L, arg,
                   "an open file expected, got its name: io.open(name, \"%s\")",
                   mode);
  if (f == NULL)
    type_error(L, arg, "an open file");
  argerror_check(L, f->closef != NULL, arg, "file is closed");
  return f->f;
}

static size_t check_count (lua_State *L, int arg, const Array *h) {
  lua_Integer n = arg_opt_integer(L, arg, (lua_Integer)array_bytes(h));
  argerror_check(L, n >= 0, arg, "number of bytes must not be negative");
  argerror_check(L, n <= (lua_Integer)array_bytes(h), arg,
                 "more bytes than the array has");
  return (size_t)n;
}

/* h:readfrom(file [, bytes]) -> bytes read; fewer at the end of the file. */
static int host_readfrom (lua_State *L) {
  Array *h = check_host(L, 1);
  check_file(L, 2, "rb");
  size_t n = check_count(L, 3, h);
  char *run = ready_run(L, h, n, true, "hostarray:readfrom");
  FILE *f = check_file(L, 2, "rb"); /* a host function may have closed it */
  size_t got = (n > 0) ? fread(run, 1, n, f) : 0;
  put_run(h, run, got);
  if (got < n && ferror(f))
    return luaL_fileresult(L, 0, NULL);
  lua_pushinteger(L, (lua_Integer)got);
  return 1;
}

/* h:writeto(file [, bytes]) -> h */
static int host_writeto (lua_State *L) {
  Array *h = check_host(L, 1);
  check_file(L, 2, "wb");
  size_t n = check_count(L, 3, h);
  char *run = ready_run(L, h, n, false, "hostarray:writeto");
  FILE *f = check_file(L, 2, "wb");
  if (n > 0 && file_limit_fwrite(run, n, f) < n)
    return luaL_fileresult(L, 0, NULL);
  lua_settop(L, 1);
  return 1;
}

/* ==} */

/* {== operators ======================================================= */

const char array_no_host[] = "tide.Array, number or boolean expected, got "
                             "tide.HostArray; tide.asarray(x) is one";

/* The error of all operators. */
static int host_operator (lua_State *L) {
  bool first = class_as_object(L, 1, &array_host_class) != NULL;
  return argerror_raise(L, first ? 1 : 2, "%s", array_no_host);
}

static int host_comparison (lua_State *L) {
  return error_raise(L, "'<', '<=', '>' and '>=' give one boolean in Lua, for "
                        "arrays use a:lt(b), a:le(b), a:gt(b), a:ge(b); "
                        "tide.asarray(h) is one");
}

/* ==} */

/* h:close(): copies under way complete. */
static int host_close (lua_State *L) {
  Array *h = class_check(L, 1, &array_host_class);
  argerror_check(L, !h->closed, 1, "array is closed");
  return array_gc(L);
}

static const Function functions[] = {
  {"HostArray", core_HostArray, ANY},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"close", host_close, 1},
  {"fill", host_fill, 2},
  {GROUP_FILES "readfrom", host_readfrom, 3},
  {"set", host_set, 2},
  {GROUP_FILES "writeto", host_writeto, 3},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", array_gc, 1},
  {"__close", array_gc, 2},
  {"__len", array_len, 2},
  {"__newindex", host__newindex, 3},
  {"__pairs", array_pairs, 1},
  {"__tostring", array_tostring, 1},
  {"__add", host_operator, 2},
  {"__band", host_operator, 2},
  {"__bnot", host_operator, 2},
  {"__bor", host_operator, 2},
  {"__bxor", host_operator, 2},
  {"__div", host_operator, 2},
  {"__idiv", host_operator, 2},
  {"__le", host_comparison, 2},
  {"__lt", host_comparison, 2},
  {"__mod", host_operator, 2},
  {"__mul", host_operator, 2},
  {"__pow", host_operator, 2},
  {"__shl", host_operator, 2},
  {"__shr", host_operator, 2},
  {"__sub", host_operator, 2},
  {"__unm", host_operator, 2},
  {NULL, NULL, 0},
};

const Class array_host_class = {
  .name = "tide.HostArray",
  .methods = methods,
  .fields = array_fields,
  .metamethods = metamethods,
  .index = host_index,
  .other = &array_class,
  .hint = "; a tide.Array has it, tide.asarray(h) is one"};

void open_hostarray (lua_State *L) {
  class_define(L, &array_host_class);
  class_add_methods(L, &array_host_class, array_transfer_methods);
  class_set_funcs(L, functions);
}

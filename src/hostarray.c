/*
** hostarray.c - the HostArray type: page-locked memory that copies are fast
** from and to. Every access from Lua waits for the copies that touch it.
*/
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "current.h"
#include "dtype.h"
#include "error.h"
#include "rt/block.h"

static Array *check_host (lua_State *L, int arg) {
  Array *h = tide_checkobject(L, arg, &tide_hostarrayclass);
  tide_checkopen(L, arg, h);
  return h;
}

static char *bytes_of (const Array *h) {
  return (char *)(uintptr_t)tide_pointer(h);
}

/* Waits until Lua may read (or write) 'len' bytes from 'off' of 'h'. */
static void access (lua_State *L, Array *h, size_t off, size_t len,
                    bool write, const char *what) {
  if (len > 0)
    tide_check(L, rt_hostaccess(h->block, h->off + off, len, write, what));
  if (h->closed)
    luaL_error(L, "array was closed by a host function");
  tide_checkfresh(L, h);
}

void tide_settruth (Array *h, size_t len) {
  for (size_t i = 0; h->dtype == DTYPE_BOOL && i < len; i++)
    bytes_of(h)[i] = (bytes_of(h)[i] != 0);
}

/* HostArray(shape [, dtype]) -> zeroed page-locked memory. */
static int core_HostArray (lua_State *L) {
  int64_t shape[MAX_DIMS];
  tide_rt(L);
  int ndim = tide_checkshape(L, 1, shape);
  DType t = tide_optdtype(L, 2, DTYPE_FLOAT64);
  Array *h = tide_newhostarray(L, tide_currentdevice(L), t, ndim, shape);
  if (h->size > 0)
    memset(bytes_of(h), 0, tide_nbytes(h));
  return 1;
}

/* {== elements ======================================================== */

/* The place of h[{i, j, ...}]: one index for each axis. */
static size_t element_at (lua_State *L, const Array *h, int t) {
  size_t at = 0;
  for (int k = 0; k < h->ndim; k++) {
    int isint;
    lua_rawgeti(L, t, k + 1);
    lua_Integer i = lua_tointegerx(L, -1, &isint), n = h->shape[k];
    lua_pop(L, 1);
    if (!isint)
      luaL_error(L, "an element is h[{i, ...}] with %d integers", h->ndim);
    lua_Integer place = (i < 0) ? i + n + 1 : i;
    if (place < 1 || place > n)
      luaL_error(L, "index %I is out of range for axis %d of %I elements",
                 (LUAI_UACINT)i, k + 1, (LUAI_UACINT)n);
    at = at * (size_t)n + (size_t)(place - 1);
  }
  return at;
}

static bool is_element (lua_State *L, const Array *h) {
  if (!lua_istable(L, 2))
    return h->ndim == 1;
  lua_rawgeti(L, 2, 1);
  bool element = lua_isinteger(L, -1);
  lua_pop(L, 1);
  return element && (int)lua_rawlen(L, 2) == h->ndim;
}

/* Bytes from the start of 'h' to the element that the key at 2 means. */
static size_t offset_of (lua_State *L, const Array *h) {
  size_t at = lua_istable(L, 2) ? element_at(L, h, 2)
                                : (size_t)tide_checkrow(L, 2, h);
  return at * rt_dtype_size(h->dtype);
}

static void push_part (lua_State *L, Array *h) {
  int64_t first, last;
  if (!lua_istable(L, 2)) {
    tide_pushrow(L, h, tide_checkrow(L, 2, h));
    return;
  }
  tide_checkrange(L, 2, h, &first, &last);
  tide_pushrows(L, h, first, last);
}

/* h[i], h[{i, j}]: an element; h[{ {i, j} }], or h[i] of more axes: a view. */
static int host_index (lua_State *L) {
  tide_rt(L);
  Array *h = check_host(L, 1);
  if (!is_element(L, h)) {
    push_part(L, h);
    return 1;
  }
  size_t off = offset_of(L, h);
  access(L, h, off, rt_dtype_size(h->dtype), false, "hostarray index");
  tide_pushelement(L, bytes_of(h) + off, h->dtype);
  return 1;
}

static int host__newindex (lua_State *L) {
  char element[8];
  tide_rt(L);
  Array *h = check_host(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING)
    return luaL_error(L, "field '%s' of tide.HostArray cannot be set",
                      lua_tostring(L, 2));
  if (!is_element(L, h))
    return luaL_error(L, "only elements of a HostArray can be set; "
                      "use :fill, :set or :copy_from");
  size_t off = offset_of(L, h), size = rt_dtype_size(h->dtype);
  const char *bad = tide_readelement(L, 3, h->dtype, element);
  if (bad != NULL)
    return luaL_error(L, "%s (got %s)", bad, luaL_typename(L, 3));
  access(L, h, off, size, true, "hostarray index");
  memcpy(bytes_of(h) + off, element, size);
  return 0;
}

/* ==} */

/* {== in bulk ========================================================= */

/* h:fill(value) -> h */
static int host_fill (lua_State *L) {
  char element[8];
  tide_rt(L);
  Array *h = check_host(L, 1);
  const char *bad = tide_readelement(L, 2, h->dtype, element);
  luaL_argcheck(L, bad == NULL, 2, bad);
  access(L, h, 0, tide_nbytes(h), true, "hostarray:fill");
  size_t size = rt_dtype_size(h->dtype);
  for (size_t i = 0; i < h->size; i++)
    memcpy(bytes_of(h) + i * size, element, size);
  lua_settop(L, 1);
  return 1;
}

/* h:set(string) -> h: its bytes, exactly as many as h has. */
static int host_set (lua_State *L) {
  size_t len;
  tide_rt(L);
  Array *h = check_host(L, 1);
  const char *bytes = luaL_checklstring(L, 2, &len);
  luaL_argcheck(L, len == tide_nbytes(h), 2, lua_pushfstring(L,
      "string of %I bytes expected, got %I", (LUAI_UACINT)tide_nbytes(h),
      (LUAI_UACINT)len));
  access(L, h, 0, len, true, "hostarray:set");
  if (len > 0)
    memcpy(bytes_of(h), bytes, len);
  tide_settruth(h, len);
  lua_settop(L, 1);
  return 1;
}

static FILE *check_file (lua_State *L, int arg) {
  luaL_Stream *f = luaL_checkudata(L, arg, LUA_FILEHANDLE);
  luaL_argcheck(L, f->closef != NULL, arg, "file is closed");
  return f->f;
}

static size_t check_count (lua_State *L, int arg, const Array *h) {
  lua_Integer n = luaL_optinteger(L, arg, (lua_Integer)tide_nbytes(h));
  luaL_argcheck(L, n >= 0, arg, "number of bytes must not be negative");
  luaL_argcheck(L, n <= (lua_Integer)tide_nbytes(h), arg,
                "more bytes than the array has");
  return (size_t)n;
}

/* h:readfrom(file [, bytes]) -> bytes read; fewer at the end of the file. */
static int host_readfrom (lua_State *L) {
  tide_rt(L);
  Array *h = check_host(L, 1);
  FILE *f = check_file(L, 2);
  size_t n = check_count(L, 3, h);
  access(L, h, 0, n, true, "hostarray:readfrom");
  size_t got = (n > 0) ? fread(bytes_of(h), 1, n, f) : 0;
  tide_settruth(h, got);
  if (got < n && ferror(f))
    return luaL_fileresult(L, 0, NULL);
  lua_pushinteger(L, (lua_Integer)got);
  return 1;
}

/* h:writeto(file [, bytes]) -> h */
static int host_writeto (lua_State *L) {
  tide_rt(L);
  Array *h = check_host(L, 1);
  FILE *f = check_file(L, 2);
  size_t n = check_count(L, 3, h);
  access(L, h, 0, n, false, "hostarray:writeto");
  if (n > 0 && fwrite(bytes_of(h), 1, n, f) < n)
    return luaL_fileresult(L, 0, NULL);
  lua_settop(L, 1);
  return 1;
}

/* ==} */

/* h:close(): copies under way complete. */
static int host_close (lua_State *L) {
  tide_rt(L);
  Array *h = tide_checkobject(L, 1, &tide_hostarrayclass);
  luaL_argcheck(L, !h->closed, 1, "array is closed");
  return tide_array__gc(L);
}

static const luaL_Reg functions[] = {
  {"HostArray", core_HostArray},
  {NULL, NULL}
};

static const luaL_Reg methods[] = {
  {"close", host_close},
  {"fill", host_fill},
  {"readfrom", host_readfrom},
  {"set", host_set},
  {"writeto", host_writeto},
  {NULL, NULL}
};

static const luaL_Reg metamethods[] = {
  {"__gc", tide_array__gc},
  {"__close", tide_array__gc},
  {"__len", tide_array__len},
  {"__newindex", host__newindex},
  {"__tostring", tide_array__tostring},
  {NULL, NULL}
};

const Class tide_hostarrayclass = {
  "tide.HostArray", methods, tide_arrayfields, metamethods, host_index
};

void tide_openhostarray (lua_State *L) {
  tide_newclass(L, &tide_hostarrayclass);
  tide_addmethods(L, &tide_hostarrayclass, tide_transfermethods);
  tide_setfuncs(L, functions);
}

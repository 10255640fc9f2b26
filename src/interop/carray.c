/*
** carray.c - shares elements with other C modules of Lua, without copies:
** HostArrays as their arrays, and their arrays as HostArrays. Both use the
** functions of carray.h. A module finds them in the metatable of a value, so it
** needs no header of the other module.
**
** DESIGN. A module that asks for the elements of a HostArray waits for their
** present uses, as h[i] does. It gets one object for each HostArray, which
** holds the block by an RtExport. So the module may keep it after the HostArray
** is closed, and release it on any thread, even after lua_close. The object is
** found by the HostArray in a table with weak keys, whose values are the
** HostArray's own references to it.
*/
#include "carray.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "array/array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/type.h"
#include "device/current.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/export.h"
#include "tensor.h"
#include "wrap.h"

static const char what[] = "carray";

/* {== types =========================================================== */

static const CarrayType types[DTYPE_COUNT] = {
  [DTYPE_INT8] = CARRAY_SCHAR,    [DTYPE_UINT8] = CARRAY_UCHAR,
  [DTYPE_INT16] = CARRAY_SHORT,   [DTYPE_UINT16] = CARRAY_USHORT,
  [DTYPE_INT32] = CARRAY_INT,     [DTYPE_UINT32] = CARRAY_UINT,
  [DTYPE_INT64] = CARRAY_LONG,    [DTYPE_UINT64] = CARRAY_ULONG,
  [DTYPE_FLOAT32] = CARRAY_FLOAT, [DTYPE_FLOAT64] = CARRAY_DOUBLE};

_Static_assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8,
               "the types of carray.h are other dtypes");

/* Returns DTYPE_COUNT if there is none. */
static DType dtype_of (CarrayType type) {
  DType t = 0;
  type = (type == CARRAY_LLONG)    ? CARRAY_LONG
         : (type == CARRAY_ULLONG) ? CARRAY_ULONG
                                   : type;
  while (t < DTYPE_COUNT && (types[t] == 0 || types[t] != type))
    t++;
  return t;
}

/* ==} */

/* {== ours, for others ================================================ */

struct Carray {
  int refs;        /* atomic */
  RtExport *block; /* NULL: there are no elements */
  char *data;
  CarrayInfo info;
};

static void retain (const Carray *x) {
  __atomic_fetch_add((int *)&x->refs, 1, __ATOMIC_RELAXED);
}

static void release (const Carray *x) {
  if (__atomic_sub_fetch((int *)&x->refs, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (x->block != NULL)
    export_return(x->block);
  free((Carray *)x);
}

static const void *readable (const Carray *x, size_t offset, size_t count) {
  bool inside = (count > 0 && offset < x->info.count &&
                 count <= x->info.count - offset);
  return inside ? x->data + offset * x->info.size : NULL;
}

static void *writable (Carray *x, size_t offset, size_t count) {
  return (x->info.attr == CARRAY_READONLY) ? NULL
                                           : (void *)readable(x, offset, count);
}

/* A HostArray cannot change its length. */
static void *resize (Carray *x, size_t count, int reserve) {
  (void)reserve;
  return (count == x->info.count) ? writable(x, 0, count) : NULL;
}

static void *insert (Carray *x, size_t offset, size_t count, int reserve) {
  (void)x;
  (void)offset;
  (void)count;
  (void)reserve;
  return NULL;
}

static void remove_elements (Carray *x, size_t offset, size_t count,
                             int reserve) {
  (void)x;
  (void)offset;
  (void)count;
  (void)reserve;
}

/* Key of a table in the registry: { HostArray = its own reference }, with weak
** keys. */
static const char references;

static int reference__gc (lua_State *L);

static const Guard guard = {"reference", reference__gc, NULL};

static int reference__gc (lua_State *L) {
  Carray **p = guard_check(L, &guard);
  if (*p != NULL)
    release(*p);
  *p = NULL;
  return 0;
}

/* Pushes the reference of the HostArray at 'arg'; it is NULL when new. */
static Carray **push_reference (lua_State *L, int arg) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &references);
  lua_pushvalue(L, arg);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    guard_new(L, sizeof(Carray *), 0, &guard);
    lua_replace(L, -2);
    lua_pushvalue(L, arg);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
  return lua_touserdata(L, -1);
}

static Carray *new_carray (lua_State *L, Array *h) {
  Carray *x = calloc(1, sizeof *x);
  if (x == NULL)
    error_check(L, RT_NOMEM);
  Status st = (h->block != NULL)
                ? export_new(h->block, array_import(h), &x->block)
                : 0;
  if (st != 0) {
    free(x);
    error_check(L, st);
  }
  x->refs = 1;
  x->data = (h->size > 0) ? (char *)(uintptr_t)array_pointer(h) : NULL;
  x->info = (CarrayInfo){types[h->dtype],
                         h->readonly ? CARRAY_READONLY : CARRAY_DEFAULT,
                         dtype_size(h->dtype), h->size, h->size};
  return x;
}

typedef struct Asked {
  bool write;
  Carray *out;
} Asked;

/* Called with (asked, HostArray): waits for the uses of its elements. */
static int ask (lua_State *L) {
  Asked *x = lua_touserdata(L, 1);
  Array *h = array_check_any(L, 2);
  array_check_open(L, 2, h);
  Carray **p = push_reference(L, 2);
  if (h->size > 0)
    array_wait_host(L, h, h->off, h->off + array_bytes(h), x->write, what);
  if (*p == NULL)
    *p = new_carray(L, h);
  x->out = *p;
  return 0;
}

static const ApiCall ask_call = {ask};

static bool is_shared (const Array *h, bool write) {
  return h != NULL && !h->closed && !array_is_stale(h) && h->dense &&
         types[h->dtype] != 0 && !(write && h->readonly);
}

static Carray *to_carray (lua_State *L, int arg, CarrayInfo *info, bool write) {
  Asked x = {write, NULL};
  arg = lua_absindex(L, arg);
  if (!is_shared(class_as_object(L, arg, &array_host_class), write))
    return NULL;
  lua_pushvalue(L, arg);
  api_call(L, &ask_call, &x, 1, 0);
  if (info != NULL)
    *info = x.out->info;
  return x.out;
}

static const Carray *to_readable (lua_State *L, int arg, CarrayInfo *info) {
  return to_carray(L, arg, info, false);
}

static Carray *to_writable (lua_State *L, int arg, CarrayInfo *info) {
  return to_carray(L, arg, info, true);
}

/* ==} */

/* {== new ones ======================================================== */

/* A HostArray that another module asks for: new, or over its memory. */
typedef struct CarrayRequest {
  DType dtype;
  CarrayAttr attr;
  int64_t count;
  bool zeros;             /* for new memory */
  void *data;             /* memory of the module */
  CarrayRelease *release; /* may be NULL */
} CarrayRequest;

/* Whom to tell when memory of the module is no longer used. */
typedef struct Owner {
  CarrayRelease *release;
  void *data;
  size_t count;
} Owner;

static void notify_owner (void *ud) {
  Owner *o = ud;
  if (o->release != NULL)
    o->release(o->data, o->count);
  free(o);
}

/* Pushes a HostArray for memory of the module, without that memory yet. */
static Array *push_over (lua_State *L, tide_Tensor *t, CarrayRequest *w,
                         RtForeign *kind) {
  *t = (tide_Tensor){.data = w->data,
                     .device = {TIDE_CPU, 0},
                     .ndim = 1,
                     .dtype = tensor_dtype(w->dtype),
                     .shape = &w->count};
  unsigned readonly = (w->attr == CARRAY_READONLY) ? TIDE_READ_ONLY : 0;
  return wrap_push(L, t, TIDE_AS_HOSTARRAY | readonly, kind);
}

/* Called with (wanted). */
static int wrap_theirs (lua_State *L) {
  RtForeign kind;
  tide_Tensor t;
  CarrayRequest *w = lua_touserdata(L, 1);
  Array *h = push_over(L, &t, w, &kind);
  Owner *o = malloc(sizeof *o);
  if (o == NULL)
    error_check(L, RT_NOMEM);
  *o = (Owner){w->release, w->data, (size_t)w->count};
  Status st = wrap_give_memory(h, &t, kind, notify_owner, o);
  if (st != 0) {
    free(o);
    error_check(L, st);
  }
  return 1;
}

/* Called with (wanted). */
static int make_ours (lua_State *L) {
  const CarrayRequest *w = lua_touserdata(L, 1);
  Array *h = array_new_host(L, current_get_device(L), w->dtype, 1, &w->count);
  if (h->size > 0 && w->zeros)
    memset((void *)(uintptr_t)array_pointer(h), 0, array_bytes(h));
  h->readonly = (w->attr == CARRAY_READONLY);
  return 1;
}

static const ApiCall wrap_call = {wrap_theirs}, make_call = {make_ours};

static Carray *push_wanted (lua_State *L, const ApiCall *call,
                            CarrayRequest *w) {
  if (w->dtype == DTYPE_COUNT || w->count < 0)
    return NULL;
  api_call(L, call, w, 0, 1);
  return to_carray(L, -1, NULL, w->attr != CARRAY_READONLY);
}

static Carray *create (lua_State *L, CarrayType t, CarrayAttr attr,
                       size_t count, void **data) {
  CarrayRequest w = {.dtype = dtype_of(t),
                     .attr = attr,
                     .count = (int64_t)count,
                     .zeros = (data == NULL)};
  Carray *x = push_wanted(L, &make_call, &w);
  if (x != NULL && data != NULL)
    *data = x->data;
  return x;
}

static Carray *wrap (lua_State *L, CarrayType t, CarrayAttr attr, void *data,
                     size_t count, CarrayRelease *release) {
  CarrayRequest w = {.dtype = dtype_of(t),
                     .attr = attr,
                     .count = (int64_t)count,
                     .data = data,
                     .release = release};
  return (data == NULL && count > 0) ? NULL : push_wanted(L, &wrap_call, &w);
}

static const CarrayApi ours = {
  CARRAY_MAJOR, CARRAY_MINOR, 0,           NULL,   create,
  wrap,         to_readable,  to_writable, retain, release,
  writable,     readable,     resize,      insert, remove_elements};

/* ==} */

/* {== arrays of others, for us ========================================= */

/* Returns the functions of the value's module, in a version that we know; else
** NULL. */
static const CarrayApi *api_of (lua_State *L, int arg) {
  const CarrayApi *api = NULL;
  if (luaL_getmetafield(L, arg, CARRAY_KEY) == LUA_TNIL)
    return NULL;
  const char *field = lua_touserdata(L, -1);
  if (field != NULL && lua_rawlen(L, -1) >= sizeof api + sizeof CARRAY_KEY &&
      memcmp(field + sizeof api, CARRAY_KEY, sizeof CARRAY_KEY) == 0)
    memcpy(&api, field, sizeof api);
  while (api != NULL &&
         (api->major != CARRAY_MAJOR || api->minor < CARRAY_MINOR))
    api = api->next;
  lua_pop(L, 1);
  return api;
}

/* An array of another module that we hold. */
typedef struct Theirs {
  const CarrayApi *api;
  const Carray *x;
} Theirs;

static void release_theirs (void *ud) {
  Theirs *t = ud;
  t->api->release(t->x);
  free(t);
}

/* Returns its present data, writable if possible; NULL if it has none. */
static const Carray *look (lua_State *L, const CarrayApi *api,
                           CarrayRequest *w) {
  CarrayInfo info = {0};
  Carray *x = api->towritable(L, 1, &info);
  const Carray *found = (x != NULL) ? x : api->toreadable(L, 1, &info);
  *w = (CarrayRequest){.dtype = dtype_of(info.type),
                       .count = (int64_t)info.count,
                       .attr = (x != NULL) ? CARRAY_DEFAULT : CARRAY_READONLY};
  if (found != NULL && info.count > 0)
    w->data = (x != NULL) ? api->writable(x, 0, info.count)
                          : (void *)api->readable(found, 0, info.count);
  return found;
}

/* from_carray(x) -> a HostArray over the elements of another module's array; a
** HostArray is returned itself. */
static int core_from_carray (lua_State *L) {
  RtForeign kind;
  tide_Tensor t;
  CarrayRequest w, now;
  state_rt(L);
  const CarrayApi *api = api_of(L, 1);
  if (api == &ours)
    return array_check_open(L, 1, array_check_any(L, 1)), lua_settop(L, 1), 1;
  const Carray *x = (api != NULL) ? look(L, api, &w) : NULL;
  if (x == NULL)
    return type_error(L, 1, "array of a C module with " CARRAY_KEY);
  if (w.dtype == DTYPE_COUNT)
    argerror_raise(L, 1, "there is no dtype like its elements");
  Array *h = push_over(L, &t, &w, &kind);
  if (look(L, api, &now) != x || now.data != w.data || now.count != w.count)
    error_raise(L, "the array was changed meanwhile");
  Theirs *theirs = malloc(sizeof *theirs);
  if (theirs == NULL)
    error_check(L, RT_NOMEM);
  *theirs = (Theirs){api, x};
  api->retain(x);
  Status st = wrap_give_memory(h, &t, kind, release_theirs, theirs);
  if (st != 0) {
    release_theirs(theirs);
    error_check(L, st);
  }
  return 1;
}

static const Function functions[] = {
  {GROUP_POINTERS "from_carray", core_from_carray, 1},
  {NULL, NULL, 0},
};

/* ==} */

/* Sets the field of HostArray's metatable. */
static void set_field (lua_State *L) {
  const void *api = &ours;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &array_host_class);
  char *field = lua_newuserdatauv(L, sizeof api + sizeof CARRAY_KEY, 0);
  memcpy(field, &api, sizeof api);
  memcpy(field + sizeof api, CARRAY_KEY, sizeof CARRAY_KEY);
  lua_setfield(L, -2, CARRAY_KEY);
  lua_pop(L, 1);
}

static void set_registry (lua_State *L) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &references);
}

void open_carray (lua_State *L) {
  set_registry(L);
  set_field(L);
  class_set_funcs(L, functions);
  api_register(L, &ask_call);
  api_register(L, &wrap_call);
  api_register(L, &make_call);
}

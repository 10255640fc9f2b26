/*
** dlpack.c - hands arrays over and takes them in without copies, by DLPack:
** https://dmlc.github.io/dlpack/latest/
**
** DESIGN. The consumer of a tensor names the stream that will use it, and that
** stream waits, on the device, for what was queued. For this it gets an
** operation that does nothing and reads (or, for an incoming tensor, writes)
** the array. Host memory has no streams, so the host waits until it is ready.
**
** An outgoing tensor holds its block by an RtExport, so its deleter may be
** called on any thread at any time. An incoming tensor is foreign memory, and
** its deleter is the release. If one of our own tensors comes home, the array
** shares the block, so uses of either are in order.
**
** In Lua a tensor is a capsule, a userdata whose first word is the pointer. The
** consumer that takes it sets the word to NULL. Its metatable is in the
** registry under the name that Python's capsules have, so that other libraries
** find it.
*/
#include "dlpack.h"

#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "array/array.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/type.h"
#include "device/current.h"
#include "device/drain.h"
#include "device/hostfunc.h"
#include "device/stream.h"
#include "device/submit.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/export.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "tensor.h"
#include "values.h"
#include "wrap.h"

enum { MAJOR = 1, MINOR = 1 };

/* The form before DLPack 1.0: DLManagedTensor. */
typedef struct Unversioned {
  tide_Tensor tensor;
  void *manager;
  void (*deleter)(struct Unversioned *self);
} Unversioned;

/* {== out ============================================================= */

/* A tensor that we hand over, of either form. */
typedef struct Outgoing {
  union {
    tide_Managed versioned;
    Unversioned unversioned;
  } u;
  RtExport *block; /* NULL: there are no elements */
  int64_t dims[];  /* shape, then strides */
} Outgoing;

static void give_back (Outgoing *x) {
  if (x->block != NULL)
    export_return(x->block);
  free(x);
}

static void delete_versioned (tide_Managed *m) { give_back((Outgoing *)m); }

static void delete_unversioned (Unversioned *m) { give_back((Outgoing *)m); }

static Outgoing *new_outgoing (lua_State *L, Array *a, bool versioned) {
  size_t dims = 2 * (size_t)a->ndim * sizeof(int64_t);
  Outgoing *x = calloc(1, sizeof *x + dims);
  if (x == NULL)
    error_check(L, RT_NOMEM);
  tide_Tensor *t = versioned ? &x->u.versioned.tensor
                             : &x->u.unversioned.tensor;
  tensor_describe(a, t);
  if (t->device.type != TIDE_CUDA)
    t->device.id = 0;
  memcpy(x->dims, a->shape, dims);
  t->shape = x->dims;
  t->strides = x->dims + a->ndim;
  if (versioned) {
    x->u.versioned.version.major = MAJOR;
    x->u.versioned.version.minor = MINOR;
    x->u.versioned.deleter = delete_versioned;
    x->u.versioned.flags = (a->repeats || a->readonly) ? TIDE_READ_ONLY : 0;
  } else {
    x->u.unversioned.deleter = delete_unversioned;
  }
  Status st = (a->block != NULL)
                ? export_new(a->block, array_import(a), &x->block)
                : 0;
  if (st != 0) {
    free(x);
    error_check(L, st);
  }
  return x;
}

static bool is_device_memory (const Array *a) {
  return a->object.class == &array_class &&
         tensor_device(a->dev).type == TIDE_CUDA;
}

/* Queues an operation on 's' that does nothing but use 'a', so that it comes
** after earlier uses, and later ones after it. */
static Status meet (RtStream *s, const Array *a, bool write, const char *what) {
  Op op;
  op_start(&op, OP_CALL, what);
  op.u.call.fn = NULL;
  array_access(&op, a, write);
  return op_submit(s, &op);
}

/* Returns the stream of a handle, and pushes an object for it. */
static RtStream *push_stream (lua_State *L, RtDevice *dev, void *handle) {
  RtStream *s = stream_push_external(L, dev, handle);
  return (s != NULL) ? s : stream_resolve(L, lua_touserdata(L, -1));
}

/* Gets 'a' ready for use on a stream of the consumer. */
static void make_ready (lua_State *L, const Array *a, void *stream) {
  static const char what[] = "to_dlpack";
  if (stream == TIDE_NO_STREAM || a->size == 0)
    return;
  size_t lo, hi;
  layout_span(a, &lo, &hi);
  submit_check_bytes(L, a->block, lo, hi);
  if (!is_device_memory(a)) {
    array_wait_idle(L, a, what);
    return;
  }
  RtStream *s = push_stream(L, a->dev, stream);
  entry_check_calls(L, state_get(L));
  error_check(L, meet(s, a, false, what));
}

/* Returns the array at 'arg'. Raises why it cannot be exported. */
static Array *check_outgoing (lua_State *L, int arg, bool versioned) {
  Array *a = array_check_any(L, arg);
  array_check_open(L, arg, a);
  if (!versioned && (a->repeats || a->readonly))
    error_raise(L, "an array that is not to be written cannot go out in the "
                   "form of before DLPack 1.0, which does not say so");
  return a;
}

typedef struct Handover {
  void *stream;
  bool versioned;
  void *out;
} Handover;

/* Called with (handover, array). */
static int hand_over (lua_State *L) {
  Handover *x = lua_touserdata(L, 1);
  if (drain_is_due(state_get(L)))
    drain_dropped(L);
  make_ready(L, check_outgoing(L, 2, x->versioned), x->stream);
  x->out = new_outgoing(L, check_outgoing(L, 2, x->versioned), x->versioned);
  return 0;
}

static const ApiCall todlpack_call = {hand_over};

tide_Managed *dlpack_export (lua_State *L, int arg, void *stream) {
  Handover x = {stream, true, NULL};
  value_check_array(L, arg);
  lua_pushvalue(L, arg);
  api_call(L, &todlpack_call, &x, 1, 0);
  return x.out;
}

/* ==} */

/* {== in ============================================================== */

/* A tensor that we take in, of either form. */
typedef struct Incoming {
  void **capsule; /* its capsule, or NULL */
  void *managed;
  bool versioned;
  void *stream;
  unsigned flags;
} Incoming;

static void call_versioned (void *ud) {
  tide_Managed *m = ud;
  if (m->deleter != NULL)
    m->deleter(m);
}

static void call_unversioned (void *ud) {
  Unversioned *m = ud;
  if (m->deleter != NULL)
    m->deleter(m);
}

/* Returns the block of a tensor that this Runtime has handed over, and its
** import; else NULL. */
static RtBlock *is_ours (const Runtime *rt, const Incoming *x,
                         RtImport **import) {
  const Outgoing *out = x->managed;
  bool ours = x->versioned ? out->u.versioned.deleter == delete_versioned
                           : out->u.unversioned.deleter == delete_unversioned;
  *import = NULL;
  return (ours && out->block != NULL) ? export_block(rt, out->block, import)
                                      : NULL;
}

/* A private copy of a tensor: making an array may run finalizers, and these may
** end the original. */
typedef struct Copy {
  tide_Tensor tensor;
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
} Copy;

static void copy_tensor (lua_State *L, Incoming *x, Copy *c) {
  const tide_Managed *m = x->managed;
  if (x->versioned && m->version.major != MAJOR)
    error_raise(L, "the tensor is of DLPack %d.%d; this tide knows version %d",
                (int)m->version.major, (int)m->version.minor, MAJOR);
  if (x->versioned)
    x->flags |= (unsigned)m->flags & TIDE_READ_ONLY;
  c->tensor = x->versioned ? m->tensor : ((Unversioned *)x->managed)->tensor;
  if (c->tensor.ndim <= 0 || c->tensor.ndim > MAX_DIMS)
    return;
  size_t dims = (size_t)c->tensor.ndim * sizeof(int64_t);
  memcpy(c->shape, c->tensor.shape, dims);
  c->tensor.shape = c->shape;
  if (c->tensor.strides != NULL) {
    memcpy(c->strides, c->tensor.strides, dims);
    c->tensor.strides = c->strides;
  }
}

static void check_untaken (lua_State *L, const Incoming *x) {
  argerror_check(L, x->capsule == NULL || *x->capsule == x->managed, 1,
                 "the tensor was taken already");
}

static bool is_pinned (RtForeign kind) { return kind != FOREIGN_DEVICE; }

/* Tells whether the tensor is one of ours that comes home. If so, gives 'a' the
** block. */
static bool take_home (lua_State *L, const Incoming *x, Array *a,
                       const tide_Tensor *t, RtForeign kind) {
  RtImport *import;
  RtBlock *block = is_ours(state_rt(L), x, &import);
  if (block == NULL)
    return false;
  if (block->pinned != is_pinned(kind))
    error_raise(L, "the tensor is one of tide's, of another type");
  wrap_share_block(a, t, block, import);
  return true;
}

/* Page-locked memory comes home as a HostArray, whatever the tensor says. */
static void look_homeward (lua_State *L, Incoming *x) {
  RtImport *import;
  check_untaken(L, x);
  const RtBlock *home = is_ours(state_rt(L), x, &import);
  if (home != NULL && home->pinned)
    x->flags |= TIDE_AS_HOSTARRAY;
}

/*
** Pushes the array. Raises only before the tensor becomes ours; if the stream
** cannot be waited for now, the tensor is given back.
*/
static void take_in (lua_State *L, Incoming *x) {
  Copy c;
  RtForeign kind;
  RtStream *s = NULL;
  copy_tensor(L, x, &c);
  tide_Release release = x->versioned ? call_versioned : call_unversioned;
  if (x->stream != TIDE_NO_STREAM && c.tensor.device.type == TIDE_CUDA) {
    RtDevice *dev = tensor_find_device(L, c.tensor.device);
    error_check(L, context_enter(dev));
    s = push_stream(L, dev, x->stream);
  }
  look_homeward(L, x);
  Array *a = wrap_push(L, &c.tensor, x->flags, &kind);
  entry_check_calls(L, state_get(L));
  check_untaken(L, x);
  bool home = take_home(L, x, a, &c.tensor, kind);
  if (!home)
    error_check(L, wrap_give_memory(a, &c.tensor, kind, release, x->managed));
  Status st = (s != NULL && a->size > 0) ? meet(s, a, true, "from_dlpack") : 0;
  if (st != 0) {
    (home ? array_release : wrap_take_back)(a);
    error_fail(L, st);
  }
  if (x->capsule != NULL)
    *x->capsule = NULL;
  if (home)
    release(x->managed);
}

static int take_managed (lua_State *L) {
  take_in(L, lua_touserdata(L, 1));
  return 1;
}

static const ApiCall fromdlpack_call = {take_managed};

void dlpack_import (lua_State *L, tide_Managed *m, void *stream,
                    unsigned flags) {
  Incoming x = {NULL, m, true, stream, flags};
  api_call(L, &fromdlpack_call, &x, 0, 1);
}

/* ==} */

/* {== in Lua ========================================================== */

/* Metatables: in the registry by name for others, by address for us. */
static const char *const capsules[] = {"dltensor", "dltensor_versioned"};

static void **to_capsule (lua_State *L, int arg, bool *versioned) {
  void *p = lua_touserdata(L, arg);
  int which = -1;
  if (p == NULL || !lua_getmetatable(L, arg))
    return NULL;
  for (int i = 1; i >= 0 && which < 0; i--) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &capsules[i]);
    which = lua_rawequal(L, -1, -2) ? i : -1;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  *versioned = (which == 1);
  return (which >= 0) ? p : NULL;
}

/* Deletes a tensor that was never taken. */
static int capsule__gc (lua_State *L) {
  bool versioned;
  void **p = to_capsule(L, 1, &versioned);
  void *managed = (p != NULL) ? *p : NULL;
  if (managed == NULL)
    return 0;
  *p = NULL;
  (versioned ? call_versioned : call_unversioned)(managed);
  return 0;
}

static int capsule__tostring (lua_State *L) {
  bool versioned;
  void **p = to_capsule(L, 1, &versioned);
  if (p == NULL)
    return type_error(L, 1, capsules[1]);
  lua_pushfstring(L, "%s%s", capsules[versioned], *p == NULL ? " (used)" : "");
  return 1;
}

/* capsule:release() -> the tensor as a light userdata; the receiver has to call
** its deleter. The capsule is empty then. */
static int capsule_release (lua_State *L) {
  bool versioned;
  void **p = to_capsule(L, 1, &versioned);
  if (p == NULL)
    return type_error(L, 1, capsules[1]);
  if (*p == NULL)
    return error_raise(L, "the tensor was taken already");
  lua_pushlightuserdata(L, *p);
  *p = NULL;
  return 1;
}

/* Raises for unknown fields and methods, as any object does. */
static int capsule__index (lua_State *L) {
  const char *name = lua_tostring(L, 2);
  if (name != NULL && strcmp(name, "release") == 0)
    return lua_pushcfunction(L, capsule_release), 1;
  return error_raise(L, "no field '%s' in a DLPack capsule, which has release",
                     luaL_tolstring(L, 2, NULL));
}

static void new_capsule_class (lua_State *L, bool versioned) {
  static const luaL_Reg metamethods[] = {
    {"__gc", capsule__gc},
    {"__close", capsule__gc},
    {"__tostring", capsule__tostring},
    {"__index", capsule__index},
    {NULL, NULL},
  };
  if (luaL_newmetatable(L, capsules[versioned]))
    luaL_setfuncs(L, metamethods, 0);
  lua_pushstring(L, capsules[versioned]);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &capsules[versioned]);
}

/* Returns the stream option: false: no stream; a Stream; a pointer; or nil: the
** legacy default stream, which a producer without a stream argument makes
** wait. */
static void *check_stream (lua_State *L, int arg) {
  void *handle = CU_STREAM_LEGACY;
  int t = lua_istable(L, arg) ? option_get(L, arg, "stream") : LUA_TNIL;
  if (t == LUA_TNIL) {
    return handle;
  } else if (t == LUA_TBOOLEAN && !lua_toboolean(L, -1)) {
    handle = TIDE_NO_STREAM;
  } else if (t == LUA_TLIGHTUSERDATA) {
    handle = lua_touserdata(L, -1);
  } else if (lua_isinteger(L, -1)) {
    handle = (void *)(uintptr_t)lua_tointeger(L, -1);
  } else if (class_test(L, -1, &stream_class) != NULL) {
    RtStream *s = stream_resolve(L, stream_check(L, lua_gettop(L)));
    stream_expose(L, s, "to_dlpack");
    handle = s->handle;
  } else {
    argerror_raise(L, arg,
                   "option 'stream' must be a Stream, a pointer, or false for "
                   "none, got %s",
                   luaL_typename(L, -1));
  }
  lua_pop(L, 1);
  return handle;
}

static const char *const options[] = {"stream", "versioned", NULL};

/* a:to_dlpack{ stream=, versioned= } -> a capsule */
static int array_to_dlpack (lua_State *L) {
  array_check_open(L, 1, array_check_any(L, 1));
  option_check(L, 2, options);
  if (drain_is_due(state_get(L)))
    drain_dropped(L);
  bool versioned = option_flag(L, 2, "versioned", true);
  void *stream = check_stream(L, 2);
  void **p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = NULL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &capsules[versioned]);
  lua_setmetatable(L, -2);
  int capsule = lua_gettop(L);
  make_ready(L, check_outgoing(L, 1, versioned), stream);
  *p = new_outgoing(L, check_outgoing(L, 1, versioned), versioned);
  lua_settop(L, capsule);
  return 1;
}

/* from_dlpack(capsule or light userdata [, { stream=, versioned= }]) -> Array,
** or HostArray if its memory is page-locked */
static int core_from_dlpack (lua_State *L) {
  Incoming x = {NULL, NULL, true, NULL, 0};
  state_rt(L);
  void **p = to_capsule(L, 1, &x.versioned);
  option_check(L, 2, options);
  bool asked = option_flag(L, 2, "versioned", x.versioned);
  if (p != NULL && asked != x.versioned)
    argerror_raise(L, 2, "option 'versioned': the capsule says otherwise");
  x.versioned = asked;
  x.stream = check_stream(L, 2);
  if (p == NULL && !lua_islightuserdata(L, 1))
    type_error(L, 1, "capsule of a tensor, or light userdata");
  x.managed = (p != NULL) ? *p : lua_touserdata(L, 1);
  if (x.managed == NULL)
    argerror_raise(L, 1, "%s",
                   p != NULL ? "the tensor was taken already"
                             : "pointer to a tensor expected");
  x.capsule = p;
  take_in(L, &x);
  return 1;
}

static const Function methods[] = {
  {GROUP_POINTERS "to_dlpack", array_to_dlpack, 2},
  {NULL, NULL, 0},
};

static const Function functions[] = {
  {GROUP_POINTERS "from_dlpack", core_from_dlpack, 2},
  {NULL, NULL, 0},
};

/* ==} */

void open_dlpack (lua_State *L) {
  new_capsule_class(L, false);
  new_capsule_class(L, true);
  class_add_methods(L, &array_class, methods);
  class_add_methods(L, &array_host_class, methods);
  class_set_funcs(L, functions);
  api_register(L, &todlpack_call);
  api_register(L, &fromdlpack_call);
}

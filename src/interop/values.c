/*
** values.c - checks values from C, and makes values of C's devices, streams and
** events. Arrays are in wrap.c.
*/
#include "values.h"

#include <string.h>

#include "api.h"
#include "base/argerror.h"
#include "base/error.h"
#include "base/type.h"
#include "device/current.h"
#include "device/device.h"
#include "device/event.h"
#include "device/graph.h"
#include "device/stream.h"
#include "rt/queue/dispatch.h"
#include "rt/driver/context.h"
#include "rt/driver/owner.h"
#include "rt/graph/graph_types.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/event_pool.h"
#include "tensor.h"

static const Class *const classes[] = {
  [TIDE_DEVICE] = &device_class, [TIDE_STREAM] = &stream_class,
  [TIDE_EVENT] = &event_class,   [TIDE_GRAPH] = &graph_class,
  [TIDE_ARRAY] = &array_class,   [TIDE_HOSTARRAY] = &array_host_class};

const Class *value_class (int kind) { return classes[kind]; }

/* {== checks, in functions of the host's ============================== */

/* Does nothing: the API entry around it notices a fork, or resets by others. */
static int refresh (lua_State *L) {
  (void)L;
  return 0;
}
static const ApiCall refresh_call = {refresh};

static Object *find (lua_State *L, int arg, int *kind) {
  for (*kind = TIDE_DEVICE; *kind <= TIDE_HOSTARRAY; ++*kind) {
    Object *o = class_as_object(L, arg, classes[*kind]);
    if (o != NULL)
      return o;
  }
  *kind = TIDE_NONE;
  return NULL;
}

int value_kind (lua_State *L, int arg) {
  int kind;
  find(L, arg, &kind);
  return kind;
}

/* Errors name arguments by absolute indices, even if 'arg' is relative. */
static void check_argument (lua_State *L, bool ok, int arg, const char *why) {
  if (!ok)
    argerror_raise(L, lua_absindex(L, arg), "%s", why);
}

/* Raises for a value of another copy of tide, or of another type. Names no
** elements, because that would need a wait. */
static void wrong (lua_State *L, int arg, const char *expected) {
  const tide_Api *whose = tide_apiof(L, arg);
  arg = lua_absindex(L, arg);
  if (whose == NULL || whose->check == value_check)
    type_error(L, arg, expected);
  argerror_raise(L, arg,
                 "%s expected, got %s of another copy of tide's library",
                 expected, type_push_name(L, arg));
}

static void check_state (lua_State *L, const Object *o) {
  if (o->state->closed)
    state_refuse(L);
  if (state_needs_check(o->state))
    api_call(L, &refresh_call, NULL, 0, 0);
}

Array *value_check_array (lua_State *L, int arg) {
  Array *a = class_as_object(L, arg, &array_class);
  if (a == NULL)
    a = class_as_object(L, arg, &array_host_class);
  if (a == NULL)
    wrong(L, arg, "tide.Array or tide.HostArray");
  check_state(L, &a->object);
  check_argument(L, !a->closed, arg, "array is closed");
  check_argument(L, !array_is_stale(a), arg, "device was reset");
  return a;
}

static bool is_closed (const Object *o, int kind) {
  switch (kind) {
    case TIDE_STREAM: return ((const Stream *)o)->closed;
    case TIDE_EVENT: return ((const Event *)o)->re == NULL;
    case TIDE_GRAPH: return ((const Graph *)o)->rg == NULL;
    case TIDE_ARRAY:
    case TIDE_HOSTARRAY: return ((const Array *)o)->closed;
    default: return false;
  }
}

void value_check (lua_State *L, int arg, int kind) {
  Object *o = (kind > TIDE_NONE && kind <= TIDE_HOSTARRAY)
                ? class_as_object(L, arg, classes[kind])
                : NULL;
  if (o == NULL)
    wrong(L, arg,
          kind > TIDE_NONE && kind <= TIDE_HOSTARRAY ? classes[kind]->name
                                                     : "an object of tide");
  check_state(L, o);
  if (is_closed(o, kind)) {
    arg = lua_absindex(L, arg);
    argerror_raise(L, arg, "%s is closed", classes[kind]->name);
  }
}

void value_tensor (lua_State *L, int arg, tide_Tensor *t) {
  Array *a = value_check_array(L, arg);
  array_expose(L, a);
  tensor_describe(a, t);
}

/* ==} */

/* {== handles, devices ================================================ */

/* Called with (&handle, object). For a stream, others may queue work on it from
** now on. */
static int get_handle (lua_State *L) {
  void **handle = lua_touserdata(L, 1);
  int kind;
  find(L, 2, &kind);
  if (kind == TIDE_EVENT) {
    *handle = event_handle(L, event_check(L, 2), "tide_Api.handle");
  } else if (kind == TIDE_GRAPH) {
    const RtGraph *g = graph_check(L, 2)->rg;
    error_check(L, dispatch_check_ranks(g->body, "tide_Api.handle"));
    if (g->body->nfunctions > 0)
      error_raise(L, "a graph with host functions has no handle: the driver "
                     "has its parts alone");
    *handle = g->execs[0];
  } else {
    const Stream *s = stream_check(L, 2);
    if (s->rs != NULL)
      stream_expose(L, s->rs, "tide_Api.handle");
    *handle = s->rs != NULL            ? s->rs->handle
              : s->kind == STREAM_NULL ? CU_STREAM_LEGACY
                                       : CU_STREAM_PER_THREAD;
  }
  return 0;
}

static const ApiCall handle_call = {get_handle};

void *value_handle (lua_State *L, int arg) {
  int kind;
  void *handle = NULL;
  find(L, arg, &kind);
  if (kind == TIDE_ARRAY || kind == TIDE_HOSTARRAY) {
    Array *a = value_check_array(L, arg);
    array_expose(L, a);
    return (void *)(uintptr_t)array_pointer(a);
  }
  if (kind != TIDE_STREAM && kind != TIDE_EVENT && kind != TIDE_GRAPH)
    wrong(L, arg, "something of tide that has a handle");
  value_check(L, arg, kind);
  lua_pushvalue(L, arg);
  api_call(L, &handle_call, &handle, 1, 0);
  return handle;
}

/* Called with (&device, object). */
static int get_device (lua_State *L) {
  tide_Device *d = lua_touserdata(L, 1);
  const RtDevice *dev;
  int kind;
  find(L, 2, &kind);
  if (kind == TIDE_DEVICE) {
    dev = device_check(L, 2);
  } else {
    const Stream *s = stream_check(L, 2);
    dev = (s->rs != NULL) ? s->rs->dev : current_get_device(L);
  }
  *d = tensor_device(dev);
  return 0;
}

static const ApiCall device_call = {get_device};

tide_Device value_device (lua_State *L, int arg) {
  int kind;
  tide_Device d;
  find(L, arg, &kind);
  if (kind == TIDE_NONE)
    wrong(L, arg, "something of tide that has a device");
  value_check(L, arg, kind);
  switch (kind) {
    case TIDE_ARRAY:
    case TIDE_HOSTARRAY: return tensor_device(value_check_array(L, arg)->dev);
    case TIDE_EVENT: {
      const Event *e = lua_touserdata(L, arg);
      return tensor_device(e->re->dev);
    }
    case TIDE_GRAPH: {
      const Graph *g = lua_touserdata(L, arg);
      return tensor_device(g->rg->dev);
    }
  }
  lua_pushvalue(L, arg);
  api_call(L, &device_call, &d, 1, 0);
  return d;
}

/* ==} */

/* {== making values =================================================== */

static int push_device (lua_State *L) {
  const tide_Device *d = lua_touserdata(L, 1);
  device_push(L, tensor_find_device(L, *d));
  return 1;
}

static const ApiCall pushdevice_call = {push_device};

void value_push_device (lua_State *L, tide_Device device) {
  api_call(L, &pushdevice_call, &device, 0, 1);
}

/* A stream or event that others have made. */
typedef struct Foreign {
  tide_Device device;
  void *handle;
  tide_Release release;
  void *ud;
} Foreign;

/* A default stream has no owner, so its release is due at once. */
static int push_stream (lua_State *L) {
  const Foreign *x = lua_touserdata(L, 1);
  RtDevice *dev = tensor_find_device(L, x->device);
  RtStream *s = stream_push_external(L, dev, x->handle);
  if (s != NULL)
    error_check(L, owner_add(dev->rt, &s->owners, x->release, x->ud));
  else if (x->release != NULL)
    x->release(x->ud);
  return 1;
}

static const ApiCall pushstream_call = {push_stream};

void value_push_stream (lua_State *L, tide_Device device, void *stream,
                        tide_Release release, void *ud) {
  Foreign x = {device, stream, release, ud};
  api_call(L, &pushstream_call, &x, 0, 1);
}

static int push_event (lua_State *L) {
  const Foreign *x = lua_touserdata(L, 1);
  RtDevice *dev = tensor_find_device(L, x->device);
  Event *e = class_new_object(L, sizeof *e, &event_class, 0);
  error_check(L, event_pool_wrap(dev, x->handle, x->release, x->ud, &e->re));
  return 1;
}

static const ApiCall pushevent_call = {push_event};

void value_push_event (lua_State *L, tide_Device device, void *event,
                       tide_Release release, void *ud) {
  Foreign x = {device, event, release, ud};
  api_call(L, &pushevent_call, &x, 0, 1);
}

static int push_current (lua_State *L) {
  const tide_Device *d = lua_touserdata(L, 1);
  current_push_stream(L, tensor_find_device(L, *d));
  return 1;
}

static const ApiCall pushcurrent_call = {push_current};

void value_push_current (lua_State *L, tide_Device device) {
  api_call(L, &pushcurrent_call, &device, 0, 1);
}

static int get_current (lua_State *L) {
  Foreign *x = lua_touserdata(L, 1);
  RtStream *s = current_get_stream(L, tensor_find_device(L, x->device));
  stream_expose(L, s, "tide_Api.current");
  x->handle = s->handle;
  return 0;
}

static const ApiCall current_call = {get_current};

void *value_current (lua_State *L, tide_Device device) {
  Foreign x = {device, NULL, NULL, NULL};
  api_call(L, &current_call, &x, 0, 0);
  return x.handle;
}

/* ==} */

void open_values (lua_State *L) {
  api_register(L, &refresh_call);
  api_register(L, &handle_call);
  api_register(L, &device_call);
  api_register(L, &pushdevice_call);
  api_register(L, &pushstream_call);
  api_register(L, &pushevent_call);
  api_register(L, &pushcurrent_call);
  api_register(L, &current_call);
}

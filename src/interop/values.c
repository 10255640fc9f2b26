/*
** values.c - checks values from C, and makes values of C's devices, streams and
** events. Arrays are in wrap.c.
*/
#include "values.h"

#include <string.h>

#include "api.h"
#include "base/blame.h"
#include "base/error.h"
#include "base/slip.h"
#include "device/current.h"
#include "device/device.h"
#include "device/event.h"
#include "device/graph.h"
#include "device/stream.h"
#include "rt/comm/comm.h"
#include "rt/driver/context.h"
#include "rt/driver/owner.h"
#include "rt/queue/stream_pool.h"
#include "rt/wait/event_pool.h"
#include "tensor.h"

static const Class *const classes[] = {
  [TIDE_DEVICE] = &tide_deviceclass, [TIDE_STREAM] = &tide_streamclass,
  [TIDE_EVENT] = &tide_eventclass,   [TIDE_GRAPH] = &tide_graphclass,
  [TIDE_ARRAY] = &tide_arrayclass,   [TIDE_HOSTARRAY] = &tide_hostarrayclass};

const Class *tide_classof (int kind) { return classes[kind]; }

/* {== checks, in functions of the host's ============================== */

/* Does nothing: the door around it notices a fork, or resets by others. */
static int refresh (lua_State *L) {
  (void)L;
  return 0;
}
static const ApiCall refresh_call = {refresh};

static Object *find (lua_State *L, int arg, int *kind) {
  for (*kind = TIDE_DEVICE; *kind <= TIDE_HOSTARRAY; ++*kind) {
    Object *o = tide_asobject(L, arg, classes[*kind]);
    if (o != NULL)
      return o;
  }
  *kind = TIDE_NONE;
  return NULL;
}

int api_kind (lua_State *L, int arg) {
  int kind;
  find(L, arg, &kind);
  return kind;
}

/* Errors name arguments by absolute indices, even if 'arg' is relative. */
static void check_argument (lua_State *L, bool ok, int arg, const char *why) {
  if (!ok)
    tide_argerror(L, lua_absindex(L, arg), "%s", why);
}

/* Raises for a value of another copy of tide, or of another type. Names no
** elements, because that would need a wait. */
static void wrong (lua_State *L, int arg, const char *expected) {
  const tide_Api *whose = tide_apiof(L, arg);
  arg = lua_absindex(L, arg);
  if (whose == NULL || whose->check == api_check)
    tide_typeerror(L, arg, expected);
  tide_argerror(L, arg,
                "%s expected, got %s of another "
                "copy of tide's library",
                expected, tide_pushtypename(L, arg));
}

static void check_state (lua_State *L, const Object *o) {
  if (o->state->closed)
    tide_closed(L);
  if (tide_hasnews(o->state))
    tide_callapi(L, &refresh_call, NULL, 0, 0);
}

Array *tide_takearray (lua_State *L, int arg) {
  Array *a = tide_asobject(L, arg, &tide_arrayclass);
  if (a == NULL)
    a = tide_asobject(L, arg, &tide_hostarrayclass);
  if (a == NULL)
    wrong(L, arg, "tide.Array or tide.HostArray");
  check_state(L, &a->object);
  check_argument(L, !a->closed, arg, "array is closed");
  check_argument(L, !tide_isstale(a), arg, "device was reset");
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

void api_check (lua_State *L, int arg, int kind) {
  Object *o = (kind > TIDE_NONE && kind <= TIDE_HOSTARRAY)
                ? tide_asobject(L, arg, classes[kind])
                : NULL;
  if (o == NULL)
    wrong(L, arg,
          kind > TIDE_NONE && kind <= TIDE_HOSTARRAY ? classes[kind]->name
                                                     : "an object of tide");
  check_state(L, o);
  if (is_closed(o, kind)) {
    arg = lua_absindex(L, arg);
    tide_argerror(L, arg, "%s is closed", classes[kind]->name);
  }
}

void api_tensor (lua_State *L, int arg, tide_Tensor *t) {
  Array *a = tide_takearray(L, arg);
  tide_exposearray(L, a);
  tide_filltensor(a, t);
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
    *handle = tide_eventhandle(L, tide_checkevent(L, 2), "tide_Api.handle");
  } else if (kind == TIDE_GRAPH) {
    const RtGraph *g = tide_checkgraph(L, 2)->rg;
    tide_check(L, rt_checkgraphcomms(g->body, "tide_Api.handle"));
    if (g->body->nfunctions > 0)
      tide_raise(L, "a graph with host functions has no handle: the driver has "
                    "its parts alone");
    *handle = g->execs[0];
  } else {
    const Stream *s = tide_checkstream(L, 2);
    if (s->rs != NULL)
      tide_expose(L, s->rs, "tide_Api.handle");
    *handle = s->rs != NULL            ? s->rs->handle
              : s->kind == STREAM_NULL ? CU_STREAM_LEGACY
                                       : CU_STREAM_PER_THREAD;
  }
  return 0;
}

static const ApiCall handle_call = {get_handle};

void *api_handle (lua_State *L, int arg) {
  int kind;
  void *handle = NULL;
  find(L, arg, &kind);
  if (kind == TIDE_ARRAY || kind == TIDE_HOSTARRAY) {
    Array *a = tide_takearray(L, arg);
    tide_exposearray(L, a);
    return (void *)(uintptr_t)tide_pointer(a);
  }
  if (kind != TIDE_STREAM && kind != TIDE_EVENT && kind != TIDE_GRAPH)
    wrong(L, arg, "something of tide that has a handle");
  api_check(L, arg, kind);
  lua_pushvalue(L, arg);
  tide_callapi(L, &handle_call, &handle, 1, 0);
  return handle;
}

/* Called with (&device, object). */
static int get_device (lua_State *L) {
  tide_Device *d = lua_touserdata(L, 1);
  const RtDevice *dev;
  int kind;
  find(L, 2, &kind);
  if (kind == TIDE_DEVICE) {
    dev = tide_checkdevice(L, 2);
  } else {
    const Stream *s = tide_checkstream(L, 2);
    dev = (s->rs != NULL) ? s->rs->dev : tide_currentdevice(L);
  }
  *d = tide_devicecode(dev);
  return 0;
}

static const ApiCall device_call = {get_device};

tide_Device api_device (lua_State *L, int arg) {
  int kind;
  tide_Device d;
  find(L, arg, &kind);
  if (kind == TIDE_NONE)
    wrong(L, arg, "something of tide that has a device");
  api_check(L, arg, kind);
  switch (kind) {
    case TIDE_ARRAY:
    case TIDE_HOSTARRAY: return tide_devicecode(tide_takearray(L, arg)->dev);
    case TIDE_EVENT: {
      const Event *e = lua_touserdata(L, arg);
      return tide_devicecode(e->re->dev);
    }
    case TIDE_GRAPH: {
      const Graph *g = lua_touserdata(L, arg);
      return tide_devicecode(g->rg->dev);
    }
  }
  lua_pushvalue(L, arg);
  tide_callapi(L, &device_call, &d, 1, 0);
  return d;
}

/* ==} */

/* {== making values =================================================== */

static int push_device (lua_State *L) {
  const tide_Device *d = lua_touserdata(L, 1);
  tide_pushdevice(L, tide_finddevice(L, *d));
  return 1;
}

static const ApiCall pushdevice_call = {push_device};

void api_pushdevice (lua_State *L, tide_Device device) {
  tide_callapi(L, &pushdevice_call, &device, 0, 1);
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
  RtDevice *dev = tide_finddevice(L, x->device);
  RtStream *s = tide_pushexternal(L, dev, x->handle);
  if (s != NULL)
    tide_check(L, rt_addowner(dev->rt, &s->owners, x->release, x->ud));
  else if (x->release != NULL)
    x->release(x->ud);
  return 1;
}

static const ApiCall pushstream_call = {push_stream};

void api_pushstream (lua_State *L, tide_Device device, void *stream,
                     tide_Release release, void *ud) {
  Foreign x = {device, stream, release, ud};
  tide_callapi(L, &pushstream_call, &x, 0, 1);
}

static int push_event (lua_State *L) {
  const Foreign *x = lua_touserdata(L, 1);
  RtDevice *dev = tide_finddevice(L, x->device);
  Event *e = tide_newobject(L, sizeof *e, &tide_eventclass, 0);
  tide_check(L, rt_wrapevent(dev, x->handle, x->release, x->ud, &e->re));
  return 1;
}

static const ApiCall pushevent_call = {push_event};

void api_pushevent (lua_State *L, tide_Device device, void *event,
                    tide_Release release, void *ud) {
  Foreign x = {device, event, release, ud};
  tide_callapi(L, &pushevent_call, &x, 0, 1);
}

static int push_current (lua_State *L) {
  const tide_Device *d = lua_touserdata(L, 1);
  tide_pushcurrent(L, tide_finddevice(L, *d));
  return 1;
}

static const ApiCall pushcurrent_call = {push_current};

void api_pushcurrent (lua_State *L, tide_Device device) {
  tide_callapi(L, &pushcurrent_call, &device, 0, 1);
}

static int get_current (lua_State *L) {
  Foreign *x = lua_touserdata(L, 1);
  RtStream *s = tide_currentstream(L, tide_finddevice(L, x->device));
  tide_expose(L, s, "tide_Api.current");
  x->handle = s->handle;
  return 0;
}

static const ApiCall current_call = {get_current};

void *api_current (lua_State *L, tide_Device device) {
  Foreign x = {device, NULL, NULL, NULL};
  tide_callapi(L, &current_call, &x, 0, 0);
  return x.handle;
}

/* ==} */

void tide_openvalues (lua_State *L) {
  tide_openapicall(L, &refresh_call);
  tide_openapicall(L, &handle_call);
  tide_openapicall(L, &device_call);
  tide_openapicall(L, &pushdevice_call);
  tide_openapicall(L, &pushstream_call);
  tide_openapicall(L, &pushevent_call);
  tide_openapicall(L, &pushcurrent_call);
  tide_openapicall(L, &current_call);
}

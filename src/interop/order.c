/*
** order.c - queues work of a host program on driver streams, in order with
** tide's, and waits, from C.
**
** This work is an operation whose driver call is the host's own function. A
** pair of calls is two operations that queue nothing: the first waits for the
** earlier uses of the arrays, and the later uses wait for the second.
*/
#include "order.h"

#include "api.h"
#include "array/geometry.h"
#include "base/blame.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "device/current.h"
#include "device/device.h"
#include "device/event.h"
#include "device/host_error.h"
#include "device/host_function.h"
#include "device/service.h"
#include "device/stream.h"
#include "device/submit.h"
#include "rt/queue/kept.h"
#include "rt/driver/context.h"
#include "rt/driver/driver.h"
#include "rt/driver/status.h"
#include "rt/memory/hazard.h"
#include "rt/submit.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "values.h"

/* {== work ============================================================ */

typedef struct Work {
  const char *what;
  const tide_Access *access;
  int n;
  tide_Work fn;
  void *ud;
  void *handle; /* of the stream, for the caller */
} Work;

static Array *check_access (lua_State *L, int arg, RtDevice *dev, bool write) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  Array *a = tide_checkany(L, arg);
  tide_checkopen(L, arg, a);
  if (write)
    tide_checkwritable(L, arg, a);
  if (a->object.class == &tide_arrayclass && a->dev != dev)
    tide_raise(L, "an array of %s is used by work on %s",
               tide_devicename(a->dev, x), tide_devicename(dev, y));
  return a;
}

/* Lists the accesses; their arrays are from 3 on. */
static void list_accesses (lua_State *L, Op *op, const Work *w, RtDevice *dev) {
  Access *list = tide_newmemory(L, (size_t)(w->n + 1) * sizeof *list);
  for (int i = 0; i < w->n; i++) {
    bool write = (w->access[i].write != 0);
    const Array *a = check_access(L, 3 + i, dev, write);
    size_t lo, hi;
    if (a->size == 0)
      continue;
    tide_span(a, &lo, &hi);
    list[op->naccess++] = (Access){a->block, lo, hi - lo, write, false};
  }
  rt_sortaccesses(list, op->naccess);
  op->access = list;
}

/* Returns the device of the first Array, where the work runs. */
static RtDevice *find_device (lua_State *L, int n) {
  for (int i = 0; i < n; i++) {
    const Array *a = tide_testarray(L, 3 + i);
    if (a != NULL)
      return a->dev;
  }
  return tide_currentdevice(L);
}

/* Raises the code that the work has returned: a code of the driver's, or any
** other number, which could equal one of our own codes. */
static int fail_work (lua_State *L, Runtime *rt, int code, const char *what) {
  bool known = (code > 0 && code <= CUDA_ERROR_UNKNOWN);
  return tide_fail(L, known ? rt_explain(rt, code, what,
                                         "so the work says "
                                         "that it queued")
                            : rt_explain(rt, CUDA_ERROR_UNKNOWN, what,
                                         "the work that it "
                                         "queued returned %d, which is no "
                                         "error of the "
                                         "driver's",
                                         code));
}

/* Called with (work, stream or nil, arrays ...). */
static int submit (lua_State *L) {
  Work *w = lua_touserdata(L, 1);
  RtStream *s = tide_optstream(L, 2, find_device(L, w->n));
  Op op;
  rt_startop(&op, OP_CALL, w->what);
  list_accesses(L, &op, w, s->dev);
  op.foreign = true;
  op.u.call.fn = w->fn;
  op.u.call.ud = w->ud;
  op.u.call.result = 0;
  if (w->fn == NULL)
    tide_expose(L, s, w->what);
  tide_submit(L, s, &op);
  w->handle = s->handle;
  int result = op.u.call.result;
  return (result == 0) ? 0 : fail_work(L, s->dev->rt, result, w->what);
}

static const ApiCall submit_call = {submit};

/* Checks an array where errors still name the host's own argument. */
static void check_argument (lua_State *L, const tide_Access *access) {
  const Array *a = tide_takearray(L, access->arg);
  const char *why = access->write ? tide_whyreadonly(a) : NULL;
  if (why != NULL)
    tide_argerror(L, lua_absindex(L, access->arg), "%s", why);
}

/* Pushes the stream, and copies of the arrays. */
static void call_submit (lua_State *L, int stream, Work *w) {
  luaL_checkstack(L, w->n + 8, "too many accesses");
  stream = (stream != 0) ? lua_absindex(L, stream) : 0;
  int top = lua_gettop(L);
  if (stream != 0)
    api_check(L, stream, TIDE_STREAM);
  for (int i = 0; i < w->n; i++)
    check_argument(L, &w->access[i]);
  if (stream != 0)
    lua_pushvalue(L, stream);
  else
    lua_pushnil(L);
  for (int i = 0; i < w->n; i++) {
    int arg = w->access[i].arg;
    lua_pushvalue(L,
                  (arg < 0 && arg > LUA_REGISTRYINDEX) ? top + arg + 1 : arg);
  }
  tide_callapi(L, &submit_call, w, w->n + 1, 0);
}

void api_submit (lua_State *L, int stream, const tide_Access *access, int n,
                 tide_Work fn, void *ud) {
  Work w = {"tide_Api.submit", access, n, fn, ud, NULL};
  call_submit(L, stream, &w);
}

void *api_before (lua_State *L, int stream, const tide_Access *access, int n) {
  Work w = {"tide_Api.before", access, n, NULL, NULL, NULL};
  call_submit(L, stream, &w);
  return w.handle;
}

void api_after (lua_State *L, int stream, const tide_Access *access, int n) {
  Work w = {"tide_Api.after", access, n, NULL, NULL, NULL};
  call_submit(L, stream, &w);
}

int api_onstream (tide_Device device, void *stream, void (*fn)(void *ud),
                  void *ud) {
  const char *why;
  const Driver *D = (device.type == TIDE_CPU)    ? rt_host_driver()
                    : (device.type == TIDE_CUDA) ? rt_cuda_driver(&why)
                                                 : NULL;
  return (D != NULL) ? D->cuLaunchHostFunc(stream, fn, ud)
                     : CUDA_ERROR_INVALID_DEVICE;
}

/* ==} */

/* {== waiting ========================================================= */

/* The goal of a wait: one of these. */
typedef struct Wait {
  double until; /* clock; negative: no end */
  bool late;
  const Array *a;
  Recording e;
  RtStream *s;
  RtDevice *dev;
  uint64_t seq; /* the latest operation when it began */
} Wait;

static const char waits[] = "tide_Api.wait";

static uint64_t earlier (uint64_t x, uint64_t y) { return x < y ? x : y; }

/* Tells whether the array's uses have passed. A host function may close it
** meanwhile, and then there is nothing to wait for. */
static Status array_passed (const Wait *w) {
  const Array *a = w->a;
  if (a->closed || tide_isstale(a))
    return 0;
  for (int i = 0; i < a->block->marks.n; i++) {
    const Mark *k = &a->block->marks.at[i];
    Status st = rt_passed(k->s, earlier(k->seq, w->seq));
    if (st != 0)
      return st;
  }
  return 0;
}

static Status device_passed (const Wait *w) {
  const Runtime *rt = w->dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev != w->dev || s->seq <= s->done)
      continue;
    Status st = rt_passed(s, earlier(s->seq, w->seq));
    if (st != 0)
      return st;
  }
  return 0;
}

static Status passed (const Wait *w) {
  if (w->a != NULL)
    return array_passed(w);
  if (w->e.e != NULL)
    return tide_recordingpassed(&w->e, waits);
  return (w->s != NULL) ? rt_passed(w->s, w->seq) : device_passed(w);
}

static Status is_ready (void *ud) {
  Wait *w = ud;
  Status st = passed(w);
  if (st == CUDA_ERROR_NOT_READY && w->until >= 0 &&
      tide_seconds(CLOCK_MONOTONIC) >= w->until) {
    w->late = true;
    return 0;
  }
  return st;
}

static void raise_errors (lua_State *L, const Wait *w) {
  if (w->s != NULL) {
    tide_raiseerrors(L, NULL, w->s, w->seq);
  } else if (w->e.s != NULL) {
    tide_raiseerrors(L, NULL, w->e.s, w->e.seq);
  } else if (w->a != NULL && w->a->block != NULL && !w->a->closed) {
    for (int i = 0; i < w->a->block->marks.n; i++) {
      const Mark *k = &w->a->block->marks.at[i];
      tide_raiseerrors(L, NULL, k->s, earlier(k->seq, w->seq));
    }
    size_t lo, hi;
    tide_span(w->a, &lo, &hi);
    tide_checkbytes(L, w->a->block, lo, hi);
  } else if (w->a == NULL && w->e.e == NULL) {
    tide_raiseerrors(L, w->dev, NULL, 0);
  }
  tide_raiselost(L, NULL, 0);
}

/* Finds the object at 2. */
static void find_object (lua_State *L, Wait *w) {
  w->a = tide_testany(L, 2);
  if (w->a != NULL) {
    w->dev = w->a->dev;
    tide_checkopen(L, 2, w->a);
    if (w->a->size > 0)
      tide_checkreadable(L, tide_currentstream(L, w->dev), w->a, waits);
    w->seq = w->dev->rt->stamp;
  } else if (tide_testobject(L, 2, &tide_eventclass) != NULL) {
    w->e = tide_recording(tide_checkevent(L, 2));
    w->dev = w->e.e->re->dev;
  } else if (tide_testobject(L, 2, &tide_streamclass) != NULL) {
    w->s = tide_rtstream(L, tide_checkstream(L, 2));
    w->dev = w->s->dev;
    tide_check(L, rt_checkwait(w->s, waits));
    w->seq = rt_lastof(w->s);
  } else {
    w->dev = tide_checkdevice(L, 2);
    tide_check(L, rt_enter(w->dev));
    tide_check(L, rt_checkcaptures(w->dev, waits));
    rt_lastof(w->dev->null);
    w->seq = w->dev->rt->stamp;
  }
  tide_checkmaywait(L, w->dev, waits);
}

/* Called with (&limit, object). Returns whether it passed within the limit. */
static int wait (lua_State *L) {
  double limit = *(const double *)lua_touserdata(L, 1);
  Wait w = {.until = (limit < 0) ? -1 : tide_seconds(CLOCK_MONOTONIC) + limit};
  find_object(L, &w);
  if (w.a == NULL || w.a->size > 0)
    tide_await(L, w.dev, is_ready, &w, waits);
  if (!w.late)
    raise_errors(L, &w);
  lua_pushboolean(L, !w.late);
  return 1;
}

static const ApiCall wait_call = {wait};

int api_wait (lua_State *L, int arg, double seconds) {
  int kind = api_kind(L, arg);
  if (kind == TIDE_NONE || kind == TIDE_GRAPH)
    tide_typeerror(L, arg, "Array, HostArray, Stream, Event or Device of tide");
  if (seconds != seconds)
    tide_raise(L, "%s: a number of seconds expected, got nan", waits);
  api_check(L, arg, kind);
  lua_pushvalue(L, arg);
  tide_callapi(L, &wait_call, &seconds, 1, 1);
  int done = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return done;
}

static int poll (lua_State *L) {
  lua_pushinteger(L, tide_poll(L, 0));
  return 1;
}

static const ApiCall poll_call = {poll};

int api_poll (lua_State *L) {
  tide_callapi(L, &poll_call, NULL, 0, 1);
  int n = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return n;
}

static const ApiCall pollfd_call = {tide_pollfd};

int api_pollfd (lua_State *L) {
  tide_callapi(L, &pollfd_call, NULL, 0, 1);
  int fd = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return fd;
}

/* ==} */

void tide_openorder (lua_State *L) {
  tide_openapicall(L, &submit_call);
  tide_openapicall(L, &wait_call);
  tide_openapicall(L, &poll_call);
  tide_openapicall(L, &pollfd_call);
}

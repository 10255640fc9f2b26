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
#include "array/layout.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/error.h"
#include "base/type.h"
#include "device/current.h"
#include "device/device.h"
#include "device/event.h"
#include "device/host_error.h"
#include "device/hostfunc.h"
#include "device/service.h"
#include "device/stream.h"
#include "device/submit.h"
#include "rt/driver/context.h"
#include "rt/driver/driver.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/os/clock.h"
#include "rt/queue/kept.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "values.h"

/* {== work ============================================================ */

typedef struct ApiWork {
  const char *what;
  const tide_Access *access;
  int n;
  tide_Work fn;
  void *ud;
  void *handle; /* of the stream, for the caller */
} ApiWork;

static Array *check_access (lua_State *L, int arg, RtDevice *dev, bool write) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  Array *a = array_check_any(L, arg);
  array_check_open(L, arg, a);
  if (write)
    layout_check_writable(L, arg, a);
  if (a->object.class == &array_class && a->dev != dev)
    error_raise(L, "an array of %s is used by work on %s",
                device_write_name(a->dev, x), device_write_name(dev, y));
  return a;
}

/* Lists the accesses; their arrays are from 3 on. */
static void list_accesses (lua_State *L, Op *op, const ApiWork *w,
                           RtDevice *dev) {
  Access *list = class_new_memory(L, (size_t)(w->n + 1) * sizeof *list);
  for (int i = 0; i < w->n; i++) {
    bool write = (w->access[i].write != 0);
    const Array *a = check_access(L, 3 + i, dev, write);
    size_t lo, hi;
    if (a->size == 0)
      continue;
    layout_span(a, &lo, &hi);
    list[op->naccess++] = (Access){a->block, lo, hi - lo, write, false};
  }
  hazard_sort(list, op->naccess);
  op->access = list;
}

/* Returns the device of the first Array, where the work runs. */
static RtDevice *find_device (lua_State *L, int n) {
  for (int i = 0; i < n; i++) {
    const Array *a = array_test(L, 3 + i);
    if (a != NULL)
      return a->dev;
  }
  return current_get_device(L);
}

/* Raises the code that the work has returned: a code of the driver's, or any
** other number, which could equal one of our own codes. */
static int fail_work (lua_State *L, Runtime *rt, int code, const char *what) {
  bool known = (code > 0 && code <= CUDA_ERROR_UNKNOWN);
  return error_fail(L,
                    known
                      ? status_explain(rt, code, what,
                                       "so the work says that it queued")
                      : status_explain(rt, CUDA_ERROR_UNKNOWN, what,
                                       "the work that it queued returned %d, "
                                       "which is no error of the driver's",
                                       code));
}

/* Called with (work, stream or nil, arrays ...). */
static int submit (lua_State *L) {
  ApiWork *w = lua_touserdata(L, 1);
  RtStream *s = stream_opt(L, 2, find_device(L, w->n));
  Op op;
  op_start(&op, OP_CALL, w->what);
  list_accesses(L, &op, w, s->dev);
  op.foreign = true;
  op.u.call.fn = w->fn;
  op.u.call.ud = w->ud;
  op.u.call.result = 0;
  if (w->fn == NULL)
    stream_expose(L, s, w->what);
  submit_work(L, s, &op);
  w->handle = s->handle;
  int result = op.u.call.result;
  return (result == 0) ? 0 : fail_work(L, s->dev->rt, result, w->what);
}

static const ApiCall submit_call = {submit};

/* Checks an array where errors still name the host's own argument. */
static void check_argument (lua_State *L, const tide_Access *access) {
  const Array *a = value_check_array(L, access->arg);
  const char *why = access->write ? layout_why_readonly(a) : NULL;
  if (why != NULL)
    argerror_raise(L, lua_absindex(L, access->arg), "%s", why);
}

/* Pushes the stream, and copies of the arrays. */
static void call_submit (lua_State *L, int stream, ApiWork *w) {
  luaL_checkstack(L, w->n + 8, "too many accesses");
  stream = (stream != 0) ? lua_absindex(L, stream) : 0;
  int top = lua_gettop(L);
  if (stream != 0)
    value_check(L, stream, TIDE_STREAM);
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
  api_call(L, &submit_call, w, w->n + 1, 0);
}

void order_submit (lua_State *L, int stream, const tide_Access *access, int n,
                   tide_Work fn, void *ud) {
  ApiWork w = {"tide_Api.submit", access, n, fn, ud, NULL};
  call_submit(L, stream, &w);
}

void *order_before (lua_State *L, int stream, const tide_Access *access,
                    int n) {
  ApiWork w = {"tide_Api.before", access, n, NULL, NULL, NULL};
  call_submit(L, stream, &w);
  return w.handle;
}

void order_after (lua_State *L, int stream, const tide_Access *access, int n) {
  ApiWork w = {"tide_Api.after", access, n, NULL, NULL, NULL};
  call_submit(L, stream, &w);
}

int order_on_stream (tide_Device device, void *stream, void (*fn)(void *ud),
                     void *ud) {
  const char *why;
  const Driver *D = (device.type == TIDE_CPU)    ? driver_host()
                    : (device.type == TIDE_CUDA) ? driver_cuda(&why)
                                                 : NULL;
  return (D != NULL) ? D->cuLaunchHostFunc(stream, fn, ud)
                     : CUDA_ERROR_INVALID_DEVICE;
}

/* ==} */

/* {== waiting ========================================================= */

/* The goal of a wait: one of these. */
typedef struct ApiWait {
  double until; /* clock; negative: no end */
  bool late;
  const Array *a;
  Recording e;
  RtStream *s;
  RtDevice *dev;
  uint64_t seq; /* the latest operation when it began */
} ApiWait;

static const char waits[] = "tide_Api.wait";

static uint64_t earlier (uint64_t x, uint64_t y) { return x < y ? x : y; }

/* Tells whether the array's uses have passed. A host function may close it
** meanwhile, and then there is nothing to wait for. */
static Status array_passed (const ApiWait *w) {
  const Array *a = w->a;
  if (a->closed || array_is_stale(a))
    return 0;
  for (int i = 0; i < a->block->marks.n; i++) {
    const Mark *k = &a->block->marks.at[i];
    Status st = progress_passed(k->s, earlier(k->seq, w->seq));
    if (st != 0)
      return st;
  }
  return 0;
}

static Status device_passed (const ApiWait *w) {
  const Runtime *rt = w->dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev != w->dev || s->seq <= s->done)
      continue;
    Status st = progress_passed(s, earlier(s->seq, w->seq));
    if (st != 0)
      return st;
  }
  return 0;
}

static Status passed (const ApiWait *w) {
  if (w->a != NULL)
    return array_passed(w);
  if (w->e.e != NULL)
    return event_query(&w->e, waits);
  return (w->s != NULL) ? progress_passed(w->s, w->seq) : device_passed(w);
}

static Status is_ready (void *ud) {
  ApiWait *w = ud;
  Status st = passed(w);
  if (st == CUDA_ERROR_NOT_READY && w->until >= 0 &&
      clock_seconds(CLOCK_MONOTONIC) >= w->until) {
    w->late = true;
    return 0;
  }
  return st;
}

static void raise_errors (lua_State *L, const ApiWait *w) {
  FoundError f = host_error_update(L, NULL); /* may close the array */
  if (w->s != NULL) {
    host_error_raise(L, NULL, w->s, w->seq);
  } else if (w->e.s != NULL) {
    host_error_raise(L, NULL, w->e.s, w->e.seq);
  } else if (w->a != NULL && w->a->block != NULL && !w->a->closed) {
    for (int i = 0; i < w->a->block->marks.n; i++) {
      const Mark *k = &w->a->block->marks.at[i];
      host_error_find(L, &f, k->s, earlier(k->seq, w->seq));
    }
    host_error_raise_found(L, &f);
    size_t lo, hi;
    layout_span(w->a, &lo, &hi);
    submit_check_bytes(L, w->a->block, lo, hi);
  } else if (w->a == NULL && w->e.e == NULL) {
    host_error_raise(L, w->dev, NULL, 0);
  }
  host_error_raise_comm(L, NULL, 0);
}

/* Finds the object at 2. */
static void find_object (lua_State *L, ApiWait *w) {
  w->a = array_test_any(L, 2);
  if (w->a != NULL) {
    w->dev = w->a->dev;
    array_check_open(L, 2, w->a);
    if (w->a->size > 0)
      array_check_readable(L, current_get_stream(L, w->dev), w->a, waits);
    w->seq = w->dev->rt->stamp;
  } else if (class_test(L, 2, &event_class) != NULL) {
    w->e = event_recording(event_check(L, 2));
    w->dev = w->e.e->re->dev;
  } else if (class_test(L, 2, &stream_class) != NULL) {
    w->s = stream_resolve(L, stream_check(L, 2));
    w->dev = w->s->dev;
    error_check(L, wait_check(w->s, waits));
    w->seq = kept_last(w->s);
  } else {
    w->dev = device_check(L, 2);
    error_check(L, context_enter(w->dev));
    error_check(L, runtime_check_captures(w->dev, waits));
    kept_last(w->dev->null);
    w->seq = w->dev->rt->stamp;
  }
  blocking_check(L, w->dev, waits);
}

/* Called with (&limit, object). Returns whether it passed within the limit. */
static int wait (lua_State *L) {
  double limit = *(const double *)lua_touserdata(L, 1);
  ApiWait w = {.until = (limit < 0) ? -1
                                    : clock_seconds(CLOCK_MONOTONIC) + limit};
  find_object(L, &w);
  if (w.a == NULL || w.a->size > 0)
    service_wait(L, w.dev, is_ready, &w, waits);
  if (!w.late)
    raise_errors(L, &w);
  lua_pushboolean(L, !w.late);
  return 1;
}

static const ApiCall wait_call = {wait};

int order_wait (lua_State *L, int arg, double seconds) {
  int kind = value_kind(L, arg);
  if (kind == TIDE_NONE || kind == TIDE_GRAPH)
    type_error(L, arg, "Array, HostArray, Stream, Event or Device of tide");
  if (seconds != seconds)
    error_raise(L, "%s: a number of seconds expected, got nan", waits);
  value_check(L, arg, kind);
  lua_pushvalue(L, arg);
  api_call(L, &wait_call, &seconds, 1, 1);
  int done = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return done;
}

static int poll (lua_State *L) {
  lua_pushinteger(L, hostfunc_poll(L, 0));
  return 1;
}

static const ApiCall poll_call = {poll};

int order_poll (lua_State *L) {
  api_call(L, &poll_call, NULL, 0, 1);
  int n = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return n;
}

static const ApiCall pollfd_call = {hostfunc_pollfd};

int order_poll_fd (lua_State *L) {
  api_call(L, &pollfd_call, NULL, 0, 1);
  int fd = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return fd;
}

/* ==} */

void open_order (lua_State *L) {
  api_register(L, &submit_call);
  api_register(L, &wait_call);
  api_register(L, &poll_call);
  api_register(L, &pollfd_call);
}

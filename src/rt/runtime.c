/*
** runtime.c - a Runtime from birth to death: devices found, contexts retained
** on first use, dropped things freed at safe points, the order of teardown.
*/
#include "runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reset.h"
#include "rt/code/codes.h"
#include "rt/driver/context.h"
#include "rt/driver/driver.h"
#include "rt/driver/names.h"
#include "rt/driver/observer.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/capture.h"
#include "rt/graph/graph_exec.h"
#include "rt/memory/block.h"
#include "rt/memory/copy_pool.h"
#include "rt/memory/export.h"
#include "rt/memory/import.h"
#include "rt/memory/memory.h"
#include "rt/memory/shareable.h"
#include "rt/memory/slots.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_pool.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/peer.h"
#include "rt/submit/rng.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/flags.h"
#include "rt/wait/inbox.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "rt/wait/watcher.h"
#include "sharing.h"
#include "teardown.h"

/* {== devices ========================================================= */

static int count_devices (const Driver *D) {
  int n = 0;
  if (D == NULL || D->cuInit(0) != CUDA_SUCCESS ||
      D->cuDeviceGetCount(&n) != CUDA_SUCCESS)
    return 0;
  return n;
}

static void cap_memory (Memory *m, size_t bytes) {
  m->limit = m->cap = (bytes > 0) ? bytes : NO_LIMIT;
}

static void list_devices (Runtime *rt, Memory *memory, const Driver *D, int n) {
  for (int i = 0; i < n; i++) {
    RtDevice *dev = &rt->devices[rt->ndevices];
    dev->rt = rt;
    dev->D = D;
    dev->ordinal = i;
    dev->index = rt->ndevices++;
    dev->memory = &memory[2 * dev->index];
    cap_memory(&dev->memory[0], rt->caps.bytes);
    cap_memory(&dev->memory[1], rt->caps.pinned_bytes);
  }
}

static Status find_devices (Runtime *rt) {
  const char *why = NULL;
  const Driver *cuda = driver_cuda(&why);
  const Driver *host = observer_table(driver_host());
  cuda = observer_table(cuda);
  int ncuda = count_devices(cuda), nhost = count_devices(host);
  if (ncuda == 0)
    snprintf(rt->no_cuda, sizeof rt->no_cuda, "%s",
             why != NULL ? why : "no CUDA device");
  size_t n = (size_t)(ncuda + nhost);
  rt->devices = calloc(n, sizeof(RtDevice) + 2 * sizeof(Memory));
  if (rt->devices == NULL)
    return RT_NOMEM;
  Memory *memory = (Memory *)&rt->devices[n]; /* behind them */
  list_devices(rt, memory, cuda, ncuda);
  list_devices(rt, memory, host, nhost);
  rt->ncuda = ncuda;
  return 0;
}

/*
** Makes a pool that keeps freed memory. The default threshold of 0 hands memory
** back at every synchronisation, which is very slow.
*/
static Status open_pool (RtDevice *dev) {
  CUmemPoolProps props;
  memset(&props, 0, sizeof props);
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  props.location.id = dev->dev;
  Status st = dev->D->cuMemPoolCreate(&dev->pool, &props);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemPoolCreate");
  uint64_t all = UINT64_MAX;
  st = dev->D->cuMemPoolSetAttribute(dev->pool,
                                     CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
  return st ? status_fail(dev->rt, st, "cuMemPoolSetAttribute") : 0;
}

static Status open_streams (RtDevice *dev) {
  dev->D->cuCtxGetStreamPriorityRange(&dev->least, &dev->greatest);
  Status st = stream_pool_default(dev, STREAM_NULL, &dev->null);
  if (st == 0)
    st = stream_pool_new(dev, CU_STREAM_NON_BLOCKING, 0, &dev->mem);
  if (st == 0)
    st = stream_pool_new(dev, CU_STREAM_NON_BLOCKING, 0, &dev->fn);
  return st;
}

static void close_device (RtDevice *dev) {
  if (dev->ctx == NULL) {
    import_end_all(dev, false);
    shareable_end(dev);
    return;
  }
  if (dev->D->cuCtxSetCurrent(dev->ctx) != CUDA_SUCCESS)
    dev->D->cuCtxSetCurrent(dev->ctx); /* needed to destroy anything */
  slot_forget_all(dev);
  extension_forget(dev);
  block_free_all(dev);
  shareable_end(dev);
  flag_free_all(dev);
  stream_pool_free_all(dev);
  event_pool_free_all(dev);
  code_forget_all(dev);
  sharing_leave(dev);
  if (dev->pool != NULL)
    dev->D->cuMemPoolDestroy(dev->pool);
  dev->D->cuDevicePrimaryCtxRelease(dev->dev);
  dev->ctx = NULL;
  dev->pool = NULL;
  dev->null = dev->mem = dev->fn = NULL;
}

/* The host device's context is its worker threads. */
static Status fail_context (RtDevice *dev, Status st) {
  static const char call[] = "cuDevicePrimaryCtxRetain";
  bool host = context_is_host(dev);
  if (st != CUDA_ERROR_OPERATING_SYSTEM || !host)
    return status_fail(dev->rt, st, call);
  return status_explain(dev->rt, st, call,
                        "the thread that does the work of host:%d cannot be "
                        "started: the system has no more threads",
                        dev->ordinal);
}

static Status open_device (RtDevice *dev) {
  Runtime *rt = dev->rt;
  const Driver *D = dev->D;
  if (D->image == NULL)
    return status_explain(rt, RT_MISUSE, NULL,
                          "%s:%d cannot be used: tide was built without "
                          "kernels (nvcc was not found)",
                          D->kind, dev->ordinal);
  const char *why = (D->complaint != NULL) ? D->complaint() : NULL;
  if (why != NULL)
    return status_explain(rt, RT_MISUSE, NULL, "%s", why);
  Status st = D->cuDeviceGet(&dev->dev, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return status_fail(rt, st, "cuDeviceGet");
  st = D->cuDeviceTotalMem(&dev->total, dev->dev);
  if (st != CUDA_SUCCESS)
    return status_fail(rt, st, "cuDeviceTotalMem");
  CUcontext ctx = NULL;
  st = D->cuDevicePrimaryCtxRetain(&ctx, dev->dev);
  if (st != CUDA_SUCCESS)
    return fail_context(dev, st);
  dev->ctx = ctx;
  st = D->cuCtxSetCurrent(ctx);
  st = st ? status_fail(rt, st, "cuCtxSetCurrent") : sharing_join(dev);
  if (st == 0)
    st = open_pool(dev);
  if (st == 0)
    st = open_streams(dev);
  if (st != 0) {
    const char *call = rt->call;
    close_device(dev);
    rt->call = call;
  }
  return st;
}

/* ==} */

static uint64_t new_id (void) {
  static _Atomic uint64_t latest;
  return ++latest;
}

Status runtime_open (const RtCaps *caps, Runtime **out) {
  context_watch_forks();
  if (context_forks != 0)
    return RT_FORKED;
  Runtime *rt = calloc(1, sizeof *rt);
  if (rt == NULL)
    return RT_NOMEM;
  rt->id = new_id();
  rt->caps = *caps;
  rt->open_device = open_device;
  rt->lose_graphs = graph_exec_lose;
  rt->extensions = extension_list;
  rt->generation = context_forks;
  rt->resets = shared_count_resets();
  rt->capture_ids = 1;
  Status st = inbox_open(&rt->inbox);
  if (st == 0)
    st = find_devices(rt);
  if (st != 0) {
    inbox_close(rt->inbox);
    free(rt->devices);
    free(rt);
    return st;
  }
  *out = rt;
  return 0;
}

/* Not inlined, so that a call with nothing to do needs no registers. */
__attribute__((noinline)) static void drain (Runtime *rt, bool all) {
  if (rt->ncaptures > 0)
    capture_end_abandoned(rt);
  graph_exec_drain(rt, all);
  code_drain(rt, all);
  event_pool_drain(rt);
  stream_pool_drain(rt, all);
  export_drain(rt);
  import_drain(rt, all);
  shareable_drain(rt);
  if (rt->active != 0)
    extension_drain(rt, all);
}

void runtime_drain (Runtime *rt, bool all) {
  if (!rt->finalizing && (all || runtime_has_dropped(rt)))
    drain(rt, all);
}

/*
** The host program's limit counts handles that may have work, so closed streams
** have to be waited for.
*/
Status runtime_check_streams (RtDevice *dev) {
  Runtime *rt = dev->rt;
  int most = rt->caps.streams;
  if (most == 0 || rt->nhandles < most)
    return 0;
  runtime_drain(rt, true);
  if (rt->nhandles < most)
    return 0;
  RtStream *s = LIST_FIRST(RtStream, &rt->dropped[LIFE_STREAM]);
  if (s != NULL)
    return wait_block(dev, WAIT_PASSED, s, s->seq, "Stream");
  return status_explain(rt, RT_LIMIT, NULL,
                        "limit of streams: the host program allows this Lua "
                        "state %d",
                        most);
}

Status runtime_check_captures (RtDevice *dev, const char *what) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams && rt->ncaptures > 0; i++)
    if (rt->streams[i]->dev == dev && rt->streams[i]->capture != NULL)
      return status_fail(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
  return 0;
}

/*
** Tells whether this is an exit handler that runs after the driver's own. Then
** nothing can be given back, and driver threads may still read our memory.
*/
static bool is_driver_gone (const Runtime *rt) {
  for (int i = 0; i < rt->ndevices; i++) {
    const RtDevice *dev = &rt->devices[i];
    if (dev->ctx != NULL &&
        dev->D->cuCtxSetCurrent(dev->ctx) == CUDA_ERROR_DEINITIALIZED)
      return true;
  }
  return false;
}

/* Where work may still fail, all queued work is finished before the last errors
** are reported, whoever closes the Runtime. */
void runtime_finish (Runtime *rt, bool mayfail) {
  if (!mayfail && !extension_has_work(rt))
    return;
  rt->closing = true;
  reset_notice(rt);
  if (is_driver_gone(rt))
    return;
  capture_abandon_all(rt);
  teardown_finish(rt);
  extension_poll(rt);
}

/*
** Order of teardown: captures end; every stream finishes, skipping host
** functions in their turn; dropped objects are freed, and objects without a
** finalizer, made by a finalizer while the lua_State closed; exported memory
** passes to its holders; then per device memory, streams, events, the shared
** part, pool, context.
*/
void runtime_close (Runtime *rt) {
  if (rt == NULL)
    return;
  rt->closing = true;
  copy_pool_close(rt);
  watcher_close(rt);
  if (!context_is_forked(rt)) {
    reset_notice(rt);
    if (is_driver_gone(rt)) {
      extension_stop(rt, true);
      for (int i = 0; i < rt->ndevices; i++)
        import_end_all(&rt->devices[i], false);
      return;
    }
    capture_abandon_all(rt);
    teardown_finish(rt);
    graph_exec_drop_all(rt);
    graph_exec_drain(rt, true); /* before their communicators end */
    extension_stop(rt, false);
    for (int i = 0; i < rt->ndevices; i++)
      timeline_forget_waits(&rt->devices[i]);
    event_pool_drop_all(rt);
    rt->finalizing = false;
    for (int i = 0; i < rt->ndevices; i++)
      kept_drop_all(&rt->devices[i]);
    runtime_drain(rt, true);
    export_detach_all(rt);
    for (int i = 0; i < rt->ndevices; i++)
      close_device(&rt->devices[i]);
    inbox_close(rt->inbox);
    kept_free_functions(rt);
    kept_forget_failed(rt);
  }
  extension_free(rt);
  rng_end_all(rt);
  peer_end(rt);
  for (int i = 0; i < rt->nstreams; i++)
    stream_pool_free(rt->streams[i]);
  code_free_all(rt);
  name_free_all(rt);
  free(rt->streams);
  free(rt->points);
  free(rt->devices);
  free(rt);
}

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

#include "copy_threads.h"
#include "finish.h"
#include "peer.h"
#include "random.h"
#include "reset.h"
#include "rt/code/codes.h"
#include "rt/comm/comm.h"
#include "rt/comm/losses.h"
#include "rt/driver/context.h"
#include "rt/driver/driver.h"
#include "rt/driver/names.h"
#include "rt/driver/probe.h"
#include "rt/driver/witness.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/file/transfer.h"
#include "rt/graph/capture.h"
#include "rt/graph/graph_exec.h"
#include "rt/memory/block.h"
#include "rt/memory/exported.h"
#include "rt/memory/foreign.h"
#include "rt/memory/shareable.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_pool.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/flags.h"
#include "rt/wait/inbox.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "rt/wait/watcher.h"
#include "sharing.h"
#include "upload.h"

/* {== devices ========================================================= */

static const Driver *table (const Driver *D) {
#if defined(TIDE_TESTING)
  return rt_witness_driver(rt_probe_driver(D));
#else
  return D;
#endif
}

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

static void list_devices (Runtime *rt, const Driver *D, int n) {
  for (int i = 0; i < n; i++) {
    RtDevice *dev = &rt->devices[rt->ndevices];
    dev->rt = rt;
    dev->D = D;
    dev->ordinal = i;
    dev->index = rt->ndevices++;
    cap_memory(&dev->memory[0], rt->caps.bytes);
    cap_memory(&dev->memory[1], rt->caps.pinned_bytes);
  }
}

static Status find_devices (Runtime *rt) {
  const char *why = NULL;
  const Driver *cuda = rt_cuda_driver(&why);
  const Driver *host = table(rt_host_driver());
  if (cuda != NULL)
    cuda = table(cuda);
  int ncuda = count_devices(cuda), nhost = count_devices(host);
  if (ncuda == 0)
    snprintf(rt->no_cuda, sizeof rt->no_cuda, "%s",
             why != NULL ? why : "no CUDA device");
  rt->devices = calloc((size_t)(ncuda + nhost), sizeof(RtDevice));
  if (rt->devices == NULL)
    return RT_NOMEM;
  list_devices(rt, cuda, ncuda);
  list_devices(rt, host, nhost);
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
    return rt_fail(dev->rt, st, "cuMemPoolCreate");
  uint64_t all = UINT64_MAX;
  st = dev->D->cuMemPoolSetAttribute(dev->pool,
                                     CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all);
  return st ? rt_fail(dev->rt, st, "cuMemPoolSetAttribute") : 0;
}

static Status open_streams (RtDevice *dev) {
  dev->D->cuCtxGetStreamPriorityRange(&dev->least, &dev->greatest);
  Status st = rt_defaultstream(dev, STREAM_NULL, &dev->null);
  if (st == 0)
    st = rt_newstream(dev, CU_STREAM_NON_BLOCKING, 0, &dev->mem);
  if (st == 0)
    st = rt_newstream(dev, CU_STREAM_NON_BLOCKING, 0, &dev->fn);
  return st;
}

static void close_device (RtDevice *dev) {
  if (dev->ctx == NULL) {
    rt_endforeign(dev, false);
    rt_endshareables(dev);
    return;
  }
  if (dev->D->cuCtxSetCurrent(dev->ctx) != CUDA_SUCCESS)
    dev->D->cuCtxSetCurrent(dev->ctx); /* needed to destroy anything */
  rt_forgetring(dev);
  rt_forgetlanes(dev);
  rt_freeblocks(dev);
  rt_endshareables(dev);
  rt_freeflags(dev);
  rt_freestreams(dev);
  rt_freeevents(dev);
  rt_forgetcodes(dev);
  rt_leaveshared(dev);
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
  bool host = (strcmp(dev->D->kind, "host") == 0);
  if (st != CUDA_ERROR_OPERATING_SYSTEM || !host)
    return rt_fail(dev->rt, st, call);
  return rt_explain(dev->rt, st, call,
                    "the thread that does the work of "
                    "host:%d cannot be started: the system has no more threads",
                    dev->ordinal);
}

static Status open_device (RtDevice *dev) {
  Runtime *rt = dev->rt;
  const Driver *D = dev->D;
  if (D->image == NULL)
    return rt_explain(rt, RT_MISUSE, NULL,
                      "%s:%d cannot be used: tide was built without kernels "
                      "(nvcc was not found)",
                      D->kind, dev->ordinal);
  const char *why = (D->complaint != NULL) ? D->complaint() : NULL;
  if (why != NULL)
    return rt_explain(rt, RT_MISUSE, NULL, "%s", why);
  Status st = D->cuDeviceGet(&dev->dev, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuDeviceGet");
  st = D->cuDeviceTotalMem(&dev->total, dev->dev);
  if (st != CUDA_SUCCESS)
    return rt_fail(rt, st, "cuDeviceTotalMem");
  CUcontext ctx = NULL;
  st = D->cuDevicePrimaryCtxRetain(&ctx, dev->dev);
  if (st != CUDA_SUCCESS)
    return fail_context(dev, st);
  dev->ctx = ctx;
  st = D->cuCtxSetCurrent(ctx);
  st = st ? rt_fail(rt, st, "cuCtxSetCurrent") : rt_joinshared(dev);
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

Status rt_open (const RtCaps *caps, Runtime **out) {
  rt_watchforks();
  if (rt_generation != 0)
    return RT_FORKED;
  Runtime *rt = calloc(1, sizeof *rt);
  if (rt == NULL)
    return RT_NOMEM;
  rt->id = new_id();
  rt->caps = *caps;
  rt->open_device = open_device;
  rt->generation = rt_generation;
  rt->resets = rt_countresets();
  rt->retiring_end = &rt->retiring;
  rt->parked_end = &rt->parked;
  rt->leaving_end = &rt->leaving_loans;
  rt->capture_ids = 1;
  Status st = rt_openinbox(&rt->inbox);
  if (st == 0)
    st = find_devices(rt);
  if (st != 0) {
    rt_closeinbox(rt->inbox);
    free(rt->devices);
    free(rt);
    return st;
  }
  *out = rt;
  return 0;
}

void rt_drain (Runtime *rt, bool all) {
  if (rt->finalizing || (!all && !rt_hasdropped(rt)))
    return;
  if (rt->ncaptures > 0)
    rt_endabandoned(rt);
  rt_draingraphs(rt, all);
  rt_draincodes(rt, all);
  rt_drainevents(rt);
  rt_drainstreams(rt, all);
  rt_drainexports(rt);
  rt_drainforeign(rt, all);
  rt_drainshareables(rt);
  if (rt_hascomms(rt)) {
    rt_losegraphs(rt);
    rt_draincomms(rt);
  }
  if (rt_hasdone(rt))
    rt_reap(rt, all);
}

/*
** The host program's limit counts handles that may have work, so closed streams
** have to be waited for.
*/
Status rt_checkstreams (RtDevice *dev) {
  Runtime *rt = dev->rt;
  int most = rt->caps.streams;
  if (most == 0 || rt->nhandles < most)
    return 0;
  rt_drain(rt, true);
  if (rt->nhandles < most)
    return 0;
  RtStream *s = rt->retiring;
  if (s != NULL)
    return rt_block(dev, WANT_PASSED, s, s->seq, "Stream");
  return rt_explain(rt, RT_LIMIT, NULL,
                    "limit of streams: the host program "
                    "allows this Lua state %d",
                    most);
}

Status rt_checkcaptures (RtDevice *dev, const char *what) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams && rt->ncaptures > 0; i++)
    if (rt->streams[i]->dev == dev && rt->streams[i]->capture != NULL)
      return rt_fail(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
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
void rt_finishlast (Runtime *rt, bool mayfail) {
  if (!mayfail && rt->transfers == NULL && rt->comms == NULL)
    return;
  rt->closing = true;
  rt_noticeresets(rt);
  if (is_driver_gone(rt))
    return;
  rt_abandonall(rt);
  rt_finish(rt);
  rt_askcomms(rt);
}

/*
** Order of teardown: captures end; every stream finishes, skipping host
** functions in their turn; dropped objects are freed, and objects without a
** finalizer, made by a finalizer while the lua_State closed; exported memory
** passes to its holders; then per device memory, streams, events, the shared
** part, pool, context.
*/
void rt_close (Runtime *rt) {
  if (rt == NULL)
    return;
  rt->closing = true;
  rt_closecrew(rt);
  rt_closewatcher(rt);
  if (!rt_forked(rt)) {
    rt_noticeresets(rt);
    if (is_driver_gone(rt)) {
      rt_endtransfers(rt);
      for (int i = 0; i < rt->ndevices; i++)
        rt_endforeign(&rt->devices[i], false);
      return;
    }
    rt_abandonall(rt);
    rt_finish(rt);
    rt_dropgraphs(rt);
    rt_draingraphs(rt, true); /* before their communicators end */
    rt_endcomms(rt);
    rt_freelosses(rt);
    rt_endtransfers(rt);
    for (int i = 0; i < rt->ndevices; i++)
      rt_forgetwaits(&rt->devices[i]);
    rt_dropevents(rt);
    rt->finalizing = false;
    for (int i = 0; i < rt->ndevices; i++)
      rt_dropallkept(&rt->devices[i]);
    rt_drain(rt, true);
    rt_leaveexports(rt);
    for (int i = 0; i < rt->ndevices; i++)
      close_device(&rt->devices[i]);
    rt_closeinbox(rt->inbox);
    rt_freefunctions(rt);
    rt_forgetfailed(rt);
  }
  rt_freetransfers(rt);
  rt_endgenerators(rt);
  rt_endpeers(rt);
  for (int i = 0; i < rt->nstreams; i++)
    rt_freestream(rt->streams[i]);
  rt_freecodes(rt);
  rt_freenames(rt);
  free(rt->streams);
  free(rt->points);
  free(rt->devices);
  free(rt);
}

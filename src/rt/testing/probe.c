/*
** probe.c - a driver table for tests: forwards to another one, counts calls and
** live objects, makes call n fail.
**
** C functions carry no closure, so each probed table has a set of functions of
** its own. There are two: for CUDA's table and for the host device's. The
** counters are shared; they are atomics, because any thread changes them.
*/
#include "probe.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "rt/driver/driver.h"
#include "rt/driver/fault.h"

/* An entry by number: AT_cuInit, ... */
typedef enum At {
#define X(kind, live, since, name, params, args) AT_##name,
#include "rt/driver/driver.def"
#undef X
  AT_NCCL, /* any entry of NCCL */
  NENTRIES,
  AT_ANY, /* for a fault: any entry */
  AT_NONE /* for a fault: an entry that does not exist */
} At;

typedef struct ProbeEntry {
  const char *name;
  int live; /* class that a success adds to, or, if negative, takes from; or
                NONE */
} ProbeEntry;

static const ProbeEntry entries[NENTRIES] = {
#define X(kind, live, since, name, params, args) {#name, live},
#include "rt/driver/driver.def"
#undef X
  {"nccl", NONE},
};

/* Counted by context, because a reset destroys all that is in one. Number 0
** counts objects made without a context. */
enum { CONTEXTS = 65 };
static CUcontext _Atomic contexts[CONTEXTS];
static atomic_long alive[CONTEXTS][LIVE_CLASSES];
static atomic_long calls[NENTRIES];

/* {== faults ========================================================== */

static atomic_long countdown; /* the call that brings it to 0 fails */
static atomic_int fault_only = AT_ANY;
static atomic_int fault_code;
static atomic_int failed = AT_NONE;

static At find (const char *name) {
  for (int at = 0; at < NENTRIES; at++)
    if (strcmp(entries[at].name, name) == 0)
      return (At)at;
  return AT_NONE;
}

/* Stores 'countdown' last, because it arms the fault that the others
** describe. */
void probe_fail (long n, CUresult code, const char *only) {
  atomic_store(&countdown, 0);
  atomic_store(&failed, AT_NONE);
  atomic_store(&fault_code, code);
  atomic_store(&fault_only, only != NULL ? (int)find(only) : AT_ANY);
  atomic_store(&countdown, n > 0 ? n : 0);
}

/* A launch is named as errors name it, whatever entry made it. */
const char *probe_failed (void) {
  int at = atomic_load(&failed);
  if (at == AT_cuLaunchKernelEx)
    at = AT_cuLaunchKernel;
  return at < NENTRIES ? entries[at].name : NULL;
}

static bool may_fail (At at) {
  return entries[at].live >= 0 && at != AT_cuGetErrorName &&
         at != AT_cuGetErrorString;
}

/* Tells whether a fault is for this entry: cuLaunchKernel means all
** launches. */
static bool is_meant (At at) {
  int only = atomic_load(&fault_only);
  bool launches = (only == AT_cuLaunchKernel && at == AT_cuLaunchKernelEx);
  return may_fail(at) && (only == AT_ANY || only == (int)at || launches);
}

/* Tells whether this call is the one to fail. If calls race, one of them is. */
static bool is_due (At at) {
  long n = atomic_load(&countdown);
  if (!is_meant(at))
    return false;
  while (n > 0)
    if (atomic_compare_exchange_weak(&countdown, &n, n - 1))
      return n == 1;
  return false;
}

/* The context of a device that is lost, and what its calls return. */
static CUcontext _Atomic lost;
static atomic_int lost_code;

static _Thread_local CUcontext current; /* current to this thread in its last
                                            call */
static _Thread_local int number;        /* the number of that context */

static void set_current (CUcontext ctx) {
  current = ctx;
  for (number = 1; number < CONTEXTS; number++) {
    CUcontext none = NULL;
    if (atomic_load(&contexts[number]) == ctx ||
        atomic_compare_exchange_strong(&contexts[number], &none, ctx) ||
        none == ctx)
      return;
  }
  number = 0;
}

void probe_lose (CUcontext ctx, CUresult code) {
  atomic_store(&lost_code, code);
  atomic_store(&lost, ctx);
}

/* Returns what a call on a lost device must return, whatever its own result, or
** CUDA_SUCCESS. Entries that set a thread's state, or need no device, still
** work. */
static CUresult lost_result (At at) {
  CUcontext ctx = atomic_load(&lost);
  if (ctx == NULL || current != ctx || at == AT_cuCtxSetCurrent ||
      at == AT_cuGetErrorName || at == AT_cuGetErrorString)
    return CUDA_SUCCESS;
  return atomic_load(&lost_code);
}

/* ==} */

/* {== counts ========================================================== */

static _Thread_local At latest, before_latest; /* calls of this thread */

/* Counts a call. Returns the result that it must give without being forwarded,
** or CUDA_SUCCESS. Entries that free something are forwarded even on a lost
** device, because they free it all the same. */
static CUresult begin (At at) {
  atomic_fetch_add(&calls[at], 1);
  before_latest = latest;
  latest = at;
  if (!is_due(at))
    return (entries[at].live >= 0) ? lost_result(at) : CUDA_SUCCESS;
  atomic_store(&failed, at);
  return atomic_load(&fault_code);
}

bool probe_is_due (void) {
  atomic_fetch_add(&calls[AT_NCCL], 1);
  if (!is_due(AT_NCCL))
    return false;
  atomic_store(&failed, AT_NCCL);
  return true;
}

/* Uncounts a poll that says "not yet", and the entering for it, because their
** number depends on chance. */
static void refund (void) {
  bool entered = before_latest == AT_cuCtxSetCurrent &&
                 is_meant(AT_cuCtxSetCurrent);
  long n = atomic_load(&countdown);
  while (n > 0)
    if (atomic_compare_exchange_weak(&countdown, &n, n + 1 + entered))
      return;
}

/* After a fault the driver returns its code, but frees all the same. */
static bool is_freed (CUresult code) {
  return code == CUDA_SUCCESS || fault_is_fatal(code);
}

static CUresult end (At at, CUresult code) {
  int live = entries[at].live;
  if (code == CUDA_ERROR_NOT_READY && is_meant(at))
    refund();
  if (code == CUDA_SUCCESS && live > 0)
    atomic_fetch_add(&alive[number][live], 1);
  else if (live < 0 && is_freed(code))
    atomic_fetch_sub(&alive[number][-live], 1);
  if (live < 0 && code == CUDA_SUCCESS)
    return lost_result(at);
  return code;
}

/* The end of an invalidated capture may succeed without a graph. */
static CUresult end_capture (CUresult code, CUgraph *graph) {
  if (code == CUDA_SUCCESS && *graph == NULL)
    atomic_fetch_sub(&alive[number][LIVE_GRAPH], 1);
  return code;
}

/* Resets the counts of the current context, on a lost device as well. Its
** owners stay owners, and objects of no context stay. */
static CUresult reset (CUresult code) {
  bool gone = (code == lost_result(AT_cuDevicePrimaryCtxReset));
  for (int i = 0; gone && i < LIVE_CLASSES; i++)
    if (i != LIVE_CONTEXT && i != LIVE_ADDRESSES && i != LIVE_SHAREABLE)
      atomic_store(&alive[number][i], 0);
  return code;
}

void probe_live (long out[LIVE_CLASSES]) {
  for (int i = 0; i < LIVE_CLASSES; i++) {
    out[i] = 0;
    for (int k = 0; k < CONTEXTS; k++)
      out[i] += atomic_load(&alive[k][i]);
  }
}

long probe_calls (const char *name) {
  long sum = 0;
  At only = (name != NULL) ? find(name) : AT_ANY;
  for (int at = 0; at < NENTRIES; at++)
    if (only == AT_ANY || only == (At)at)
      sum += atomic_load(&calls[at]);
  return sum;
}

/* ==} */

/* {== tables ========================================================== */

enum { NPROBES = 2 };

/* The table that each set forwards to, written once before the set is handed
** out. */
static const Driver *bases[NPROBES];

#define FORWARD(set, name, params, args) \
  static CUresult name##set params { \
    CUresult fault = begin(AT_##name); \
    return fault ? fault : end(AT_##name, bases[set]->name args); \
  }

#define X(kind, live, since, name, params, args) \
  FORWARD(0, name, params, args) FORWARD(1, name, params, args)
#include "rt/driver/driver.def"
#undef X

static CUresult reset0 (CUdevice dev) {
  return reset(cuDevicePrimaryCtxReset0(dev));
}

static CUresult reset1 (CUdevice dev) {
  return reset(cuDevicePrimaryCtxReset1(dev));
}

static CUresult set_current0 (CUcontext ctx) {
  set_current(ctx);
  return cuCtxSetCurrent0(ctx);
}

static CUresult set_current1 (CUcontext ctx) {
  set_current(ctx);
  return cuCtxSetCurrent1(ctx);
}

static CUresult end_capture0 (CUstream s, CUgraph *graph) {
  return end_capture(cuStreamEndCapture0(s, graph), graph);
}

static CUresult end_capture1 (CUstream s, CUgraph *graph) {
  return end_capture(cuStreamEndCapture1(s, graph), graph);
}

static Driver probes[NPROBES] = {
#define X(kind, live, since, name, params, args) .name = name##0,
  {
#include "rt/driver/driver.def"
  },
#undef X
#define X(kind, live, since, name, params, args) .name = name##1,
  {
#include "rt/driver/driver.def"
  }
#undef X
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* bases, probes */

static void fill (int set, const Driver *base) {
  bases[set] = base;
  probes[set].kind = base->kind;
  probes[set].image = base->image;
  probes[set].ptx = base->ptx;
  probes[set].stop = base->stop;
  probes[set].why = base->why;
  probes[set].look = base->look;
  probes[set].listen = base->listen;
  probes[set].complaint = base->complaint;
  probes[set].cuStreamEndCapture = set == 0 ? end_capture0 : end_capture1;
  probes[set].cuDevicePrimaryCtxReset = set == 0 ? reset0 : reset1;
  if (base->cuFuncGetParamInfo == NULL)
    probes[set].cuFuncGetParamInfo = NULL;
  probes[set].cuCtxSetCurrent = set == 0 ? set_current0 : set_current1;
}

/* Returns the probe of a driver, always the same table; NULL for a third
** driver. */
const Driver *probe_driver (const Driver *base) {
  const Driver *probe = NULL;
  pthread_mutex_lock(&lock);
  for (int set = 0; set < NPROBES && probe == NULL; set++) {
    if (bases[set] == NULL)
      fill(set, base);
    if (bases[set] == base)
      probe = &probes[set];
  }
  pthread_mutex_unlock(&lock);
  return probe;
}

const Driver *probe_base (const Driver *probe) { return bases[probe - probes]; }

/* ==} */

/*
** stream_pool.c - RtStream: creates, wraps and keeps driver streams, and gives
** them back once their work is done.
**
** DESIGN. Sequence numbers come from one counter per Runtime. An RtStream whose
** handle is given up is dropped, waits for its last event, and is bare then: it
** is reused for a new stream. Because numbers only grow, old marks and waits
** that name it stay true.
*/
#include "stream_pool.h"

#include <limits.h>
#include <stdlib.h>

#include "handles.h"
#include "kept.h"
#include "rt/driver/context.h"
#include "rt/driver/fault.h"
#include "rt/driver/owner.h"
#include "rt/driver/status.h"
#include "rt/memory/cache.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/error_order.h"
#include "rt/wait/progress.h"

/* {== birth =========================================================== */

static Status reserve_ids (Runtime *rt) {
  int n = rt->nstreams;
  Status st = status_make_room(rt, &rt->streams, n, sizeof *rt->streams);
  return (st != 0) ? st
                   : status_make_room(rt, &rt->points, n, sizeof *rt->points);
}

/* Takes a struct without a handle: the latest bare one of the device, which has
** blocks in its cache, or a new one. */
static Status take (RtDevice *dev, RtStream **out) {
  Runtime *rt = dev->rt;
  for (Link *at = dev->bare.last; at != NULL; at = at->before) {
    RtStream *s = (RtStream *)at;
    if (s->errors > 0)
      continue;
    links_remove(&dev->bare, &s->link);
    *out = s;
    return 0;
  }
  Status st = reserve_ids(rt);
  if (st != 0)
    return st;
  RtStream *s = calloc(1, sizeof *s);
  if (s == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  s->dev = dev;
  s->waited = s->met;
  s->id = rt->nstreams;
  rt->streams[rt->nstreams++] = s;
  *out = s;
  return 0;
}

static void putback (RtStream *s) {
  owner_release_all(&s->owners);
  fault_forget(s);
  links_add(&s->dev->bare, &s->link);
}

static RtStream *born (RtStream *s, CUstream handle, StreamKind kind) {
  s->handle = handle;
  s->kind = kind;
  s->live = true;
  life_begin(&s->life, LIFE_STREAM, s->dev);
  s->nonblocking = false;
  s->priority = 0;
  s->thread = 0;
  s->exposed = (kind != STREAM_OWNED);
  s->captured_once = false;
  s->unasked = false;
  progress_forget_waits(s); /* waits of its last owner are not this handle's */
  error_order_forget(s);
  return s;
}

static int clamp (const RtDevice *dev, int priority) {
  if (priority > dev->least)
    return dev->least;
  return (priority < dev->greatest) ? dev->greatest : priority;
}

Status stream_pool_new (RtDevice *dev, unsigned flags, int priority,
                        RtStream **out) {
  RtStream *s;
  CUstream handle = NULL;
  Status st = context_enter(dev);
  if (st == 0)
    st = take(dev, &s);
  if (st != 0)
    return st;
  priority = clamp(dev, priority);
  st = handle_take(dev, flags, priority, &handle);
  if (st != 0) {
    putback(s);
    return st;
  }
  if (dev->fn != NULL)
    dev->rt->nhandles++;
  *out = born(s, handle, STREAM_OWNED);
  s->nonblocking = (flags & CU_STREAM_NON_BLOCKING) != 0;
  s->priority = priority;
  return 0;
}

static RtStream *find_default (RtDevice *dev, StreamKind kind) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->live && s->dev == dev && s->kind == kind &&
        (kind != STREAM_PTDS || s->thread == context_thread_id()))
      return s;
  }
  return NULL;
}

/* Keeps default streams for the Runtime's life; it holds a reference of
** each. */
Status stream_pool_default (RtDevice *dev, StreamKind kind, RtStream **out) {
  RtStream *s = find_default(dev, kind);
  if (s == NULL) {
    Status st = (kind == STREAM_PTDS) ? context_enter(dev) : 0;
    if (st == 0 && kind == STREAM_PTDS)
      st = device_lock_make_ptds(dev);
    if (st == 0)
      st = take(dev, &s);
    if (st != 0)
      return st;
    born(s, kind == STREAM_NULL ? CU_STREAM_LEGACY : CU_STREAM_PER_THREAD,
         kind);
    s->thread = context_thread_id();
  }
  *out = s;
  return 0;
}

static Status read_external (RtStream *s) {
  const Driver *D = s->dev->D;
  unsigned flags = 0;
  CUcontext ctx = NULL;
  Status st = D->cuStreamGetCtx(s->handle, &ctx);
  if (st != CUDA_SUCCESS)
    return status_fail(s->dev->rt, st, "cuStreamGetCtx");
  if (ctx != s->dev->ctx)
    return status_explain(s->dev->rt, RT_MISUSE, NULL,
                          "the stream belongs to another device or context "
                          "than %s:%d",
                          D->kind, s->dev->ordinal);
  st = D->cuStreamGetFlags(s->handle, &flags);
  if (st != CUDA_SUCCESS)
    return status_fail(s->dev->rt, st, "cuStreamGetFlags");
  s->nonblocking = (flags & CU_STREAM_NON_BLOCKING) != 0;
  st = D->cuStreamGetPriority(s->handle, &s->priority);
  return st ? status_fail(s->dev->rt, st, "cuStreamGetPriority") : 0;
}

static RtStream *find_handle (RtDevice *dev, CUstream handle) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->live && s->dev == dev && s->handle == handle && s->refs > 0)
      return s;
  }
  return NULL;
}

/* Tells whether the handle is that of a closed stream of ours. The driver still
** knows it, because it is kept for a new stream. */
static bool is_closed (RtDevice *dev, CUstream handle) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    const RtStream *s = rt->streams[i];
    if (s->dev == dev && s->handle == handle && s->kind == STREAM_OWNED)
      return true;
  }
  return handle_is_idle(dev, handle);
}

/* Uses one RtStream per handle, so that work queued by either name is in order,
** and comes after the same host functions. */
Status stream_pool_wrap (RtDevice *dev, CUstream handle, RtStream **out) {
  Status st = context_enter(dev);
  RtStream *s = (st == 0) ? find_handle(dev, handle) : NULL;
  if (s != NULL) {
    stream_pool_retain(s);
    *out = s;
    return 0;
  }
  if (st == 0 && is_closed(dev, handle))
    st = status_explain(dev->rt, CUDA_ERROR_INVALID_HANDLE,
                        "tide.ExternalStream", "the stream is closed");
  if (st == 0)
    st = take(dev, &s);
  if (st != 0)
    return st;
  born(s, handle, STREAM_EXTERNAL);
  st = read_external(s);
  if (st != 0) {
    s->live = false;
    s->handle = NULL;
    s->refs = 0;
    life_leave(&s->life, LIFE_STREAM);
    putback(s);
    return st;
  }
  *out = s;
  return 0;
}

/* ==} */

/*
** Moves a thread's default stream to a new handle if the Lua state is now on
** another thread, because the old one cannot be reached from there. Kept
** operations, and all later ones, go to the new handle, behind the work on the
** old one.
*/
Status stream_pool_leave_thread (RtStream *s) {
  CUstream handle = NULL;
  if (s->handle != CU_STREAM_PER_THREAD || s->thread == context_thread_id())
    return 0;
  const Tail *at = progress_find_tail(s,
                                      s->sent); /* each operation is marked at
                                                once */
  Status st = handle_take(s->dev, CU_STREAM_DEFAULT, 0, &handle);
  if (st == 0 && at != NULL &&
      (st = s->dev->D->cuStreamWaitEvent(handle, at->event, 0)) != 0)
    status_fail(s->dev->rt, st, "cuStreamWaitEvent");
  if (st == 0)
    s->handle = handle;
  else if (handle != NULL)
    handle_return(s->dev, CU_STREAM_DEFAULT, 0, handle);
  return st;
}

/* Tells whether the handle is destroyed with the struct. */
static bool is_ours (const RtStream *s) {
  return s->handle != NULL &&
         (s->kind == STREAM_OWNED ||
          (s->kind == STREAM_PTDS && s->handle != CU_STREAM_PER_THREAD));
}

/* {== death =========================================================== */

void stream_pool_retain (RtStream *s) { s->refs++; }

void stream_pool_drop (RtStream *s) {
  if (s->kind == STREAM_NULL || s->kind == STREAM_PTDS)
    s->refs--;
  else
    life_drop(&s->life, LIFE_STREAM);
}

/* Destroys the handle. Returns false if the driver cannot be reached now. */
static bool give_up (RtStream *s) {
  if (s->kind == STREAM_OWNED && s->handle != NULL) {
    if (context_reenter(s->dev) != 0)
      return false;
    s->dev->D->cuStreamDestroy(s->handle);
    s->dev->rt->nhandles--;
  }
  kept_drop(s);
  progress_set_done(s, s->seq);
  s->handle = NULL;
  return true;
}

/* Retires a stream that has no references. Its tail event tells later when its
** work is done; if there is none yet, settle asks for one. */
static void retire (RtStream *s) {
  s->live = false;
  progress_mark_tail(s);
}

/* Tells whether the handle can be reused: not if the end of a capture
** failed. */
static bool is_clean (RtStream *s) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return !s->captured_once ||
         (context_enter(s->dev) == 0 &&
          s->dev->D->cuStreamIsCapturing(s->handle, &status) == CUDA_SUCCESS &&
          status == CU_STREAM_CAPTURE_STATUS_NONE);
}

/* Gives the handle of a retired stream back once its work is done. After an
** error of the query it asks again later, unless the device has failed. */
static bool settle (RtStream *s) {
  Status st = progress_passed(s, s->seq);
  if (st == CUDA_ERROR_NOT_READY)
    return false;
  bool clean = (s->handle == NULL || is_clean(s));
  if (st != 0 && clean && s->dev->fault.code == 0)
    return false;
  if ((st != 0 || !clean) && !give_up(s))
    return false;
  if (s->kind == STREAM_OWNED && s->handle != NULL) {
    handle_return(s->dev,
                  s->nonblocking ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT,
                  s->priority, s->handle);
    s->dev->rt->nhandles--;
  }
  s->handle = NULL;
  return true;
}

static bool end (Life *o) {
  RtStream *s = (RtStream *)o;
  if (!life_is_stale(o)) {
    if (s->live && context_reenter(s->dev) != 0)
      return false;
    if (s->live)
      retire(s);
    if (!settle(s))
      return false;
  }
  putback(s);
  return true;
}

void stream_pool_drain (Runtime *rt, bool all) {
  life_drain(rt, LIFE_STREAM, all ? INT_MAX : 1, end);
}

/* Forgets the handle of a stream, all of whose work is over. */
static void forget (RtStream *s) {
  s->done = s->sent = s->seq;
  s->ntails = 0;
  s->handle = NULL;
  s->live = false;
}

/* After a reset: streams that are still held go when they are dropped. */
void stream_pool_forget_all (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev != dev)
      continue;
    if (s->live && (s->kind == STREAM_NULL || s->kind == STREAM_PTDS)) {
      life_leave(&s->life, LIFE_STREAM);
      putback(s);
    }
    if (s->kind == STREAM_OWNED && s->handle != NULL && s != dev->mem &&
        s != dev->fn)
      rt->nhandles--;
    forget(s);
  }
}

void stream_pool_free_all (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev != dev)
      continue;
    progress_set_done(s, s->seq);
    if (is_ours(s))
      dev->D->cuStreamDestroy(s->handle);
    s->handle = NULL;
    s->live = false;
    owner_release_all(&s->owners);
  }
}

void stream_pool_free (RtStream *s) {
  progress_forget_waits(s);
  error_order_free(s);
  cache_free_shelves(s);
  free(s->tails);
  free(s);
}

/* ==} */

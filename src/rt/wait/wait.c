/*
** wait.c - the parts of a wait: what a blocked call waits for, how a wait
** rests, and how an interrupted wait stops kernels.
**
** A wait asks the driver again and again. It begins with a tight loop, because
** most waits are short (launch and synchronise takes about 7 us on an H200).
** Then it sleeps between questions, for times that grow with the wait, so that
** it ends late by a small part of its length. On the host device events wake it
** as well; its sleeps are longer there, because waking takes a core from the
** workers.
*/
#include "wait.h"

#include <sched.h>
#include <stdlib.h>

#include "comm_end.h"
#include "deferral.h"
#include "device_lock.h"
#include "inbox.h"
#include "progress.h"
#include "rt/driver/context.h"
#include "rt/driver/fault.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"
#include "rt/queue/stream_types.h"

enum {
  SPIN_NS_CUDA = 5000000, /* the driver's own default is to spin for ever */
  SPIN_NS_HOST = 30000,   /* the workers need this core */
  NAP_MIN_US = 20,
  NAP_HOST_US = 200,
  NAP_MAX_US = 500,
  NAP_PART = 128 /* sleeps for this part of the time waited */
};

/* {== what a blocked call waits for =================================== */

Status wait_block (RtDevice *dev, WaitKind kind, RtStream *s, uint64_t seq,
                   const char *what) {
  dev->rt->wait_reason = (WaitReason){kind, dev, s, seq, what, NULL};
  return RT_BLOCKED;
}

Status wait_block_until (bool (*is_ready)(const WaitReason *w), RtDevice *dev,
                         RtStream *s, uint64_t seq, const char *what) {
  Status st = wait_block(dev, WAIT_ASKED, s, seq, what);
  dev->rt->wait_reason.is_ready = is_ready;
  return st;
}

Status wait_is_ready (const WaitReason *w) {
  bool ready = false;
  switch (w->kind) {
    case WAIT_PASSED: return progress_passed(w->s, w->seq);
    case WAIT_OPEN: return device_lock_is_open(w->dev);
    case WAIT_SENT: ready = !deferral_keeps(w->s, w->seq); break;
    case WAIT_ROOM: ready = deferral_has_room(w->dev->rt); break;
    case WAIT_ASKED: ready = w->is_ready(w); break;
    case WAIT_QUIET: ready = (w->dev->rt->nkept == 0); break;
    case WAIT_ENDED: ready = !comm_end_is_due(w->dev->rt); break;
  }
  return ready ? 0 : CUDA_ERROR_NOT_READY;
}

Status wait_check (RtStream *s, const char *what) {
  if (s->capture != NULL)
    return status_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
  return progress_check_legacy(s, what);
}

Status wait_peek (RtStream *s, uint64_t seq) {
  Tail at;
  bool quick = context_is_host(s->dev);
  if (quick || seq <= s->done || progress_find_tail(s, seq) != NULL ||
      s->capture != NULL || deferral_keeps(s, seq))
    return progress_passed(s, seq);
  Status st = context_enter(s->dev);
  if (st == 0)
    st = progress_tail(s, seq, &at);
  return (st == 0) ? CUDA_ERROR_NOT_READY : st;
}

/* ==} */

/* {== resting ========================================================= */

void wait_start (RtWaiter *w, RtDevice *dev) {
  *w = (RtWaiter){.dev = dev, .host = context_is_host(dev)};
  wait_respin(w);
}

void wait_resume (RtWaiter *w) {
  w->dev->rt->polls = true;
  w->dev->rt->current = NULL;
}

void wait_respin (RtWaiter *w) {
  w->turns = 0;
  w->tired = false;
  wait_resume(w);
}

void wait_end (RtWaiter *w) {
  w->dev->rt->polls = false;
  if (w->listens)
    w->dev->D->listen(&w->listener, false);
  w->listens = false;
}

/* Makes events that are reached from now on wake the wait. */
static void listen (RtWaiter *w) {
  w->listener = (DriverListener){NULL, inbox_end_sleep, w->dev->rt->inbox};
  w->listens = true;
  w->dev->D->listen(&w->listener, true);
}

static int64_t waited_ns (const RtWaiter *w) { return clock_now() - w->start; }

static int64_t nap_ns (const RtWaiter *w) {
  return nap_length(waited_ns(w), NAP_PART, w->host ? NAP_HOST_US : NAP_MIN_US,
                    NAP_MAX_US);
}

static void spin (RtWaiter *w) {
  if ((++w->turns & 15) == 0 && w->host)
    sched_yield();
  if (w->turns == 1)
    w->start = clock_now();
  else if ((w->turns & 31) == 0)
    w->tired = waited_ns(w) > (w->host ? SPIN_NS_HOST : SPIN_NS_CUDA);
}

/* Fails, and so ends the wait, once the device has failed. */
Status wait_rest (RtWaiter *w) {
  if (!w->tired) {
    spin(w);
    return 0;
  }
  if (w->host && !w->listens) {
    listen(w);
    return 0;
  }
  inbox_sleep(w->dev->rt->inbox, nap_ns(w));
  Status st = fault_query(w->dev);
  return st ? status_fail(w->dev->rt, st, "cuStreamQuery") : 0;
}

/* ==} */

/* {== kernels that take too long ====================================== */

enum { GRACE_MS = 250 }; /* for kernels that run when a wait is interrupted */

static int stop (const Runtime *rt, const DriverStream *streams, int n,
                 unsigned ms, char name[DRIVER_KERNEL]) {
  if (rt->ncuda == rt->ndevices)
    return 0;
  const Driver *D = rt->devices[rt->ncuda].D; /* stops kernels of all host
                                                  devices */
  return D->stop(rt->id, streams, n, ms, name);
}

int wait_stop_kernels (Runtime *rt, unsigned ms, char name[DRIVER_KERNEL]) {
  return stop(rt, NULL, 0, ms, name);
}

/* Tells whether the stream runs work of this Runtime alone. Default streams are
** shared with other Runtimes. */
static bool is_ours (const RtStream *s) {
  const RtDevice *dev = s->dev;
  return s->live && context_is_host(dev) && s->sent > s->done &&
         (s->kind == STREAM_OWNED || shared_is_only_user(dev));
}

/* Lists our streams of host devices that have work. */
static int list_streams (const Runtime *rt, DriverStream *list) {
  int n = 0;
  for (int i = 0; list != NULL && i < rt->nstreams; i++)
    if (is_ours(rt->streams[i]))
      list[n++] = (DriverStream){rt->streams[i]->dev->ordinal,
                                 rt->streams[i]->handle};
  return n;
}

Status wait_interrupt (Runtime *rt) {
  char name[DRIVER_KERNEL];
  DriverStream *list = malloc((size_t)rt->nstreams * sizeof *list + 1);
  int n = stop(rt, list, list_streams(rt, list), GRACE_MS, name);
  free(list);
  if (n == 0)
    return status_fail(rt, RT_INTERRUPTED, NULL);
  return status_explain(rt, RT_INTERRUPTED, NULL,
                        n > 1 ? " kernel '%s' and others did not end and were "
                                "stopped: what they write is not whole"
                              : " kernel '%s' did not end and was stopped: "
                                "what it writes is not whole",
                        name);
}

/* ==} */

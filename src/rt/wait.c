/*
** wait.c - the one way to block. Every wait of the library comes through
** here, so it cannot deadlock with gates (the inbox is serviced), stops on
** Ctrl-C, and is seen by the sync_debug hook and the counter.
**
** A wait asks the driver again and again: first in a tight loop, since most
** waits are short (launch and synchronise takes about 7 us on an H200), then
** with sleeps that a posted host function ends early. They grow with the wait,
** so that its end is seen late by a small part of it.
*/
#include "wait.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include "branches.h"
#include "events.h"
#include "gate.h"
#include "graphs.h"
#include "inbox.h"
#include "progress.h"
#include "runtime.h"
#include "shared.h"
#include "trace.h"

enum {
  SPIN_US_CUDA = 5000,  /* the driver's own default is to spin for ever */
  SPIN_US_HOST = 30,    /* its workers want this core */
  NAP_MIN_US = 20,
  NAP_MAX_US = 500,
  NAP_PART = 128        /* of the time that was waited so far */
};

typedef struct Waiter {
  Runtime *rt;
  bool host;
  uint64_t last;  /* host functions of later operations need not run */
  int turns;
  int64_t start;  /* ns, when spinning began */
  bool tired;     /* has spun for long enough */
} Waiter;

static int64_t now_ns (void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
** Inside a host function only those run that what is waited for may need: one
** queued later may itself need what the function around it holds up.
*/
static Waiter new_waiter (const RtDevice *dev, uint64_t seq) {
  Waiter w = {dev->rt, strcmp(dev->D->kind, "host") == 0, UINT64_MAX, 0, 0,
              false};
  if (dev->rt->running.depth > 0)
    w.last = seq;
  return w;
}

static long waited_us (const Waiter *w) {
  return (long)((now_ns() - w->start) / 1000);
}

static long nap_us (const Waiter *w) {
  long us = waited_us(w) / NAP_PART;
  return us < NAP_MIN_US ? NAP_MIN_US : us > NAP_MAX_US ? NAP_MAX_US : us;
}

/* One turn of waiting: opens gates, services the inbox, spins or sleeps. */
static Status turn (Waiter *w) {
  Runtime *rt = w->rt;
  if (rt->ending != NULL)
    rt_pollending(rt);
  if (rt_posted(rt->inbox) && rt->hooks.service != NULL &&
      rt_isdue(rt->inbox, w->last)) {
    w->turns = 0;
    w->tired = false;
    return rt->hooks.service(rt->hooks.ud, w->last);
  }
  if (!w->tired) {
    if ((++w->turns & 15) == 0 && w->host)
      sched_yield();
    if (w->turns == 1)
      w->start = now_ns();
    else if ((w->turns & 31) == 0)
      w->tired = waited_us(w) > (w->host ? SPIN_US_HOST : SPIN_US_CUDA);
    return 0;
  }
  rt_sleepinbox(rt->inbox, nap_us(w), w->last);
  return (rt->hooks.tick != NULL) ? rt->hooks.tick(rt->hooks.ud) : 0;
}

/* Inside a host function, work that its gate holds up cannot be waited for. */
static bool held_up (const Runtime *rt, const RtStream *s, uint64_t seq) {
  for (const RtRunning *r = &rt->running; r->depth > 0; r = r->around)
    if (rt_isbehind(s, seq, r->at))
      return true;
  return false;
}

static Status refuse (Runtime *rt, const char *what) {
  return rt_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                    "called in a host function, it would wait for work that "
                    "waits for the function");
}

Status rt_announce (Runtime *rt, const char *what) {
  rt->waits += (what != NULL);
  return (rt->hooks.before != NULL) ? rt->hooks.before(rt->hooks.ud, what) : 0;
}

static Status begin (RtStream *s, uint64_t seq, const char *what) {
  Runtime *rt = s->dev->rt;
  return held_up(rt, s, seq) ? refuse(rt, what) : rt_announce(rt, what);
}

/* What is known without blocking: has it passed, may it be waited for? */
static Status look (RtStream *s, uint64_t seq, const char *what) {
  if (rt_forked(s->dev->rt))
    return rt_fail(s->dev->rt, RT_FORKED, NULL);
  if (s->capture != NULL)
    return rt_fail(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
  Status st = rt_checklegacy(s, what);
  return (st != 0) ? st : rt_passed(s, seq);
}

Status rt_wait (RtStream *s, uint64_t seq, const char *what) {
  Waiter w = new_waiter(s->dev, seq);
  if (seq <= s->done && s->capture == NULL)
    return 0;
  Status st = look(s, seq, what);
  if (st == CUDA_ERROR_NOT_READY && (st = begin(s, seq, what)) == 0)
    st = CUDA_ERROR_NOT_READY;
  while (st == CUDA_ERROR_NOT_READY) {
    st = turn(&w);
    if (st == 0)
      st = rt_passed(s, seq);
  }
  return st;
}

static const char *entry_of (const Op *op) {
  switch (op->kind) {
    case OP_LAUNCH: return "cuLaunchKernel";
    case OP_COPY: return "cuMemcpyAsync";
    case OP_ZERO: return "cuMemsetD8Async";
    case OP_GRAPH: return "cuGraphLaunch";
    default: return op->name;
  }
}

/* A fault is this operation's, since all earlier ones were waited for. */
Status rt_waitoperation (RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  Waiter w = new_waiter(s->dev, s->seq);
  if (op->kind == OP_HOLD || (rt->running.depth > 0 &&
      (rt_heldup(s, s->seq) || held_up(rt, s, s->seq))))
    return 0;
  if (rt->hooks.before != NULL)
    rt->hooks.before(rt->hooks.ud, NULL);
  Status st = rt_passed(s, s->seq);
  while (st == CUDA_ERROR_NOT_READY) {
    st = turn(&w);
    if (st == 0)
      st = rt_passed(s, s->seq);
  }
  return rt_isfatal(st) ? rt_fail(rt, st, entry_of(op)) : st;
}

Status rt_synchronize (RtStream *s, const char *what) {
  Status st = (s->capture != NULL) ? 0 : rt_checklegacy(s, what);
  if (st != 0)
    return st;
  if (s->capture == NULL)
    s->seq = ++s->dev->rt->stamp;  /* others may have queued work as well */
  return rt_wait(s, s->seq, what);
}

Status rt_waitevent (RtEvent *e, const char *what) {
  if (e->s == NULL)
    return 0;
  RtStream *s = e->s;
  uint64_t seq = e->seq;
  Waiter w = new_waiter(e->dev, seq);
  Status st = rt_queryevent(e, what);
  if (st == CUDA_ERROR_NOT_READY && (st = begin(s, seq, what)) == 0)
    st = CUDA_ERROR_NOT_READY;
  while (st == CUDA_ERROR_NOT_READY) {
    st = turn(&w);
    if (st != 0)
      return st;
    if (e->s != s || e->seq != seq)  /* recorded again by a host function */
      return rt_wait(s, seq, what);
    st = rt_queryevent(e, what);
  }
  return st;
}

Status rt_waituntil (RtDevice *dev, uint64_t seq, Status (*ready) (void *ud),
                     void *ud, const char *what) {
  Waiter w = new_waiter(dev, seq);
  Status st = rt_announce(dev->rt, what);
  if (st == 0)
    st = CUDA_ERROR_NOT_READY;
  while (st == CUDA_ERROR_NOT_READY) {
    st = turn(&w);
    if (st == 0)
      st = ready(ud);
  }
  return st;
}

Status rt_quiesce (Runtime *rt, const char *what) {
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->gated <= s->done || s->capture != NULL)
      continue;
    Status st = rt_wait(s, s->gated, what);
    if (st != 0)
      return st;
  }
  return 0;
}

Status rt_waitgates (RtDevice *dev, const char *what) {
  Runtime *rt = dev->rt;
  Waiter w = new_waiter(dev, UINT64_MAX);
  if (rt->running.depth > 0)
    return refuse(rt, what);
  Status st = rt_quiesce(rt, what);
  Gates gates = rt_gates(dev);
  if (st == 0 && gates == GATES_SHUT)
    st = rt_announce(rt, what);
  for (; st == 0 && gates == GATES_SHUT; gates = rt_gates(dev)) {
    st = turn(&w);
    if (st == 0 && (st = rt_askdevice(dev)) != 0)  /* never to be opened */
      rt_fail(rt, st, "cuStreamQuery");
  }
  if (st == 0 && gates == GATES_STUCK)
    st = rt_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                    "it would wait for a host function of another Lua state "
                    "of this thread");
  return st;
}

/* {== the end of a host function ====================================== */

/*
** What it queued and later operations touch has to come before those, which
** wait for its gate: so its gate waits. That may be for another function to
** run, which in turn may queue what waits for this gate. So nobody waits here: a
** node whose time has not come is kept, and whoever waits or drains next looks
** after it.
*/
static void release (RtHostNode *node) {
  rt_opengate(node->gate, node->open);  /* before anybody takes it for open */
  rt_noteopen(node->s, node->body == NULL ? node->seq : 0);
  if (node->body == NULL)
    rt_returnnode(node->rt, node);
}

/* An error of the query is no reason to go on: asked again, a device that works
** tells, and one that does not runs nothing any more. */
static bool is_over (Point p) {
  Status st = rt_passed(p.s, p.seq);
  if (st != 0 && st != CUDA_ERROR_NOT_READY)
    st = rt_passed(p.s, p.seq);
  return st != CUDA_ERROR_NOT_READY;
}

void rt_pollending (Runtime *rt) {
  for (RtHostNode **at = &rt->ending, *node; (node = *at) != NULL;) {
    if (is_over(node->pending)) {
      *at = node->next;
      release(node);
    } else {
      at = &node->next;
    }
  }
}

static void keep (RtHostNode *node, Point pending) {
  Runtime *rt = node->rt;
  node->pending = pending;
  node->next = rt->ending;
  rt->ending = node;
}

void rt_endnode (RtHostNode *node, Point pending) {
  if (pending.s == NULL || is_over(pending))
    release(node);
  else
    keep(node, pending);
}

/* ==} */

/* hooks.service at close: opens gates only. */
static Status open_posted (void *ud, uint64_t last) {
  Runtime *rt = ud;
  RtHostNode *node;
  while ((node = rt_takeposted(rt->inbox, last)) != NULL) {
    if (node->body != NULL)
      rt_launchof(node);
    release(node);
  }
  return 0;
}

/* Memory goes back next, so an error of the query is no reason to go on while
** kernels run: asked again, a device that still works lets us wait, and one
** that does not runs nothing any more. */
static void run_dry (RtStream *s, uint64_t seq) {
  if (rt_wait(s, seq, "close") != 0)
    rt_wait(s, seq, "close");
}

/*
** The lua_State closes inside host functions (os.exit), which will not return:
** their gates open as if they had, the innermost first. What is around each is
** on the C stack below us.
*/
static void leave_running (Runtime *rt) {
  while (rt->running.depth > 0) {
    RtRunning r = rt->running;
    rt->running = *r.around;
    if (r.pending.s != NULL)
      keep(r.node, r.pending);
    else
      release(r.node);
  }
}

void rt_finish (Runtime *rt) {
  RtHooks hooks = {rt, open_posted, NULL, NULL, NULL};
  rt->hooks = hooks;
  leave_running(rt);
  for (int i = 0; i < rt->nstreams; i++)
    run_dry(rt->streams[i], rt->streams[i]->seq);
}

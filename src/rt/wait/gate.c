/*
** gate.c - gates: what holds a stream at a host function until Lua has run it.
**
** DESIGN. A gate is shut from the moment that its host function (or a graph's
** launch with some) is queued until that has run. On the device it is a wait
** for a flag in page-locked memory (cuStreamWaitValue32), which counts the
** functions of the stream that have run; in graphs each function has a flag of
** its own.
**
** Such a wait has its price: it takes the device 10 us to notice the flag, and
** a stream that stands there occupies one of few queues (standing.c). So a gate
** is held on the device only when something comes after it: the next operation
** of its stream, one of a stream that follows, an event. Functions one after
** the other need no waits between, as they are run in their order; and mostly a
** program waits for the function itself. Where others may queue work that tide
** does not see, the gate is held at once.
**
** Which gates an operation comes after: hurdles.c.
**
** A stream takes 1021 operations behind a gate, then the call that queues the
** next one blocks inside the driver, with the thread that is to open the gate.
** An operation is a kernel, a copy or a launch of a graph; a function and the
** wait for it take 18 places, events none (all seen on an H200). So what is
** queued there is counted. Nothing here waits: a call that cannot go on says so
** (RT_BLOCKED); host functions, which must not wait, have some places more.
*/
#include "gate.h"

#include <stdlib.h>
#include <string.h>

#include "endings.h"
#include "flags.h"
#include "hurdles.h"
#include "inbox.h"
#include "progress.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/driver/witness.h"
#include "standing.h"
#include "wait.h"

enum {
  ROOM = 640,           /* behind a stream's oldest gate, */
  ROOM_RUNNING = 960,   /* and for what host functions queue */
  FUNCTION_WEIGHT = 18
};

/* {== following ======================================================= */

/* Before 's' comes to a gate: what was queued earlier can then be waited for
** without it. The same for those whose next operation the driver puts
** behind. */
static Status mark_tail (RtStream *s) {
  Tail at;
  uint64_t seq = (s->unheld != 0) ? s->unheld - 1 : s->seq;
  return (seq > s->done) ? rt_tail(s, seq, &at) : 0;
}

bool rt_islegacypair (const RtStream *s, const RtStream *t) {
  return s != t && s->dev == t->dev && !s->nonblocking && !t->nonblocking &&
         (s->kind == STREAM_NULL || t->kind == STREAM_NULL);
}

Status rt_eachpartner (RtStream *s, Status (*act) (RtStream *s, RtStream *t)) {
  Runtime *rt = s->dev->rt;
  Status st = 0;
  if (s->nonblocking)
    return 0;
  if (s->kind != STREAM_NULL)
    return act(s, s->dev->null);
  for (int i = 0; i < rt->nstreams && st == 0; i++)
    if (rt->streams[i]->handle != NULL && rt_islegacypair(s, rt->streams[i]))
      st = act(s, rt->streams[i]);
  return st;
}

static Status mark_partner (RtStream *s, RtStream *t) {
  (void)s;
  return mark_tail(t);
}

static Status mark_tails (RtStream *s) {
  Status st = mark_tail(s);
  return (st != 0) ? st : rt_eachpartner(s, mark_partner);
}

static Status wait_for_flag (RtStream *s, const uint32_t *flag,
                             uint32_t value) {
  Status st = s->dev->D->cuStreamWaitValue32(s->handle,
      (CUdeviceptr)(uintptr_t)flag, value, CU_STREAM_WAIT_VALUE_GEQ);
  return st ? rt_fail(s->dev->rt, st, "cuStreamWaitValue32") : 0;
}

/* For what rt_holdhurdles will queue. */
static Status check_flag_room (RtStream *s, const RtStream *t) {
  uint64_t weight = FUNCTION_WEIGHT * (1 + (uint64_t)t->nhurdles);
  if (rt_isroomy(s, weight))
    return 0;
  return rt_block(s->dev, WANT_ROOM, s, weight, "cuStreamWaitEvent");
}

/* Whether the wait itself succeeds or not. */
Status rt_beforefollow (RtStream *s, RtStream *t, uint64_t seq) {
  if (s->dev->rt->shut == 0 || !rt_isheld(t, seq))
    return 0;
  Status st = rt_reservehurdles(s, t->nhurdles + 1);
  if (st == 0)
    st = check_flag_room(s, t);
  if (st == 0)
    st = mark_tails(s);
  return (st != 0) ? st : rt_stand(s, "cuStreamWaitEvent");
}

/* How many functions of 'of' have run once its gates up to there are open; 0:
** only graphs brought them. */
static uint32_t flag_of (const RtStream *of, uint64_t upto) {
  uint32_t value = 0;
  for (RtGate *g = of->gates; g != NULL && g->seq <= upto; g = g->next)
    if (g->body == NULL)
      value = rt_nodeof(g)->value;
  return value;
}

static bool has_waited (const RtStream *s, const Hurdle *h, uint32_t value) {
  for (int i = 0; i < s->nhurdles; i++)
    if (s->hurdles[i].of == h->of && s->hurdles[i].flag >= value)
      return true;
  return false;
}

/* The wait is one of the operations behind the hurdle. */
static Status hold_at (RtStream *s, Hurdle *h) {
  uint32_t value = flag_of(h->of, h->upto);
  if (has_waited(s, h, value))
    return 0;
  Status st = wait_for_flag(s, h->of->flag, value);
  if (st != 0)
    return st;
  h->flag = value;
  s->weight += FUNCTION_WEIGHT;
  s->seq = ++s->dev->rt->stamp;
  return 0;
}

/*
** In four of some 60,000 random programs, on an H200 (driver 580) kept busy by
** other processes, what the legacy stream was to do after a function of another
** stream was done before: an event wait (cuStreamWaitEvent) was all that it had
** been told. It then waited for the flags of such streams as they do, and two
** of 26,000 programs were still wrong. So all who follow wait for the flags.
*/
Status rt_holdhurdles (RtStream *s) {
  Status st = 0;
  if (s->dev->rt->shut == 0)
    return 0;
  for (int i = 0; i < s->nhurdles && st == 0; i++) {
    Hurdle *h = &s->hurdles[i];
    if (h->of->dev == s->dev && rt_hasgate(h->of, h->upto))
      st = hold_at(s, h);
  }
  return st;
}

/* ==} */

/* {== before an operation ============================================= */

/* The wait is an operation: the stream is not done, nor its flag free, before
** the device has gone on. */
Status rt_holdgates (RtStream *s, const char *what) {
  if (s->unheld == 0)
    return 0;
  Status st = rt_stand(s, what);
  if (st == 0)
    st = mark_tails(s);
  if (st == 0)
    st = wait_for_flag(s, s->flag, s->asked);
  if (st == 0) {
    s->unheld = 0;
    s->seq = ++s->dev->rt->stamp;
  } else {
    rt_settle(s->dev);
  }
  return st;
}

/* How much of a stream's queue an operation takes. */
static uint64_t weight_of (int functions) {
  return 1 + FUNCTION_WEIGHT * (uint64_t)functions;
}

/* What has been queued on 's' since the oldest gate that it stands at. */
static uint64_t used_room (const RtStream *s) {
  uint64_t before = s->weight;
  if (s->gates != NULL && s->gates->seq != s->unheld)
    before = s->gates->before;
  for (int i = 0; i < s->nhurdles; i++) {
    const Hurdle *h = &s->hurdles[i];
    if (h->before < before && rt_hasgate(h->of, h->upto))
      before = h->before;
  }
  return s->weight - before;
}

static uint64_t most (const Runtime *rt) {
#if defined(TIDE_TESTING)
  if (rt->most_room > 0 && rt->running == NULL)
    return (uint64_t)rt->most_room;
#endif
  return (rt->running != NULL) ? ROOM_RUNNING : ROOM;
}

bool rt_isroomy (const RtStream *s, uint64_t weight) {
  uint64_t used = used_room(s);
  return used == 0 || used + weight <= most(s->dev->rt);
}

/* A function needs no wait for those before it, nor mostly one after it. What
** must go through behind an operation does, also where that was let in as there
** was nothing before it. */
Status rt_passgates (RtStream *s, const Op *op) {
  int functions = rt_functionsof(op);
  bool lone = (op->kind == OP_HOSTFN && !s->exposed);
  Status st = 0;
  if (op->kind != OP_HOSTFN)
    st = rt_holdgates(s, op->name);
  if (st == 0 && functions > 0 && !lone)
    st = rt_stand(s, op->name);
  if (st != 0 || !s->standing)
    return st;
  uint64_t weight = weight_of(functions);
  if (op->kind == OP_FILE)
    weight += PIECE_WEIGHT * (uint64_t)op->u.file.pieces;
  if (s->promised > 0)
    s->promised--;
  else if (!rt_isroomy(s, weight + op->ahead))
    return rt_block(s->dev, WANT_ROOM, s, weight + op->ahead, op->name);
  if (op->ahead > 0)
    s->promised = op->ahead;
  s->weight += weight;
  return 0;
}

/* ==} */

/* {== launches of graphs ============================================== */

void rt_notelaunch (RtGraph *g, RtStream *s, RtGate *gate) {
  RtBody *body = g->body;
  g->last = body->last = (Point){s, s->dev->rt->stamp + 1};
  if (gate == NULL)
    return;
  rt_addgate(s, gate, body);
  rt_sawlaunch(s, gate);
  RtGate **at = &body->launches;
  while (*at != NULL)
    at = &(*at)->next_launch;
  *at = gate;
}

static void end_launch (RtBody *body, RtGate *gate) {
  RtGate **at = &body->launches;
  while (*at != gate)
    at = &(*at)->next_launch;
  *at = gate->next_launch;
  free(gate);
}

/* ==} */

/* {== shut and open =================================================== */

void rt_addgate (RtStream *s, RtGate *gate, RtBody *body) {
  Runtime *rt = s->dev->rt;
  uint64_t seq = rt->stamp + 1;
  int n = (body != NULL) ? body->nhosts : 1;
  uint64_t weight = s->standing ? weight_of(n) : 0;
  *gate = (RtGate){.s = s, .seq = seq, .body = body, .left = n,
                   .before = s->weight - weight};
  if (s->gates == NULL)
    s->last_gate = &s->gates;
  *s->last_gate = gate;
  s->last_gate = &gate->next;
  s->shut++;
  rt->shut++;
  rt_countbars(1);
  rt->newest_gate = seq;
}

/* The oldest gate of its stream. Who stands behind it may be of any device. */
static void open_gate (RtGate *gate) {
  RtStream *s = gate->s;
  Runtime *rt = s->dev->rt;
  s->gates = gate->next;
  s->shut--;
  rt->shut--;
  rt_countbars(-1);
  if (s->unheld == gate->seq)
    s->unheld = (gate->next != NULL) ? gate->next->seq : 0;
  for (int i = 0; i < rt->ndevices; i++)
    rt_settle(&rt->devices[i]);
  if (rt->watcher != NULL)
    rt_alert(rt->inbox);  /* what stood behind it has to be asked */
}

void rt_beginfunction (RtHostNode *node) {
  const RtGate *gate = rt_gateof(node);
  Runtime *rt = node->rt;
  rt->running = node;
  rt->at = (Point){gate->s, gate->seq};
  rt_setdone(gate->s, gate->seq - 1);
  rt_sawbegin(node, gate);
}

/* The host device's workers look at flags now and then, and when it is
** asked. */
static void let_look (const RtDevice *dev) {
  if (dev->rt->shut > 0 && dev->mem != NULL &&
      strcmp(dev->D->kind, "host") == 0)
    dev->D->cuStreamQuery(dev->mem->handle);
}

void rt_endfunction (RtHostNode *node) {
  RtGate *gate = rt_gateof(node);
  const RtDevice *dev = gate->s->dev;
  node->rt->running = NULL;
  rt_sawend();
  if (!rt_isdead(dev)) {  /* another Lua state may just have reset it */
    rt_setflag(node->flag, node->value);
    let_look(dev);
  }
  if (--gate->left > 0)
    return;
  open_gate(gate);
  if (node->body != NULL) {
    end_launch(node->body, gate);
  } else {
    rt_setdone(gate->s, gate->seq);
    free(node);
  }
}

/* ==} */

/* No function of the gates will run: nodes of graphs belong to the bodies, the
** others are left for the State to forget. */
static void forget_stream (RtStream *s) {
  for (RtGate *gate; (gate = s->gates) != NULL;) {
    open_gate(gate);
    if (gate->body != NULL)
      end_launch(gate->body, gate);
    else
      rt_abandonnode(rt_nodeof(gate));
  }
  s->flag = NULL;
  s->asked = 0;
  s->nhurdles = 0;
}

void rt_dropgates (RtDevice *dev) {
  const Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->dev == dev)
      forget_stream(rt->streams[i]);
}

/* The device was reset: nobody stands at a gate, and the pages are gone. */
void rt_forgetgates (RtDevice *dev) {
  rt_dropgates(dev);
  rt_settle(dev);
  dev->nword_pages = 0;
  rt_freeflags(dev);
}

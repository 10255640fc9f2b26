/*
** kept.c - operations that are kept until host functions have run.
**
** DESIGN. The device never waits for Lua. A host function is a place in the
** list of its stream. An operation comes after it on its stream, or by what it
** reads, writes or waits for. Then it is appended to the list of its
** own stream, with copies of its parameters and the points that it has to wait
** for; it does not reach the driver. A function may run once all that was sent
** before it is done; then the list is sent up to the next function.
**
** "Comes after" is one comparison: a point (t, seq) is kept if the list of t
** has an operation up to seq. Points name earlier operations only, so
** everything can be sent in the order of calls, and no list waits for itself.
** The driver orders operations on the legacy stream and on blocking streams as
** they are queued. So an operation on one of them is sent only after the older
** ones of the other.
**
** An operation whose turn comes while the driver must not have it, because
** ranks wait for others or end, stays in its list. Each wait tries again.
**
** Some calls return RT_BLOCKED until the operations before them have been sent,
** and this wait runs host functions: a call that gives the driver's stream to
** others, an operation that cannot be copied, and every call while the lists
** are full.
*/
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include "dispatch.h"
#include "kept_copy.h"
#include "rt/driver/context.h"
#include "rt/driver/observer.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/graph_types.h"
#include "rt/memory/block_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/error_order.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "rt/wait/waitlist.h"
#include "stream_order.h"
#include "stream_pool.h"
#include "stream_types.h"

/* {== lists =========================================================== */

static void add_keeper (RtStream *s) {
  RtStream **at = &s->dev->rt->keepers;
  while (*at != NULL)
    at = &(*at)->next_keeper;
  *at = s;
  s->next_keeper = NULL;
  s->last_kept = &s->kept;
}

static void remove_keeper (RtStream *s) {
  RtStream **at = &s->dev->rt->keepers;
  while (*at != s)
    at = &(*at)->next_keeper;
  *at = s->next_keeper;
}

/* Returns the event that an operation needs, or NULL. */
static RtEvent *event_of (const Op *op) {
  return op_kind_is_in(op->kind, OPS_OF_EVENTS) ? op->u.event : NULL;
}

static void append (RtStream *s, RtKept *k) {
  Runtime *rt = s->dev->rt;
  RtEvent *e = event_of(&k->op);
  if (s->kept == NULL)
    add_keeper(s);
  k->seq = k->op.seq = s->seq = ++rt->stamp;
  *s->last_kept = k;
  s->last_kept = &k->next;
  k->op.must = false; /* it can be sent later */
  rt->nkept++;
  if (e != NULL)
    e->kept++;
  if (k->op.kind != OP_HOSTFN)
    return;
  rt->newest_function = k->seq;
  if (s->kept == k)
    waitlist_watch(s);
}

/* Uncounts memory that was dropped meanwhile, once the lists use it no more. */
static void uncount_memory (Runtime *rt, const Op *op) {
  for (int i = 0; i < op->naccess && rt->kept_bytes > 0; i++) {
    RtBlock *b = op->access[i].block;
    if (!b->kept || deferral_find_use(&b->marks) != NULL)
      continue;
    b->kept = false;
    rt->kept_bytes -= b->size;
  }
}

/* Takes the oldest operation off the list. It has been sent, or never will
** be. */
static RtKept *take (RtStream *s) {
  Runtime *rt = s->dev->rt;
  RtKept *k = s->kept;
  RtEvent *e = event_of(&k->op);
  s->sent = k->seq;
  s->kept = k->next;
  if (s->kept == NULL)
    remove_keeper(s);
  rt->nkept--;
  uncount_memory(rt, &k->op);
  if (e != NULL)
    e->kept--;
  return k;
}

void kept_free (RtKept *k) {
  free(k->detail);
  free(k);
}

/* Checks that there is room. A call that has begun to queue goes on without. */
static Status check_room (RtStream *s, const Op *op) {
  return (op->must || deferral_has_room(s->dev->rt))
           ? 0
           : wait_block(s->dev, WAIT_ROOM, s, 0, op->name);
}

/* Blocks until all that the operation comes after has been sent. */
static Status await_sent (RtStream *s, const Op *op, const Point *points,
                          int n) {
  Status st = deferral_check_sent(s, op->name);
  const Point *p = deferral_find_unsent(points, n);
  return (st != 0 || p == NULL)
           ? st
           : wait_block(s->dev, WAIT_SENT, p->s, p->seq, op->name);
}

/* {== sending ========================================================= */

/* Keeps the error for the next call that waits, because the call that queued
** the operation is over. */
static void fail (RtKept *k, Status st) {
  Runtime *rt = k->s->dev->rt;
  rt->errors++;
  k->s->errors++; /* its struct is not reused before the report */
  k->status = st;
  k->call = rt->call;
  k->detail = strdup(rt->detail);
  RtKept **at = &rt->failed;
  while (*at != NULL)
    at = &(*at)->next;
  k->next = NULL;
  *at = k;
}

/* Tells whether the event has been recorded again since. */
static bool is_over (const RtKept *k) {
  const RtEvent *e = k->op.u.event;
  return k->op.kind == OP_RECORD && (e->s != k->s || e->seq != k->seq);
}

static Status send (RtKept *k) {
  RtStream *s = k->s;
  bool waits = (k->op.kind != OP_WAIT || k->nafter > 0 ||
                k->op.u.wait.event != NULL);
  Status st = dispatch_check(s, &k->op);
  if (st == RT_BLOCKED)
    return st;
  if (st == 0 && waits)
    st = context_enter(s->dev);
  if (st == 0 && s->kind == STREAM_PTDS)
    st = stream_pool_leave_thread(s);
  for (int i = 0; i < k->nafter && st == 0; i++)
    st = stream_order_wait(s, k->after[i].s, k->after[i].seq, k->op.name);
  for (int i = 0; i < k->nafter && st == 0 && s->dev->rt->errors > 0; i++)
    st = error_order_note(s, k->seq, k->after[i]);
  if (st == 0 && !is_over(k))
    st = dispatch_op(s, &k->op);
  else if (st != 0 && k->op.kind == OP_FILE)
    dispatch_cancel_file(s, &k->op);
  if (st == RT_BLOCKED)
    return st;
  s->sent = k->seq;
  if (st != 0)
    return st;
  observer_note(s, &k->op);
  st = dispatch_mark_tail(s, &k->op);
  return (st == 0 && k->op.kind == OP_FILE) ? k->op.u.file.result : st;
}

static bool can_send (const RtKept *k) {
  return k->op.kind != OP_HOSTFN &&
         deferral_find_unsent(k->after, k->nafter) == NULL &&
         deferral_older_partner(k->s, k->seq) == NULL;
}

/* Sends what can be sent. A device that has failed takes nothing; for a reset
** device kept_drop_all drops the list. */
static bool send_stream (RtStream *s) {
  bool some = false;
  bool works = (s->dev->fault.code == 0 && !shared_is_dead(s->dev));
  while (works && s->kept != NULL && can_send(s->kept)) {
    Status st = send(s->kept);
    if (st == RT_BLOCKED) {
      s->dev->rt->resends = true;
      break;
    }
    RtKept *k = take(s);
    if (st != 0)
      fail(k, st);
    else
      kept_free(k);
    some = true;
  }
  if (some && kept_is_function(s->kept))
    waitlist_watch(s);
  return some;
}

/* Event loops ask again after a while if an operation could not be sent now. */
void kept_send (Runtime *rt) {
  bool some = (rt->nkept > 0);
  rt->resends = false;
  while (some) {
    some = false;
    for (RtStream *s = rt->keepers, *next; s != NULL; s = next) {
      next = s->next_keeper;
      some |= send_stream(s);
    }
  }
  waitlist_watch_others(rt);
}

/* ==} */

/* {== keeping ========================================================= */

static void free_chain (RtKept **first) {
  for (RtKept *k; (k = *first) != NULL;) {
    *first = k->next;
    kept_free(k);
  }
}

/* Makes an operation of each part of a graph. The first one waits for the
** points of the launch; if it is a host function, a wait before it does. */
static Status copy_parts (RtStream *s, const Op *op, const Point *points, int n,
                          RtKept **at) {
  RtBody *body = op->u.graph->body;
  Status st = 0;
  if (n > 0 && body->parts[0].function != NULL) {
    const Op wait = {.kind = OP_WAIT, .name = op->name};
    st = kept_copy_new(s, &wait, points, n, at);
    n = 0;
    if (st == 0)
      at = &(*at)->next;
  }
  for (int i = 0; i < body->nparts && st == 0; i++) {
    Op part = *op;
    part.part = i;
    if (body->parts[i].function != NULL)
      part = body->parts[i].function->op;
    st = kept_copy_new(s, &part, points, (i == 0) ? n : 0, at);
    if (st != 0)
      break;
    (*at)->body = body;
    at = &(*at)->next;
  }
  return st;
}

/* Sends the first part at once if nothing keeps it back, so that the call can
** fail. */
static Status send_first (RtStream *s, RtKept **first) {
  RtKept *k = *first;
  if (s->kept != NULL || k == NULL || !can_send(k))
    return 0;
  k->seq = k->op.seq = s->seq = ++s->dev->rt->stamp;
  Status st = send(k);
  *first = k->next;
  kept_free(k);
  return st;
}

static Status keep_parts (RtStream *s, const Op *op, const Point *points,
                          int n) {
  RtKept *first = NULL;
  Status st = copy_parts(s, op, points, n, &first);
  if (st == 0)
    st = send_first(s, &first);
  while (st == 0 && first != NULL) {
    RtKept *k = first;
    first = k->next;
    k->next = NULL;
    append(s, k);
  }
  free_chain(&first);
  return st;
}

Status kept_add (RtStream *s, const Op *op, const Point *points, int n) {
  RtKept *k;
  if (!kept_copy_can(s, op))
    return await_sent(s, op, points, n);
  Status st = check_room(s, op);
  if (st != 0)
    return st;
  if (op->kind == OP_GRAPH && op->u.graph->body->nfunctions > 0)
    return keep_parts(s, op, points, n);
  st = kept_copy_new(s, op, points, n, &k);
  if (st != 0)
    return st;
  append(s, k);
  if (op->kind == OP_FILE)
    dispatch_begin_file(s, &k->op);
  return 0;
}

/* ==} */

void kept_redirect (const RtGraph *g, RtGraph *other) {
  for (RtStream *s = g->dev->rt->keepers; s != NULL; s = s->next_keeper)
    for (RtKept *k = s->kept; k != NULL; k = k->next)
      if (k->op.kind == OP_GRAPH && k->op.u.graph == g)
        k->op.u.graph = other;
}

/* On an exposed null stream others' work comes after operations that blocking
** streams keep. So a wait is kept there, if there is memory for it. */
static void count_others (RtStream *s) {
  static const Op op = {.kind = OP_WAIT, .name = "wait"};
  if (deferral_older_partner(s, UINT64_MAX) == NULL ||
      kept_add(s, &op, NULL, 0) != 0)
    s->seq = s->sent = ++s->dev->rt->stamp;
}

uint64_t kept_last (RtStream *s) {
  if (s->exposed && s->kept == NULL)
    count_others(s);
  return s->seq;
}

/* {== host functions ================================================== */

/* Mostly finds the function that was queued first at once, and then does not
** ask about the others. */
RtKept *kept_next_function (Runtime *rt, uint64_t upto) {
  RtKept *found = NULL;
  if (rt->resends)
    kept_send(rt);
  for (RtStream *s = rt->keepers; s != NULL; s = s->next_keeper) {
    RtKept *k = s->kept;
    if (kept_is_function(k) && k != rt->running && k->seq <= upto &&
        (found == NULL || k->seq < found->seq) &&
        progress_passed(s, s->sent) == 0) {
      found = k;
      upto = k->seq;
    }
  }
  return found;
}

void kept_begin_function (RtKept *k) {
  Runtime *rt = k->s->dev->rt;
  rt->running = k;
  rt->at = (Point){k->s, k->seq};
  rt->ran_at = rt->stamp;
  progress_set_done(k->s, k->seq - 1);
}

void kept_end_function (RtKept *k) {
  RtStream *s = k->s;
  Runtime *rt = s->dev->rt;
  if (rt->running == k)
    rt->running = NULL;
  if (s->kept == k) { /* else its device was reset */
    take(s);
    progress_set_done(s, k->seq);
    if (kept_is_function(s->kept))
      waitlist_watch(s);
    kept_send(rt);
  }
  kept_free(k);
}

/* ==} */

/* {== operations that never run ======================================= */

RtKept *kept_new_function (RtStream *s, int ref) {
  RtKept *k = calloc(1, sizeof *k);
  if (k == NULL)
    return NULL;
  k->op.kind = OP_HOSTFN;
  k->op.name = "host function";
  k->op.u.hostfn.ref = ref;
  k->s = s;
  return k;
}

void kept_abandon_function (RtKept *k) {
  Runtime *rt = k->s->dev->rt;
  k->next = rt->unref;
  rt->unref = k;
}

void kept_free_functions (Runtime *rt) { free_chain(&rt->unref); }

void kept_forget_failed (Runtime *rt) { free_chain(&rt->failed); }

void kept_drop (RtStream *s) {
  const Runtime *rt = s->dev->rt;
  while (s->kept != NULL) {
    RtKept *k = take(s);
    if (k->op.kind == OP_FILE)
      dispatch_cancel_file(s, &k->op);
    if (k == rt->running)
      k->next = NULL; /* kept_end_function frees it */
    else if (k->op.kind == OP_HOSTFN && k->body == NULL)
      kept_abandon_function(k);
    else
      kept_free(k);
  }
  s->sent = s->seq;
}

void kept_drop_all (RtDevice *dev) {
  const Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->dev == dev)
      kept_drop(rt->streams[i]);
}

/* ==} */

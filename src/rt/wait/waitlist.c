/*
** waitlist.c - coroutines that sleep until a point of a stream has passed,
** without blocking the thread.
**
** DESIGN. The work of a stream ends in its order, so its tickets form a queue.
** One question to the driver, about the first ticket, says whether there is
** anything to do. So the cost depends on the number of streams, not of tickets.
** Tickets for something else than a point of a stream are asked one by one.
** Taking all tickets that are over goes in rounds: no stream is asked twice in
** a round, except those that had one over. For an event loop the watcher asks
** about the first tickets; what it finds is asked again here.
**
** A question takes as long as launching a small kernel (progress.c). So the
** stream that was asked longest ago comes first, and one that has just said no
** comes last. With many streams most answers are yes, so a caller stops at the
** first ticket that is over.
*/
#include "waitlist.h"

#include "deferral.h"
#include "inbox.h"
#include "progress.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "watcher.h"

Status waitlist_ask (RtTicket *t) {
  return (t->ask != NULL) ? t->ask(t) : progress_passed(t->s, t->seq);
}

/* Lets the watcher ask about an event behind the work before the function. */
static void look_after_function (RtStream *s) {
  Runtime *rt = s->dev->rt;
  if (rt->watcher == NULL)
    return;
  if (s->sent <= s->done || progress_mark_tail(s) != 0)
    inbox_post_wakeup(rt->inbox);
  else
    watcher_add(s, s->sent, NULL);
}

void waitlist_watch (RtStream *s) {
  const RtTicket *t = LIST_FIRST(RtTicket, &s->tickets);
  if (t != NULL && !deferral_keeps(s, t->seq))
    watcher_add(s, t->seq, (t->event != NULL) ? *t->event : NULL);
  else if (s->kept != NULL && s->kept->op.kind == OP_HOSTFN)
    look_after_function(s);
}

void waitlist_watch_others (Runtime *rt) {
  watcher_note_unwatched(rt, rt->odd_tickets.n > 0 || rt->resends);
}

/* {== queues ========================================================== */

static void append (Runtime *rt, RtStream *s) {
  s->next_awaited = NULL;
  *(rt->awaited != NULL ? &rt->last_awaited->next_awaited : &rt->awaited) = s;
  rt->last_awaited = s;
}

/* Searches from the end, because the newest ticket mostly comes last. */
void waitlist_add (RtTicket *t) {
  Runtime *rt = t->dev->rt;
  RtStream *s = t->s;
  t->queued = true;
  if (s == NULL) { /* in front: the round that runs does not ask it */
    links_add_behind(&rt->odd_tickets, NULL, &t->link);
    waitlist_watch_others(rt);
    return;
  }
  if (s->tickets.n == 0) {
    append(rt, s);
    rt->nawaited++;
  }
  Link *before = s->tickets.last;
  while (before != NULL && ((RtTicket *)before)->seq > t->seq)
    before = before->before;
  links_add_behind(&s->tickets, before, &t->link);
  if (before == NULL)
    waitlist_watch(s);
}

/* Searches from the front, because the stream is mostly the first. If the
** current round has asked it already, the round leaves one other stream to the
** next round. */
static void leave_queue (RtStream *s) {
  Runtime *rt = s->dev->rt;
  RtStream **at = &rt->awaited, *before = NULL;
  for (; *at != s; at = &before->next_awaited)
    before = *at;
  *at = s->next_awaited;
  if (rt->last_awaited == s)
    rt->last_awaited = before;
  rt->nawaited--;
  if (rt->round.left > 0)
    rt->round.left--;
  if (watcher_has(s, UINT64_MAX))
    watcher_remove(s);
}

void waitlist_remove (RtTicket *t) {
  RtStream *s = t->s;
  if (!t->queued)
    return;
  t->queued = false;
  if (s == NULL) {
    Runtime *rt = t->dev->rt;
    if (rt->round.odd == t)
      rt->round.odd = LIST_NEXT(RtTicket, t);
    links_remove(&rt->odd_tickets, &t->link);
    waitlist_watch_others(rt);
    return;
  }
  links_remove(&s->tickets, &t->link);
  if (s->tickets.n == 0)
    leave_queue(s);
  if (s->kept != NULL)
    waitlist_watch(s);
}

/* ==} */

/* Tells whether the ticket is over. A driver that cannot answer now is asked
** again. */
static bool is_over (RtTicket *t, Status *st) {
  *st = waitlist_ask(t);
  return *st != CUDA_ERROR_NOT_READY && *st != RT_BLOCKED;
}

/* Returns the first ticket of a stream if it is over; otherwise the watcher
** looks after it. */
static RtTicket *ask_first (RtStream *s, Status *st) {
  RtTicket *t = LIST_FIRST(RtTicket, &s->tickets);
  if (is_over(t, st))
    return t;
  waitlist_watch(s);
  return NULL;
}

static void rotate (Runtime *rt) {
  RtStream *s = rt->awaited;
  if (s->next_awaited != NULL) {
    rt->awaited = s->next_awaited;
    append(rt, s);
  }
}

/* Returns the next ticket of the round that is over. Tickets queued during a
** round wait for the next one. */
static RtTicket *next_of_round (Runtime *rt, bool some, Status *st) {
  TicketRound *r = &rt->round;
  for (; r->odd != NULL; r->odd = LIST_NEXT(RtTicket, r->odd))
    if (is_over(r->odd, st))
      return r->odd;
  for (; r->left > 0; r->left = some ? 0 : r->left - 1) {
    RtTicket *t = ask_first(rt->awaited, st);
    if (t != NULL)
      return t;
    rotate(rt);
  }
  return NULL;
}

RtTicket *waitlist_next (Runtime *rt, bool some, Status *st) {
  if (!rt->round.begun)
    rt->round = (TicketRound){LIST_FIRST(RtTicket, &rt->odd_tickets),
                              rt->nawaited, true};
  rt->sweeps = true;
  RtTicket *t = next_of_round(rt, some, st);
  if (t != NULL)
    waitlist_remove(t);
  rt->round.begun = (t != NULL);
  rt->sweeps = false;
  return t;
}

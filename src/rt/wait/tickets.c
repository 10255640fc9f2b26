/*
** tickets.c - waits that block nobody: coroutines that sleep until a point of a
** stream has passed.
**
** DESIGN. The work of a stream ends in its order, so its tickets are a queue,
** and one question to the driver, about the first, says whether there is
** anything to do: however many wait, it costs as much as there are streams.
** What is no point of a stream is asked for one by one.
*/
#include "tickets.h"

#include "wait.h"

Status rt_askticket (RtTicket *t) {
  return (t->ask != NULL) ? t->ask(t) : rt_reached(t->s, t->seq);
}

/* {== queues ========================================================== */

static void link_behind (RtTicket **first, RtTicket **last, RtTicket *t,
                         RtTicket *before) {
  RtTicket *after = (before != NULL) ? before->next : *first;
  t->prev = before;
  t->next = after;
  *(before != NULL ? &before->next : first) = t;
  *(after != NULL ? &after->prev : last) = t;
}

static void unlink_from (RtTicket **first, RtTicket **last, RtTicket *t) {
  *(t->prev != NULL ? &t->prev->next : first) = t->next;
  *(t->next != NULL ? &t->next->prev : last) = t->prev;
}

/* Mostly the newest comes last. */
void rt_queueticket (RtTicket *t) {
  Runtime *rt = t->dev->rt;
  RtStream *s = t->s;
  RtTicket *last;
  t->queued = true;
  if (s == NULL) {
    link_behind(&rt->odd_tickets, &last, t, NULL);
    return;
  }
  if (s->tickets == NULL) {
    s->next_awaited = rt->awaited;
    rt->awaited = s;
  }
  RtTicket *before = s->last_ticket;
  while (before != NULL && before->seq > t->seq)
    before = before->prev;
  link_behind(&s->tickets, &s->last_ticket, t, before);
}

static void leave_list (RtStream *s) {
  RtStream **at = &s->dev->rt->awaited;
  while (*at != s)
    at = &(*at)->next_awaited;
  *at = s->next_awaited;
}

void rt_dropticket (RtTicket *t) {
  RtStream *s = t->s;
  RtTicket *last;
  if (!t->queued)
    return;
  t->queued = false;
  if (s == NULL) {
    unlink_from(&t->dev->rt->odd_tickets, &last, t);
    return;
  }
  unlink_from(&s->tickets, &s->last_ticket, t);
  if (s->tickets == NULL)
    leave_list(s);
}

/* ==} */

/* A driver that cannot say now is asked again. */
static bool is_over (RtTicket *t, Status *st) {
  *st = rt_askticket(t);
  return *st != CUDA_ERROR_NOT_READY && *st != RT_BLOCKED;
}

RtTicket *rt_nextticket (Runtime *rt, Status *st) {
  RtTicket *t = rt->odd_tickets;
  while (t != NULL && !is_over(t, st))
    t = t->next;
  for (RtStream *s = rt->awaited; s != NULL && t == NULL; s = s->next_awaited)
    t = is_over(s->tickets, st) ? s->tickets : NULL;
  if (t != NULL)
    rt_dropticket(t);
  return t;
}

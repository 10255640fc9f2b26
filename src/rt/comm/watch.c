/*
** watch.c - finds communicators that fail, and operations whose other ranks do
** not come. Every wait looks now and then.
*/
#include <stdio.h>
#include <string.h>

#include "comm.h"
#include "rt/driver/context.h"
#include "rt/driver/grow.h"
#include "rt/driver/names.h"
#include "rt/os/clock.h"
#include "rt/program/numeral.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "subcomm.h"

enum {
  PENDING_FEW = 8,
  LATE = 3,
  AT_ONCE = 16,
  PART = 8,
  EVERY_NS = 1000000,
  AHEAD = 400,        /* the driver has room for 1021 launches (H200) */
  AHEAD_RUNNING = 960 /* in host functions and finalizers */
};

void comm_forget (RtComm *c) {
  name_drop(c->dev->rt, c->pending[c->oldest++].source);
  if (c->oldest == c->end)
    c->oldest = c->end = 0;
}

/* Looks at the latest ones first: far ahead of other ranks there are hundreds,
** and mostly the latest are wanted. */
const RtPending *comm_find (const RtComm *c, uint64_t seq) {
  int low = c->oldest, high = c->end;
  for (int i = 0; i < LATE && low < high; i++, high--)
    if (c->pending[high - 1].at.seq < seq)
      return (high < c->end) ? &c->pending[high] : NULL;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (c->pending[middle].at.seq < seq)
      low = middle + 1;
    else
      high = middle;
  }
  return (low < c->end) ? &c->pending[low] : NULL;
}

Status comm_reserve (RtComm *c) {
  int n = c->end - c->oldest;
  if (c->end < c->room)
    return 0;
  if (c->oldest > n) { /* so that it is seldom */
    memmove(c->pending, c->pending + c->oldest, (size_t)n * sizeof *c->pending);
    c->oldest = 0;
    c->end = n;
    return 0;
  }
  return grow_list(&c->pending, &c->room, c->end + 1, sizeof *c->pending,
                   PENDING_FEW)
           ? 0
           : RT_NOMEM;
}

void comm_write_place (const RtName *source, int line, char place[COMM_PLACE]) {
  if (source != NULL)
    snprintf(place, COMM_PLACE, "%s:%d", source->text, line);
  else
    snprintf(place, COMM_PLACE, "?");
}

static bool has_passed (Point at) {
  return at.s == NULL || at.seq <= at.s->done || progress_is_over(at.s, at.seq);
}

/* The host's library already names this rank's place, if it was in a call. */
static void explain (const RtComm *c, const char *text, char out[COMM_WHY]) {
  const RtPending *p = comm_oldest(c);
  char place[COMM_PLACE] = "";
  if (p != NULL)
    comm_write_place(p->source, p->line, place);
  if (strstr(text, place) != NULL) {
    snprintf(out, COMM_WHY, "rank %d of %d: %s", c->rank, c->size, text);
    return;
  }
  snprintf(out, COMM_WHY, "rank %d of %d: %s, operation %llu (%s): %s", c->rank,
           c->size, p->what, (unsigned long long)p->number, place, text);
}

/* While kernels of NCCL are not aborted, an operation that has passed is
** complete. */
static bool is_whole (const RtComm *c, const RtPending *p) {
  if (c->N->done == NULL)
    return has_passed(p->at);
  return (p->launch ? p->replayed : p->number) <=
         c->N->done(c->handle, p->launch);
}

/* Forgets operations that were done before the failure: they poison nothing. */
static void forget_done (RtComm *c) {
  const RtPending *p;
  while ((p = comm_oldest(c)) != NULL && c->handle != NULL && is_whole(c, p))
    comm_forget(c);
}

void comm_fail (RtComm *c, const char *text) {
  char why[COMM_WHY];
  LIST_EACH (RtComm, d, &c->dev->rt->held[LIFE_COMM]) {
    if (d->family != c->family)
      continue;
    forget_done(d);
    explain(d, text, why);
    comm_abort(d, why);
  }
}

/* Returns false if the library has noticed a failure. */
static bool ask (RtComm *c) {
  char why[NCCL_WHY] = "";
  if (c->handle == NULL || c->from != NULL || c->phase == COMM_MEETING)
    return true;
  ncclResult_t state = subcomm_state(c);
  if (state == ncclSuccess || state == ncclInProgress)
    return true;
  if (c->N->why != NULL)
    c->N->why(c->handle, why);
  comm_fail(c, why[0] != '\0' ? why : c->N->ncclGetErrorString(state));
  return false;
}

/* Counts how many operations have passed, from the oldest on. A query takes as
** long as queueing an operation (1.4 us, H200). So the search takes ever larger
** steps, and then halves. */
static int count_passed (const RtComm *c) {
  const RtPending *first = comm_oldest(c);
  int n = 0, all = c->end - c->oldest, step = AT_ONCE;
  while (n + step <= all && has_passed(first[n + step - 1].at)) {
    n += step;
    step *= 2;
  }
  int high = (n + step <= all) ? n + step - 1 : all;
  while (n < high) {
    int middle = n + (high - n) / 2;
    if (has_passed(first[middle].at))
      n = middle + 1;
    else
      high = middle;
  }
  return n;
}

/* Asks the library after counting, because a failed operation ends as well, and
** its failure is known by the time that it has. */
bool comm_is_idle (RtComm *c) {
  int n = count_passed(c);
  if (n > 0 && !ask(c)) /* the failed ones are left */
    n = count_passed(c);
  while (n-- > 0)
    comm_forget(c);
  bool quiet = (comm_oldest(c) == NULL);
  if (quiet && c->counted) {
    c->counted = false;
    device_lock_add_pending(c->dev, -1);
  }
  return quiet;
}

void comm_explain_late (const RtComm *c, const char *what,
                        char text[COMM_WHY]) {
  char why[NCCL_WHY] = "", seconds[NUMERAL];
  if (c->N->why != NULL && c->handle != NULL)
    c->N->why(c->handle, why);
  numeral_write(seconds, 6, (double)c->timeout / 1e9);
  snprintf(text, COMM_WHY, "%s within %s s%s%s", what, seconds,
           why[0] != '\0' ? ": " : "", why);
}

static void fail_late (RtComm *c) {
  char text[COMM_WHY];
  comm_explain_late(c, "other ranks have not come", text);
  comm_fail(c, text);
}

/* Measures the time from when the device has come to the operation. */
static void look_at (RtComm *c, int64_t now) {
  if (!ask(c) || comm_is_idle(c) || c->handle == NULL)
    return;
  RtPending *p = comm_oldest(c);
  if (p->since == 0 && has_passed(p->before))
    p->since = now;
  else if (p->since != 0 && now - p->since > c->timeout)
    fail_late(c);
}

bool comm_watch (Runtime *rt) {
  int64_t now = clock_now();
  if (rt->held[LIFE_COMM].n == 0 || now < rt->watch_comms)
    return false;
  rt->watch_comms = now + EVERY_NS;
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM])
    look_at(c, now);
  if (rt->nparting > 0)
    comm_drain(rt); /* the wait may be for its own end */
  return true;
}

/*
** Keeps the program from running far ahead of an operation that other ranks
** have not come to. Work behind it fills the stream, and a full stream blocks
** inside the driver, where lateness would not be noticed. A call that has to
** wait waits for an eighth of the operations under way, because otherwise it
** would wait once for each. Calls that must not wait have some more places.
*/
Status comm_throttle (RtStream *s, const Op *op) {
  const Runtime *rt = s->dev->rt;
  uint64_t next = (op->seq != 0 ? op->seq : rt->stamp + 1) + op->ahead;
  uint64_t most = rt_may_serve(rt) ? AHEAD : AHEAD_RUNNING;
  bool asked = false;
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM]) {
    const RtPending *p = comm_oldest(c);
    if (p == NULL || next < p->at.seq + most)
      continue;
    asked = true;
    if (comm_is_idle(c) || next < comm_oldest(c)->at.seq + most)
      continue;
    Point at = c->pending[c->oldest + (c->end - c->oldest) / PART].at;
    return wait_block(at.s->dev, WAIT_PASSED, at.s, at.seq, op->name);
  }
  return asked ? context_enter(s->dev)
               : 0; /* it may have entered another device */
}

void comm_poll (Runtime *rt) {
  LIST_EACH (RtComm, c, &rt->held[LIFE_COMM])
    ask(c);
}

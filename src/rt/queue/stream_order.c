/*
** stream_order.c - waits between streams, on the device, as the accesses of
** operations require them.
*/
#include "stream_order.h"

#include "op_types.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/wait/deferral.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "stream_types.h"

enum { ASK_EVERY = 16 };

/*
** Tells whether new memory is there without a wait. Its stream does nothing
** else, so the memory mostly is, and asking is cheaper than a wait. Besides,
** once a stream has waited for a stream that allocates, the driver keeps track
** of the streams that it waits for: 2 us more for each crossing of 1000 streams
** (H200, driver 580).
*/
static bool is_there (const RtStream *s, RtStream *t) {
  return t == s->dev->mem && t->capture == NULL && progress_query(t, NULL) == 0;
}

/* Makes the host wait, because drivers share no events. */
static Status wait_across (const RtStream *s, RtStream *t, uint64_t seq,
                           const char *what) {
  Status st = progress_passed(t, seq);
  if (st == CUDA_ERROR_NOT_READY)
    return wait_block(t->dev, WAIT_PASSED, t, seq, what);
  return (st != 0) ? st : context_enter(s->dev);
}

Status stream_order_wait (RtStream *s, RtStream *t, uint64_t seq,
                          const char *what) {
  Tail at;
  if (progress_has_waited(s, t, seq))
    return 0;
  if (seq <= t->done || is_there(s, t))
    return 0;
  if (t->dev->D != s->dev->D)
    return wait_across(s, t, seq, what);
  Status st = (t->dev != s->dev) ? context_enter(t->dev) : 0;
  if (st == 0)
    st = progress_tail(t, seq, &at);
  if (st == 0 && t->dev != s->dev)
    st = context_enter(s->dev);
  if (st != 0 || at.seq <= t->done) /* its event may have been reused */
    return st;
  st = s->dev->D->cuStreamWaitEvent(s->handle, at.event, 0);
  if (st != CUDA_SUCCESS)
    return status_fail(s->dev->rt, st, "cuStreamWaitEvent");
  progress_note_wait(s, t, at.seq);
  return 0;
}

/*
** Forgets a use of a block if it is done. Asks seldom, because a query takes
** longer than queueing a launch (1.4 us, H200, driver 580), and about another
** use each time. The use may be on another device, which is entered for the
** question.
*/
static Status forget_done (MarkSet *m, const RtStream *s, uint64_t stamp) {
  if (m->n <= MARKS_FEW || stamp % ASK_EVERY != 0)
    return 0;
  int at = (int)(stamp / ASK_EVERY % (uint64_t)m->n);
  RtStream *t = m->at[at].s;
  if (t != s && progress_passed(t, m->at[at].seq) == 0)
    hazard_remove(m, at);
  return (t->dev != s->dev) ? context_enter(s->dev) : 0;
}

Status stream_order_collect (RtStream *s, const Op *op, int *n) {
  Runtime *rt = s->dev->rt;
  for (int i = 0; i < op->naccess; i++) {
    const Access *a = &op->access[i];
    MarkSet *m = &a->block->marks;
    int more = hazard_nth(op->access, i);
    bool alone = hazard_is_none(m, a, s);
    Status st = 0;
    if (!alone)
      hazard_collect(m, a, s, rt->points, n);
    if (!alone && rt->errors > 0 && !a->block->own)
      st = hazard_note_errors(m, a, s);
    if (st == 0 && m->n + more > m->cap && hazard_reserve(m, more) != 0)
      st = status_fail(rt, RT_NOMEM, NULL);
    if (st == 0)
      st = forget_done(m, s, rt->stamp);
    if (st != 0)
      return st;
  }
  return 0;
}

/*
** staging.c - copies from ordinary host memory to the device, at the link's
** speed.
**
** DESIGN. The driver copies from page-locked memory only; given other memory it
** goes through a buffer of its own, with one thread, and page-locking a block
** for each string takes longer than copying it. So each device of a Runtime has
** a staging buffer: page-locked slots. Data goes through it in chunks:
**   1. an idle slot is taken, a new one made, or (below) waited for
**   2. the copy pool fills it (copy_pool.c); up to WINDOW slots are filled at a
**      time
**   3. in order: the copy is queued through op_submit, which reads the slot and
**      writes the target, and an event is recorded behind it
** The slot's mark tells when it may be used again, as with any block. If a slot
** has to be waited for, the upload stops and says so; the caller waits and then
** goes on with it. Host functions do not run in that wait, because the upload
** is half done. So they have run before, or slots that come after them are left
** alone. Data that the staging buffer cannot take goes through a block of its
** own, so that no target stays half written.
**
** The copy pool reaches the host device's memory itself. If nothing uses the
** target and the stream is idle, the pool writes straight into it, as a copy
** would. That needs no slots, and data passes through memory only once.
*/
#include "staging.h"

#include "op.h"
#include "rt/driver/context.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/memory/copy_pool.h"
#include "rt/memory/slots.h"
#include "rt/os/reading.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/progress.h"

#if !defined(POOL_LEAST)
#define POOL_LEAST ((size_t)2 << 20) /* from here on threads pay off */
#endif

/* {== filling and queueing ============================================ */

static Status start_chunk (RtUpload *u) {
  RtChunk *p = &u->window[(u->first + u->n) % STAGING_WINDOW];
  size_t rest = u->src.bytes - u->at;
  Status st = slot_take(u->s->dev, &p->slot);
  if (st != 0)
    return st;
  size_t n = (rest < p->slot->size) ? rest : p->slot->size;
  p->job = (RtJob){.fill = u->src.fill,
                   .ud = u->src.ud,
                   .to = (char *)(uintptr_t)p->slot->ptr,
                   .off = u->at,
                   .n = n};
  copy_pool_post(u->pool, &p->job);
  u->at += n;
  u->n++;
  return 0;
}

/* Counts the whole target as written, so that one mark stands for all
** chunks. */
static Status queue_copy (RtUpload *u, RtBlock *from, size_t n) {
  Op op;
  op_start(&op, OP_COPY, "copy");
  op.u.copy.dst = u->to->ptr + u->off + u->queued;
  op.u.copy.src = from->ptr;
  op.u.copy.bytes = n;
  op_access(&op, from, 0, n, false);
  op_access(&op, u->to, u->off, u->src.bytes, true);
  Status st = op_submit(u->s, &op);
  if (st == 0)
    u->queued += n;
  return st;
}

static Status unreadable (RtUpload *u, int error) {
  return status_explain(u->s->dev->rt, RT_MISUSE, NULL, "%s: %s%s%s%s", u->what,
                        u->src.name != NULL ? "'" : "",
                        u->src.name != NULL ? u->src.name : "",
                        u->src.name != NULL ? "': " : "", reading_why(error));
}

static Status end_chunk (RtUpload *u) {
  RtChunk *p = &u->window[u->first];
  int error = copy_pool_finish(u->pool, &p->job);
  Status st = (error != 0) ? unreadable(u, error)
                           : queue_copy(u, p->slot, p->job.n);
  if (st == 0) /* else it would be busy as long as all later work */
    st = progress_mark_tail(u->s);
  block_drop(p->slot);
  u->first = (u->first + 1) % STAGING_WINDOW;
  u->n--;
  return st;
}

/* Waits until no thread fills slots. */
static void abandon_chunks (RtUpload *u) {
  for (; u->n > 0; u->n--) {
    copy_pool_finish(u->pool, &u->window[u->first].job);
    block_drop(u->window[u->first].slot);
    u->first = (u->first + 1) % STAGING_WINDOW;
  }
  u->at = u->queued;
}

/* Copies the part that is not queued yet through a block of its own. */
static Status rest (RtUpload *u) {
  RtDevice *dev = u->s->dev;
  size_t n = u->src.bytes - u->queued;
  RtBlock *b;
  if (n == 0) /* no event could be recorded behind the last copy */
    return 0;
  Status st = block_new(dev, n, true, NULL, &b);
  if (st != 0)
    return st;
  int error = u->src.fill(u->src.ud, (char *)(uintptr_t)b->ptr, u->queued, n);
  st = (error != 0) ? unreadable(u, error) : queue_copy(u, b, n);
  block_drop(b);
  return st;
}

/* ==} */

/* {== without slots =================================================== */

/* Tells whether the target is on the host device and a copy would begin at
** once. Any other error is left to the copy. */
static bool is_open (RtStream *s, RtBlock *to, const char *what) {
#if defined(TIDE_TESTING)
  if (s->dev->rt->slotted_always)
    return false;
#endif
  return context_is_host(s->dev) && block_query(to) == 0 &&
         progress_query(s, what) == 0;
}

bool staging_bypass (RtStream *s, RtBlock *to, size_t off, const RtBytes *src,
                     const char *what, Status *st) {
  Runtime *rt = s->dev->rt;
  RtUpload u = {.s = s, .src = *src, .what = what};
  *st = context_enter(s->dev);
  if (*st != 0 || !is_open(s, to, what))
    return *st != 0;
  RtJob job = {.fill = src->fill,
               .ud = src->ud,
               .n = src->bytes,
               .to = (char *)(uintptr_t)to->ptr + off};
  u.pool = (src->bytes >= POOL_LEAST) ? copy_pool_get(rt) : NULL;
  observer_note_host(to, off, src->bytes, true);
  copy_pool_post(u.pool, &job);
  int error = copy_pool_finish(u.pool, &job);
  if (error != 0)
    *st = unreadable(&u, error);
  return true;
}

/* ==} */

Status staging_start (RtUpload *u, RtStream *s, RtBlock *to, size_t off,
                      const RtBytes *src, const char *what) {
  Status st = context_enter(s->dev);
  if (st != 0)
    return st;
  *u = (RtUpload){.s = s, .to = to, .off = off, .src = *src, .what = what};
  u->waits = !slot_has_room(s->dev, src->bytes);
  if (src->bytes >= POOL_LEAST)
    u->pool = copy_pool_get(s->dev->rt);
  block_retain(to);
  return 0;
}

Status staging_continue (RtUpload *u) {
  while (u->queued < u->src.bytes) {
    Status st = CUDA_ERROR_OUT_OF_MEMORY;
    if (u->at < u->src.bytes && u->n < STAGING_WINDOW)
      st = start_chunk(u);
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = (u->n > 0) ? end_chunk(u) : slot_query(u->s->dev);
    if (st != 0)
      return st;
  }
  return 0;
}

/* 'st' is why the staging buffer could not take all of it. */
static Status complete (RtUpload *u, Status st) {
  Runtime *rt = u->s->dev->rt;
  abandon_chunks(u);
  if (st == CUDA_ERROR_OUT_OF_MEMORY)
    return rest(u);
  if (u->queued > 0 && st == RT_INTERRUPTED && rest(u) != 0)
    status_fail(rt, st, NULL);
  return st;
}

Status staging_end (RtUpload *u, Status st) {
  if (st != 0)
    st = complete(u, st);
  block_drop(u->to);
  return st;
}

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
**
** A slot has one reference, the staging buffer's, and is in no cache. A second
** reference means that it is being filled, or that a graph has it. The staging
** buffer counts as reserved, under the limit, but not as live. reclaim.c gives
** idle slots back.
*/
#include "staging.h"

#include <string.h>

#include "copy_pool.h"
#include "op.h"
#include "reclaim.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/hazard.h"
#include "rt/testing/witness.h"
#include "rt/wait/deferral.h"
#include "rt/wait/progress.h"

/*
** Overridable (MYCFLAGS=-DSTAGING_SLOT=...), to be tuned by h2d_pageable of
** bench/copy.lua. Computed: at 55 GB/s the copy of a slot takes 38 us, long
** compared with the 3 us of queueing it. A window keeps both ends busy for 300
** us.
*/
#if !defined(STAGING_SLOT)
#define STAGING_SLOT ((size_t)2 << 20)
#endif
#if !defined(POOL_LEAST)
#define POOL_LEAST ((size_t)2 << 20) /* from here on threads pay off */
#endif

/* {== slots =========================================================== */

/*
** Looks for an idle slot of at least 'least' bytes: 0, and its place.
** CUDA_ERROR_NOT_READY: some will be idle; CUDA_ERROR_OUT_OF_MEMORY: there is
** none that can be waited for.
*/
static Status find_slot (RtDevice *dev, size_t least, int *at) {
  Status st = CUDA_ERROR_OUT_OF_MEMORY;
  for (int n = 0; n < dev->nstaging; n++) {
    int i = (dev->next_slot + n) % dev->nstaging;
    const RtBlock *b = dev->staging[i];
    if (b->refs > 1 || b->size < least)
      continue;
    Status idle = block_query(dev->staging[i]);
    *at = i;
    if (idle != CUDA_ERROR_NOT_READY)
      return idle;
    if (deferral_find_use(&b->marks) == NULL)
      st = CUDA_ERROR_NOT_READY;
  }
  return st;
}

Status staging_has_slot (RtDevice *dev) {
  int i;
  return find_slot(dev, 0, &i);
}

Status staging_free_slot (RtDevice *dev, int i) {
  RtBlock *b = dev->staging[i];
  size_t size = b->size;
  Status st = block_free(b);
  if (st != 0)
    return st;
  dev->memory[1].staging -= size;
  dev->staging[i] = dev->staging[--dev->nstaging];
  return 0;
}

/* Drops the staging slots. A slot that an upload still fills goes when the
** upload drops it, the others with the blocks without references. */
void staging_forget (RtDevice *dev) {
  while (dev->nstaging > 0)
    dev->staging[--dev->nstaging]->refs--;
  dev->memory[1].staging = 0;
}

/* Makes a slot; under a limit a smaller one, if at all. */
static Status new_slot (RtDevice *dev, RtBlock **out) {
  Memory *m = &dev->memory[1];
  size_t n = STAGING_SLOT, most = m->peak_live; /* slots are not live */
  if (dev->nstaging == STAGING_SLOTS)
    return CUDA_ERROR_OUT_OF_MEMORY;
  Status st = block_new(dev, n, true, NULL, out);
  if (st == CUDA_ERROR_OUT_OF_MEMORY &&
      (st = reclaim_cached(dev, true, n)) == 0)
    st = block_new(dev, n, true, NULL, out);
  while (st == CUDA_ERROR_OUT_OF_MEMORY && (n /= 2) >= STAGING_LEAST)
    st = block_new(dev, n, true, NULL, out);
  if (st != 0)
    return st;
  m->live -= (*out)->size;
  m->peak_live = most;
  m->nlive--;
  m->staging += (*out)->size;
  dev->staging[dev->nstaging++] = *out;
  return 0;
}

/*
** Returns an idle slot or a new one, with a reference for the caller.
** CUDA_ERROR_OUT_OF_MEMORY: there is none now.
*/
static Status take_slot (RtDevice *dev, RtBlock **out) {
  int i = 0;
  Status st = find_slot(dev, STAGING_SLOT, &i);
  if (st == CUDA_ERROR_NOT_READY || st == CUDA_ERROR_OUT_OF_MEMORY) {
    st = new_slot(dev, out);
    i = dev->nstaging - 1;
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = find_slot(dev, 0, &i);
  }
  if (st != 0)
    return (st == CUDA_ERROR_NOT_READY) ? CUDA_ERROR_OUT_OF_MEMORY : st;
  *out = dev->staging[i];
  witness_note_host(*out, 0, (*out)->size, true);
  hazard_prune(&(*out)->marks);
  block_retain(*out);
  dev->next_slot = (i + 1) % dev->nstaging;
  return 0;
}

/* ==} */

/* {== filling and queueing ============================================ */

static Status start_chunk (RtUpload *u) {
  RtChunk *p = &u->window[(u->first + u->n) % STAGING_WINDOW];
  size_t rest = u->src.bytes - u->at;
  Status st = take_slot(u->s->dev, &p->slot);
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
                        u->src.name != NULL ? "': " : "", strerror(error));
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
  return strcmp(s->dev->D->kind, "host") == 0 && block_query(to) == 0 &&
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
  witness_note_host(to, off, src->bytes, true);
  copy_pool_post(u.pool, &job);
  int error = copy_pool_finish(u.pool, &job);
  if (error != 0)
    *st = unreadable(&u, error);
  return true;
}

/* ==} */

/* Tells whether the host will not have to wait. This is asked before anything
** is queued. */
static bool has_room (RtDevice *dev, size_t bytes) {
  size_t room = (size_t)(STAGING_SLOTS - dev->nstaging) * STAGING_SLOT;
  for (int i = 0; i < dev->nstaging && room < bytes; i++)
    if (dev->staging[i]->refs == 1 && block_query(dev->staging[i]) == 0)
      room += dev->staging[i]->size;
  return room >= bytes;
}

Status staging_start (RtUpload *u, RtStream *s, RtBlock *to, size_t off,
                      const RtBytes *src, const char *what) {
  Status st = context_enter(s->dev);
  if (st != 0)
    return st;
  *u = (RtUpload){.s = s, .to = to, .off = off, .src = *src, .what = what};
  u->waits = !has_room(s->dev, src->bytes);
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
      st = (u->n > 0) ? end_chunk(u) : staging_has_slot(u->s->dev);
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

/*
** proxy.c - the thread of a rank, which does the work of streams one after the
** other in the order in which it comes.
**
** It begins with the rendezvous and ends with its communicator, or with the
** first failure: later work ends at once. A stream stands in the list 'posted'
** until its job is done.
*/
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ranks.h"
#include "rt/os/thread.h"

/* {== handing over: with the lock held ================================ */

void rank_wake_proxy (ncclComm_t c) {
  eventfd_write(c->wake, 1); /* if it is full, it wakes all the same */
}

bool rank_begin_work (Away *a, CUstream s) {
  ncclComm_t c = ((RankWork *)a)->comm;
  rank_read_failure(c);
  if (c->over || c->error != ncclSuccess || c->ctx->retains == 0)
    return false;
  s->next = NULL;
  *c->posted_tail = s;
  c->posted_tail = &s->next;
  if (c->resting)
    rank_wake_proxy(c);
  c->resting = false;
  return true;
}

/* The device failed, which ends queued work, too. */
void rank_abort_work (Away *a, CUstream s) {
  ncclComm_t c = ((RankWork *)a)->comm;
  (void)s;
  __atomic_store_n(&c->cut, true, __ATOMIC_RELEASE);
  if (c->map != NULL)
    rank_wake(c->map->segment, c->rank);
  rank_wake_proxy(c);
}

void rank_drop_work (Away *a) {
  RankWork *w = (RankWork *)a;
  w->comm->pending -= w->counted;
  w->comm->captured -= w->captured;
  rank_release_comm(w->comm);
  free(w);
}

static CUstream take_first (ncclComm_t c) {
  CUstream s = c->posted;
  c->posted = s->next;
  if (c->posted == NULL)
    c->posted_tail = &c->posted;
  return s;
}

/* ==} */

/* {== doing the work ================================================== */

/* The sizes of a communicator that was split off are known late. */
static bool is_sensible (ncclComm_t c, const RankWork *w) {
  for (int i = 0; i < w->n; i++) {
    if (w->part[i].desc.at < c->size)
      continue;
    rank_fail(c, ncclInvalidArgument, "rank %d uses rank %d of %d", c->rank,
              w->part[i].desc.at, c->size);
    return false;
  }
  return true;
}

static void execute (ncclComm_t c, RankWork *w) {
  Member *me = &c->map->segment->member[c->rank];
  c->jobs++;
  me->now = w->part[0].desc;
  if (!is_sensible(c, w))
    return;
  bool sends = w->part[0].desc.kind >= SEND;
  if (!(sends ? rank_exchange(c, w) : rank_collective(c, &w->part[0])))
    return;
  if (w->captured)
    __atomic_add_fetch(&c->replayed, 1, __ATOMIC_RELEASE);
  else
    __atomic_store_n(&c->done, me->now.number, __ATOMIC_RELEASE);
  rank_write64(&me->doing, 4 * c->jobs + IDLE);
}

/* Called and returns with the lock held. */
static void do_first (ncclComm_t c) {
  CUstream s = c->posted;
  c->now = (RankWork *)s->head->task.u.away.work;
  host_unlock();
  execute(c, c->now);
  host_lock();
  c->now = NULL;
  if (rank_must_quit(c))
    return;
  take_first(c);
  host_finish_job(s);
}

static void rest (ncclComm_t c) {
  c->resting = true;
  host_unlock();
  rank_sleep(c);
  host_lock();
  c->resting = false;
}

static void serve (ncclComm_t c) {
  host_lock();
  c->ready = true;
  while (!rank_must_quit(c)) {
    if (c->posted != NULL)
      do_first(c);
    else
      rest(c);
  }
  host_unlock();
}

/* Streams go on, and the proxy touches no data any more. */
static void finish (ncclComm_t c) {
  if (__atomic_load_n(&c->cut, __ATOMIC_ACQUIRE))
    rank_fail(c, ncclRemoteError, "the device of rank %d has failed", c->rank);
  host_lock();
  rank_read_failure(c);
  c->over = true;
  while (c->posted != NULL)
    host_finish_job(take_first(c));
  host_unlock();
  rank_leave(c);
}

/* ==} */

/* {== the thread ====================================================== */

/* A rank that splits off without a color has no handle that would end it. */
static void vanish (ncclComm_t c) {
  pthread_detach(pthread_self());
  rank_close_fd(c->wake);
  host_lock();
  rank_release_comm(c);
  host_unlock();
}

static void *live (void *ud) {
  ncclComm_t c = ud;
  bool parts = c->parent != NULL, hidden = parts && c->color < 0;
  if ((!parts || rank_join_split(c)) && rank_meet(c))
    serve(c);
  finish(c);
  if (hidden)
    vanish(c);
  return NULL;
}

int rank_start_proxy (ncclComm_t c) {
  c->wake = rank_keep_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (c->wake < 0)
    return errno;
  int r = thread_start(&c->proxy, live, c);
  if (r != 0)
    rank_close_fd(c->wake);
  return r;
}

void rank_end_proxy (ncclComm_t c) {
  __atomic_store_n(&c->ending, true, __ATOMIC_RELEASE);
  rank_wake_proxy(c);
  host_lock();
  Mapping *m = c->map;
  if (m != NULL)
    rank_wake(m->segment, c->rank);
  host_unlock();
  pthread_join(c->proxy, NULL);
  rank_close_fd(c->wake);
}

/* ==} */

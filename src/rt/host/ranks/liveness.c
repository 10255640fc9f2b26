/*
** liveness.c - how a rank hears of others' ends. Each holds a socket to rank 0.
** The proxy of rank 0 sees it closed when the process dies, and writes that
** into the segment; the other ranks do so for rank 0. After rank 0 has left, no
** process holds their sockets, and they ask the system for each other's
** processes.
*/
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "ranks.h"

static void end (ncclComm_t c, struct pollfd *p, int rank) {
  Member *m = &c->map->segment->member[rank];
  rank_close_fd(p->fd);
  p->fd = -1;
  if (rank_read32(&m->presence) == HERE)
    rank_fail_dead(c, rank);
}

/* Ranks that have met send nothing more, so any event is an end. */
static void look_at_ends (ncclComm_t c) {
  for (int i = 1; i < c->nends; i++)
    if (c->ends[i].fd >= 0 && c->ends[i].revents != 0)
      end(c, &c->ends[i], c->rank == 0 ? i : 0);
}

static bool has_died (const Member *m) {
  return rank_read32(&m->presence) == HERE && m->pid != 0 &&
         rank_read32(&m->apart) == 0 && kill((pid_t)m->pid, 0) != 0 &&
         errno == ESRCH;
}

static void ask_system (ncclComm_t c) {
  const Segment *g = c->map->segment;
  for (int i = 0; i < c->size; i++)
    if (!g->member[c->rank].apart && has_died(&g->member[i]))
      rank_fail_dead(c, i);
}

void rank_find_dead (ncclComm_t c) {
  if (rank_poll_open(c->ends, c->nends, 0) > 0)
    look_at_ends(c);
  if (c->rank != 0 && c->ends[1].fd < 0)
    ask_system(c);
}

void rank_sleep (ncclComm_t c) {
  uint64_t times;
  if (rank_poll_open(c->ends, c->nends, -1) <= 0)
    return;
  if (c->ends[0].revents != 0 && read(c->wake, &times, sizeof times) < 0)
    return;
  look_at_ends(c);
}

/* A rank that has not met the others stays ABSENT. */
void rank_leave (ncclComm_t c) {
  uint32_t here = HERE;
  if (c->map != NULL) {
    __atomic_compare_exchange_n(&c->map->segment->member[c->rank].presence,
                                &here, LEFT, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_ACQUIRE);
    rank_wake_all(c->map);
  }
  for (int i = 1; i < c->nends; i++)
    rank_close_fd(c->ends[i].fd);
  free(c->ends);
  c->ends = NULL;
  c->nends = 0;
}

/*
** failure.c - the end of a communicator that cannot go on. The first rank to
** see the reason writes it into the segment, once; all others read it there.
*/
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"
#include "rt/os/nap.h"

enum { PATIENCE = 50 /* ms, for a rank that writes 'why' and may have died */ };

static void set_error (ncclComm_t c, ncclResult_t code, const char *why) {
  if (c->error != ncclSuccess)
    return;
  c->error = code;
  snprintf(c->why, sizeof c->why, "%.*s", NCCL_WHY - 1, why);
}

void rank_read_failure (ncclComm_t c) {
  uint32_t failed = (c->map == NULL) ? 0
                                     : rank_read32(&c->map->segment->failed);
  if (failed > 1)
    set_error(c, (ncclResult_t)(failed - 2), c->map->segment->why);
}

static void publish (const Mapping *m, ncclResult_t code, const char *why) {
  Segment *g = m->segment;
  uint32_t none = 0;
  if (__atomic_compare_exchange_n(&g->failed, &none, 1, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    memcpy(g->why, why, NCCL_WHY);
  else
    for (int i = 0; rank_read32(&g->failed) < 2 && i < PATIENCE; i++)
      nap_for(1000000);
  none = 1;
  __atomic_compare_exchange_n(&g->failed, &none, 2 + (uint32_t)code, false,
                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  rank_wake_all(m);
}

void rank_fail (ncclComm_t c, ncclResult_t code, const char *format, ...) {
  char why[NCCL_WHY] = "";
  va_list args;
  va_start(args, format);
  if (vsnprintf(why, sizeof why, format, args) >= NCCL_WHY)
    memcpy(why + NCCL_WHY - 4, "...", 4);
  va_end(args);
  if (c->map != NULL)
    publish(c->map, code, why);
  host_lock();
  rank_read_failure(c);
  set_error(c, code, why);
  host_unlock();
}

/* {== ranks that are gone ============================================= */

/* Returns a rank with an operation, so that the message can tell before what
** another rank died; or NULL. */
static const Member *find_active (ncclComm_t c) {
  for (int i = 0; i < c->size; i++) {
    const Member *m = &c->map->segment->member[i];
    if (rank_read32(&m->presence) == HERE && rank_read64(&m->doing) % 4 != IDLE)
      return m;
  }
  return NULL;
}

void rank_fail_dead (ncclComm_t c, int rank) {
  char text[NCCL_WHY];
  Member *dead = &c->map->segment->member[rank];
  uint32_t here = HERE;
  __atomic_compare_exchange_n(&dead->presence, &here, DEAD, false,
                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  bool inside = rank_read64(&dead->doing) % 4 != IDLE;
  const Member *m = inside ? dead : find_active(c);
  snprintf(text, sizeof text, "rank %d has died (process %u)", rank, dead->pid);
  if (m != NULL) {
    rank_append(text, sizeof text, inside ? " in " : " before ");
    rank_describe_at(text, sizeof text, &m->now);
  }
  rank_fail(c, ncclRemoteError, "%s", text);
}

void rank_fail_gone (ncclComm_t c, int rank) {
  if (rank_read32(&c->map->segment->member[rank].presence) != LEFT)
    rank_fail_dead(c, rank);
  else
    rank_fail(c, ncclRemoteError,
              "rank %d has closed its communicator or given up", rank);
}

/* ==} */

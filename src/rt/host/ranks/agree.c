/*
** agree.c - before data move, ranks compare their operations.
**
** A rank describes its collective number k in desc[k % 2] and then counts
** 'begun'. It does so for k + 1 only after all have begun k, so they have read
** the description of k - 1: two descriptions are enough.
*/
#include "ranks.h"
#include "rt/os/clock.h"

enum { GRACE_MS = 100 /* for other ranks' calls, to report them as well */ };

typedef struct Agreement {
  const CallDesc *desc[MAX_RANKS];
  int64_t until; /* end of GRACE_MS after the first difference; else 0 */
} Agreement;

/* Reads, for each rank, the collective that it has begun, or the split that it
** is in instead. False: a rank in neither is gone, and the communicator
** fails. */
static bool look_around (ncclComm_t c, Agreement *a, int *missing) {
  *missing = 0;
  for (int i = 0; i < c->size; i++) {
    Member *m = &c->map->segment->member[i];
    bool gone = rank_read32(&m->presence) >= LEFT;
    const CallDesc *parting = rank_other_split(c,
                                               i); /* read it before 'begun' */
    a->desc[i] = NULL;
    if (rank_read64(&m->begun) >= c->begun)
      a->desc[i] = &m->desc[c->begun % 2];
    else if (gone && a->until == 0)
      return rank_fail_gone(c, i), false;
    else if ((a->desc[i] = parting) == NULL)
      *missing += 1;
  }
  return true;
}

static bool all_alike (ncclComm_t c, const Agreement *a) {
  for (int i = 0; i < c->size; i++)
    if (a->desc[i] != NULL && !rank_calls_match(a->desc[i], a->desc[c->rank]))
      return false;
  return true;
}

static void disagree (ncclComm_t c, const Agreement *a) {
  char text[NCCL_WHY];
  rank_describe_diff(text, a->desc, c->size, a->desc[c->rank]->number);
  rank_fail(c, ncclInvalidUsage, "%s", text);
}

static Answer compare (ncclComm_t c, void *ud) {
  Agreement *a = ud;
  int missing;
  if (!look_around(c, a, &missing))
    return NEVER;
  if (all_alike(c, a))
    return missing == 0 ? YES : NOT_YET;
  if (a->until == 0)
    a->until = clock_now() + GRACE_MS * 1000000L;
  if (missing > 0 && clock_now() < a->until)
    return NOT_YET;
  disagree(c, a);
  return NEVER;
}

bool rank_agree (ncclComm_t c, const CallDesc *t) {
  Segment *g = c->map->segment;
  Member *me = &g->member[c->rank];
  Agreement a = {.until = 0};
  c->begun++;
  me->desc[c->begun % 2] = *t;
  rank_write64(&me->begun, c->begun);
  rank_write64(&me->doing, 4 * c->jobs + COLLECTIVE);
  rank_wake_all(c->map);
  return rank_wait(c, compare, &a);
}

/*
** rank_wait.c - how a proxy waits for other ranks: it spins for a moment, then
** sleeps at its bell in the segment, for NAP_MS at most, because an end or a
** death may not ring it.
*/
#include <sched.h>

#include "ranks.h"
#include "rt/os/nap.h"

enum { SPINS = 200 };

static bool is_set (const bool *flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

bool rank_is_ending (ncclComm_t c) {
  return is_set(&c->ending) || is_set(&c->cut);
}

bool rank_must_quit (ncclComm_t c) {
  return rank_is_ending(c) || rank_read32(&c->map->segment->failed) > 1;
}

static Answer spin (ncclComm_t c, Question *done, void *ud) {
  Answer answer = NOT_YET;
  for (int i = 0; answer == NOT_YET && i < SPINS; i++) {
    answer = done(c, ud);
    if (i % 16 == 15)
      sched_yield();
    else
      nap_pause();
  }
  return answer;
}

/* Data that came before a failure is valid. So 'done' is asked first, and once
** more at the end, because they may have come in between. */
bool rank_wait (ncclComm_t c, Question *done, void *ud) {
  Member *me = &c->map->segment->member[c->rank];
  Answer answer = spin(c, done, ud);
  while (answer == NOT_YET && !rank_must_quit(c)) {
    uint32_t bell = __atomic_load_n(&me->bell, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&me->asleep, 1, __ATOMIC_SEQ_CST);
    answer = done(c, ud);
    bool rung = answer != NOT_YET || rank_must_quit(c) ||
                nap_at_word(&me->bell, bell, NAP_MS * 1000000L);
    __atomic_sub_fetch(&me->asleep, 1, __ATOMIC_SEQ_CST);
    if (!rung)
      rank_find_dead(c);
  }
  if (answer == NOT_YET && !rank_is_ending(c))
    answer = done(c, ud);
  return answer == YES;
}

/* {== counters of all ranks =========================================== */

typedef struct Counter {
  size_t offset; /* in Member */
  uint64_t least;
} Counter;

static Answer have_all (ncclComm_t c, void *ud) {
  const Counter *awaited = ud;
  Answer answer = YES;
  for (int i = 0; i < c->size; i++) {
    const Member *m = &c->map->segment->member[i];
    const uint64_t *word = (const uint64_t *)((const char *)m +
                                              awaited->offset);
    if (rank_read64(word) >= awaited->least)
      continue;
    answer = NOT_YET;
    bool gone = rank_read32(&m->presence) >= LEFT;
    if (gone && rank_read64(word) < awaited->least) {
      rank_fail_gone(c, i);
      return NEVER;
    }
  }
  return answer;
}

bool rank_wait_posted (ncclComm_t c, uint64_t step) {
  return rank_wait(c, have_all, &(Counter){offsetof(Member, posted), step});
}

bool rank_wait_taken (ncclComm_t c, uint64_t step) {
  return rank_wait(c, have_all, &(Counter){offsetof(Member, taken), step});
}

/* ==} */

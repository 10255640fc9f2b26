/* threshold.h - how much may be held before garbage is collected. See
** threshold.c. */
#ifndef TIDE_RT_MEMORY_THRESHOLD_H
#define TIDE_RT_MEMORY_THRESHOLD_H

#include "memory.h"
#include "rt/rt.h"

/* Begins to watch a kind of memory: Memory's threshold and nmost are set. */
void threshold_watch (RtDevice *dev, bool pinned);

/* Returns the bytes that objects hold, also of memory of others. */
static inline size_t threshold_held (const Memory *m) {
  return m->live + m->imported;
}

/* Tells whether to look at the thresholds before so many more bytes are held:
** there would be too much, or what is held has fallen by a step. */
static inline bool threshold_is_passed (const Memory *m, size_t bytes) {
  const size_t held = threshold_held(m);
  return held + bytes > m->threshold || m->nlive >= m->nmost ||
         held + 2 * m->step < m->threshold ||
         m->nlive + 2 * m->nstep < m->nmost;
}

/* Lets the thresholds follow what has fallen. */
void threshold_follow (Memory *m);

/* Returns the bytes held of all memory; *growth: how many more than after the
** last collection. */
size_t threshold_sum (const Runtime *rt, size_t *growth);

/* Returns what is held beyond the floor: memory in use, and garbage that steps
** have missed since the last full collection. */
size_t threshold_beyond (const Memory *m);

/* Sets the thresholds again after a collection; 'all': of everything. */
void threshold_restart (Runtime *rt, bool all);

/* Adapt to a step that freed so many of the bytes by which memory had grown; to
** a step that freed almost nothing of all that is in use; to a full collection
** that freed so much of what was held beyond the floor. */
void threshold_adapt (RtDevice *dev, bool pinned, size_t freed, size_t growth);
void threshold_lengthen (RtDevice *dev, bool pinned);
void threshold_learn (RtDevice *dev, bool pinned, size_t freed, size_t beyond);

/* Adapts to a step that ran because there were so many blocks, and cost as much
** as freeing 'paid' blocks. Returns whether it has freed them. */
bool threshold_adapt_number (Memory *m, size_t before, size_t paid);

/* Asks again a little later, because the collector cannot run at 'bytes'. */
void threshold_postpone (Memory *m, size_t bytes);

#endif

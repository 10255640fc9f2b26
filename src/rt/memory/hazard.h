/* hazard.h - whose work must finish first? See hazard.c. */
#ifndef TIDE_RT_MEMORY_HAZARD_H
#define TIDE_RT_MEMORY_HAZARD_H

#include "rt/rt.h"

/* Do two uses of a block ask for an order? */
bool rt_conflicts (const Mark *k, const Access *a);

/* Adds to 'list', which has a place for every stream, the points that must pass
** before an operation on 's' may make access 'a'; and points that have, of
** streams with errors: who waits for 's' has these as well. */
void rt_hazards (const MarkSet *m, const Access *a, const RtStream *s,
                 Point *list, int *n);

/* Adds a point to the 'n' of a list, or moves that of its stream on. */
void rt_addpoint (Point *list, int *n, RtStream *s, uint64_t seq);

/* Nothing to wait for at a glance: as in a program with one stream. */
static inline bool rt_isfree (const MarkSet *m, const Access *a,
                              const RtStream *s) {
  if (m->writes == 0 && !a->write)
    return true;
  for (int i = 0; i < m->n; i++)
    if (m->at[i].s != s)
      return false;
  return true;
}

/*
** Which of the accesses to one block the i-th of a list is, from 1: views of
** one array may be both read and written. Only graphs and lists that are sorted
** have more than OP_ACCESSES to a block, and these lie side by side.
*/
static inline int rt_nth (const Access *list, int i) {
  int n = 1;
  for (int k = i - 1; k >= 0; k--) {
    bool same = (list[k].block == list[i].block);
    if (!same && k <= i - OP_ACCESSES)
      break;
    n += same;
  }
  return n;
}

/* By block. */
void rt_sortaccesses (Access *list, int n);

enum { MARKS_FEW = 8 };  /* as many are looked through at each access */

/* Makes room for so many more marks, so that rt_note cannot fail. */
Status rt_reserve (MarkSet *m, int more);

/* Remembers that operation (s, seq) makes access 'a'. */
void rt_note (MarkSet *m, const Access *a, RtStream *s, uint64_t seq);

/* Forgets mark i, which is done; marks that are known done. */
void rt_forget (MarkSet *m, int i);
void rt_prune (MarkSet *m);

void rt_freemarks (MarkSet *m);

#endif

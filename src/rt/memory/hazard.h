/* hazard.h - finds the operations that an access has to wait for. See
** hazard.c. */
#ifndef TIDE_RT_MEMORY_HAZARD_H
#define TIDE_RT_MEMORY_HAZARD_H

#include "block_types.h"
#include "rt/queue/op_types.h"
#include "rt/rt.h"

/* Tells whether two uses of a block have to be ordered. */
bool hazard_conflicts (const Mark *k, const Access *a);

/* Adds to 'list', which has room for a point of each stream, the points that
** must pass before an operation on 's' may make access 'a'. */
void hazard_collect (const MarkSet *m, const Access *a, const RtStream *s,
                     Point *list, int *n);

/* Notes that a wait for the next operation also reports errors of those that
** its access comes after, even if these are done. */
Status hazard_note_errors (const MarkSet *m, const Access *a, RtStream *s);

/* Adds a point to the 'n' of a list, or advances the point of its stream. */
void hazard_add_point (Point *list, int *n, RtStream *s, uint64_t seq);

/* Tells whether there is plainly nothing to wait for, as in a program with one
** stream. */
static inline bool hazard_is_none (const MarkSet *m, const Access *a,
                                   const RtStream *s) {
  if (m->writes == 0 && !a->write)
    return true;
  for (int i = 0; i < m->n; i++)
    if (m->at[i].s != s)
      return false;
  return true;
}

/*
** Returns the number, from 1, of the i-th access of a list among the accesses
** to the same block. There may be several, because views of one array may be
** both read and written. Only graphs and sorted lists have more than
** OP_ACCESSES to a block, and these are neighbours.
*/
static inline int hazard_nth (const Access *list, int i) {
  int n = 1;
  for (int k = i - 1; k >= 0; k--) {
    bool same = (list[k].block == list[i].block);
    if (!same && k <= i - OP_ACCESSES)
      break;
    n += same;
  }
  return n;
}

/* Sorts by block. */
void hazard_sort (Access *list, int n);

/* Tells whether the operation, by that access, depends on earlier contents. */
bool hazard_depends (const Op *op, const Access *a);

/* Tells whether it only writes, and all of the range. */
bool hazard_replaces (const Op *op, const Access *a);

enum { MARKS_FEW = 8 }; /* up to this many are searched at each access */

/* Makes room for 'more' marks, so that hazard_note cannot fail. */
Status hazard_reserve (MarkSet *m, int more);

/* Remembers that operation (s, seq) makes access 'a'. */
void hazard_note (MarkSet *m, const Access *a, RtStream *s, uint64_t seq);

/* Removes mark i, which is done; removes all marks that are known to be
** done. */
void hazard_remove (MarkSet *m, int i);
void hazard_prune (MarkSet *m);

void hazard_free (MarkSet *m);

#endif

/*
** overlap.c - memory that transfers of one group share.
**
** The transfers of a group run at the same time. If one of them received bytes
** that another one sends or receives, the result would depend on their order.
*/
#include "overlap.h"

#include <stdlib.h>

static int by_address (const void *a, const void *b) {
  const Span *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

/* Returns the end of the run of overlapping spans that begins at 'i'. */
static int end_of_run (const Span *spans, int n, int i) {
  uint64_t to = spans[i].to;
  for (i++; i < n && spans[i].from < to; i++)
    if (spans[i].to > to)
      to = spans[i].to;
  return i;
}

/* In a run of several spans each shares bytes with another one. */
void overlap_mark (Span *spans, int n) {
  qsort(spans, (size_t)n, sizeof *spans, by_address);
  for (int i = 0; i < n;) {
    int end = end_of_run(spans, n, i);
    bool several = (end - i > 1);
    for (; i < end; i++)
      if (several && spans[i].shared != NULL)
        *spans[i].shared = true;
  }
}

/* overlap.h - memory that transfers of one group share. See overlap.c. */
#ifndef TIDE_COMM_OVERLAP_H
#define TIDE_COMM_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

/* The bytes that a transfer reads or writes. */
typedef struct Span {
  uint64_t from, to;
  bool *shared; /* NULL: it only reads */
} Span;

/* Sets 'shared' of each written span that overlaps another one. Sorts
** 'spans'. */
void overlap_mark (Span *spans, int n);

#endif

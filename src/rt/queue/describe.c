/*
** describe.c - the sizes of operations, for the verbose form of a graph.
*/
#include <stdio.h>
#include <string.h>

#include "dispatch.h"

#include "op_types.h"
#include "rt/graph/graph_types.h"

void dispatch_describe_nothing (const Op *op, char text[NODE_DETAIL]) {
  (void)op;
  text[0] = '\0';
}

/* Appends a number and returns its end. This is much faster than snprintf, and
** each captured launch needs it twice. */
static char *add_number (char *to, unsigned n) {
  char digits[10];
  int i = 0;
  do
    digits[i++] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  while (i > 0)
    *to++ = digits[--i];
  return to;
}

/* Appends sizes like 16x16. Sizes of 1 at the end are left out. */
static char *add_sizes (char *to, const unsigned size[3]) {
  int n = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1;
  for (int i = 0; i < n; i++) {
    if (i > 0)
      *to++ = 'x';
    to = add_number(to, size[i]);
  }
  return to;
}

/* Needs at most 10 + 2 + 3 * 10 digits, because blocks have at most 1024
** threads, and grids at most 65535 blocks in all sizes but the first. */
void dispatch_describe_launch (const Op *op, char text[NODE_DETAIL]) {
  char *to = add_sizes(stpcpy(text, "grid "), op->u.launch.grid);
  *add_sizes(stpcpy(to, " block "), op->u.launch.block) = '\0';
}

void dispatch_describe_copy (const Op *op, char text[NODE_DETAIL]) {
  snprintf(text, NODE_DETAIL, "%zu bytes", op->u.copy.bytes);
}

void dispatch_describe_fft (const Op *op, char text[NODE_DETAIL]) {
  snprintf(text, NODE_DETAIL, "%zu lines of %zu", op->u.fft.key.batches,
           op->u.fft.key.n);
}

void dispatch_describe_zero (const Op *op, char text[NODE_DETAIL]) {
  snprintf(text, NODE_DETAIL, "%zu bytes", op->u.zero.bytes);
}

void dispatch_describe (const Op *op, char text[NODE_DETAIL]) {
  static OpDescribe *const details[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  dispatch_describe_##detail,
#include "rt/driver/op_kinds.def"
#undef OP
  };
  details[op->kind](op, text);
}

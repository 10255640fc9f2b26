/*
** details.c - the sizes of operations, for the verbose form of a graph.
*/
#include <stdio.h>

#include "enqueue.h"

void rt_tellnothing (const Op *op, char text[NODE_DETAIL]) {
  (void)op;
  text[0] = '\0';
}

/* Sizes of 1 are left out: grid 4 block 16x16. */
void rt_telllaunch (const Op *op, char text[NODE_DETAIL]) {
  const unsigned *of[2] = {op->u.launch.grid, op->u.launch.block};
  size_t at = 0;
  for (int i = 0; i < 2; i++) {
    int n = of[i][2] > 1 ? 3 : of[i][1] > 1 ? 2 : 1;
    at += (size_t)snprintf(text + at, NODE_DETAIL - at, "%s%u",
                           i == 0 ? "grid " : " block ", of[i][0]);
    for (int k = 1; k < n; k++)
      at += (size_t)snprintf(text + at, NODE_DETAIL - at, "x%u", of[i][k]);
  }
}

void rt_tellcopy (const Op *op, char text[NODE_DETAIL]) {
  snprintf(text, NODE_DETAIL, "%zu bytes", op->u.copy.bytes);
}

void rt_tellzero (const Op *op, char text[NODE_DETAIL]) {
  snprintf(text, NODE_DETAIL, "%zu bytes", op->u.zero.bytes);
}

void rt_tell (const Op *op, char text[NODE_DETAIL]) {
  static OpTell *const details[] = {
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
    rt_tell##detail,
#include "rt/driver/op_kinds.def"
#undef OP
  };
  details[op->kind](op, text);
}

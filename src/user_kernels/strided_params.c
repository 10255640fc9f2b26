/*
** strided_params.c - decides which operands of a generated kernel are read
** directly although their elements are not adjacent: a row for all rows, a part
** of a matrix.
**
** DESIGN. The kernel knows three axes, with the same lengths for all such
** operands. Two axes of the operation are joined if every operand steps along
** one as along the next. If neighbours in memory are far apart in the
** operation, as in a transposed matrix, a copy first is faster, by a kernel
** that works tile by tile. An operand that would need too many axes is copied,
** too.
*/
#include <stdlib.h>

#include "array/array.h"
#include "params.h"

enum {
  NEAR = 4,     /* the largest distance of elements, */
  FEW = 1 << 16 /* or, for so few elements, any: a copy costs more */
};

/* Joins the axes. Returns false if there are too many. */
static bool join_axes (Binding *b) {
  int64_t strides[STRIDED_MOST][MAX_DIMS];
  int64_t length[PARAM_AXES] = {1, 1, 1}, step[STRIDED_MOST][PARAM_AXES] = {0};
  int at = PARAM_AXES;
  for (int j = 0; j < b->nstrided; j++)
    param_strides(b, b->args[b->strided[j]].array, strides[j]);
  for (int k = b->ndim - 1; k >= 0; k--) {
    bool joins = (at < PARAM_AXES);
    if (b->shape[k] == 1)
      continue;
    for (int j = 0; j < b->nstrided && joins; j++)
      joins = (strides[j][k] == step[j][at] * length[at]);
    if (joins) {
      length[at] *= b->shape[k];
      continue;
    }
    if (at-- == 0)
      return false;
    length[at] = b->shape[k];
    for (int j = 0; j < b->nstrided; j++)
      step[j][at] = strides[j][k];
  }
  for (int i = 0; i < PARAM_AXES; i++) {
    b->axes[i] = length[i];
    for (int j = 0; j < b->nstrided; j++)
      b->args[b->strided[j]].step[i] = step[j][i];
  }
  return true;
}

/* Returns how many more there may be: a program's arguments are limited. */
static int room (const Binding *b) {
  int n = PROGRAM_ARGS - 1 - (PARAM_AXES - 1) - KERNEL_PARAMS;
  for (int i = 0; i < b->n; i++)
    n -= b->list->at[i].raw;
  n /= PARAM_AXES;
  return (n < STRIDED_MOST ? n : STRIDED_MOST) - b->nstrided;
}

static bool is_near (const Binding *b, int i) {
  int64_t size = 1;
  for (int k = 0; k < b->ndim; k++)
    size *= b->shape[k];
  return size <= FEW || llabs(b->args[i].step[PARAM_AXES - 1]) <= NEAR;
}

bool param_bind_strided (Binding *b, int i) {
  if (room(b) < 1)
    return false;
  b->strided[b->nstrided++] = i;
  if (join_axes(b) && is_near(b, i)) {
    b->modes[i] = ARG_STRIDED;
    return true;
  }
  b->nstrided--;
  if (b->nstrided > 0)
    join_axes(b); /* restores the axes */
  return false;
}

/* einsum_path.h - the order in which arrays are multiplied. See
** einsum_path.c. */
#ifndef TIDE_OPS_EINSUM_PATH_H
#define TIDE_OPS_EINSUM_PATH_H

#include "contract.h"

enum { MAX_TERMS = 64 }; /* arrays of one sum */

/* A product of several arrays, summed over the labels that are not kept. */
typedef struct Sum {
  int n;                        /* arrays */
  Labelled term[2 * MAX_TERMS]; /* the arrays, then the results of steps */
  int64_t length[LABELS];       /* of each label; 1 broadcasts */
  KeptLabels kept;
} Sum;

/* The two terms that step i multiplies: its result is term n + i. */
typedef struct PathStep {
  uint8_t left, right;
} PathStep;

/* Finds the n - 1 steps. */
void einsum_path_find (const Sum *sum, PathStep *steps);

#endif

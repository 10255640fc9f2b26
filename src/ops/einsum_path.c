/*
** einsum_path.c - the order in which the arrays of an einsum are multiplied,
** two at a time. A step costs the product of the lengths of all its labels. For
** few arrays it finds the cheapest order of all, from that of each subset; for
** more arrays it takes the cheapest step each time.
*/
#include "einsum_path.h"

#include <math.h>
#include <string.h>

enum { OPTIMAL = 6, SUBSETS = 1 << OPTIMAL };

/* The labels of a term, a bit each. */
typedef struct LabelSet {
  uint64_t bits[LABELS / 64];
} LabelSet;

static LabelSet set_of (const Labelled *x) {
  LabelSet s = {{0}};
  for (int i = 0; i < x->ndim; i++)
    s.bits[x->label[i] / 64] |= UINT64_C(1) << x->label[i] % 64;
  return s;
}

static LabelSet kept_set (const KeptLabels *kept) {
  LabelSet s = {{0}};
  for (int i = 0; i < LABELS; i++)
    if (kept->has[i])
      s.bits[i / 64] |= UINT64_C(1) << i % 64;
  return s;
}

static LabelSet united (LabelSet x, LabelSet y) {
  for (int i = 0; i < LABELS / 64; i++)
    x.bits[i] |= y.bits[i];
  return x;
}

static LabelSet common (LabelSet x, LabelSet y) {
  for (int i = 0; i < LABELS / 64; i++)
    x.bits[i] &= y.bits[i];
  return x;
}

static double size_of (const Sum *sum, LabelSet s) {
  double size = 1;
  for (int i = 0; i < LABELS / 64; i++)
    for (uint64_t left = s.bits[i]; left != 0; left &= left - 1)
      size *= (double)sum->length[64 * i + __builtin_ctzll(left)];
  return size;
}

/* {== the cheapest of all ============================================= */

/* The best way to multiply a subset of the arrays, which is its index. */
typedef struct Best {
  double cost;
  unsigned left;   /* the part of it that is one factor of the last step */
  LabelSet labels; /* of its product */
} Best;

/* Returns the labels of the subset's product: labels of its arrays that the
** result or other arrays need. */
static LabelSet labels_of (const Sum *sum, unsigned subset) {
  LabelSet own = {{0}}, others = kept_set(&sum->kept);
  for (int i = 0; i < sum->n; i++) {
    LabelSet *to = (subset >> i & 1) ? &own : &others;
    *to = united(*to, set_of(&sum->term[i]));
  }
  return common(own, others);
}

static void find_best (const Sum *sum, Best *best, unsigned subset) {
  Best *b = &best[subset];
  *b = (Best){.cost = HUGE_VAL, .labels = labels_of(sum, subset)};
  if ((subset & (subset - 1)) == 0) {
    b->labels = set_of(&sum->term[__builtin_ctz(subset)]);
    b->cost = 0;
    return;
  }
  for (unsigned x = (subset - 1) & subset; x > 0; x = (x - 1) & subset) {
    unsigned y = subset & ~x;
    if (x < y)
      continue; /* each pair once; y has the lowest array */
    double cost = best[x].cost + best[y].cost +
                  size_of(sum, united(best[x].labels, best[y].labels));
    if (b->left == 0 || cost < b->cost) {
      b->cost = cost;
      b->left = y;
    }
  }
}

/* Appends the steps of a subset. Returns the term that is its product. */
static int list_steps (const Sum *sum, const Best *best, unsigned subset,
                       PathStep *steps, int *n) {
  if ((subset & (subset - 1)) == 0)
    return __builtin_ctz(subset);
  unsigned left = best[subset].left;
  int x = list_steps(sum, best, left, steps, n);
  int y = list_steps(sum, best, subset & ~left, steps, n);
  steps[*n] = (PathStep){(uint8_t)x, (uint8_t)y};
  return sum->n + (*n)++;
}

static void find_optimal (const Sum *sum, PathStep *steps) {
  Best best[SUBSETS];
  unsigned all = (1u << sum->n) - 1;
  int n = 0;
  for (unsigned subset = 1; subset <= all; subset++)
    find_best(sum, best, subset);
  list_steps(sum, best, all, steps, &n);
}

/* ==} */

/* {== step by step ==================================================== */

/* The remaining terms. */
typedef struct Left {
  int n;
  uint8_t id[MAX_TERMS];
  LabelSet labels[MAX_TERMS];
} Left;

static void cheapest (const Sum *sum, const Left *t, int *x, int *y) {
  double least = HUGE_VAL;
  *x = 0;
  *y = 1;
  for (int i = 0; i < t->n; i++) {
    for (int k = i + 1; k < t->n; k++) {
      double cost = size_of(sum, united(t->labels[i], t->labels[k]));
      if (cost < least) {
        least = cost;
        *x = i;
        *y = k;
      }
    }
  }
}

/* Removes x and y, and appends their product. */
static void join (const Sum *sum, Left *t, int x, int y, int id) {
  LabelSet labels = united(t->labels[x], t->labels[y]);
  LabelSet others = kept_set(&sum->kept);
  int n = 0;
  for (int i = 0; i < t->n; i++) {
    if (i == x || i == y)
      continue;
    others = united(others, t->labels[i]);
    t->id[n] = t->id[i];
    t->labels[n++] = t->labels[i];
  }
  t->id[n] = (uint8_t)id;
  t->labels[n] = common(labels, others);
  t->n = n + 1;
}

static void find_greedy (const Sum *sum, PathStep *steps) {
  Left t = {.n = sum->n};
  for (int i = 0; i < t.n; i++) {
    t.id[i] = (uint8_t)i;
    t.labels[i] = set_of(&sum->term[i]);
  }
  for (int i = 0; i < sum->n - 1; i++) {
    int x, y;
    cheapest(sum, &t, &x, &y);
    steps[i] = (PathStep){t.id[x], t.id[y]};
    join(sum, &t, x, y, sum->n + i);
  }
}

/* ==} */

void einsum_path_find (const Sum *sum, PathStep *steps) {
  if (sum->n <= OPTIMAL)
    find_optimal(sum, steps);
  else
    find_greedy(sum, steps);
}

/*
** moments.h - what variances are folded of. Valid C and CUDA C++; the same in
** moments.cu and its twins.
**
** Elements are taken some at a time: their mean first, then the squares of what
** each is away from it, while they are in registers or in the first cache. Two
** such parts become one by Chan, Golub and LeVeque (1983), in which nothing
** cancels out that is large. So an array is read once. What is lost grows with
** how many deviations the mean is away from 0, half an epsilon of float64 for
** each; with the mean of all known beforehand it would be less.
*/
#ifndef TIDE_MOMENTS_H
#define TIDE_MOMENTS_H

#include "ops.h"

/* Of n elements the mean, and the squares of what they are away from it, added
** up. */
typedef struct Moments {
  double n, mean, squares;
} Moments;

/*
** a and b, where n = a.n + b.n and part = b.n / n. The mean is b's where a has
** no elements: away * 0 is 0. Products are formed such that numbers whose
** squares are infinite do no harm where they are near each other.
*/
FN Moments moments_put (Moments a, Moments b, double n, double part) {
  const double away = b.mean - a.mean;
  Moments z = {n, 0, 0};
  z.mean = a.mean + away * part;
  z.squares = a.squares + b.squares + away * (away * (a.n * part));
  return z;
}

FN Moments moments_join (Moments a, Moments b) {
  const double n = a.n + b.n;
  return b.n == 0 ? a : moments_put(a, b, n, b.n / n);
}

/* The variance; 'root': its root. */
FN double moments_end (Moments a, double by, bool root) {
  const double var = a.squares / by;
  return root ? sqrt(var) : var;
}

#endif

/*
** moments.h - the accumulators of variances. Valid C and CUDA C++; the same in
** moments.cu and its host kernels.
**
** Elements are taken some at a time: first their mean, then the squares of
** their deviations from it, while they are in registers or in the first cache.
** Two such parts become one by Chan, Golub and LeVeque (1983), where no large
** terms cancel. So an array is read once. The error grows with the distance of
** the mean from 0, by half an epsilon of float64 for each standard deviation; a
** mean known beforehand would lose less.
*/
#ifndef TIDE_MOMENTS_H
#define TIDE_MOMENTS_H

#include "ops.h"

/* The mean of n elements, and the sum of the squares of their deviations from
** it. */
typedef struct Moments {
  double n, mean, squares;
} Moments;

/*
** Joins a and b, where n = a.n + b.n and part = b.n / n. The mean is b's if a
** has no elements: away * 0 is 0. Products are formed so that numbers with
** infinite squares do no harm if they are near each other.
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

/* Returns the variance; 'root': the standard deviation. */
FN double moments_end (Moments a, double by, bool root) {
  const double var = a.squares / by;
  return root ? sqrt(var) : var;
}

#endif

/*
** fft_plan.h - the tables of a Fourier transform on the host device: its stages
** and roots of unity. See fft_plan.c.
*/
#ifndef TIDE_RT_HOST_KERNELS_FFT_PLAN_H
#define TIDE_RT_HOST_KERNELS_FFT_PLAN_H

#include "rt/kernels/fft.h"

enum { FFT_STAGES = 2 * FFT_PASSES + 1, FFT_FACTORS = 9 };

/* n complex numbers, in the type of the plan: first the real parts, then the
** imaginary ones. NULL: all are 1. */
typedef struct FftTable {
  const void *re, *im;
} FftTable;

typedef enum FftWhat {
  FFT_PASS,
  FFT_SPLIT, /* the transform of half a real line: becomes that of all of it */
  FFT_JOIN   /* its inverse */
} FftWhat;

/*
** A stage. A pass transforms elements that are s * l apart, r at a time:
**
**   z[q + s (r p + k)] = w^(p k) sum over j of x[q + s (p + l j)] v^(j k)
**
** for p < l and q < s, where w and v are the first root of unity of order r l
** and of order r. The first pass of a transform may multiply what it reads; the
** last one, which has l = 1, what it writes.
*/
typedef struct FftStage {
  FftWhat what;
  size_t r, s, l;
  unsigned char factor[FFT_FACTORS]; /* of r; 0 ends them */
  FftTable roots;  /* v^k for k < r; of FFT_SPLIT and FFT_JOIN: of order n, up
                      to the middle */
  FftTable twists; /* w^(p k) at k l + p */
  FftTable before, after;
  bool first, last;   /* of the passes of one transform */
  bool opens, closes; /* of all passes */
  bool turned;        /* re and im are swapped before 'after' */
  bool turned_after;  /* ... and after it */
} FftStage;

typedef struct FftPlan {
  struct FftPlan *next; /* used longer ago */
  FftShape shape;
  int kind;
  size_t size; /* of a real number */
  size_t bytes;
  int users;
  FftStage stage[FFT_STAGES];
} FftPlan;

/* Returns the plan for lines of n elements of float (size 4) or double, from
** the cache or a new one; NULL: no memory. */
const FftPlan *fft_plan_open (size_t n, int kind, size_t size);

/* Ends a use of a plan, which stays in the cache. */
void fft_plan_close (const FftPlan *plan);

/* fft.c: transforms m complex numbers in place; m is that of a plan whose
** passes are not a convolution. Returns false without memory. */
bool fft_plan_transform (const FftPlan *plan, double *x);

#endif

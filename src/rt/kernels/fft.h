/*
** fft.h - how the host device computes a Fourier transform of n elements: the
** stages of a transform, which depend on n and its kind only. See fft.c, and
** src/rt/host/kernels/fft.c, which does them.
*/
#ifndef TIDE_RT_KERNELS_FFT_H
#define TIDE_RT_KERNELS_FFT_H

#include <stdbool.h>
#include <stddef.h>

/* The kind of a transform: a set of these. */
enum {
  FFT_INVERSE = 1,  /* the exponent is positive */
  FFT_REAL_IN = 2,  /* its input is real */
  FFT_REAL_OUT = 4, /* its output is real: half of the input is given */
  FFT_HALF = 8      /* of a real input: half of the output is computed */
};

enum {
  FFT_PASSES = 8,  /* at most: lengths up to 2^64 */
  FFT_RADIX = 512, /* of a pass, at most */
  FFT_PRIME = 61,  /* the largest prime factor of a radix */
  FFT_WHOLE = 0    /* as the number of a stage: all of them */
};

/*
** The stages of a transform: two complex passes for each radix if it is a
** convolution, else one; and for a real transform of even length a stage that
** joins or splits the transform of half its length.
*/
typedef struct FftShape {
  size_t n;       /* length of the transform */
  size_t inner;   /* n, or half of it */
  size_t m;       /* length of the passes: 'inner' or, for Bluestein's
                     convolution, more */
  bool halved;    /* inner is n / 2 */
  bool convolved; /* by Bluestein's algorithm */
  int npasses;    /* to transform m elements */
  unsigned short radix[FFT_PASSES];
  int nstages;
} FftShape;

/* Finds the stages for n > 0. Returns false if n is too large. */
bool fft_shape (FftShape *shape, size_t n, int kind);

/* Returns the smallest 2^i, 3 * 2^i or 5 * 2^i from n on, whose transforms are
** fast; 0: too large. */
size_t fft_good_length (size_t n);

/* Lines of a transform: the elements of an array along an axis. */
typedef struct FftLines {
  size_t outer, inner; /* products of the lengths before and after the axis */
} FftLines;

/* Tells whether one launch does all stages. Otherwise there is a launch for
** each stage, so that workers can share long lines. */
bool fft_is_fused (const FftShape *shape, FftLines lines);

/* Returns the columns of a unit, which are neighbours among 'inner'; and the
** lines 'outer' of one. */
size_t fft_columns (const FftShape *shape, size_t inner);
size_t fft_group (const FftShape *shape, size_t columns);

/* Returns the number of independent units of a launch, and the number of
** elements for which an elementwise operation takes as long. */
size_t fft_units (size_t n, size_t inner, size_t outer, size_t stage,
                  size_t kind);
size_t fft_work (size_t n, size_t inner, size_t outer);

#endif

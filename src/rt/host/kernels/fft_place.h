/*
** fft_place.h - where the elements of Fourier transforms are, for fft.c and
** the headers that it includes for each type.
*/
#ifndef TIDE_RT_HOST_KERNELS_FFT_PLACE_H
#define TIDE_RT_HOST_KERNELS_FFT_PLACE_H

#include "fft_plan.h"

/* Neighbours of a tile, which a vector transforms side by side. */
enum { FFT_LANE_BYTES = 64 };

/*
** The elements that a stage reads or writes, in units of real numbers. The
** element a of column q of line o begins at o * line + a * axis + q * column.
*/
typedef struct FftPlace {
  size_t line, axis, column;
  size_t imag;  /* from the real part to the imaginary one; 0: it has none */
  size_t count; /* elements that exist: others are read as 0 and not written */
  bool cut;     /* the last one has no imaginary part */
} FftPlace;

/* A launch, or a part of it, with lines of 'columns' neighbours. */
typedef struct FftRun {
  size_t n; /* elements that the passes transform */
  size_t columns;
  FftPlace in, out; /* of all stages */
  bool mirrored;    /* 'in' has the first half, and others are conjugated */
  bool turned;      /* inverse: re and im are swapped at the beginning and at
                       the end */
  double scale;
} FftRun;

#endif

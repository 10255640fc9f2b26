/* fourier.h - a Fourier transform along one axis. See fourier.c. */
#ifndef TIDE_OPS_FOURIER_H
#define TIDE_OPS_FOURIER_H

#include "array/array.h"

typedef struct Fourier {
  int axis;
  int64_t n;    /* its length: elements that the array lacks are 0 */
  int kind;     /* see rt/kernels/fft.h */
  double scale; /* the factor of the result */
} Fourier;

/*
** Pushes the transform of the array at 'arg', which has the dtype of the
** transform's input. 'own': the array may be overwritten, and pushed again.
*/
Array *fourier_push (lua_State *L, RtStream *s, int arg, const Fourier *f,
                     bool own);

/* Elements of a convolution along an axis. */
typedef struct FourierPart {
  int64_t first, count;
} FourierPart;

/* fourier_convolve.c: tells whether a convolution with so many results, each
** the sum of so many products ('taps'), is faster by transforms of so many
** points, and the device has transforms. */
bool fourier_pays (RtDevice *dev, double results, double taps, double points);

/* Pushes a part of the convolution, along all axes, of the
** arrays at x and y, of one dtype: float32, float64 or complex. */
Array *fourier_push_convolved (lua_State *L, RtStream *s, int x, int y,
                               const FourierPart part[]);

#endif

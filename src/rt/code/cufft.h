/* cufft.h - Fourier transforms on GPUs by cuFFT. See cufft.c. */
#ifndef TIDE_RT_CODE_CUFFT_H
#define TIDE_RT_CODE_CUFFT_H

#include "rt/driver/shared.h"
#include "rt/queue/op_types.h"

/* Finds, or makes, the plan of a transform, and sets the bytes of its
** workspace. */
Status cufft_prepare (RtDevice *dev, RtFft *fft);

/* Queues a transform, for dispatch.c only. */
Status cufft_run (RtStream *s, const RtFft *fft);

/* Returns the name of the loaded library; NULL: there is none, or it is off. */
const char *cufft_name (void);

/* Destroys all plans, before the context goes. */
void cufft_free (RtShared *sh);

/* Forgets them, if the context is gone. */
void cufft_forget (RtShared *sh);

#endif

/* ring.h - from the host's ordinary memory to the device. See ring.c. */
#ifndef TIDE_RING_H
#define TIDE_RING_H

#include "crew.h"

/* Where bytes come from. */
typedef struct RtBytes {
  RtFill fill;
  const void *ud;
  size_t bytes;
} RtBytes;

/* Data up to this size is better off in page-locked memory of its own; no slot
** is smaller. */
#define RING_LEAST ((size_t)64 << 10)

/*
** Queues on 's' the copy of all bytes of a source to 'to' + 'off', of device
** memory; no capture is open. They have left the source when it returns.
** Where a host function fails or the wait is interrupted, all is queued if
** that can be, and the Status tells.
** CUDA_ERROR_OUT_OF_MEMORY: nothing was queued, as no page-locked memory can
** be had.
*/
Status rt_upload (RtStream *s, RtBlock *to, size_t off, const RtBytes *src,
                  const char *what);

/* An idle slot goes back to the driver. */
Status rt_givebackslot (RtDevice *dev, int i);

/* The device was reset, or closes: its blocks go with the others. */
void rt_forgetring (RtDevice *dev);

#endif

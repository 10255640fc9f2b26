/* upload.h - from the host's ordinary memory to the device. See upload.c. */
#ifndef TIDE_RT_UPLOAD_H
#define TIDE_RT_UPLOAD_H

#include "copy_threads.h"

/* Where bytes come from. */
typedef struct RtBytes {
  RtFill fill;
  const void *ud;
  size_t bytes;
  const char *name;  /* of the file; or NULL */
} RtBytes;

/* Data up to this size is better off in page-locked memory of its own; no slot
** is smaller. */
#define RING_LEAST ((size_t)64 << 10)

#if !defined(RING_WINDOW)
#define RING_WINDOW 8  /* slots that are filled at a time */
#endif

typedef struct RtPiece {
  RtJob job;
  RtBlock *slot;
} RtPiece;

/* One transfer under way: pieces [first, first + n) of the window are being
** filled, the oldest first. */
typedef struct RtUpload {
  RtStream *s;
  RtBlock *to;
  size_t off;
  RtBytes src;
  const char *what;
  struct Crew *crew;
  size_t at;       /* bytes of the source that have a piece, */
  size_t queued;   /* and those whose copy is queued */
  RtPiece window[RING_WINDOW];
  int first, n;
  bool waits;      /* the host will have to wait, as it looked at the start */
} RtUpload;

/*
** Queues on 's' the copy of all bytes of a source to 'to' + 'off', of device
** memory; no capture is open. Start, then rt_upload till it is another thing
** than CUDA_ERROR_NOT_READY: a slot (rt_hasslot) is to be waited for, without
** host functions; then end with that, in any case. The bytes have left the
** source then. If the wait was interrupted all is queued if that can be.
** CUDA_ERROR_OUT_OF_MEMORY: nothing was queued, as no page-locked memory can be
** had.
*/
Status rt_startupload (RtUpload *u, RtStream *s, RtBlock *to, size_t off,
                       const RtBytes *src, const char *what);
Status rt_upload (RtUpload *u);
Status rt_endupload (RtUpload *u, Status st);

/* The same without slots, where the host reaches that memory, and a copy would
** begin at once: true, all is there, or *st says why not. */
bool rt_uploadstraight (RtStream *s, RtBlock *to, size_t off,
                        const RtBytes *src, const char *what, Status *st);

/* Is a slot idle? CUDA_ERROR_NOT_READY: one will be. */
Status rt_hasslot (RtDevice *dev);

/* An idle slot goes back to the driver. */
Status rt_givebackslot (RtDevice *dev, int i);

/* The device was reset, or closes: its blocks go with the others. */
void rt_forgetring (RtDevice *dev);

#endif

/* upload.h - copies from ordinary host memory to the device. See upload.c. */
#ifndef TIDE_RT_UPLOAD_H
#define TIDE_RT_UPLOAD_H

#include "copy_threads.h"

/* The source of an upload. */
typedef struct RtBytes {
  RtFill fill;
  const void *ud;
  size_t bytes;
  const char *name; /* of the file; or NULL */
} RtBytes;

/* Data up to this size is better off in a page-locked block of its own. No slot
** is smaller. */
#define RING_LEAST ((size_t)64 << 10)

#if !defined(RING_WINDOW)
#define RING_WINDOW 8 /* slots that are filled at a time */
#endif

typedef struct RtPiece {
  RtJob job;
  RtBlock *slot;
} RtPiece;

/* An upload under way: pieces [first, first + n) of the window are being
** filled, the oldest first. */
typedef struct RtUpload {
  RtStream *s;
  RtBlock *to;
  size_t off;
  RtBytes src;
  const char *what;
  struct Crew *crew;
  size_t at;     /* bytes of the source that have a piece */
  size_t queued; /* bytes whose copy is queued */
  RtPiece window[RING_WINDOW];
  int first, n;
  bool waits; /* at the start it seemed that the host has to wait */
} RtUpload;

/*
** Copies all bytes of a source to 'to' + 'off', in device memory, on 's'. No
** capture is open. Call rt_startupload, then rt_upload as long as it returns
** CUDA_ERROR_NOT_READY; after each of these wait for a slot (rt_hasslot)
** without running host functions. Call rt_endupload with the last status in any
** case: after it the source is no longer read. If the wait was interrupted, the
** rest is queued if possible. CUDA_ERROR_OUT_OF_MEMORY: nothing was queued,
** because there is no page-locked memory.
*/
Status rt_startupload (RtUpload *u, RtStream *s, RtBlock *to, size_t off,
                       const RtBytes *src, const char *what);
Status rt_upload (RtUpload *u);
Status rt_endupload (RtUpload *u, Status st);

/* Copies at once, without slots, if the host reaches the target's memory and a
** copy on 's' would begin at once. Returns true if it did all, or if *st has an
** error. */
bool rt_uploadstraight (RtStream *s, RtBlock *to, size_t off,
                        const RtBytes *src, const char *what, Status *st);

/* Tells whether a slot is idle. CUDA_ERROR_NOT_READY: one will be. */
Status rt_hasslot (RtDevice *dev);

/* Gives an idle slot back to the driver. */
Status rt_givebackslot (RtDevice *dev, int i);

/* For a device that was reset or closes: its blocks go with all others. */
void rt_forgetring (RtDevice *dev);

#endif

/* staging.h - copies from ordinary host memory to the device. See staging.c. */
#ifndef TIDE_RT_SUBMIT_STAGING_H
#define TIDE_RT_SUBMIT_STAGING_H

#include "rt/memory/copy_pool.h"

/* The source of an upload. */
typedef struct RtBytes {
  RtFill fill;
  const void *ud;
  size_t bytes;
  const char *name; /* of the file; or NULL */
} RtBytes;

#if !defined(STAGING_WINDOW)
#define STAGING_WINDOW 8 /* slots that are filled at a time */
#endif

typedef struct RtChunk {
  RtJob job;
  RtBlock *slot;
} RtChunk;

/* An upload under way: chunks [first, first + n) of the window are being
** filled, the oldest first. */
typedef struct RtUpload {
  RtStream *s;
  RtBlock *to;
  size_t off;
  RtBytes src;
  const char *what;
  struct CopyPool *pool;
  size_t at;     /* bytes of the source that have a chunk */
  size_t queued; /* bytes whose copy is queued */
  RtChunk window[STAGING_WINDOW];
  int first, n;
  bool waits; /* at the start it seemed that the host has to wait */
} RtUpload;

/*
** Copies all bytes of a source to 'to' + 'off', in device memory, on 's'. No
** capture is open. Call staging_start, then staging_continue as long as it
** returns CUDA_ERROR_NOT_READY; after each of these wait for a slot
** (slot_query) without running host functions. Call staging_end with the
** last status in any case: after it the source is no longer read. If the wait
** was interrupted, the rest is queued if possible. CUDA_ERROR_OUT_OF_MEMORY:
** nothing was queued, because there is no page-locked memory.
*/
Status staging_start (RtUpload *u, RtStream *s, RtBlock *to, size_t off,
                      const RtBytes *src, const char *what);
Status staging_continue (RtUpload *u);
Status staging_end (RtUpload *u, Status st);

/* Copies at once, without slots, if the host reaches the target's memory and a
** copy on 's' would begin at once. Returns true if it did all, or if *st has an
** error. */
bool staging_bypass (RtStream *s, RtBlock *to, size_t off, const RtBytes *src,
                     const char *what, Status *st);

#endif

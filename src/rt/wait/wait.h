/* wait.h - the parts of a wait. The wait itself is above the wall, where host
** functions can run meanwhile: src/device/service.c. */
#ifndef TIDE_RT_WAIT_WAIT_H
#define TIDE_RT_WAIT_WAIT_H

#include "rt/rt.h"

/* Notes what a call has to wait for before it is made again. Returns
** RT_BLOCKED. */
Status wait_block (RtDevice *dev, WaitKind kind, RtStream *s, uint64_t seq,
                   const char *what);

/* As above, of kind WAIT_ASKED: until is_ready says so. */
Status wait_block_until (bool (*is_ready)(const WaitReason *w), RtDevice *dev,
                         RtStream *s, uint64_t seq, const char *what);

/* Returns 0 if that has happened, CUDA_ERROR_NOT_READY, or an error that says
** why it never will. */
Status wait_is_ready (const WaitReason *reason);

/*
** Checks that the host may wait for the work on 's': not while 's' takes part
** in a capture. 'what' names the tide call in errors.
*/
Status wait_check (RtStream *s, const char *what);

/* As progress_passed, but answers CUDA_ERROR_NOT_READY without a query for work
** on a GPU that has no tail yet, and records one. This work was queued a moment
** ago, so the query is not worth its time. */
Status wait_peek (RtStream *s, uint64_t seq);

/* The state of a wait between its questions. */
typedef struct RtWaiter {
  RtDevice *dev;
  bool host;
  int turns;
  int64_t start; /* ns, when spinning began */
  bool tired;    /* it has spun for long enough */
  bool listens;  /* 'listener' is registered with the driver */
  DriverListener listener;
} RtWaiter;

/* Until the wait ends or is refreshed, the context that it enters stays
** current. */
void wait_start (RtWaiter *w, RtDevice *dev);
void wait_end (RtWaiter *w);
void wait_resume (RtWaiter *w);

/* Rests for one turn: spins, or sleeps for a short time or until woken. Returns
** an error if the device has failed, because the wait would never end. */
Status wait_rest (RtWaiter *w);

/* Restarts the spinning after a host function has run, because others may
** follow at once. */
void wait_respin (RtWaiter *w);

/* Ends an interrupted wait: users' kernels that run on the host device end as
** well. Returns RT_INTERRUPTED. */
Status wait_interrupt (Runtime *rt);

/* Gives users' kernels that run on the host device 'ms' to end, then stops
** them. Returns how many were stopped, and stores the name of one. */
int wait_stop_kernels (Runtime *rt, unsigned ms, char name[DRIVER_KERNEL]);

#endif

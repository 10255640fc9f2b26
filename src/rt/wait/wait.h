/* wait.h - what waits are made of. The wait itself is above the wall, where
** host functions can run meanwhile: src/device/service.c. */
#ifndef TIDE_RT_WAIT_WAIT_H
#define TIDE_RT_WAIT_WAIT_H

#include "rt/rt.h"

/* Notes what a call has to wait for before it is made again; RT_BLOCKED. */
Status rt_block (RtDevice *dev, WantKind kind, RtStream *s, uint64_t seq,
                 const char *what);

/* Is that there? 0, CUDA_ERROR_NOT_READY, or why it never will be. */
Status rt_isready (const RtWant *want);

/*
** May the host wait for what is on 's' now? 'what' names the tide call for
** errors: not while 's' takes part in a capture.
*/
Status rt_checkwait (RtStream *s, const char *what);

/* As rt_passed. What nobody has asked a GPU for yet was queued a moment ago,
** and is not worth the time that its driver takes to say so: it has not passed,
** and from now on there is a mark behind. */
Status rt_glance (RtStream *s, uint64_t seq);

/*
** Does the queue of 's' take so many more pieces of files? Each occupies some
** places until the stream is through with it, and a call that queues more than
** the driver has places for blocks inside it.
*/
bool rt_takespieces (const RtStream *s, uint64_t n);

int64_t rt_nanoseconds (void);  /* of a clock that nobody sets */

/* How a wait rests between its questions. */
typedef struct RtWaiter {
  RtDevice *dev;
  bool host;
  int turns;
  int64_t start;  /* ns, when spinning began */
  bool tired;     /* has spun for long enough */
  bool listens;   /* 'listener' is the driver's */
  DriverListener listener;
} RtWaiter;

/* Until it ends, or is refreshed, the context that it enters stays current. */
void rt_startwaiter (RtWaiter *w, RtDevice *dev);
void rt_endwaiter (RtWaiter *w);
void rt_resumewaiter (RtWaiter *w);

/* One turn: spins, or sleeps until somebody wakes it, but not for long.
** Not 0: the device has failed, and nothing will come of it. */
Status rt_rest (RtWaiter *w);

/* A host function was run meanwhile: others may follow at once. */
void rt_refresh (RtWaiter *w);

/* A wait ends because somebody wants it to: the kernels of users that run on
** the host device end as well. RT_INTERRUPTED. */
Status rt_interrupt (Runtime *rt);

/* Kernels of users that run on the host device have 'ms' to end, and are
** stopped then: how many there were, and the name of one. */
int rt_stopkernels (Runtime *rt, unsigned ms, char name[DRIVER_KERNEL]);

#endif

/* standing.h - streams in which the device may stand still. See standing.c. */
#ifndef TIDE_RT_WAIT_STANDING_H
#define TIDE_RT_WAIT_STANDING_H

#include "rt/rt.h"

/* Before the device may come to a gate in 's'. RT_BLOCKED: not now. */
Status rt_stand (RtStream *s, const char *what);

/* What streams at gates, or ranks that wait, need is made, which takes some
** milliseconds, if it is not there; unless it is too late. */
Status rt_prepare (RtDevice *dev);

/* Streams of 'dev' that are behind no gate any more count no longer. */
void rt_settle (RtDevice *dev);

/* For whoever was RT_BLOCKED: 0, CUDA_ERROR_NOT_READY, or why it will never
** be. Has the device one more place; does nobody stand on it? */
Status rt_hasroom (RtDevice *dev, const char *what);
Status rt_isopen (RtDevice *dev, const char *what);

/*
** Around a driver call that may wait for the device: only while nobody stands
** on it, and nobody will. RT_BLOCKED: somebody does, nothing is locked.
*/
Status rt_lockdevice (RtDevice *dev, const char *what);
void rt_unlockdevice (RtDevice *dev);

/* The thread's default stream is made while nobody stands. */
Status rt_makeptds (RtDevice *dev);

/* As rt_lockdevice, at once or not at all: false if somebody stands, or a test
** holds a stream, or the device was reset. */
bool rt_trylockdevice (RtDevice *dev);

/* A rank of a communicator on 'dev' may wait for others from now on: +1, or no
** more: -1. Until then nothing may wait for the device inside of the driver,
** where nobody would notice that they do not come. */
void rt_countpending (RtDevice *dev, int n);

/* As rt_isopen: does no stream of 'dev' stand? Ranks may wait. */
Status rt_isclear (RtDevice *dev, const char *what);

/* Tests hold a stream: +1, and let it go: -1. */
Status rt_holdstream (RtDevice *dev, int n);

/* Frees page-locked memory, or a graph whose launches have passed and that
** nobody has any more, once nobody stands; what now can go. */
void rt_freehost (RtDevice *dev, void *p);
void rt_freeexec (RtGraph *g);
void rt_freewaiting (Runtime *rt);

struct RtShared;

/* The lock is held: frees what waits in 'sh', whoever stands; forgets who
** stands for 'dev'. */
void rt_freeall (struct RtShared *sh);
void rt_leavestanding (RtDevice *dev);

/* Calls act(sh) if nobody stands, on any device; nobody will meanwhile. The
** lock is held. */
void rt_whilecalm (struct RtShared *sh, void (*act) (struct RtShared *sh));

#endif

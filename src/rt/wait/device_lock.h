/* device_lock.h - calls that may wait for the device inside of the driver, and
** when they are made. See device_lock.c. */
#ifndef TIDE_RT_WAIT_DEVICE_LOCK_H
#define TIDE_RT_WAIT_DEVICE_LOCK_H

#include "rt/rt.h"

/* What ranks that wait, and streams that wait for other processes, need is
** made, which takes some milliseconds, if it is not there; unless it is too
** late. */
Status rt_prepare (RtDevice *dev);

/*
** Around a driver call that may wait for the device: only while no rank on it
** waits for others. RT_BLOCKED: one does, nothing is locked.
*/
Status rt_lockdevice (RtDevice *dev, const char *what);
void rt_unlockdevice (RtDevice *dev);

/* The thread's default stream is made while no rank waits. */
Status rt_makeptds (RtDevice *dev);

/* Locks at once or not at all: false if a stream is held, or the device was
** reset. */
bool rt_trylockdevice (RtDevice *dev);

/* A rank of a communicator on 'dev' may wait for others from now on: +1, or no
** more: -1. Until then nothing may wait for the device inside of the driver,
** where nobody would notice that they do not come. */
void rt_countpending (RtDevice *dev, int n);

/* For whoever was RT_BLOCKED: 0, or CUDA_ERROR_NOT_READY while a rank waits. */
Status rt_isopen (const RtDevice *dev);

/* A stream waits for a word that something else than the device writes, a test
** or another process: +1, and no more: -1. */
Status rt_holdstream (RtDevice *dev, int n);

/* Frees page-locked memory, or a graph whose launches have passed and that
** nobody has any more, once no stream is held; what now can go. */
void rt_freehost (RtDevice *dev, void *p);
void rt_freeexecs (RtGraph *g);
void rt_freewaiting (Runtime *rt);

struct RtShared;

/* The lock is held: frees what waits in 'sh', whatever is held. */
void rt_freeall (struct RtShared *sh);

/* Calls act(sh) if no stream of any device is held; nobody will hold one
** meanwhile. The lock is held. */
void rt_whilecalm (struct RtShared *sh, void (*act) (struct RtShared *sh));

#endif

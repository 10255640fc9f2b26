/* device_lock.h - a lock for driver calls that may wait for the device. See
** device_lock.c. */
#ifndef TIDE_RT_WAIT_DEVICE_LOCK_H
#define TIDE_RT_WAIT_DEVICE_LOCK_H

#include "rt/rt.h"

/* Creates what waiting ranks and streams that wait for other processes need.
** The first time this takes some milliseconds. Does nothing if a rank or stream
** waits already. */
Status device_lock_prepare (RtDevice *dev);

/*
** Lock and unlock the device around a driver call that may wait for it, so that
** no rank on it waits for others meanwhile. Returns RT_BLOCKED, without the
** lock, if a rank waits.
*/
Status device_lock_take (RtDevice *dev, const char *what);
void device_lock_release (RtDevice *dev);

/* Makes the driver create the thread's default stream, while no rank waits. */
Status device_lock_make_ptds (RtDevice *dev);

/* Locks the device without waiting. Returns false if a stream is held, or if
** the device was reset. */
bool device_lock_try (RtDevice *dev);

/* Counts ranks on 'dev' that may wait for other ranks: 'n' is +1 or -1. While
** there are any, no driver call may wait for the device, because the thread
** inside that call could not notice that the other ranks never come. */
void device_lock_add_pending (RtDevice *dev, int n);

/* Asked again after RT_BLOCKED: returns 0, or CUDA_ERROR_NOT_READY while a rank
** waits. */
Status device_lock_is_open (const RtDevice *dev);

/* Counts streams held by a word that another process or a test writes, not the
** device: 'n' is +1 or -1. */
Status device_lock_hold (RtDevice *dev, int n);

/* Free page-locked memory, or the executable graphs of a dropped graph whose
** launches have passed, as soon as no stream is held. device_lock_free_waiting
** frees what can be freed now. */
void device_lock_free_host (RtDevice *dev, void *p);
void device_lock_free_execs (RtGraph *g);
void device_lock_free_waiting (Runtime *rt);

struct RtShared;

/* Frees all that waits in 'sh', even if streams are held. The lock is held. */
void device_lock_free_all (struct RtShared *sh);

/* Calls act(sh) if no stream of any device is held; none can be held during the
** call. The lock is held. */
void device_lock_if_unheld (struct RtShared *sh,
                            void (*act)(struct RtShared *sh));

#endif

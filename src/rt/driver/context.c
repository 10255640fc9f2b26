/*
** context.c - entering a device: makes its context current for the thread that
** is about to call the driver. Fails in a fork of the process that opened the
** Runtime, and if the device was reset or has failed.
*/
#include "context.h"

#include <pthread.h>

#include "capture_mode.h"
#include "fault.h"
#include "shared.h"
#include "status.h"

/*
** The number of forks between this process and the first that opened a Runtime.
** A Runtime of another generation is foreign, and none can be opened in a fork,
** because no driver can be used across fork. getpid would cost a system call.
*/
volatile unsigned context_forks;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void count_fork (void) { context_forks++; }

static void watch (void) { pthread_atfork(NULL, NULL, count_fork); }

void context_watch_forks (void) { pthread_once(&watch_once, watch); }

uintptr_t context_thread_id (void) {
  static _Atomic uintptr_t latest;
  static _Thread_local uintptr_t own;
  if (own == 0)
    own = ++latest;
  return own;
}

static inline Status make_current (RtDevice *dev) {
  if (shared_is_dead(dev))
    return status_fail(dev->rt, RT_RESET, NULL);
  if (dev->rt->polls && dev->rt->current == dev)
    return 0;
  Status st = dev->D->cuCtxSetCurrent(dev->ctx);
  dev->rt->current = (st == 0) ? dev : NULL;
  if (st == 0 || dev->rt->closing) /* what can be destroyed must be, now */
    return 0;
  return status_fail(dev->rt, st, "cuCtxSetCurrent");
}

Status context_enter (RtDevice *dev) {
  if (context_is_forked(dev->rt))
    return status_fail(dev->rt, RT_FORKED, NULL);
  if (capture_mode_was_strict())
    capture_mode_adjust(dev->rt);
  if (dev->ctx == NULL)
    return dev->rt->open_device(dev);
  return (dev->fault.code != 0) ? fault_repeat(dev) : make_current(dev);
}

Status context_reenter (RtDevice *dev) { return make_current(dev); }

/*
** context.c - entering a device: makes its context current for the thread that
** is about to call the driver. Fails in a fork of the process that opened the
** Runtime, and if the device was reset or has failed.
*/
#include "context.h"

#include <pthread.h>

#include "capture_mode.h"
#include "fault_trace.h"
#include "shared.h"
#include "status.h"

/*
** The number of forks between this process and the first that opened a Runtime.
** A Runtime of another generation is foreign, and none can be opened in a fork,
** because no driver can be used across fork. getpid would cost a system call.
*/
volatile unsigned rt_generation;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void count_fork (void) { rt_generation++; }

static void watch (void) { pthread_atfork(NULL, NULL, count_fork); }

void rt_watchforks (void) { pthread_once(&watch_once, watch); }

uintptr_t rt_thread (void) {
  static _Atomic uintptr_t latest;
  static _Thread_local uintptr_t own;
  if (own == 0)
    own = ++latest;
  return own;
}

static inline Status make_current (RtDevice *dev) {
  if (rt_isdead(dev))
    return rt_fail(dev->rt, RT_RESET, NULL);
  if (dev->rt->polls && dev->rt->current == dev)
    return 0;
  Status st = dev->D->cuCtxSetCurrent(dev->ctx);
  dev->rt->current = (st == 0) ? dev : NULL;
  if (st == 0 || dev->rt->closing) /* what can be destroyed must be, now */
    return 0;
  return rt_fail(dev->rt, st, "cuCtxSetCurrent");
}

Status rt_enter (RtDevice *dev) {
  if (rt_forked(dev->rt))
    return rt_fail(dev->rt, RT_FORKED, NULL);
  if (rt_anystrict())
    rt_adjustthread(dev->rt);
  if (dev->ctx == NULL)
    return dev->rt->open_device(dev);
  return (dev->fault.code != 0) ? rt_failagain(dev) : make_current(dev);
}

Status rt_visit (RtDevice *dev) { return make_current(dev); }

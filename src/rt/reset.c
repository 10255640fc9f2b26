/*
** reset.c - resets a device.
**
** DESIGN. cuDevicePrimaryCtxReset destroys everything in the context, other
** Runtimes' objects too, whether the device works or has a fault. Older handles
** are then like freed pointers: nothing may touch them. So each object with a
** handle carries the generation of its device, which a Runtime counts up when
** it learns of the reset. An object of an earlier generation is stale: it
** raises when it is used, and is freed without a driver call.
**
** The resetter marks the shared part of the device as dead. It notices its own
** reset at once, the others in their next call of tide (tide_rt), and no call
** in between reaches the driver (rt_visit). A reset does not release the
** context, so the resetter gives back every Runtime's hold on it, and the next
** user makes a new one. After a fault the resetter does so at once, which
** proves that the device works again.
*/
#include "reset.h"

#include <string.h>
#include <time.h>

#include "peer.h"
#include "random.h"
#include "rt.h"
#include "rt/code/codes.h"
#include "rt/comm/comm.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/file/transfer.h"
#include "rt/graph/capture.h"
#include "rt/graph/graph_exec.h"
#include "rt/memory/block.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_pool.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/flags.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "sharing.h"
#include "upload.h"

enum { NAP_NS = 50000 };

/* The order matters: objects that put others onto lists come before these
** lists. */
static void discard (RtDevice *dev) {
  RtStream *mem = dev->mem, *fn = dev->fn;
  rt_abandonon(dev);
  rt_dropallkept(dev);
  rt_forgetflags(dev);
  rt_forgetwaits(dev);
  rt_forgetlanes(dev);
  dev->generation++;
  rt_forgetstreams(dev);
  rt_forgetevents(dev);
  rt_forgetring(dev);
  rt_forgetrandom(dev);
  rt_forgetpeers(dev);
  rt_forgetblocks(dev);
  rt_forgetcodes(dev);
  rt_leaveshared(dev);
  dev->ctx = NULL;
  dev->pool = NULL;
  dev->null = dev->mem = dev->fn = NULL;
  memset(&dev->fault, 0, sizeof dev->fault);
  if (mem != NULL)
    rt_dropstream(mem);
  if (fn != NULL)
    rt_dropstream(fn);
}

void rt_noticeresets (Runtime *rt) {
  rt->resets = rt_countresets();
  for (int i = 0; i < rt->ndevices; i++)
    if (rt_isdead(&rt->devices[i]))
      discard(&rt->devices[i]);
}

/* Ends the communicators first, because a thread that still ends one must not
** meet the new context. */
static void end_comms (RtDevice *dev) {
  int64_t until = rt_nanoseconds() + COMM_END_NS;
  rt_abortcomms(dev, "its device was reset");
  while (!rt_areaborted(dev) && rt_nanoseconds() < until) {
    rt_losegraphs(dev->rt);
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
  }
}

Status rt_reset (RtDevice *dev, const char *what) {
  if (dev->ctx == NULL)
    return 0;
  bool failed = (dev->fault.code != 0);
  Status st = rt_visit(dev);
  if (st == 0 && !failed)
    st = rt_isopen(dev);
  if (st == CUDA_ERROR_NOT_READY)
    return rt_block(dev, WANT_OPEN, NULL, 0, what);
  if (st == 0 || failed) {
    end_comms(dev);
    (void)rt_visit(dev); /* because the graphs may be on another device */
    st = rt_resetshared(dev);
  }
  if (st != 0)
    return st;
  rt_noticeresets(dev->rt);
  return failed ? rt_enter(dev) : 0;
}

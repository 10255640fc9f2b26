/*
** reset.c - a device's new start.
**
** DESIGN. cuDevicePrimaryCtxReset destroys what is in the context, the other
** Runtimes' things too, whether the device works or has failed. Handles of
** before are then as good as freed pointers: nothing may touch them. So what
** holds one carries the generation of its device, which each Runtime counts
** up when it learns of the reset; whatever is older is stale, raises when it
** is used, and is freed without a driver call.
**
** The resetter marks what the Runtimes share as dead. Of itself it learns at
** once, the others learn where they next enter tide (tide_rt), and no call in
** between reaches the driver (rt_visit). A reset does not release the context,
** so the resetter gives back every Runtime's hold on it: the next one to use
** the device makes a new one. After a fault that is at once: it is the proof.
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

/* The order: whatever puts things onto lists comes before their lists. */
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

/* What a thread still ends must not find that the device is another. */
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
    (void)rt_visit(dev);  /* of which graphs may be of another one */
    st = rt_resetshared(dev);
  }
  if (st != 0)
    return st;
  rt_noticeresets(dev->rt);
  return failed ? rt_enter(dev) : 0;
}

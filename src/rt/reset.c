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
** reset at once, the others in their next call of tide (state_rt), and no call
** in between reaches the driver (context_reenter). A reset does not release the
** context, so the resetter gives back every Runtime's hold on it, and the next
** user makes a new one. After a fault the resetter does so at once, which
** proves that the device works again.
*/
#include "reset.h"

#include <string.h>

#include "extensions.h"
#include "rt.h"
#include "rt/code/codes.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/capture.h"
#include "rt/graph/graph_exec.h"
#include "rt/memory/block.h"
#include "rt/memory/slots.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_pool.h"
#include "rt/submit/peer.h"
#include "rt/submit/rng.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/flags.h"
#include "rt/wait/timeline.h"
#include "rt/wait/wait.h"
#include "sharing.h"

/* The order matters: objects that put others onto lists come before these
** lists. */
static void discard (RtDevice *dev) {
  RtStream *mem = dev->mem, *fn = dev->fn;
  capture_abandon_device(dev);
  kept_drop_all(dev);
  flag_forget_all(dev);
  timeline_forget_waits(dev);
  extension_forget(dev);
  dev->generation++;
  stream_pool_forget_all(dev);
  event_pool_forget_all(dev);
  slot_forget_all(dev);
  rng_forget(dev);
  peer_forget(dev);
  block_forget_all(dev);
  code_forget_all(dev);
  sharing_leave(dev);
  dev->ctx = NULL;
  dev->pool = NULL;
  dev->null = dev->mem = dev->fn = NULL;
  memset(&dev->fault, 0, sizeof dev->fault);
  if (mem != NULL)
    stream_pool_drop(mem);
  if (fn != NULL)
    stream_pool_drop(fn);
}

void reset_notice (Runtime *rt) {
  rt->resets = shared_count_resets();
  for (int i = 0; i < rt->ndevices; i++)
    if (shared_is_dead(&rt->devices[i]))
      discard(&rt->devices[i]);
}

Status reset_device (RtDevice *dev, const char *what) {
  if (dev->ctx == NULL)
    return 0;
  bool failed = (dev->fault.code != 0);
  Status st = context_reenter(dev);
  if (st == 0 && !failed)
    st = device_lock_is_open(dev);
  if (st == CUDA_ERROR_NOT_READY)
    return wait_block(dev, WAIT_OPEN, NULL, 0, what);
  if (st == 0 || failed) {
    extension_end(dev);
    (void)
      context_reenter(dev); /* because the graphs may be on another device */
    st = sharing_reset(dev);
  }
  if (st != 0)
    return st;
  reset_notice(dev->rt);
  return failed ? context_enter(dev) : 0;
}

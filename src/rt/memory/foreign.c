/*
** foreign.c - memory of others: blocks like our own for all that ordering
** cares, but in no account and no cache. When nobody holds one any more it
** waits in a queue until the work that used it is done, each in turn, and then
** its owners are told.
*/
#include "foreign.h"

#include <stdlib.h>

#include "block.h"
#include "hazard.h"
#include "rt/driver/context.h"
#include "rt/driver/owner.h"
#include "rt/driver/status.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"
#include "rt/wait/wait.h"

/* {== birth =========================================================== */

static Status refuse (const RtDevice *dev, const char *why) {
  return rt_explain(dev->rt, RT_MISUSE, NULL, "%s", why);
}

/* The block that has all of it, or grows upwards so that it has: what its
** arrays know of it stays true. NULL: there is none. */
static Status find (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                    size_t bytes, RtBlock **out) {
  RtBlock *found = NULL;
  for (RtBlock *b = dev->foreign; b != NULL; b = b->older) {
    if (ptr + bytes <= b->ptr || b->ptr + b->size <= ptr)
      continue;
    if (b->pinned != (kind != FOREIGN_DEVICE))
      return refuse(dev, "this memory is an array's already, of another type");
    if (ptr < b->ptr || found != NULL ||
        (b->registered && ptr + bytes > b->ptr + b->size))
      return refuse(dev, "a part of this memory is an array's already: wrap "
                    "all of it first, or close that one");
    found = b;
  }
  if (found != NULL && ptr + bytes > found->ptr + found->size)
    found->size = ptr + bytes - found->ptr;
  *out = found;
  return 0;
}

/* The driver may wait for the device, which must not stand at a gate. */
static Status lock_pages (RtBlock *b, const char *what) {
  RtDevice *dev = b->dev;
  Status st = rt_enter(dev);
  if (st == 0)
    st = rt_lockdevice(dev, what);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostRegister((void *)(uintptr_t)b->ptr, b->size,
                                 CU_MEMHOSTALLOC_PORTABLE |
                                 CU_MEMHOSTALLOC_DEVICEMAP);
  rt_unlockdevice(dev);
  if (st != CUDA_SUCCESS)
    return rt_fail(dev->rt, st, "cuMemHostRegister");
  b->registered = true;
  return 0;
}

/* False: not now. */
static bool unlock_pages (RtBlock *b) {
  RtDevice *dev = b->dev;
  if (!b->registered || rt_isstale(dev, b->generation))
    return true;
  if (rt_visit(dev) != 0 || !rt_trylockdevice(dev))
    return false;
  dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
  rt_unlockdevice(dev);
  b->registered = false;
  return true;
}

static Status make (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                    size_t bytes, RtBlock **out) {
  RtBlock *b = calloc(1, sizeof *b);
  if (b == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  b->dev = dev;
  b->ptr = ptr;
  b->size = bytes;
  b->foreign = true;
  b->pinned = b->marks.exact = (kind != FOREIGN_DEVICE);
  b->generation = dev->generation;
  Status st = (kind == FOREIGN_PLAIN) ? lock_pages(b, "cuMemHostRegister") : 0;
  if (st != 0) {
    free(b);
    return st;
  }
  rt_linkblock(b);
  *out = b;
  return 0;
}

Status rt_wrapmemory (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                      size_t bytes, RtRelease *release, void *ud,
                      RtBlock **out) {
  RtBlock *b = NULL;
  Status st = find(dev, kind, ptr, bytes, &b);
  bool is_new = (st == 0 && b == NULL);
  if (is_new)
    st = make(dev, kind, ptr, bytes, &b);
  if (st != 0)
    return st;
  st = rt_addowner(dev->rt, &b->owners, release, ud);
  if (st != 0) {
    if (is_new)
      rt_dropforeign(b);
    return st;
  }
  b->refs++;
  *out = b;
  return 0;
}

/* ==} */

/* {== death =========================================================== */

void rt_dropforeign (RtBlock *b) {
  Runtime *rt = b->dev->rt;
  if (b->queued)
    return;
  b->queued = true;
  b->next = NULL;
  *rt->leaving_end = b;
  rt->leaving_end = &b->next;
  rt->nleaving_blocks++;
}

static void end (RtBlock *b) {
  rt_unlinkblock(b);
  rt_release(&b->owners);
  rt_freemarks(&b->marks);
  free(b);
}

/* A device that fails runs nothing any more, and after a reset there is none
** that did. */
static bool is_over (const RtBlock *b) {
  if (rt_isstale(b->dev, b->generation))
    return true;
  for (int i = 0; i < b->marks.n; i++)
    if (!rt_isover(b->marks.at[i].s, b->marks.at[i].seq))
      return false;
  return true;
}

static RtBlock *next_leaving (Runtime *rt) {
  RtBlock *b = rt->leaving_blocks;
  rt->leaving_blocks = b->next;
  if (rt->leaving_blocks == NULL)
    rt->leaving_end = &rt->leaving_blocks;
  rt->nleaving_blocks--;
  b->queued = false;
  return b;
}

/* Somebody may have wrapped the same memory again meanwhile. */
void rt_drainforeign (Runtime *rt, bool all) {
  for (int n = all ? rt->nleaving_blocks : rt->nleaving_blocks > 0; n > 0;
       n--) {
    RtBlock *b = next_leaving(rt);
    if (b->refs > 0)
      continue;
    if (is_over(b) && unlock_pages(b))
      end(b);
    else
      rt_dropforeign(b);
  }
}

void rt_endforeign (RtDevice *dev, bool driver) {
  for (RtBlock *b; (b = dev->foreign) != NULL;) {
    if (b->registered && driver)
      dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
    end(b);
  }
}

/* Those that somebody holds go when they are dropped. */
void rt_forgetforeign (RtDevice *dev) {
  while (dev->foreign != NULL)
    rt_unlinkblock(dev->foreign);
}

/* ==} */

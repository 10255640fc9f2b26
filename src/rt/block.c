/*
** block.c - blocks of memory and a cache of free ones.
**
** DESIGN. Memory comes from the driver's stream-ordered pool, allocated on the
** device's own 'mem' stream: that write is a mark like any other, so the first
** user waits for it on the device. A dropped block goes into a bin of its size
** class together with its marks. It is handed out again only
**   - for use on stream s: if every mark is on s (the stream orders it) or done;
**   - for the host (page-locked): if every mark is done.
** Each block is judged by itself; one that is still busy holds nobody up.
*/
#include "block.h"

#include <stdlib.h>

#include "hazard.h"
#include "progress.h"
#include "runtime.h"
#include "shared.h"
#include "wait.h"

enum { LOOK = 8 };  /* candidates of a bin that are considered */

/*
** Size classes: multiples of 512 bytes up to 4 KiB, then eight steps per power
** of two, so at most an eighth is lost.
*/
static int size_class (size_t bytes, size_t *rounded) {
  if (bytes <= 4096) {
    size_t k = (bytes + 511) / 512;
    *rounded = k * 512;
    return (int)k - 1;
  }
  int e = 63 - __builtin_clzll((unsigned long long)(bytes - 1));
  size_t step = (size_t)1 << (e - 3);
  size_t k = (bytes - 1 - ((size_t)1 << e)) / step + 1;  /* 1..8 */
  *rounded = ((size_t)1 << e) + k * step;
  return 8 + (e - 12) * 8 + (int)k - 1;
}

static Cache *cache_of (RtDevice *dev, bool pinned) {
  return pinned ? &dev->pinned_cache : &dev->cache;
}

/* {== from the driver ================================================= */

static Status get_pinned (RtDevice *dev, RtBlock *b) {
  void *p = NULL;
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostAlloc(&p, b->size, CU_MEMHOSTALLOC_PORTABLE |
                                           CU_MEMHOSTALLOC_DEVICEMAP);
  b->ptr = (CUdeviceptr)(uintptr_t)p;
  return st ? rt_fail(dev->rt, st, "cuMemHostAlloc") : 0;
}

static Status get_device (RtDevice *dev, RtBlock *b) {
  Status st = dev->D->cuMemAllocFromPoolAsync(&b->ptr, b->size, dev->pool,
                                              dev->mem->handle);
  if (st != CUDA_SUCCESS)
    return rt_fail(dev->rt, st, "cuMemAllocFromPoolAsync");
  Access all = {b, 0, b->size, true};
  dev->mem->seq = ++dev->rt->stamp;
  rt_note(&b->marks, &all, dev->mem, dev->mem->seq, false);
  return 0;
}

static Status get (RtDevice *dev, RtBlock *b) {
  return b->pinned ? get_pinned(dev, b) : get_device(dev, b);
}

/* Out of memory: what is cached and idle goes back, then what is cached and
** busy once it is done, and each time one more try. */
static Status get_or_trim (RtDevice *dev, RtBlock *b) {
  Status st = get(dev, b);
  if (st == CUDA_ERROR_OUT_OF_MEMORY && rt_trim(dev) == 0)
    st = get(dev, b);
  if (st == CUDA_ERROR_OUT_OF_MEMORY && dev->rt->ncaptures == 0 &&
      rt_waitdevice(dev, "out of memory") == 0 && rt_trim(dev) == 0)
    st = get(dev, b);
  return st;
}

static void link_block (RtBlock *b) {
  b->older = b->dev->blocks;
  if (b->older != NULL)
    b->older->newer = b;
  b->dev->blocks = b;
}

static void unlink_block (RtBlock *b) {
  if (b->newer != NULL)
    b->newer->older = b->older;
  else
    b->dev->blocks = b->older;
  if (b->older != NULL)
    b->older->newer = b->newer;
}

static Status fresh (RtDevice *dev, size_t size, bool pinned, RtBlock **out) {
  RtBlock *b = calloc(1, sizeof *b);
  if (b == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  b->dev = dev;
  b->size = size;
  b->pinned = pinned;
  Status st = rt_reserve(&b->marks, 1);
  if (st == 0)
    st = get_or_trim(dev, b);
  if (st != 0) {
    free(b);
    return st;
  }
  link_block(b);
  *out = b;
  return 0;
}

static void give_back (RtBlock *b) {
  RtDevice *dev = b->dev;
  unlink_block(b);
  if (b->pinned)
    rt_freehost(dev, (void *)(uintptr_t)b->ptr);
  else
    dev->D->cuMemFreeAsync(b->ptr, dev->mem->handle);
  rt_freemarks(&b->marks);
  free(b);
}

/* ==} */

/* {== the cache ======================================================= */

static bool usable (RtBlock *b, const RtStream *s, bool ask) {
  for (int i = 0; i < b->marks.n; i++) {
    const Mark *k = &b->marks.at[i];
    if ((s != NULL && k->s == s) || k->seq <= k->s->done)
      continue;
    if (!ask || rt_passed(k->s, k->seq) != 0)
      return false;
  }
  rt_prune(&b->marks);
  return true;
}

static RtBlock *search (Cache *c, int bin, const RtStream *s, bool ask) {
  RtBlock **at = &c->bin[bin];
  for (int i = 0; *at != NULL && i < LOOK; i++, at = &(*at)->next) {
    RtBlock *b = *at;
    if (usable(b, s, ask)) {
      *at = b->next;
      c->bytes -= b->size;
      return b;
    }
  }
  return NULL;
}

Status rt_newblock (RtDevice *dev, size_t bytes, bool pinned, RtStream *s,
                    RtBlock **out) {
  size_t size;
  if (bytes > (size_t)1 << 46)
    return rt_fail(dev->rt, CUDA_ERROR_OUT_OF_MEMORY, pinned ?
                   "cuMemHostAlloc" : "cuMemAllocFromPoolAsync");
  int bin = size_class(bytes, &size);
  Cache *c = cache_of(dev, pinned);
  RtBlock *b = search(c, bin, s, false);
  Status st = 0;
  if (b == NULL && c->bin[bin] != NULL)
    b = search(c, bin, s, true);
  if (b == NULL)
    st = fresh(dev, size, pinned, &b);
  if (st != 0)
    return st;
  b->refs = 1;
  b->next = NULL;
  *(pinned ? &dev->pinned_live : &dev->live) += b->size;
  *out = b;
  return 0;
}

void rt_retainblock (RtBlock *b) { b->refs++; }

void rt_dropblock (RtBlock *b) {
  if (b == NULL || --b->refs > 0)
    return;
  size_t size;
  Cache *c = cache_of(b->dev, b->pinned);
  int bin = size_class(b->size, &size);
  *(b->pinned ? &b->dev->pinned_live : &b->dev->live) -= b->size;
  c->bytes += b->size;
  b->next = c->bin[bin];
  c->bin[bin] = b;
}

/* Frees the blocks of a cache that are idle. */
static void sweep (Cache *c) {
  for (int bin = 0; bin < CACHE_BINS; bin++) {
    for (RtBlock **at = &c->bin[bin]; *at != NULL;) {
      RtBlock *b = *at;
      if (!usable(b, NULL, true)) {
        at = &b->next;
        continue;
      }
      *at = b->next;
      c->bytes -= b->size;
      give_back(b);
    }
  }
}

Status rt_trim (RtDevice *dev) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  sweep(&dev->cache);
  sweep(&dev->pinned_cache);
  st = dev->D->cuMemPoolTrimTo(dev->pool, 0);
  return st ? rt_fail(dev->rt, st, "cuMemPoolTrimTo") : 0;
}

/* Held ones too: what a finaliser makes while its lua_State closes has no
** finaliser any more. */
void rt_freeblocks (RtDevice *dev) {
  while (dev->blocks != NULL)
    give_back(dev->blocks);
}

/* ==} */

Status rt_hostaccess (RtBlock *b, size_t off, size_t len, bool write,
                      const char *what) {
  Runtime *rt = b->dev->rt;
  Access a = {b, off, len, write};
  int n = 0;
  if (b->ncaptures > 0)
    return rt_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                      "the memory takes part in a capture");
  if (b->marks.n == 0)
    return 0;
  Point points[16], *list = rt->nstreams <= 16 ? points :
      malloc((size_t)rt->nstreams * sizeof *list);
  if (list == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  rt_hazards(&b->marks, &a, NULL, rt->running.lo, rt->running.hi, list, &n);
  Status st = 0;
  for (int i = 0; i < n && st == 0; i++)
    st = rt_wait(list[i].s, list[i].seq, what);
  if (list != points)
    free(list);
  return st;
}

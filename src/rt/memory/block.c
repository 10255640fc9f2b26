/*
** block.c - blocks of memory, from the driver or from the cache of free ones.
**
** DESIGN. Memory comes from the driver's stream-ordered pool, allocated on the
** device's own 'mem' stream. That write is a mark like any other, so the first
** user waits for it on the device. A dropped block goes into a bin of its size
** class together with its marks. It is handed out again only
**   - for use on stream s: if every mark is on s (the stream orders it), on
**     'mem' (the allocation of a new block) or done;
**   - for the host (page-locked): if every mark is done;
**   - back to the driver: on 'mem', likewise.
** Each block is judged by itself, so a busy block holds up no other. Memory is
** counted against the limit here before the driver is asked for it. A program
** that asks for more and more small blocks gets some ahead, because the wait
** for the first of them serves the others as well. reclaim.c gives cached
** memory back.
*/
#include "block.h"

#include <stdlib.h>

#include "address.h"
#include "block_types.h"
#include "cache.h"
#include "hazard.h"
#include "import.h"
#include "memory.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/graph/capture_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"

enum {
  SMALL = 1 << 16, /* bytes; blocks up to that are allocated ahead, */
  AHEAD_PART = 4,
  AHEAD_MOST = 31 /* one for every 4 that the bin was given */
};

#define MOST_BYTES ((size_t)1 << 46) /* no driver has more */

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
  size_t k = (bytes - 1 - ((size_t)1 << e)) / step + 1; /* 1..8 */
  *rounded = ((size_t)1 << e) + k * step;
  return 8 + (e - 12) * 8 + (int)k - 1;
}

/* {== from the driver ================================================= */

static Status get_pinned (RtDevice *dev, RtBlock *b) {
  void *p = NULL;
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostAlloc(&p, b->size,
                              CU_MEMHOSTALLOC_PORTABLE |
                                CU_MEMHOSTALLOC_DEVICEMAP);
  b->ptr = (CUdeviceptr)(uintptr_t)p;
  return st ? status_fail(dev->rt, st, "cuMemHostAlloc") : 0;
}

static Status get_device (RtDevice *dev, RtBlock *b) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemAllocFromPoolAsync(&b->ptr, b->size, dev->pool,
                                       dev->mem->handle);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemAllocFromPoolAsync");
  Access all = {b, 0, b->size, true, true};
  dev->mem->seq = dev->mem->sent = ++dev->rt->stamp;
  hazard_note(&b->marks, &all, dev->mem, dev->mem->seq);
  return 0;
}

/* The only place where 'reserved' grows. */
static Status get (RtDevice *dev, RtBlock *b) {
  Memory *m = &dev->memory[b->pinned];
  size_t limit = memory_limit(m);
  if (b->size > limit || m->reserved > limit - b->size)
    return status_fail(dev->rt, CUDA_ERROR_OUT_OF_MEMORY, "tide.memory_limit");
  Status st = b->pinned ? get_pinned(dev, b) : get_device(dev, b);
  if (st != 0)
    return st;
  m->reserved += b->size;
  if (m->reserved > m->peak)
    m->peak = m->reserved;
  return 0;
}

/* Gets memory of the size class or, if that is too much, just the bytes asked
** for. */
static Status get_or_less (RtDevice *dev, RtBlock *b, size_t bytes) {
  size_t less = (bytes + 511) / 512 * 512;
  Status st = get(dev, b);
  if (st != CUDA_ERROR_OUT_OF_MEMORY || less >= b->size)
    return st;
  b->size = less;
  return get(dev, b);
}

static List *list_of (const RtBlock *b) {
  return b->foreign ? &b->dev->foreign : &b->dev->blocks;
}

void block_link (RtBlock *b) { links_add(list_of(b), &b->link); }

/* Does nothing to a block that is in no list. */
void block_unlink (RtBlock *b) {
  if (links_has(list_of(b), &b->link))
    links_remove(list_of(b), &b->link);
}

static Status fresh (RtDevice *dev, size_t bytes, size_t size, bool pinned,
                     RtBlock **out) {
  RtBlock *b = calloc(1, sizeof *b);
  if (b == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  b->dev = dev;
  b->size = size;
  b->pinned = b->marks.exact = pinned;
  b->generation = dev->generation;
  Status st = hazard_reserve(&b->marks, 1);
  if (st == 0)
    st = get_or_less(dev, b, bytes);
  if (st != 0) {
    free(b);
    return st;
  }
  block_link(b);
  *out = b;
  return 0;
}

Status block_new_own (RtDevice *dev, size_t bytes, RtBlock **out) {
  RtBlock *b = calloc(1, sizeof *b);
  if (b == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  b->dev = dev;
  b->size = bytes;
  b->refs = 1;
  b->own = true;
  b->generation = dev->generation;
  Status st = hazard_reserve(&b->marks, 1);
  if (st == 0)
    st = get_device(dev, b);
  if (st != 0) {
    free(b);
    return st;
  }
  block_link(b);
  *out = b;
  return 0;
}

static void free_block (RtBlock *b) {
  address_remove(b);
  hazard_free(&b->marks);
  free(b);
}

static void forget (RtBlock *b) {
  block_unlink(b);
  free_block(b);
}

void block_disown (RtBlock *b) { forget(b); }

Status block_free (RtBlock *b) {
  RtDevice *dev = b->dev;
  if (b->pinned) {
    device_lock_free_host(dev, (void *)(uintptr_t)b->ptr);
  } else {
    Status st = dev->D->cuMemFreeAsync(b->ptr, dev->mem->handle);
    if (st != CUDA_SUCCESS)
      return status_fail(dev->rt, st, "cuMemFreeAsync");
  }
  if (!b->own)
    dev->memory[b->pinned].reserved -= b->size;
  forget(b);
  return 0;
}

/* ==} */

/* {== getting and dropping ============================================ */

/* Uses on 'mem' count as over, because it frees the block behind its
** allocation. */
static bool is_over (const RtBlock *b, const Mark *k) {
  return k->seq <= k->s->done || (!b->pinned && k->s == b->dev->mem);
}

Status block_query (RtBlock *b) {
  for (int i = 0; i < b->marks.n; i++) {
    const Mark *k = &b->marks.at[i];
    Status st = is_over(b, k) ? 0 : progress_passed(k->s, k->seq);
    if (st != 0)
      return st;
  }
  return 0;
}

/* Allocates blocks ahead. Failures are ignored, because no caller has asked for
** these blocks yet. */
static void get_ahead (RtDevice *dev, int bin, size_t size) {
  Memory *m = &dev->memory[0];
  int n = m->cache.given[bin] / AHEAD_PART;
  RtBlock *b;
  if (n > AHEAD_MOST)
    n = AHEAD_MOST;
  else
    m->cache.given[bin]++;
  while (n-- > 0 && m->reserved < m->limit / 2 &&
         fresh(dev, size, size, false, &b) == 0)
    cache_put(&m->cache, bin, b);
}

Status block_new (RtDevice *dev, size_t bytes, bool pinned, RtStream *s,
                  RtBlock **out) {
  size_t size;
  if (bytes > MOST_BYTES)
    return status_fail(dev->rt, CUDA_ERROR_OUT_OF_MEMORY,
                       pinned ? "cuMemHostAlloc" : "cuMemAllocFromPoolAsync");
  int bin = size_class(bytes, &size);
  Memory *m = &dev->memory[pinned];
  RtBlock *b = cache_take(&m->cache, bin, bytes, s, false);
  Status st = 0;
  bool is_fresh = (b == NULL);
  if (is_fresh)
    st = fresh(dev, bytes, size, pinned, &b);
  const char *call = dev->rt->call;
  if (st == CUDA_ERROR_OUT_OF_MEMORY &&
      (b = cache_take(&m->cache, bin, bytes, s, true)) != NULL) {
    st = 0;
    is_fresh = false;
  }
  if (st != 0)
    return status_fail(dev->rt, st, call);
  b->refs = 1;
  b->marks.since = dev->rt->stamp;
  b->made_in = (s != NULL && s->capture != NULL && !pinned) ? s->capture->id
                                                            : 0;
  m->live += b->size;
  m->nlive++;
  if (m->live > m->peak_live)
    m->peak_live = m->live;
  if (is_fresh && !pinned && size <= SMALL)
    get_ahead(dev, bin, size);
  *out = b;
  return 0;
}

void block_retain (RtBlock *b) { b->refs++; }

int block_bin (size_t bytes) {
  size_t rounded;
  return size_class(bytes, &rounded);
}

/* Puts a block that only its capture holds among the blocks that the capture
** hands out again. */
static void spare (RtBlock *b) {
  RtCapture *c = b->dev->rt->captures;
  while (c != NULL && c->id != b->made_in)
    c = c->next;
  if (c == NULL)
    return;
  b->next = c->spare;
  c->spare = b;
}

void block_drop (RtBlock *b) {
  if (b == NULL)
    return;
  if (--b->refs > 0) {
    if (b->made_in != 0 && b->refs == 1 && b->graphs == 1 && !b->placed)
      spare(b);
    return;
  }
  if (b->taint.seq != 0)
    b->taint = (Taint){0};
  if (b->foreign) {
    import_free_block(b);
    return;
  }
  if (life_is_stale(&b->life)) {
    free_block(b);
    return;
  }
  Memory *m = &b->dev->memory[b->pinned];
  m->live -= b->size;
  m->nlive--;
  if (b->pinned && b->dev->rt->nkept > 0 &&
      deferral_find_use(&b->marks) != NULL) {
    b->kept = true;
    b->dev->rt->kept_bytes += b->size;
  }
  cache_put(&m->cache, block_bin(b->size), b);
}

static void empty_caches (RtDevice *dev) {
  for (int pinned = 0; pinned < 2; pinned++)
    cache_clear(&dev->memory[pinned].cache);
}

/* Frees blocks with references, too, because objects that a finalizer makes
** while the lua_State closes are never finalized. If the driver refuses it
** keeps the memory. */
void block_free_all (RtDevice *dev) {
  import_end_all(dev, true);
  empty_caches(dev);
  while (dev->blocks.n > 0) {
    RtBlock *b = LIST_FIRST(RtBlock, &dev->blocks);
    if (block_free(b) != 0)
      forget(b);
  }
}

/* The memory is gone after a reset. Blocks with references are freed when they
** are dropped. */
void block_forget_all (RtDevice *dev) {
  import_forget_all(dev);
  empty_caches(dev);
  while (dev->blocks.n > 0) {
    RtBlock *b = (RtBlock *)links_take(&dev->blocks);
    address_remove(b);
    if (b->refs == 0)
      free_block(b);
  }
  for (int pinned = 0; pinned < 2; pinned++) {
    Memory *m = &dev->memory[pinned];
    m->live = m->nlive = m->reserved = 0;
  }
}

/* ==} */

/*
** reclaim.c - memory limits, and giving cached memory back: the fallback steps
** that need no Lua (alloc.c runs them).
**
** Blocks go back one by one, as each is found idle. A wait ends with the first
** block that gets idle, so no caller waits for unrelated work. A block never
** goes back while something uses it, so nothing here hurts work that is under
** way.
*/
#include "reclaim.h"

#include <string.h>
#include <unistd.h>

#include "block.h"
#include "block_types.h"
#include "cache.h"
#include "import.h"
#include "memory.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/graph/graph_types.h"
#include "rt/program/numeral.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/progress.h"
#include "slots.h"

/* {== giving back ===================================================== */

static bool fits (const Memory *m, size_t bytes) {
  size_t limit = memory_limit(m);
  return bytes <= limit && m->reserved <= limit - bytes && bytes != SIZE_MAX;
}

/* Gives back the idle blocks of a bin, until 'bytes' fit. */
static Status sweep_bin (Memory *m, int bin, size_t bytes) {
  RtBlock *b = cache_next(&m->cache, bin, NULL);
  for (RtBlock *next; b != NULL && !fits(m, bytes); b = next) {
    next = cache_next(&m->cache, bin, b);
    if (block_query(b) != 0)
      continue;
    cache_remove(&m->cache, b);
    Status st = block_free(b);
    if (st != 0) {
      cache_put(&m->cache, bin, b);
      return st;
    }
  }
  return 0;
}

/* Gives back idle staging slots. */
static Status sweep_ring (RtDevice *dev, size_t bytes) {
  const Memory *m = &dev->memory[1];
  Status st = 0;
  for (int i = dev->nstaging - 1; i >= 0 && st == 0 && !fits(m, bytes); i--)
    if (dev->staging[i]->refs == 1 && block_query(dev->staging[i]) == 0)
      st = slot_free(dev, i);
  return st;
}

/* Begins with the biggest, so that as few as possible go back. */
static Status sweep (RtDevice *dev, bool pinned, size_t bytes) {
  Memory *m = &dev->memory[pinned];
  Status st = 0;
  for (int bin = CACHE_BINS - 1; bin >= 0 && st == 0; bin--)
    st = sweep_bin(m, bin, bytes);
  return (st == 0 && pinned) ? sweep_ring(dev, bytes) : st;
}

Status reclaim_cached (RtDevice *dev, bool pinned, size_t bytes) {
  Memory *m = &dev->memory[pinned];
  if (m->cache.bytes + m->staging == 0)
    return 0;
  Status st = context_enter(dev);
  return (st != 0) ? st : sweep(dev, pinned, bytes);
}

Status reclaim_all (RtDevice *dev) {
  if (dev->ctx == NULL)
    return 0;
  Status st = reclaim_cached(dev, false, SIZE_MAX);
  if (st == 0)
    st = reclaim_cached(dev, true, SIZE_MAX);
  if (st == 0)
    st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemPoolTrimTo(dev->pool, 0);
  return st ? status_fail(dev->rt, st, "cuMemPoolTrimTo") : 0;
}

/* ==} */

/* {== waiting ========================================================= */

/* Tells whether this operation can be waited for. A capturing stream's earlier
** work may have no event yet; work behind host functions is done only if these
** can run. */
static bool is_awaitable (const RtSearch *x, const RtStream *s, uint64_t seq) {
  if (s->capture != NULL && progress_find_tail(s, seq) == NULL)
    return false;
  return x->serves || !deferral_keeps(s, seq);
}

static bool will_pass (const RtSearch *x, const MarkSet *m) {
  for (int i = 0; i < m->n; i++) {
    const Mark *k = &m->at[i];
    if (k->seq > k->s->done && !is_awaitable(x, k->s, k->seq))
      return false;
  }
  return true;
}

/* 0: a cached block is idle. */
static Status look_at_blocks (RtSearch *x) {
  for (int bin = 0; bin < CACHE_BINS; bin++) {
    RtBlock *b = NULL;
    while ((b = cache_next(&x->m->cache, bin, b)) != NULL) {
      Status st = block_query(b);
      if (st != CUDA_ERROR_NOT_READY)
        return st;
      x->waiting += will_pass(x, &b->marks);
    }
  }
  for (int i = 0; i < x->dev->nstaging && x->m->staging > 0; i++) {
    RtBlock *b = x->dev->staging[i];
    Status st = (b->refs > 1) ? CUDA_ERROR_NOT_READY : block_query(b);
    if (st != CUDA_ERROR_NOT_READY)
      return st;
    x->waiting += (b->refs == 1) && will_pass(x, &b->marks);
  }
  return CUDA_ERROR_NOT_READY;
}

static Status count_graphs (RtSearch *x) {
  LIST_EACH (RtBody, body, &x->dev->rt->dropped[LIFE_BODY]) {
    Point last = body->last;
    if (last.s == NULL || body->dev != x->dev)
      continue;
    Status st = progress_passed(last.s, last.seq);
    if (st != 0 && st != CUDA_ERROR_NOT_READY)
      return st;
    x->leaving += (st != 0) && is_awaitable(x, last.s, last.seq);
  }
  return 0;
}

static void count_imports (RtSearch *x) {
  const bool pinned = (x->m == &x->dev->memory[1]);
  const RtImport *l = NULL;
  const MarkSet *m;
  while ((l = import_next_dropped(x->dev, pinned, l, &m)) != NULL)
    x->leaving += will_pass(x, m);
}

/* 0: a graph or an import that was busy is done; the next drain frees its
** memory. */
static Status look_at_leaving (RtSearch *x) {
  Status st = x->graphs ? count_graphs(x) : 0;
  if (st != 0)
    return st;
  if (x->imports)
    count_imports(x);
  x->waiting += x->leaving;
  if (x->leaving < x->most)
    return 0;
  x->most = x->leaving;
  return CUDA_ERROR_NOT_READY;
}

Status reclaim_search (void *ud) {
  RtSearch *x = ud;
  x->waiting = x->leaving = 0;
  Status st = x->blocks ? look_at_blocks(x) : CUDA_ERROR_NOT_READY;
  if (st == CUDA_ERROR_NOT_READY)
    st = look_at_leaving(x);
  if (st != CUDA_ERROR_NOT_READY)
    return st;
  return (x->waiting > 0) ? st : CUDA_ERROR_OUT_OF_MEMORY;
}

/* With a limit it is known whether all cached blocks would be enough. Foreign
** memory is under no limit, unless it is shared with other processes. */
static bool can_help (const RtSearch *x, size_t bytes) {
  const Memory *m = x->m;
  if (x->imports || (x->graphs && x->dev->rt->dropped[LIFE_BODY].n > 0))
    return true;
  if (!x->blocks || m->cache.bytes + m->staging == 0)
    return false;
  size_t limit = memory_limit(m);
  return bytes == SIZE_MAX || (bytes <= limit && m->live <= limit - bytes);
}

Status reclaim_start_search (RtSearch *x, RtDevice *dev, bool pinned,
                             size_t bytes, bool graphs) {
  bool limited = (bytes != SIZE_MAX && bytes > 0);
  *x = (RtSearch){.dev = dev,
                  .m = &dev->memory[pinned],
                  .graphs = graphs,
                  .blocks = (bytes > 0),
                  .serves = x->serves};
  x->imports = ((!limited || (x->m->shared > 0 && x->m->cap != NO_LIMIT)) &&
                dev->rt->dropped[LIFE_IMPORT].n > 0);
  return can_help(x, bytes) ? reclaim_search(x) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* ==} */

/* {== limits and figures ============================================== */

void reclaim_restart_peaks (RtDevice *dev, bool pinned) {
  Memory *m = &dev->memory[pinned];
  m->peak = m->reserved;
  m->peak_live = m->live;
}

Status reclaim_set_limit (RtDevice *dev, bool pinned, size_t bytes) {
  Memory *m = &dev->memory[pinned];
  m->limit = bytes;
  m->threshold = 0;
  Status st = reclaim_cached(dev, pinned, 0);
  reclaim_restart_peaks(dev, pinned);
  return st;
}

static size_t machine_memory (void) {
  return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t reclaim_total (const RtDevice *dev, bool pinned) {
  return pinned ? machine_memory() : dev->total;
}

size_t reclaim_budget (const RtDevice *dev, bool pinned) {
  size_t limit = dev->memory[pinned].limit, total = reclaim_total(dev, pinned);
  return (limit < total) ? limit : total;
}

/* Returns the bytes that are not reserved: under the limit and, for a device's
** memory, free on the device. */
static size_t room (RtDevice *dev, bool pinned) {
  const Memory *m = &dev->memory[pinned];
  size_t limit = memory_limit(m), most = reclaim_budget(dev, pinned), bytes,
         total;
  if (most < limit)
    limit = most;
  size_t left = (limit > m->reserved) ? limit - m->reserved : 0;
  if (!pinned && context_enter(dev) == 0 &&
      dev->D->cuMemGetInfo(&bytes, &total) == CUDA_SUCCESS && bytes < left)
    left = bytes;
  return left;
}

static size_t largest_cached (const Memory *m) {
  size_t most = 0;
  for (int bin = 0; bin < CACHE_BINS; bin++) {
    const RtBlock *b = NULL;
    while ((b = cache_next(&m->cache, bin, b)) != NULL)
      most = (b->size > most) ? b->size : most;
  }
  return most;
}

/* A size in human-readable form: 1.5 GiB. */
typedef struct Size {
  char text[NUMERAL + 8];
} Size;

static Size size_of (size_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                      "TiB",   "PiB", "EiB"};
  Size s;
  int unit = 0;
  double x = (double)bytes;
  for (; x >= 1024; unit++)
    x /= 1024;
  numeral_write(s.text, 4, x);
  strcat(strcat(s.text, " "), units[unit]);
  return s;
}

/* The same, of memory that is free: never more than there is. */
static Size free_of (size_t bytes) {
  size_t unit = 1;
  while (bytes / unit >= 1024)
    unit *= 1024;
  unit = (unit > 1024) ? unit / 1024 : 1;
  return size_of(bytes / unit * unit);
}

Status reclaim_explain (RtDevice *dev, bool pinned, size_t bytes,
                        const char *call) {
  Runtime *rt = dev->rt;
  const Memory *m = &dev->memory[pinned];
  size_t left = room(dev, pinned), piece = largest_cached(m);
  size_t shared = m->shared;
  bool host = context_is_host(dev);
  if (host && strncmp(call, "cu", 2) == 0)
    call = "host"; /* the host device has no driver calls to look up */
  return status_explain(
    rt, CUDA_ERROR_OUT_OF_MEMORY, call,
    "asked %s%s; live %s, reserved %s, %s%s%sfree %s, largest free %s, %s %s",
    size_of(bytes).text,
    pinned ? " of page-locked memory"
    : host ? " of the host device"
           : "",
    size_of(m->live).text, size_of(m->reserved).text,
    shared > 0 ? "shared " : "", shared > 0 ? size_of(shared).text : "",
    shared > 0 ? ", " : "", free_of(left + m->cache.bytes + m->staging).text,
    free_of((piece > left) ? piece : left).text,
    m->limit != NO_LIMIT ? "limit" : "total",
    size_of(reclaim_budget(dev, pinned)).text);
}

/* ==} */

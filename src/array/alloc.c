/*
** alloc.c - memory for arrays, and the program's calls about it:
** memory_stats, reset_peak, memory_limit, trim.
**
** DESIGN. If neither the cache nor the driver (or the limit) has memory, the
** fallback steps run in this order, until one frees enough:
**   drain        frees dropped blocks, and gives back idle cached blocks
**   synchronize  waits for cached memory that is busy, and for foreign memory
**                that was dropped, whichever is first
**   collect      a step of the collector, then all garbage, twice: the second
**                time for objects that finalizers had kept; then synchronize,
**                now with dropped graphs as well
**   trim         gives back what the driver's pool keeps
** After that there is an error with figures. If host functions cannot run (in a
** host function or a finalizer), work behind one is not waited for. Inside a
** finalizer collect is left out.
**
** Waits and collections here may run host functions and finalizers. So they
** come before a call has queued anything, or the call begins again (entry.h).
** Its objects are on the Lua stack and are checked again.
*/
#include "alloc.h"

#include <math.h>
#include <string.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/listing.h"
#include "base/option.h"
#include "base/state.h"
#include "device/current.h"
#include "device/device.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "device/service.h"
#include "openers.h"
#include "rt/graph/footprint.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/memory/memory.h"
#include "rt/memory/reclaim.h"
#include "rt/memory/threshold.h"
#include "rt/program/numeral.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/progress.h"

/* {== the fallback steps ============================================== */

static Status request (Request *r) {
  Status st = r->request(r->ud);
  r->call = r->dev->rt->call;
  return st;
}

/* Returns how much has to come back: under a limit that is known. */
static size_t missing (const Request *r) {
  bool limited = (strcmp(r->call, "tide.memory_limit") == 0);
  return limited ? (r->bytes + 511) / 512 * 512 : SIZE_MAX;
}

/* Tries once more, and again after idle cached memory was given back. */
static Status retry (Request *r) {
  Status st = request(r);
  if (st != CUDA_ERROR_OUT_OF_MEMORY)
    return st;
  st = reclaim_cached(r->dev, r->pinned, missing(r));
  return (st != 0) ? st : request(r);
}

/* Waits for memory: the step 'synchronize'. 'graphs': also for dropped graphs.
** Garbage may hold their memory as well, so that comes after a collection. */
static Status synchronize (lua_State *L, Request *r, bool graphs) {
  Status st = CUDA_ERROR_OUT_OF_MEMORY;
  while (st == CUDA_ERROR_OUT_OF_MEMORY) {
    st = drain_for_memory(L, r->dev, r->pinned, missing(r), graphs);
    if (st != 0)
      break;
    st = retry(r);
  }
  return st;
}

/* Three tries: a step; all garbage; objects that finalizers had kept. */
static Status collect (lua_State *L, Request *r) {
  Status st = CUDA_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < 3 && st == CUDA_ERROR_OUT_OF_MEMORY; i++) {
    if (!gc_collect(L, r->dev, r->pinned, i > 0))
      return synchronize(L, r, true);
    drain_all(L);
    st = retry(r);
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = synchronize(L, r, i > 0);
  }
  return st;
}

static Status freed (void *ud) {
  const Point *p = ud;
  return progress_passed(p->s, p->seq);
}

/* Gives idle cached memory back to the driver. It is free on return, because
** the device has reached that point then. */
static Status give_back (lua_State *L, RtDevice *dev) {
  Status st = reclaim_all(dev);
  if (st != 0 || dev->mem == NULL)
    return st;
  dev->mem->seq = dev->mem->sent = ++dev->rt->stamp;
  Point p = {dev->mem, dev->mem->seq};
  st = freed(&p);
  return (st == CUDA_ERROR_NOT_READY)
           ? service_wait_quiet(L, dev, freed, &p, false, "out of memory")
           : st;
}

/* The last step. */
static Status trim (lua_State *L, Request *r) {
  Status st = give_back(L, r->dev);
  return (st != 0) ? st : request(r);
}

Status alloc_retry (lua_State *L, Request *r) {
  r->call = r->dev->rt->call;
  Status st = CUDA_ERROR_OUT_OF_MEMORY;
  if (r->bytes <= reclaim_budget(r->dev, r->pinned)) {
    drain_all(L);
    st = retry(r);
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = synchronize(L, r, false);
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = collect(L, r);
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = trim(L, r);
  }
  if (st == CUDA_ERROR_OUT_OF_MEMORY)
    st = reclaim_explain(r->dev, r->pinned, r->bytes, r->call);
  return st;
}

/* A request for an array's block. */
typedef struct BlockRequest {
  Request r;
  RtStream *s;
  bool unused;
  RtBlock **block;
} BlockRequest;

/* Takes a block that the capture of 's' has used and let go; NULL: none. */
static RtBlock *take_spare (RtDevice *dev, size_t bytes, bool pinned,
                            RtStream *s, bool any) {
  bool captures = (s != NULL && s->capture != NULL && !pinned);
  return captures ? footprint_take_spare(s, dev, bytes, any) : NULL;
}

/* Short of memory, a capture takes any that it has let go itself. */
static Status get (RtDevice *dev, size_t bytes, bool pinned, RtStream *s,
                   bool unused, RtBlock **block) {
  *block = unused ? NULL : take_spare(dev, bytes, pinned, s, false);
  if (*block != NULL)
    return 0;
  Status st = block_new(dev, bytes, pinned, s, block);
  if (st == CUDA_ERROR_OUT_OF_MEMORY && !unused)
    *block = take_spare(dev, bytes, pinned, s, true);
  return (*block != NULL) ? 0 : st;
}

static Status new_block (void *ud) {
  const BlockRequest *b = ud;
  return get(b->r.dev, b->r.bytes, b->r.pinned, b->s, b->unused, b->block);
}

void alloc_prepare (lua_State *L, RtDevice *dev, size_t bytes, bool pinned) {
  if (threshold_is_passed(&dev->memory[pinned], bytes))
    gc_relieve(L, dev, pinned, bytes);
}

void alloc_block (lua_State *L, RtDevice *dev, size_t bytes, bool pinned,
                  RtStream *s, bool unused, RtBlock **block) {
  Status st = get(dev, bytes, pinned, s, unused, block);
  if (st == CUDA_ERROR_OUT_OF_MEMORY) {
    BlockRequest b = {
      {dev, bytes, pinned, NULL, new_block, &b}, s, unused, block};
    st = alloc_retry(L, &b.r);
  }
  error_check(L, st);
  (*block)->born = state_of_rt(dev->rt)->calls;
}

/* ==} */

/* {== calls of the program ============================================ */

/* The kind of memory at 'arg': "device" (the default) or "pinned". */
static bool check_kind (lua_State *L, int arg) {
  static const char *const kinds[] = {"device", "pinned", NULL};
  return option_choice(L, arg, 0, kinds) == 1;
}

static void set_size (lua_State *L, const char *name, size_t bytes) {
  lua_pushinteger(L, (lua_Integer)bytes);
  lua_setfield(L, -2, name);
}

/* Returns a limit as programs see it. */
static lua_Integer shown (size_t limit) {
  return (limit == NO_LIMIT) ? 0 : (lua_Integer)limit;
}

/*
** memory_stats([kind]) -> { live=, peak_live=, peak=, reserved=, limit=,
** pinned=, collections=, collecting= } for the current device: see
** docs/api/memory.md.
*/
static int core_memory_stats (lua_State *L) {
  state_rt(L);
  bool kind = check_kind(L, 1);
  RtDevice *dev = current_get_device(L);
  const Memory *m = &dev->memory[kind];
  const Pressure *p = &state_get(L)->pressure;
  lua_createtable(L, 0, 8);
  set_size(L, "live", m->live);
  set_size(L, "peak_live", m->peak_live);
  set_size(L, "peak", m->peak);
  set_size(L, "reserved", m->reserved);
  set_size(L, "limit", (size_t)shown(m->limit));
  set_size(L, "pinned", dev->memory[1].live);
  lua_pushinteger(L, p->count);
  lua_setfield(L, -2, "collections");
  lua_pushnumber(L, p->spent);
  lua_setfield(L, -2, "collecting");
  listing_set(L);
  return 1;
}

/* reset_peak([kind]): 'peak' and 'peak_live' of the current device start
** anew. */
static int core_reset_peak (lua_State *L) {
  state_rt(L);
  bool kind = check_kind(L, 1);
  reclaim_restart_peaks(current_get_device(L), kind);
  return 0;
}

/* Returns the share that the string at 'arg' is: "50%" is 0.5. */
static double check_share (lua_State *L, int arg) {
  const char *end, *text = arg_check_string(L, arg);
  double share = numeral_read(text, &end) / 100;
  if (end == text || strcmp(end, "%") != 0 || !(share > 0 && share <= 1))
    argerror_raise(L, arg,
                   "bytes are a number, and a share is above 0%% and at most "
                   "100%%, like '50%%', got '%s'",
                   text);
  return share;
}

/* Returns the limit at 'arg', bytes or a share of 'total'. 0: only the host
** program's, which is 'cap'. */
static size_t check_limit (lua_State *L, int arg, size_t cap, size_t total) {
  lua_Integer bytes = lua_type(L, arg) == LUA_TSTRING
                        ? (lua_Integer)ceil(check_share(L, arg) * (double)total)
                        : arg_check_integer(L, arg);
  argerror_check(L, bytes >= 0, arg, "limit must not be negative");
  if (bytes == 0)
    return cap;
  if ((size_t)bytes > cap)
    argerror_raise(L, arg, "the host program allows this Lua state %I bytes",
                   (lua_Integer)cap);
  return (size_t)bytes;
}

/* Keeps the limit for the default device, because no device is open yet. */
static int limit_later (lua_State *L, State *st, bool kind) {
  size_t cap = kind ? st->caps.pinned_bytes : st->caps.bytes;
  size_t *limit = &st->limits[kind], old;
  cap = (cap > 0) ? cap : NO_LIMIT;
  old = (*limit > 0) ? *limit : cap;
  if (!lua_isnoneornil(L, 1))
    *limit = check_limit(L, 1, cap, 0);
  lua_pushinteger(L, shown(old));
  return 1;
}

/*
** memory_limit([bytes [, kind]]) -> the limit until now, 0: none. The memory
** reserved on the current device does not grow beyond the new limit, which may
** be a share, "50%"; a share needs the device open.
*/
static int core_memory_limit (lua_State *L) {
  State *st = state_get(L);
  bool given = !lua_isnoneornil(L, 1);
  bool kind = check_kind(L, 2);
  if (lua_type(L, 1) == LUA_TSTRING)
    check_share(L, 1);
  else if (state_is_unused(st))
    return limit_later(L, st, kind);
  RtDevice *dev = (state_rt(L), current_get_device(L));
  size_t bytes = given ? check_limit(L, 1, dev->memory[kind].cap,
                                     reclaim_total(dev, kind))
                       : 0;
  lua_Integer old = shown(dev->memory[kind].limit);
  if (given) {
    drain_all(L);
    error_check(L, reclaim_set_limit(dev, kind, bytes));
  }
  lua_pushinteger(L, old);
  return 1;
}

/* trim([device]) -> bytes: gives idle cached memory back to the driver; by
** default that of all devices. */
static int core_trim (lua_State *L) {
  Runtime *rt = state_rt(L);
  RtDevice *only = lua_isnoneornil(L, 1) ? NULL : device_check(L, 1);
  size_t freed = 0;
  Status st = 0;
  drain_all(L);
  for (int i = 0; i < rt->ndevices && st == 0; i++) {
    RtDevice *dev = &rt->devices[i];
    const Memory *m = dev->memory;
    size_t before = m[0].reserved + m[1].reserved;
    if (only == NULL || only == dev)
      st = reclaim_all(dev);
    freed += before - m[0].reserved - m[1].reserved;
  }
  error_check(L, st);
  lua_pushinteger(L, (lua_Integer)freed);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {"memory_limit", core_memory_limit, 2},
  {"memory_stats", core_memory_stats, 1},
  {"reset_peak", core_reset_peak, 1},
  {"trim", core_trim, 1},
  {NULL, NULL, 0},
};

void open_memory (lua_State *L) { class_set_funcs(L, functions); }

/*
** gc.c - when to collect garbage. Lua's collector sees a few bytes
** where we hold megabytes, so we run it when it is time.
**
** DESIGN. Each time that so much more is held as rt/memory/threshold.c says:
**  - one step of the collector runs: in generational mode a young collection,
**    some 10 us for any heap; in incremental mode a small share of a cycle;
**  - if that freed less than half of the growth, a full collection;
**  - a full collection also runs if steps have left too much of any memory.
** Each kind of collection then rests for many times its own cost, so that all
** of them cost a few percent of the time, for any heap. On the host device the
** factor is smaller, because its workers take most of the time. As the program
** is ahead of them, the time that they need to fill the new memory counts as if
** it had passed. Past the limit the fallback steps (alloc.c) collect regardless
** of the time.
**
** With a big heap or a small limit collections then follow each other closely.
** Only the generational mode makes them cheap, because its young collections
** look at new objects only. So where collections take more than their share,
** several in a row, and do free memory, we switch Lua to that mode, which costs
** a full collection. The first time it replaces a step, if memory would be full
** before steps had done a cycle, or a full collection that would take more than
** its share of the time since memory began to fill. We switch back once full
** collections would be cheap enough. After that it takes twice as many in a row
** to switch again; otherwise a program that allocates in bursts would have its
** mode changed twice in each. If the program itself switches back, we obey.
**
** With a big heap Lua waits long before it looks for garbage. So a step also
** runs whenever many more blocks are held, which cost more than their bytes.
** An object with a finalizer, such as a stream or an event, is freed a cycle
** after it was found, and counts for the start of the next cycle. So cycles get
** longer and longer, and a program that drops streams has thousands of them. A
** full collection runs once so many more are held that the driver took longer
** to make them than the collection will take. Shared memory, interprocess
** events and files count for more, and a few hundred of them trigger a
** collection at any cost: each has two descriptors, and the program needs some.
**
** Inside a finalizer lua_gc does nothing and returns -1. A collector that the
** program has stopped runs for the fallback steps only, as for Lua's own
** emergencies.
*/
#include "gc.h"

#include "base/compat.h"
#include "base/state.h"
#include "drain.h"
#include "hostfunc.h"
#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/file/file.h"
#include "rt/memory/reclaim.h"
#include "rt/memory/threshold.h"
#include "rt/os/clock.h"

enum {
  REST_STEP = 16,
  REST_FULL = 32, /* rests: multiples of the cost, and */
  REST_STEP_HOST = 2,
  REST_FULL_HOST = 8, /* for the host device */
  LARGE = 4,          /* part of all memory that may be left by steps */
  CROWDED = 4,        /* collections too soon, before the mode changes; */
  PATIENCE = 4,       /* which double so many times at most */
  MANY_HANDLES = HANDLES_KEPT, /* streams, and events: so many of */
  EVENTS_PER = 8,              /* them count as one; */
  OBJECTS = 1024,              /* objects made, until Lua's heap is looked at */
  GROWN = 3,       /* times: Lua lets it grow to twice, and on for a cycle; */
  GROWN_KIB = 512, /* KiB more, for small heaps */
  PAIRS_AS = 4,    /* an object with two descriptors counts as so many; */
  PAIRS_MOST = 128 /* so many more, and the cost does not matter */
};

#define HANDLE_COST 1e-6 /* seconds: cuStreamCreate takes the H200 longer */

#define FILL 16e-12 /* seconds a byte: a core writes no faster, except cache */
#define FREEING 0.5e-6 /* seconds: an array's finalizer, with some to spare */

#define WINDOW 0.25 /* seconds at least, before the mode is changed back */
#define RATE \
  0.3e-6 /* seconds a KiB: a full collection of tables, until a
                        collection was measured */

#if defined(TIDE_TESTING)

static double set_time, set_work, cost_of_one; /* if a cost is set */

void gc_set_clock (double t, double cost) {
  set_time = t;
  cost_of_one = cost;
}

/* Each collection reads it twice. */
static double now (void) {
  return (cost_of_one > 0) ? set_time : clock_seconds(CLOCK_MONOTONIC);
}

static double worked (void) {
  return (cost_of_one > 0) ? (set_work += cost_of_one)
                           : clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

#else

static double now (void) { return clock_seconds(CLOCK_MONOTONIC); }

/* The cost of a collection is the work that it does, without other work of the
** machine meanwhile. */
static double worked (void) { return clock_seconds(CLOCK_THREAD_CPUTIME_ID); }

#endif

/* {== collections ===================================================== */

static double full_cost (lua_State *L, const Pressure *p) {
  return (p->rate > 0 ? p->rate : RATE) * lua_gc(L, LUA_GCCOUNT);
}

/* Notes that memory begins to fill, as if a full collection had just ended. */
static void begin (lua_State *L, Pressure *p) {
  p->end = now();
  if (p->rate == 0)
    p->full_after = p->end + REST_FULL * full_cost(L, p);
}

/* Returns the cost of a collection that began at 'start' (work). Freeing what
** it found does not count: destroying streams takes the driver longer, and so
** the collector would wait for more of them each time. */
static double ended (lua_State *L, Pressure *p, double start) {
  double cost = worked() - start;
  drain_all(L);
  p->spent += cost;
  p->count++;
  p->end = now();
  return cost;
}

/* Returns how far, in seconds, the program is ahead of the device, which has so
** much to fill. */
static double lead (const RtDevice *dev, size_t bytes) {
  return context_is_host(dev) ? FILL * (double)bytes : 0;
}

/* Returns the cost. */
static double step (lua_State *L, Pressure *p, const RtDevice *dev,
                    size_t growth) {
  int times = context_is_host(dev) ? REST_STEP_HOST : REST_STEP;
  double since = now() + lead(dev, growth) - p->end, start = worked();
  compat_step_gc(L);
  double cost = ended(L, p, start);
  p->step_after = p->end + times * cost;
  p->crowded = (since < times * cost) ? p->crowded + 1 : 0;
  return cost;
}

/* Returns whether switching to the generational mode has collected all garbage.
** Not if the mode was on, or if the program does not want it. */
static bool borrow (lua_State *L, Pressure *p) {
  p->crowded = 0;
  if (p->refused || lua_gc(L, LUA_GCGEN, 0, 0) != LUA_GCINC)
    return false;
  if (p->borrowed) { /* we had switched already: the program has undone it */
    lua_gc(L, LUA_GCINC, 0, 0, 0);
    p->refused = true;
  }
  p->borrowed = !p->borrowed;
  p->window = now();
  p->fulls = 0;
  if (p->borrowed)
    compat_step_gc(L); /* calls the finalizers */
  return p->borrowed;
}

static void ended_full (lua_State *L, Pressure *p, double start) {
  double cost = ended(L, p, start);
  p->rate = cost / (lua_gc(L, LUA_GCCOUNT) + 1);
  p->full_after = p->end + REST_FULL * cost;
}

/* Collects by a change of the mode, if there can be one. */
static bool collect_changing (lua_State *L, Pressure *p) {
  double start = worked();
  if (!borrow(L, p))
    return false;
  ended_full(L, p, start);
  return true;
}

static void full (lua_State *L, Pressure *p, bool soon) {
  if (soon && p->window == 0 && collect_changing(L, p))
    return;
  double start = worked();
  lua_gc(L, LUA_GCCOLLECT);
  ended_full(L, p, start);
  p->crowded = soon ? p->crowded + 1 : 0;
}

/* Switches back if full collections, 'part' of one now, would be cheap enough
** in the other mode. */
static void give_back (lua_State *L, Pressure *p, double part) {
  double t = now(), cost = full_cost(L, p), span = REST_FULL * cost;
  p->fulls += part;
  if (!p->borrowed || t - p->window < (span > WINDOW ? span : WINDOW))
    return;
  if (2 * REST_FULL * p->fulls * cost < t - p->window) {
    lua_gc(L, LUA_GCINC, 0, 0, 0);
    p->borrowed = false;
    p->crowded = 0;
    p->patience += (p->patience < PATIENCE);
  }
  p->window = t;
  p->fulls = 0;
}

/* Tells whether, at this rate, memory would be full before steps had done a
** cycle. */
static bool is_late (lua_State *L, const RtDevice *dev, bool pinned,
                     size_t growth) {
  const Pressure *p = &state_get(L)->pressure;
  size_t all = reclaim_budget(dev, pinned), live = dev->memory[pinned].live;
  double room = (all > live) ? (double)(all - live) : 0;
  return (now() - p->end) * room < REST_STEP * full_cost(L, p) * (double)growth;
}

/* Tells whether a full collection may run at that time, if steps have left so
** much: at any time if that is a large part of all memory. */
static bool is_rested (lua_State *L, const RtDevice *dev, bool pinned, double t,
                       size_t beyond) {
  const Pressure *p = &state_get(L)->pressure;
  if (dev->memory[pinned].limit == NO_LIMIT &&
      beyond > reclaim_budget(dev, pinned) / LARGE)
    return true;
  if (context_is_host(dev))
    t += lead(dev, beyond) + (REST_FULL - REST_FULL_HOST) * full_cost(L, p);
  return t >= p->full_after;
}

/* Notes what steps have left of each memory, where that is too much. Tells
** whether there is such a one, and a full collection may run at that time. */
static bool note_left (lua_State *L, Runtime *rt, double t) {
  bool any = false;
  for (int i = 0; i < 2 * rt->ndevices; i++) {
    const RtDevice *dev = &rt->devices[i / 2];
    Memory *m = &rt->devices[i / 2].memory[i % 2];
    size_t beyond = threshold_beyond(m);
    bool left = m->threshold != 0 && beyond > m->room &&
                is_rested(L, dev, i % 2, t, beyond);
    m->left = left ? beyond : 0;
    any = any || left;
  }
  return any;
}

/* Learns from what a full collection has freed of what was left. */
static void learn_left (Runtime *rt) {
  for (int i = 0; i < 2 * rt->ndevices; i++) {
    RtDevice *dev = &rt->devices[i / 2];
    Memory *m = &dev->memory[i % 2];
    size_t before = m->left, after = threshold_beyond(m);
    m->left = 0;
    if (before > 0)
      threshold_learn(dev, i % 2, before > after ? before - after : 0, before);
  }
}

/* EITHER: a step, and a full collection as well if it must and may run at time
** t. */
typedef enum CollectKind { STEP, EITHER, FULL } CollectKind;

static void collect (lua_State *L, RtDevice *dev, bool pinned, CollectKind kind,
                     double t) {
  Pressure *p = &state_get(L)->pressure;
  Memory *m = &dev->memory[pinned];
  size_t growth, rest, before = threshold_sum(dev->rt, &growth);
  if (kind != FULL && !(p->window == 0 && is_late(L, dev, pinned, growth) &&
                        collect_changing(L, p)))
    step(L, p, dev, growth);
  size_t after = threshold_sum(dev->rt, &rest);
  bool missed = (kind == EITHER && t >= p->full_after &&
                 after + growth / 2 > before);
  bool left = (kind == EITHER && note_left(L, dev->rt, t));
  if (kind == FULL)
    m->left = threshold_beyond(m);
  if (kind == FULL || missed || left) {
    full(L, p, kind == FULL && now() < p->full_after);
    after = threshold_sum(dev->rt, &rest);
  }
  size_t freed = (before > after) ? before - after : 0;
  if (kind != FULL && m->left == 0) {
    if (missed && freed < growth / 4)
      threshold_lengthen(dev, pinned);
    else if (!missed)
      threshold_adapt(dev, pinned, freed, growth);
  }
  learn_left(dev->rt);
  threshold_restart(dev->rt, kind == FULL || missed || left);
  if (p->crowded >= CROWDED << p->patience && freed >= growth / 4)
    collect_changing(L, p);
  give_back(L, p,
            2.0 * (double)freed / (double)(reclaim_budget(dev, pinned) + 1));
}

/* Runs a step because there are many more blocks than there were. If it frees
** them it needs no rest, because freeing them later takes as long; where it
** looks at many other objects, as at all coroutines, it runs less often. */
static void step_many (lua_State *L, const RtDevice *dev, Memory *m) {
  Pressure *p = &state_get(L)->pressure;
  size_t before = m->nlive;
  double cost = step(L, p, dev, 0);
  if (threshold_adapt_number(m, before, (size_t)(cost / FREEING)))
    p->step_after = p->end;
}

void gc_relieve (lua_State *L, RtDevice *dev, bool pinned, size_t bytes) {
  const Pressure *p = &state_get(L)->pressure;
  Memory *m = &dev->memory[pinned];
  if (p->left)
    return;
  if (m->threshold == 0) {
    threshold_watch(dev, pinned);
    begin(L, &state_get(L)->pressure);
  }
  threshold_follow(m);
  size_t all = threshold_held(m) + bytes;
  bool much = all > m->threshold;
  if (!much && m->nlive < m->nmost)
    return;
  double t = now();
  if (t + lead(dev, all > m->base ? all - m->base : 0) < p->step_after ||
      lua_gc(L, LUA_GCISRUNNING) <= 0) {
    threshold_postpone(m, all);
  } else if (much) {
    collect(L, dev, pinned, EITHER, t);
  } else {
    step_many(L, dev, m);
  }
}

/*
** In incremental mode an object with a finalizer is freed a cycle after that
** has run, and counts for the length of the next cycle. If the program makes
** many arrays, closed or not, cycles get longer and longer, as in plain Lua. So
** we look at the heap when OBJECTS more have been made, and collect if it has
** grown by more than Lua allows: twice, if many finalizers have run.
*/
void gc_follow_heap (lua_State *L) {
  Pressure *p = &state_get(L)->pressure;
  int kib = lua_gc(L, LUA_GCCOUNT);
  p->objects = OBJECTS;
  if (p->heap == 0 || kib < p->heap)
    p->heap = kib;
  if (kib / GROWN <= p->heap + GROWN_KIB || p->left ||
      lua_gc(L, LUA_GCISRUNNING) <= 0)
    return;
  unsigned ended = p->ended;
  full(L, p, false);
  if (p->ended - ended >= OBJECTS / 2)
    full(L, p, false); /* frees the objects of these finalizers */
  threshold_restart(state_get(L)->rt, true);
  p->heap = lua_gc(L, LUA_GCCOUNT);
}

/* Returns how many objects with two descriptors are held, garbage or not. */
static int held_pairs (const Runtime *rt) {
  return rt->nshared + file_count(rt);
}

static int held_handles (const Runtime *rt) {
  return rt->nhandles + rt->nevents / EVENTS_PER + PAIRS_AS * held_pairs(rt);
}

static bool is_scarce (const Runtime *rt, const Pressure *p) {
  return held_pairs(rt) - p->pairs_base >= PAIRS_MOST + p->pairs_base / 4;
}

/* Lets the counts follow what has been closed. */
static void follow_handles (const Runtime *rt, Pressure *p) {
  if (held_pairs(rt) < p->pairs_base)
    p->pairs_base = held_pairs(rt);
  if (held_handles(rt) < p->handles_base) {
    p->handles_base = held_handles(rt);
    p->handles_most = p->handles_base + MANY_HANDLES;
  }
}

void gc_relieve_handles (lua_State *L) {
  State *st = state_get(L);
  Pressure *p = &st->pressure;
  gc_count_object(L, st);
  follow_handles(st->rt, p);
  int held = held_handles(st->rt), more = held - p->handles_base;
  bool scarce = is_scarce(st->rt, p);
  if ((held < p->handles_most && !scarce) || p->left)
    return;
  bool cheap = more >= MANY_HANDLES && more * HANDLE_COST >= full_cost(L, p);
  if ((!cheap && !scarce) || lua_gc(L, LUA_GCISRUNNING) <= 0) {
    p->handles_most = held + MANY_HANDLES / 4;
    return;
  }
  full(L, p, now() < p->full_after);
  p->handles_base = held_handles(st->rt);
  p->pairs_base = held_pairs(st->rt);
  p->handles_most = p->handles_base + MANY_HANDLES;
}

bool gc_collect (lua_State *L, RtDevice *dev, bool pinned, bool all) {
  if (state_get(L)->pressure.left || lua_gc(L, LUA_GCISRUNNING) < 0)
    return false;
  collect(L, dev, pinned, all ? FULL : STEP, 0);
  return true;
}

/* ==} */

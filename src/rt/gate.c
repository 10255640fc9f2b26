/*
** gate.c - gates: 32-bit flags in page-locked memory. A stream that reaches a
** gate stands still (cuStreamWaitValue32) until the host has set the flag.
** Flags come from pages of GATES_PAGE; a page is kept until its device closes.
**
** DESIGN. A shut gate is dangerous in two ways (both seen on an H200):
**  - A stream takes some hundred operations behind a gate, then the call that
**    queues the next one blocks inside the driver, and the Lua thread that is
**    to open the gate stands in it. So streams behind a gate, by their own or
**    because they wait for one that is, count what is queued on them.
**  - It occupies one of the device's few queues: see places.c.
** At either limit the host functions run first, as at any service point. For
** the same reason a graph has at most GRAPH_HOSTS of them: the call that
** launches one with 80 does not return before some are open.
** A host function may wait for what does not wait for it. So before a stream
** gets behind a gate, an event marks what it holds: 'from' on, its operations
** are held up, and everything earlier can be waited for.
*/
#include "gate.h"

#include <stdlib.h>

#include "events.h"
#include "places.h"
#include "progress.h"
#include "runtime.h"
#include "shared.h"
#include "streams.h"
#include "wait.h"

enum {
  GATES_PAGE = 1024,
  ROOM = 192,         /* 56 host functions with gates filled a stream, */
  GATE_WEIGHT = 4,    /* in graphs or not; 900 launches did not */
  HURDLES_FEW = 4
};

/* Room to take every flag of one more page back. */
static Status reserve (RtDevice *dev) {
  int cap = (dev->ngate_pages + 1) * GATES_PAGE;
  uint32_t **idle = realloc(dev->idle_gates, (size_t)cap * sizeof *idle);
  if (idle == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  dev->idle_gates = idle;
  dev->capidle_gates = cap;
  size_t pages = (size_t)dev->ngate_pages + 1;
  uint32_t **list = realloc(dev->gate_pages, pages * sizeof *list);
  if (list == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  dev->gate_pages = list;
  return 0;
}

static Status new_page (RtDevice *dev) {
  void *p = NULL;
  Status st = reserve(dev);
  if (st == 0)
    st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostAlloc(&p, GATES_PAGE * sizeof(uint32_t),
                              CU_MEMHOSTALLOC_PORTABLE |
                              CU_MEMHOSTALLOC_DEVICEMAP);
  if (st != CUDA_SUCCESS)
    return rt_fail(dev->rt, st, "cuMemHostAlloc");
  uint32_t *page = p;
  dev->gate_pages[dev->ngate_pages++] = page;
  for (int i = GATES_PAGE - 1; i >= 0; i--)
    dev->idle_gates[dev->nidle_gates++] = &page[i];
  return 0;
}

Status rt_lendgate (RtDevice *dev, uint32_t **gate) {
  if (dev->nidle_gates == 0) {
    Status st = new_page(dev);
    if (st != 0)
      return st;
  }
  *gate = dev->idle_gates[--dev->nidle_gates];
  rt_opengate(*gate, 0);
  return 0;
}

void rt_returngate (RtDevice *dev, uint32_t *gate) {
  if (gate != NULL)
    dev->idle_gates[dev->nidle_gates++] = gate;
}

void rt_opengate (uint32_t *gate, uint32_t value) {
  __atomic_store_n(gate, value, __ATOMIC_RELEASE);
}

bool rt_hasgate (const RtDevice *dev, const uint32_t *gate) {
  for (int i = 0; i < dev->ngate_pages; i++)
    if (gate >= dev->gate_pages[i] && gate < dev->gate_pages[i] + GATES_PAGE)
      return true;
  return false;
}

/* {== the thread's default stream ===================================== */

enum { PTDS_KNOWN = 16 };

/*
** The driver makes a thread's default stream when it is first used, and that
** call blocks as long as gates are shut, with the driver's locks held (seen on
** an H200): so it is used once while none is.
*/
Status rt_makeptds (RtDevice *dev, const char *what) {
  static _Thread_local uint64_t known[PTDS_KNOWN];
  uint64_t id = dev->shared->id;
  CUevent event;
  if (known[id % PTDS_KNOWN] == id)
    return 0;
  Status st = rt_lendevent(dev, &event);
  if (st != 0)
    return st;
  st = rt_lockgates(dev, what);
  if (st == 0) {
    st = dev->D->cuEventRecord(event, CU_STREAM_PER_THREAD);
    if (st != CUDA_SUCCESS)
      rt_fail(dev->rt, st, "cuEventRecord");
    rt_unlockgates(dev);
  }
  rt_returnevent(dev, event);
  if (st == 0)
    known[id % PTDS_KNOWN] = id;
  return st;
}

/* ==} */

/* {== what stands behind gates ======================================== */

static bool is_behind (const RtStream *s) {
  const Runtime *rt = s->dev->rt;
  return rt->shut > 0 && s->epoch == rt->epoch && s->behind > 0;
}

/* From operation 'seq' on. */
static void put_behind (RtStream *s, uint64_t seq) {
  if (is_behind(s))
    return;
  s->epoch = s->dev->rt->epoch;
  s->behind = 1;
  s->from = seq;
}

bool rt_heldup (const RtStream *s, uint64_t seq) {
  return is_behind(s) && seq >= s->from;
}

static Status mark_tail (RtStream *s) {
  Tail at;
  return (s->live && s->seq > s->done) ? rt_tail(s, s->seq, &at) : 0;
}

/* Does 's' order the blocking stream 't', or the other way round? */
static bool is_legacy_pair (const RtStream *s, const RtStream *t) {
  return s->dev == t->dev && !s->nonblocking && !t->nonblocking &&
         (s->kind == STREAM_NULL || t->kind == STREAM_NULL);
}

Status rt_marktails (RtStream *s) {
  Runtime *rt = s->dev->rt;
  Status st = mark_tail(s);
  if (st == 0 && !s->nonblocking && s->kind != STREAM_NULL)
    return mark_tail(s->dev->null);
  for (int i = 0; st == 0 && s->kind == STREAM_NULL && i < rt->nstreams; i++)
    if (is_legacy_pair(s, rt->streams[i]))
      st = mark_tail(rt->streams[i]);
  return st;
}

static bool is_shut (Point gate) {
  return gate.s != NULL && gate.s->shut > 0 && gate.seq > gate.s->opened;
}

/* Forgets the hurdles that are open; room for 'n' more, and for an own one. */
static Status reserve_hurdles (RtStream *s, int n) {
  int j = 0;
  for (int i = 0; i < s->nhurdles; i++)
    if (is_shut(s->hurdles[i].gate))
      s->hurdles[j++] = s->hurdles[i];
  s->nhurdles = j;
  if (j + n < s->caphurdles)
    return 0;
  int cap = 2 * (j + n) + HURDLES_FEW;
  Hurdle *hurdles = realloc(s->hurdles, (size_t)cap * sizeof *hurdles);
  if (hurdles == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  s->hurdles = hurdles;
  s->caphurdles = cap;
  return 0;
}

static void add_hurdle (RtStream *s, Point gate, uint64_t from) {
  s->hurdles[s->nhurdles++] = (Hurdle){gate, from};
}

/*
** Gates of one stream open in their order: whoever is behind one of them is
** behind all that are earlier.
*/
static bool stands_at (const RtStream *s, uint64_t seq, Point gate) {
  if (!is_shut(gate))
    return false;
  for (int i = 0; i < s->nhurdles; i++) {
    const Hurdle *h = &s->hurdles[i];
    if (h->gate.s == gate.s && h->gate.seq >= gate.seq && h->from <= seq)
      return true;
  }
  return false;
}

/* Is (t, seq) behind this gate, and 's' not yet? */
static bool is_new (const RtStream *s, const Hurdle *h, uint64_t seq) {
  return h->from <= seq && is_shut(h->gate) &&
         !stands_at(s, UINT64_MAX, h->gate);
}

static bool brings_hurdle (const RtStream *s, const RtStream *t, uint64_t seq) {
  for (int i = 0; i < t->nhurdles; i++)
    if (is_new(s, &t->hurdles[i], seq))
      return true;
  return false;
}

/* Whether the wait itself succeeds or not. */
Status rt_beforefollow (RtStream *s, RtStream *t, uint64_t seq) {
  Runtime *rt = s->dev->rt;
  if (!rt_heldup(t, seq) || (is_behind(s) && !brings_hurdle(s, t, seq)))
    return 0;
  Status st = reserve_hurdles(s, t->nhurdles);
  if (st == 0)
    st = rt_marktails(s);
  if (st == 0)
    st = rt_takeplace(s);
  if (st == 0)
    put_behind(s, rt->stamp + 1);
  else if (st == RT_CROWDED)
    rt->crowd = (Point){t, seq};
  return st;
}

bool rt_isheld (const RtStream *s, uint64_t seq) {
  for (int i = 0; i < s->nhurdles; i++)
    if (s->hurdles[i].gate.seq >= seq && is_shut(s->hurdles[i].gate))
      return true;
  return false;
}

bool rt_isbehind (const RtStream *s, uint64_t seq, Point gate) {
  const Runtime *rt = s->dev->rt;
  bool behind = stands_at(s, seq, gate);
  if (!behind && !s->nonblocking && s->kind != STREAM_NULL)
    return stands_at(s->dev->null, seq, gate);
  for (int i = 0; !behind && s->kind == STREAM_NULL && i < rt->nstreams; i++)
    behind = is_legacy_pair(s, rt->streams[i]) &&
             stands_at(rt->streams[i], seq, gate);
  return behind;
}

/* The latest first: it stands for the earlier ones of its stream. */
void rt_follow (RtStream *s, const RtStream *t, uint64_t seq) {
  for (int i = rt_heldup(t, seq) ? t->nhurdles - 1 : -1; i >= 0; i--)
    if (is_new(s, &t->hurdles[i], seq))
      add_hurdle(s, t->hurdles[i].gate, s->dev->rt->stamp + 1);
}

static Status follow_one (RtStream *s, RtStream *t) {
  Status st = (t->seq > t->done) ? rt_beforefollow(s, t, t->seq) : 0;
  if (st == 0 && t->seq > t->done)
    rt_follow(s, t, t->seq);
  return st;
}

/* The legacy stream waits for blocking ones, and they for it. */
static Status follow_legacy (RtStream *s) {
  Runtime *rt = s->dev->rt;
  if (s->nonblocking)
    return 0;
  if (s->kind != STREAM_NULL)
    return follow_one(s, s->dev->null);
  Status st = 0;
  for (int i = 0; st == 0 && i < rt->nstreams; i++)
    if (rt->streams[i] != s && is_legacy_pair(s, rt->streams[i]))
      st = follow_one(s, rt->streams[i]);
  return st;
}

Status rt_makeroom (RtStream *s, int weight, int gates, const char *what) {
  Runtime *rt = s->dev->rt;
  weight += GATE_WEIGHT * gates;
  Status st = (rt->shut > 0) ? follow_legacy(s) : 0;
  if (st == 0 && is_behind(s) && s->behind + weight > ROOM)
    st = rt_quiesce(rt, what);
  if (st == 0 && gates > 0)
    st = rt_makeptds(s->dev, what);
  if (st == 0 && gates > 0)
    st = rt_awaitplace(s, what);
  if (st == 0 && gates > 0)
    st = reserve_hurdles(s, 0);
  if (st == 0 && is_behind(s))
    s->behind += weight;
  return st;
}

/* The one that brings the stream behind a gate was not counted before. */
void rt_noteshut (RtStream *s, uint64_t seq, int weight, int gates) {
  Runtime *rt = s->dev->rt;
  if (rt->shut == 0)
    rt->epoch++;
  rt->shut += gates;
  s->shut += gates;
  add_hurdle(s, (Point){s, seq}, seq);
  rt->newest_gate = seq;
  if (!is_behind(s)) {
    put_behind(s, seq);
    s->behind = weight + GATE_WEIGHT * gates;
  }
}

void rt_noteopen (RtStream *s, uint64_t seq) {
  Runtime *rt = s->dev->rt;
  if (seq > s->opened)
    s->opened = seq;
  rt->shut--;
  if (--s->shut == 0)
    s->opened = rt->stamp;
  rt_openedgates(s->dev, 1);
  if (rt->shut == 0)
    rt_returnplaces(rt);
}

/*
** One stream serves all host functions of a device, unless one that was queued
** later ran earlier and left it at this one's gate, or at one that may wait for
** this one: then the stream is left to its work, as one of the Lua program's.
*/
Status rt_renewfn (RtDevice *dev, uint64_t seq) {
  RtStream *old = dev->fn, *s;
  if (!rt_isheld(old, seq))
    return 0;
  dev->fn = NULL;  /* what is made meanwhile is the device's own */
  Status st = rt_newstream(dev, CU_STREAM_NON_BLOCKING, 0, &s);
  dev->fn = (st == 0) ? s : old;
  if (st == 0) {
    dev->rt->nhandles++;
    rt_dropstream(old);
  }
  return st;
}

/* ==} */

/* The device was reset: nobody stands at a gate, and the pages are gone. */
void rt_forgetgates (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++) {
    RtStream *s = rt->streams[i];
    if (s->dev != dev)
      continue;
    rt->shut -= s->shut;
    s->shut = s->behind = s->nhurdles = 0;
    s->opened = rt->stamp;
    s->gate = NULL;
    s->gates = 0;
  }
  rt_forgetplaces(dev);
  if (rt->shut == 0)
    rt_returnplaces(rt);
  dev->ngate_pages = 0;
  rt_freegates(dev);
}

void rt_freegates (RtDevice *dev) {
  for (int i = 0; i < dev->ngate_pages; i++)
    rt_freehost(dev, dev->gate_pages[i]);
  free(dev->gate_pages);
  free(dev->idle_gates);
  dev->gate_pages = dev->idle_gates = NULL;
  dev->ngate_pages = dev->nidle_gates = 0;
}

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
**  - A stream at a gate occupies one of the device's 8 queues
**    (CUDA_DEVICE_MAX_CONNECTIONS); when all are, nothing runs any more. So at
**    most GATED_STREAMS have gates at a time.
** At either limit the host functions run first, as at any service point.
*/
#include "gate.h"

#include <stdlib.h>

#include "runtime.h"
#include "wait.h"

enum {
  GATES_PAGE = 1024,
  ROOM = 192,         /* 56 host functions with gates filled a stream */
  GATED_STREAMS = 6
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

/* {== what stands behind gates ======================================== */

static bool is_behind (const RtStream *s) {
  const Runtime *rt = s->dev->rt;
  return rt->shut > 0 && s->epoch == rt->epoch && s->behind > 0;
}

static void put_behind (RtStream *s) {
  if (is_behind(s))
    return;
  s->epoch = s->dev->rt->epoch;
  s->behind = 1;
}

void rt_follow (RtStream *s, RtStream *t) {
  if (is_behind(t))
    put_behind(s);
}

/* The legacy stream waits for blocking ones, and they for it. */
static void follow_legacy (RtStream *s) {
  if (s->kind == STREAM_NULL)
    put_behind(s);
  else if (!s->nonblocking)
    rt_follow(s, s->dev->null);
}

Status rt_makeroom (RtStream *s, int weight, bool shuts, const char *what) {
  Runtime *rt = s->dev->rt;
  if (rt->shut == 0)
    return 0;
  follow_legacy(s);
  if (is_behind(s) && (s->behind += weight) > ROOM)
    return rt_quiesce(rt, what);
  if (shuts && s->shut == 0 && rt->gated >= GATED_STREAMS)
    return rt_quiesce(rt, what);
  return 0;
}

void rt_noteshut (RtStream *s, int n) {
  Runtime *rt = s->dev->rt;
  if (rt->shut == 0)
    rt->epoch++;
  rt->shut += n;
  if (s->shut == 0)
    rt->gated++;
  s->shut += n;
  put_behind(s);
}

void rt_noteopen (RtStream *s) {
  Runtime *rt = s->dev->rt;
  if (rt->shut > 0)
    rt->shut--;
  if (s->shut > 0 && --s->shut == 0)
    rt->gated--;
}

/* ==} */

void rt_freegates (RtDevice *dev) {
  for (int i = 0; i < dev->ngate_pages; i++)
    dev->D->cuMemFreeHost(dev->gate_pages[i]);
  free(dev->gate_pages);
  free(dev->idle_gates);
  dev->gate_pages = dev->idle_gates = NULL;
  dev->ngate_pages = dev->nidle_gates = 0;
}

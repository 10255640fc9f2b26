/*
** gate.c - gates: 32-bit flags in page-locked memory. A stream that reaches a
** gate stands still (cuStreamWaitValue32) until the host has set the flag.
** Flags come from pages of GATES_PAGE; a page is kept until its device closes.
*/
#include "gate.h"

#include <stdlib.h>

#include "runtime.h"

enum { GATES_PAGE = 1024 };

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

void rt_freegates (RtDevice *dev) {
  for (int i = 0; i < dev->ngate_pages; i++)
    dev->D->cuMemFreeHost(dev->gate_pages[i]);
  free(dev->gate_pages);
  free(dev->idle_gates);
  dev->gate_pages = dev->idle_gates = NULL;
  dev->ngate_pages = dev->nidle_gates = 0;
}

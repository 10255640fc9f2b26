/*
** flags.c - words in page-locked memory that the host sets and streams wait
** for: pages of them, which go back when the device closes.
**
** The flag of a stream only ever counts up, and stays with the struct when that
** serves another stream: so a device that looks at an old value, from wherever
** it has that, waits longer and never goes on too early.
*/
#include "flags.h"

#include <stdlib.h>

#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "standing.h"

enum { FLAGS_PAGE = 1024 };

/* Room to take every flag of one more page back. */
static Status reserve (RtDevice *dev) {
  int cap = (dev->nflag_pages + 1) * FLAGS_PAGE;
  uint32_t **idle = realloc(dev->idle_flags, (size_t)cap * sizeof *idle);
  if (idle == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  dev->idle_flags = idle;
  size_t pages = (size_t)dev->nflag_pages + 1;
  uint32_t **list = realloc(dev->flag_pages, pages * sizeof *list);
  if (list == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  dev->flag_pages = list;
  return 0;
}

static Status new_page (RtDevice *dev) {
  void *p = NULL;
  Status st = reserve(dev);
  if (st == 0)
    st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostAlloc(&p, FLAGS_PAGE * sizeof(uint32_t),
                              CU_MEMHOSTALLOC_PORTABLE |
                              CU_MEMHOSTALLOC_DEVICEMAP);
  if (st != CUDA_SUCCESS)
    return rt_fail(dev->rt, st, "cuMemHostAlloc");
  uint32_t *page = p;
  dev->flag_pages[dev->nflag_pages++] = page;
  for (int i = FLAGS_PAGE - 1; i >= 0; i--)
    dev->idle_flags[dev->nidle_flags++] = &page[i];
  return 0;
}

Status rt_lendflag (RtDevice *dev, uint32_t **flag) {
  Status st = (dev->nidle_flags == 0) ? new_page(dev) : 0;
  if (st != 0)
    return st;
  *flag = dev->idle_flags[--dev->nidle_flags];
  rt_setflag(*flag, 0);
  return 0;
}

void rt_returnflag (RtDevice *dev, uint32_t *flag) {
  if (flag != NULL)
    dev->idle_flags[dev->nidle_flags++] = flag;
}

void rt_setflag (uint32_t *flag, uint32_t value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

void rt_freeflags (RtDevice *dev) {
  for (int i = 0; i < dev->nflag_pages; i++)
    rt_freehost(dev, dev->flag_pages[i]);
  free(dev->flag_pages);
  free(dev->idle_flags);
  dev->flag_pages = dev->idle_flags = NULL;
  dev->nflag_pages = dev->nidle_flags = 0;
}

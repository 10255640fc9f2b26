/* capture_mode.h - captures that forbid threads things, and threads. See
** capture_mode.c. */
#ifndef TIDE_RT_DRIVER_CAPTURE_MODE_H
#define TIDE_RT_DRIVER_CAPTURE_MODE_H

#include "rt/rt.h"

/* A strict capture begins (+1) or ends (-1) in some Runtime of the process. */
void rt_countstrict (Runtime *rt, int n);

/* Was there ever one? Until then no thread needs rt_adjustthread. */
extern bool rt_everstrict;  /* atomic */
static inline bool rt_anystrict (void) {
  return __atomic_load_n(&rt_everstrict, __ATOMIC_ACQUIRE);
}

/* Relaxes the calling thread while strict captures are open, else restores it.
** Before any driver call: rt_enter. */
void rt_adjustthread (Runtime *rt);

#endif

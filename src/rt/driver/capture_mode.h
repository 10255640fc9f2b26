/* capture_mode.h - captures in a strict mode, and the mode of threads. See
** capture_mode.c. */
#ifndef TIDE_RT_DRIVER_CAPTURE_MODE_H
#define TIDE_RT_DRIVER_CAPTURE_MODE_H

#include "rt/rt.h"

/* Counts a strict capture that begins (+1) or ends (-1) in a Runtime of the
** process. */
void rt_countstrict (Runtime *rt, int n);

/* Tells whether there was ever one: until then no thread needs
** rt_adjustthread. */
extern bool rt_everstrict; /* atomic */
static inline bool rt_anystrict (void) {
  return __atomic_load_n(&rt_everstrict, __ATOMIC_ACQUIRE);
}

/* Relaxes the calling thread while strict captures are open, else restores it.
** rt_enter calls it before any driver call. */
void rt_adjustthread (Runtime *rt);

#endif

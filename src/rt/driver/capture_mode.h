/* capture_mode.h - captures in a strict mode, and the mode of threads. See
** capture_mode.c. */
#ifndef TIDE_RT_DRIVER_CAPTURE_MODE_H
#define TIDE_RT_DRIVER_CAPTURE_MODE_H

#include "rt/rt.h"

/* Counts a strict capture that begins (+1) or ends (-1) in a Runtime of the
** process. */
void capture_mode_count (Runtime *rt, int n);

/* Tells whether there was ever one: until then no thread needs
** capture_mode_adjust. */
extern bool capture_mode_ever_strict; /* atomic */
static inline bool capture_mode_was_strict (void) {
  return __atomic_load_n(&capture_mode_ever_strict, __ATOMIC_ACQUIRE);
}

/* Relaxes the calling thread while strict captures are open, else restores it.
** context_enter calls it before any driver call. */
void capture_mode_adjust (Runtime *rt);

#endif

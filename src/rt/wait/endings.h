/* endings.h - ends of communicators, and what may not meet them. See
** endings.c. */
#ifndef TIDE_RT_WAIT_ENDINGS_H
#define TIDE_RT_WAIT_ENDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"

/* On any thread: does an end of a communicator begin? Not while others have
** barred them. rt_ended: it is over. After 'patience' (ns) nobody waits for
** it. */
bool rt_tryend (int64_t patience);
void rt_ended (void);

/* None begins until rt_letend; RT_BLOCKED: one is under way. For who has barred
** them already: so often more, or less. */
Status rt_barends (RtDevice *dev, const char *what);
void rt_letend (void);
void rt_countbars (int n);

/* Is one under way, for which others wait? */
bool rt_isending (void);

#endif

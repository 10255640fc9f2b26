/* endings.h - ends of communicators, and what may not meet them. See
** endings.c. */
#ifndef TIDE_RT_WAIT_ENDINGS_H
#define TIDE_RT_WAIT_ENDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"

/* One that wants to begin, or has begun; all zero: neither. */
typedef struct RtEnding {
  bool wants, begun;
  int64_t until;  /* ns: as long as others wait for it */
  struct RtEnding *next;
} RtEnding;

/* On any thread: does it begin? Not while others have barred ends: then it is
** one that wants to, until rt_ended. It is over after 'patience' (ns), or
** nobody waits for it any more. */
bool rt_tryend (RtEnding *e, int64_t patience);
void rt_ended (RtEnding *e);

/* None begins until rt_letend; RT_BLOCKED: one has, or wants to, and who calls
** may wait. For who has barred them already: so often more, or less. */
Status rt_barends (RtDevice *dev, const char *what);
void rt_letend (void);
void rt_countbars (int n);

/* Must rt_barends wait? */
bool rt_areendsdue (const Runtime *rt);

#endif

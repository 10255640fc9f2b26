/* endings.h - ends of communicators, and what must not overlap them. See
** endings.c. */
#ifndef TIDE_RT_WAIT_ENDINGS_H
#define TIDE_RT_WAIT_ENDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"

/* The end of a communicator. All zero: it has not begun and does not want
** to. */
typedef struct RtEnding {
  bool wants, begun;
  int64_t until; /* ns: others wait for it until then */
  struct RtEnding *next;
} RtEnding;

/* Begins the end 'e' unless ends are barred, and tells whether it has begun. If
** not, it stays wanted until rt_ended. Others wait for an end that has begun at
** most 'patience' ns. Any thread may call these. */
bool rt_tryend (RtEnding *e, int64_t patience);
void rt_ended (RtEnding *e);

/* rt_barends keeps ends from beginning until rt_letend. It returns RT_BLOCKED
** if an end has begun, or if one is wanted and the caller may wait.
** rt_countbars adds 'n' bars to those of a caller that has barred ends
** already. */
Status rt_barends (RtDevice *dev, const char *what);
void rt_letend (void);
void rt_countbars (int n);

/* Tells whether rt_barends would block. */
bool rt_areendsdue (const Runtime *rt);

#endif

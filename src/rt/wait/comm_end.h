/* comm_end.h - ends of communicators, and what must not overlap them. See
** comm_end.c. */
#ifndef TIDE_RT_WAIT_COMM_END_H
#define TIDE_RT_WAIT_COMM_END_H

#include <stdbool.h>
#include <stdint.h>

#include "rt/rt.h"

/* The end of a communicator. All zero: it has not begun and is not
** requested. */
typedef struct RtEnding {
  bool requested, begun;
  int64_t until; /* ns: others wait for it until then */
  struct RtEnding *next;
} RtEnding;

/* Begins the end 'e' unless ends are barred, and tells whether it has begun. If
** not, it stays requested until comm_end_done. Others wait for an end that has
** begun at most 'patience' ns. Any thread may call these. */
bool comm_end_try (RtEnding *e, int64_t patience);
void comm_end_done (RtEnding *e);

/* comm_end_bar keeps ends from beginning until comm_end_allow. It returns
** RT_BLOCKED if an end has begun, or if one is requested and the caller may
** wait. comm_end_add_bars adds 'n' bars to those of a caller that has barred
** ends already. */
Status comm_end_bar (RtDevice *dev, const char *what);
void comm_end_allow (void);
void comm_end_add_bars (int n);

/* Tells whether comm_end_bar would block. */
bool comm_end_is_due (const Runtime *rt);

#endif

/* inbox.h - where other threads wake and alert a Runtime's owner. See
** inbox.c. */
#ifndef TIDE_RT_WAIT_INBOX_H
#define TIDE_RT_WAIT_INBOX_H

#include "rt/rt.h"

Status rt_openinbox (struct Inbox **out);
void rt_closeinbox (struct Inbox *in);

/* Tells the owner that somebody's wait may be over, so that it asks. The alert
** lasts until rt_takealert. Any thread may call rt_alert. */
void rt_alert (struct Inbox *in);
bool rt_isalerted (const struct Inbox *in);
void rt_takealert (struct Inbox *in);

/* Returns a descriptor, for event loops, that is readable during an alert. */
Status rt_inboxfd (Runtime *rt, int *fd);

/* Makes the descriptor unreadable again, if it is so without an alert, because
** another thread has written to it. */
void rt_settleinbox (struct Inbox *in);

/* Sleeps until rt_wakeinbox is called, at most 'us' microseconds. One wake ends
** one sleep. */
void rt_sleepinbox (struct Inbox *in, long us);
void rt_wakeinbox (void *in);

#endif

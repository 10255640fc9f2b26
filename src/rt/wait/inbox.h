/* inbox.h - where other threads reach the owner of a Runtime. See inbox.c. */
#ifndef TIDE_RT_WAIT_INBOX_H
#define TIDE_RT_WAIT_INBOX_H

#include "rt/rt.h"

Status rt_openinbox (struct Inbox **out);
void rt_closeinbox (struct Inbox *in);

/* The owner should ask who waits, as somebody's wait may be over: until he has
** taken it back. From any thread. */
void rt_alert (struct Inbox *in);
bool rt_isalerted (const struct Inbox *in);
void rt_takealert (struct Inbox *in);

/* A descriptor that is readable while there is an alert: for event loops. */
Status rt_inboxfd (Runtime *rt, int *fd);

/* Others have made the descriptor readable: it is as it was. */
void rt_settleinbox (struct Inbox *in);

/* Sleeps until somebody wakes it, once for each time, 'us' microseconds at
** most. */
void rt_sleepinbox (struct Inbox *in, long us);
void rt_wakeinbox (void *in);

#endif

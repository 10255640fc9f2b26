/* inbox.h - where driver threads leave host functions. See inbox.c. */
#ifndef TIDE_RT_WAIT_INBOX_H
#define TIDE_RT_WAIT_INBOX_H

#include "rt/rt.h"

Status rt_openinbox (struct Inbox **out);
void rt_closeinbox (struct Inbox *in);

/* CUhostFn: puts an RtHostNode into its Runtime's inbox and wakes the waiter.
** Runs on a driver thread: no allocation, no driver call, no Lua. */
void rt_post (void *node);

/* How many are there? Cheap. */
int rt_posted (const struct Inbox *in);

/* Takes the node of the oldest operation out; NULL: there is none. */
RtHostNode *rt_takeposted (struct Inbox *in);

/* The owner should ask who waits, as somebody's wait may be over: until he has
** taken it back. From any thread. */
void rt_alert (struct Inbox *in);
bool rt_isalerted (const struct Inbox *in);
void rt_takealert (struct Inbox *in);

/* A descriptor that is readable while some are there, or there is an alert: for
** event loops. */
Status rt_inboxfd (Runtime *rt, int *fd);

/* Others have made the descriptor readable: it is as it was. */
void rt_settleinbox (struct Inbox *in);

/* Sleeps until one is there, or somebody else wakes it, once for each time,
** 'us' microseconds at most. */
void rt_sleepinbox (struct Inbox *in, long us);
void rt_wakeinbox (void *in);

/* The node whose own gate that is; the gate that a node on its way is of.
** Launches of a graph do not overlap: its functions are those of the oldest. */
RtHostNode *rt_nodeof (RtGate *gate);
RtGate *rt_gateof (RtHostNode *node);

/* Nobody will run it: its key is left for the State to forget. Frees those
** whose keys it has forgotten. */
void rt_abandonnode (RtHostNode *node);
void rt_freenodes (Runtime *rt);

/* The device was reset: what it has posted will not run. */
void rt_forgetposted (RtDevice *dev);

#endif

/* inbox.h - where driver threads leave host functions. See inbox.c. */
#ifndef TIDE_INBOX_H
#define TIDE_INBOX_H

#include "rt.h"

Status rt_openinbox (struct Inbox **out);
void rt_closeinbox (struct Inbox *in);

/* CUhostFn: puts an RtHostNode onto its Runtime's inbox and wakes the waiter.
** Runs on a driver thread: no allocation, no driver call, no Lua. */
void rt_post (void *node);

/* True if something is there; cheap. */
bool rt_posted (const struct Inbox *in);

/* Is one there of an operation up to 'last'? */
bool rt_isdue (struct Inbox *in, uint64_t last);

/* Takes the oldest such one out; NULL: there is none. One at a time, so that
** a host function that waits lets the next ones run. */
RtHostNode *rt_takeposted (struct Inbox *in, uint64_t last);

/* Sleeps until such a one is there, 'us' microseconds at most. */
void rt_sleepinbox (struct Inbox *in, long us, uint64_t last);

/* Nodes for host functions that run once. */
Status rt_lendnode (Runtime *rt, RtHostNode **node);
void rt_returnnode (Runtime *rt, RtHostNode *node);
void rt_freenodes (Runtime *rt);

/* The device was reset: none of its host functions will run. Their keys go
** where those of abandoned captures do. */
void rt_forgetnodes (RtDevice *dev);

#endif

/* peer.h - tells whether one device may copy from another's memory. See
** peer.c. */
#ifndef TIDE_RT_SUBMIT_PEER_H
#define TIDE_RT_SUBMIT_PEER_H

#include "rt/rt.h"

/*
** Sets *direct: may 'to' copy directly from memory of the pool of 'from'? If
** not, copies go through the host. Both devices are of one kind. 'waits': an
** unknown pair is tried, and RT_BLOCKED means that the answer is on its way.
** Without it an unknown pair counts as not direct.
*/
Status peer_is_direct (RtDevice *to, RtDevice *from, bool waits, bool *direct);

/* Returns why 'to' copies from 'from' through the host; NULL: it copies
** directly, or the pair has not been tried. */
const char *peer_why_staged (const RtDevice *to, const RtDevice *from);

/* For a device that was reset; for a Runtime that ends. */
void peer_forget (RtDevice *dev);
void peer_end (Runtime *rt);

#endif

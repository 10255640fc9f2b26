/* peer.h - may one device copy from the memory of another? See peer.c. */
#ifndef TIDE_RT_PEER_H
#define TIDE_RT_PEER_H

#include "rt.h"

/*
** May 'to' copy from memory that 'from' has of its pool? False: by way of the
** host. What is not known yet is tried where it may take its time ('waits');
** RT_BLOCKED: in a moment. Both devices are of one kind.
*/
Status rt_isdirect (RtDevice *to, RtDevice *from, bool waits, bool *direct);

/* Why 'to' copies from 'from' by way of the host; NULL: it does not, or nobody
** has asked. */
const char *rt_whystaged (const RtDevice *to, const RtDevice *from);

/* The device was reset; the Runtime ends. */
void rt_forgetpeers (RtDevice *dev);
void rt_endpeers (Runtime *rt);

#endif

/* handles.h - driver streams without work. See handles.c. */
#ifndef TIDE_RT_QUEUE_HANDLES_H
#define TIDE_RT_QUEUE_HANDLES_H

#include "rt/rt.h"

/* A driver stream without work. RT_BLOCKED: none can be made now. */
Status rt_lendhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle);
void rt_returnhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream handle);

/* How many are waiting for use; is it one of them? */
int rt_idlehandles (const RtDevice *dev);
bool rt_isidle (const RtDevice *dev, CUstream handle);

/* Makes streams of a kind until 'n' of them are in stock. The lock is held. */
Status rt_stockhandles (RtDevice *dev, unsigned flags, int priority, int n);

#endif

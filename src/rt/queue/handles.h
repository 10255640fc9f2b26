/* handles.h - driver streams without work. See handles.c. */
#ifndef TIDE_RT_QUEUE_HANDLES_H
#define TIDE_RT_QUEUE_HANDLES_H

#include "rt/rt.h"

/* Lends a driver stream without work. Returns RT_BLOCKED if none can be created
** now. */
Status rt_lendhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle);
void rt_returnhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream handle);

/* Return how many handles are idle, and whether 'handle' is one of them. */
int rt_idlehandles (const RtDevice *dev);
bool rt_isidle (const RtDevice *dev, CUstream handle);

/* Creates streams of a kind until 'n' of them are in stock. The lock is
** held. */
Status rt_stockhandles (RtDevice *dev, unsigned flags, int priority, int n);

#endif

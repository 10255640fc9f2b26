/* handles.h - driver streams without work. See handles.c. */
#ifndef TIDE_RT_QUEUE_HANDLES_H
#define TIDE_RT_QUEUE_HANDLES_H

#include "rt/rt.h"

/* Takes a driver stream without work from the pool. Returns RT_BLOCKED if none
** can be created now. */
Status handle_take (RtDevice *dev, unsigned flags, int priority,
                    CUstream *handle);
void handle_return (RtDevice *dev, unsigned flags, int priority,
                    CUstream handle);

/* Return how many handles are idle, and whether 'handle' is one of them. */
int handle_count_idle (const RtDevice *dev);
bool handle_is_idle (const RtDevice *dev, CUstream handle);

/* Creates streams of a kind until 'n' of them are in stock. The lock is
** held. */
Status handle_stock (RtDevice *dev, unsigned flags, int priority, int n);

#endif

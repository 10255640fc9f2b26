/* enqueue.h - the driver call of an operation. See enqueue.c. */
#ifndef TIDE_RT_QUEUE_ENQUEUE_H
#define TIDE_RT_QUEUE_ENQUEUE_H

#include "rt/rt.h"

/* For submit.c and captures only. */
Status rt_enqueue (RtStream *s, Op *op);

#endif

/* fault_trace.h - who queued what, and what to say when a device fails. See
** fault_trace.c. */
#ifndef TIDE_RT_DRIVER_FAULT_TRACE_H
#define TIDE_RT_DRIVER_FAULT_TRACE_H

#include "rt/rt.h"

/* A record, a wait or a host function does nothing on the device. */
static inline bool rt_istraced (OpKind kind) {
  return rt_isamong(kind, OPS_SUSPECT);
}

/*
** Is the line of the program wanted that queued it? To ask Lua for it takes as
** long as all else of a short operation's way to the driver, and what tide's
** own kernels and copies do to memory is checked before.
*/
static inline bool rt_wantsplace (const Op *op) {
  return op->foreign || op->kind == OP_GRAPH;
}

/* Remembers that the program's present place has queued 'op' as s->seq. */
void rt_trace (RtStream *s, const Op *op);

/* Where the program is that queues what comes next: a line, from 1 on, of the
** chunk with that name. */
void rt_setplace (Runtime *rt, const char *text, int line);

/* The stream has no work and no owner any more. */
void rt_forgetcrumbs (RtStream *s);

/* A stream in a message: "null", "ptds" or its handle. */
enum { STREAM_NAME = 40 };
void rt_streamname (const RtStream *s, char text[STREAM_NAME]);

/* May a device that gave this code be lost for good? */
bool rt_isfatal (Status code);

/* Asks the driver whether the device works: 0, or a fatal code. */
Status rt_askdevice (RtDevice *dev);

/* Enters the device and asks whether it works, for who calls no driver besides:
** fails as any other call would. */
Status rt_checkdevice (RtDevice *dev);

/*
** The device that is lost, if that is what 'st' means, else NULL. The first
** time, notes why and what may have done it.
*/
RtDevice *rt_lostdevice (Runtime *rt, Status st);

/* Fails with what made 'dev' fail. */
Status rt_failagain (RtDevice *dev);

#endif

/* fault_trace.h - the latest operations of the program, and the message when a
** device fails. See fault_trace.c. */
#ifndef TIDE_RT_DRIVER_FAULT_TRACE_H
#define TIDE_RT_DRIVER_FAULT_TRACE_H

#include "rt/rt.h"

/* Tells whether a kind is traced. A record, a wait or a host function does
** nothing on the device. */
static inline bool rt_istraced (OpKind kind) {
  return rt_isamong(kind, OPS_SUSPECT);
}

/*
** Tells whether the message names the program's line that queued 'op'. Asking
** Lua for it takes as long as the rest of a short operation's way to the
** driver. tide's own kernels and copies need none, because what they do to
** memory is checked before.
*/
static inline bool rt_wantsplace (const Op *op) {
  return op->foreign || op->kind == OP_GRAPH;
}

/* Remembers that the program's current place has queued 'op' as s->seq. */
void rt_trace (RtStream *s, const Op *op);

/* Sets the program's current place: a line, from 1 on, of the chunk with that
** name. */
void rt_setplace (Runtime *rt, const char *text, int line);

/* Forgets the crumbs of a stream without work and owner. */
void rt_forgetcrumbs (RtStream *s);

/* Writes a stream's name for messages: "null", "ptds" or its handle. */
enum { STREAM_NAME = 40 };
void rt_streamname (const RtStream *s, char text[STREAM_NAME]);

/* Tells whether a device that returned this code may be lost for good. */
bool rt_isfatal (Status code);

/* Asks the driver whether the device works: 0, or a fatal code. */
Status rt_askdevice (RtDevice *dev);

/* Enters the device and asks whether it works, for functions that call no other
** driver entry. Fails as any other call would. */
Status rt_checkdevice (RtDevice *dev);

/*
** Returns the lost device that 'st' comes from, or NULL. The first time, notes
** the reason and the suspects.
*/
RtDevice *rt_lostdevice (Runtime *rt, Status st);

/* Fails with the error that 'dev' failed with. */
Status rt_failagain (RtDevice *dev);

#endif

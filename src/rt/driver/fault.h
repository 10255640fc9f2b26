/* fault.h - the latest operations of the program, and the message when a
** device fails. See fault.c. */
#ifndef TIDE_RT_DRIVER_FAULT_H
#define TIDE_RT_DRIVER_FAULT_H

#include "rt/queue/op_types.h"
#include "rt/rt.h"

/* Tells whether a kind is traced. A record, a wait or a host function does
** nothing on the device. */
static inline bool fault_is_traced (OpKind kind) {
  return op_kind_is_in(kind, OPS_SUSPECT);
}

/*
** Tells whether the message names the program's line that queued 'op'. Asking
** Lua for it takes as long as the rest of a short operation's way to the
** driver. tide's own kernels and copies need none, because what they do to
** memory is checked before.
*/
static inline bool fault_needs_line (const Op *op) {
  return op->foreign || op->kind == OP_GRAPH;
}

/* Remembers that the program's current place has queued 'op' as s->seq. */
void fault_record (RtStream *s, const Op *op);

/* Sets the program's current place: a line, from 1 on, of the chunk with that
** name. */
void fault_set_line (Runtime *rt, const char *text, int line);

/* Forgets the launch records of a stream without work and owner. */
void fault_forget (RtStream *s);

/* Writes a stream's name for messages: "null", "ptds" or its handle. */
enum { STREAM_NAME = 40 };
void fault_stream_name (const RtStream *s, char text[STREAM_NAME]);

/* Tells whether a device that returned this code may be lost for good. */
bool fault_is_fatal (Status code);

/* Asks the driver whether the device works: 0, or a fatal code. */
Status fault_query (RtDevice *dev);

/* Enters the device and asks whether it works, for functions that call no other
** driver entry. Fails as any other call would. */
Status fault_check (RtDevice *dev);

/*
** Returns the lost device that 'st' comes from, or NULL. The first time, notes
** the reason and the suspects.
*/
RtDevice *fault_lost_device (Runtime *rt, Status st);

/* Fails with the error that 'dev' failed with. */
Status fault_repeat (RtDevice *dev);

#endif

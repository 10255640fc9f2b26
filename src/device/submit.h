/* submit.h - queueing an operation from Lua. See submit.c. */
#ifndef TIDE_DEVICE_SUBMIT_H
#define TIDE_DEVICE_SUBMIT_H

#include "base/state.h"
#include "rt/rt.h"

/* Queues the operation. Raises, or begins the call again: see door.c. */
void tide_submit (lua_State *L, RtStream *s, Op *op);

/* tide_submit for an operation with a check, at that index. The check is set
** before anything else can happen. */
void tide_submitchecked (lua_State *L, RtStream *s, Op *op, int check);

/* Raises if the operation would read memory that ranks failed to write:
** losses.c. In a capture it reads nothing yet. */
void tide_checkreads (lua_State *L, const RtStream *s, const Op *op);

/* Raises if ranks failed to write these bytes of a block, which Lua reads. */
void tide_checkbytes (lua_State *L, const RtBlock *b, size_t lo, size_t hi);

#endif

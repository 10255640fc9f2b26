/* submit.h - queueing an operation from Lua. See submit.c. */
#ifndef TIDE_DEVICE_SUBMIT_H
#define TIDE_DEVICE_SUBMIT_H

#include "base/state.h"
#include "rt/rt.h"

/* Queues the operation. Raises, or begins the call again: see entry.c. */
void submit_work (lua_State *L, RtStream *s, Op *op);

/* submit_work for an operation with a check, at that index. The check is set
** before anything else can happen. */
void submit_checked (lua_State *L, RtStream *s, Op *op, int check);

/* Raises if the operation would read memory that ranks failed to write:
** poison.c. In a capture it reads nothing yet. */
void submit_check_reads (lua_State *L, const RtStream *s, const Op *op);

/* Raises if ranks failed to write these bytes of a block, which Lua reads. */
void submit_check_bytes (lua_State *L, const RtBlock *b, size_t lo, size_t hi);

#endif

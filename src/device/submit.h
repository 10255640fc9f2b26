/* submit.h - queueing an operation from Lua. See submit.c. */
#ifndef TIDE_DEVICE_SUBMIT_H
#define TIDE_DEVICE_SUBMIT_H

#include "base/state.h"
#include "rt/rt.h"

/* Queues it; raises, or begins the call again: see door.c. */
void tide_submit (lua_State *L, RtStream *s, Op *op);

/* The same for one that has a check, at that index: it is set before anybody
** else can do something. */
void tide_submitchecked (lua_State *L, RtStream *s, Op *op, int check);

/* Raises if the operation would read what ranks were to write, and have not:
** losses.c. In a capture it reads nothing yet. */
void tide_checkreads (lua_State *L, const RtStream *s, const Op *op);

/* The same of bytes of a block, which Lua reads. */
void tide_checkbytes (lua_State *L, const RtBlock *b, size_t lo, size_t hi);

#endif

/* host_error.h - errors of host functions. See host_error.c. */
#ifndef TIDE_DEVICE_HOST_ERROR_H
#define TIDE_DEVICE_HOST_ERROR_H

#include "base/state.h"

/* UV_PENDING: a place for an error, and what is called protected: closures that
** are there from the start. */
enum { PENDING_ERROR = 1, PENDING_RUN, PENDING_KEEP,
       PENDING_TICK, PENDING_INSTRUCTIONS, PENDING_FAILURE };

void tide_pushpending (lua_State *L, int which);

/* The error on the top (popped), of the host function that runs, is kept; not
** 0: it is raised at once, as it cannot be kept, or as it is an interrupt. */
Status tide_keeperror (lua_State *L, State *st);

/* The error on the top (popped) is raised by tide_fail; returns 'st'. */
Status tide_raiselater (lua_State *L, Status st);

/*
** Raises the oldest error of a host function that (s, seq) comes after; 's'
** NULL: of any on 'dev', and that NULL: of any. Returns if there is none.
*/
void tide_raiseerrors (lua_State *L, const RtDevice *dev, const RtStream *s,
                       uint64_t seq);

/* Raises the failure of a communicator that nobody was told of; rather one that
** (s, seq) comes after; 's' may be NULL. A part of the other one: for who has
** waited for nothing that is known any more. */
void tide_raiselost (lua_State *L, const RtStream *s, uint64_t seq);

/* Are there any, or may kernels have found some? */
static inline bool tide_haserrors (const State *st) {
  return st->nerrors > 0 || st->nchecks > 0 || st->graph_checks ||
         st->rt->comms != NULL;
}

/* Keeps the message on the top for whoever comes after 'at'; below it is a new
** table for it (both are popped). Runs no finalizers. */
void tide_adderror (lua_State *L, State *st, Point at);

/* The runtime is told how many there are or may be: it keeps who waits for whom
** then. */
void tide_counterrors (State *st);

/* How many later errors the entry of UV_ERRORS on the top counts. */
lua_Integer tide_moreerrors (lua_State *L);

void tide_openhosterror (lua_State *L);

#endif

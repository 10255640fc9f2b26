/* host_error.h - errors of host functions. See host_error.c. */
#ifndef TIDE_DEVICE_HOST_ERROR_H
#define TIDE_DEVICE_HOST_ERROR_H

#include "base/state.h"

/* Indices in UV_PENDING: a place for an error, and the functions to call
** protected, as closures that are made at the start. */
enum {
  PENDING_ERROR = 1,
  PENDING_RUN,
  PENDING_KEEP,
  PENDING_TICK,
  PENDING_INSTRUCTIONS,
  PENDING_FAILURE
};

void host_error_push (lua_State *L, int which);

/* Keeps the error on the top (popped), of the host function that runs. Returns
** not 0 if it is raised at once, because it cannot be kept or is an
** interrupt. */
Status host_error_keep (lua_State *L, State *st);

/* Leaves the error on the top (popped) for error_fail to raise. Returns 'st'.
*/
Status host_error_defer (lua_State *L, Status st);

/*
** Raises the oldest error of a host function that (s, seq) comes after. If 's'
** is NULL: of any on 'dev', and if that is NULL: of any. Returns if there is
** none.
*/
void host_error_raise (lua_State *L, const RtDevice *dev, const RtStream *s,
                       uint64_t seq);

/*
** The same in three steps, for a wait for several operations: the oldest error
** that any of them comes after. host_error_find is called for each operation.
*/
typedef struct FoundError {
  const RtDevice *dev;
  int entry;           /* in the list of errors; 0: none */
  struct RtComm *comm; /* else a failed communicator, or NULL */
} FoundError;

FoundError host_error_update (lua_State *L, const RtDevice *dev);
void host_error_find (lua_State *L, FoundError *f, const RtStream *s,
                      uint64_t seq);
void host_error_raise_found (lua_State *L, const FoundError *f);

/* Raises a communicator's failure that was not reported yet, preferring one
** that (s, seq) comes after; 's' may be NULL. It is part of host_error_raise;
** waits whose streams are no longer known call it alone. */
void host_error_raise_comm (lua_State *L, const RtStream *s, uint64_t seq);

/* Tells whether there are errors, or kernels may have found some. */
static inline bool host_error_exists (const State *st) {
  return st->nerrors > 0 || st->nchecks > 0 || st->rt->held[LIFE_COMM].n > 0;
}

/* Keeps the message on the top for waits that come after 'at'; below it is a
** new table for it (both are popped). Runs no finalizers. */
void host_error_add (lua_State *L, State *st, Point at);

/* Tells the Runtime how many errors there are or may be. While there are any,
** it keeps track of which streams wait for which. */
void host_error_count (State *st);

/* Returns how many later errors the entry of UV_ERRORS on the top counts. */
lua_Integer host_error_more (lua_State *L);

void open_host_error (lua_State *L);

#endif

/* drain.h - frees what was dropped. See drain.c. */
#ifndef TIDE_DEVICE_DRAIN_H
#define TIDE_DEVICE_DRAIN_H

#include "base/state.h"
#include "rt/runtime.h"

/*
** Frees what was dropped and settles what finished, without waiting.
** drain_dropped costs next to nothing, and so leaves some for the next call.
*/
void drain_dropped (lua_State *L);

/* Tells whether there is anything to drain. Called where arrays are made. */
static inline bool drain_is_due (const State *st) {
  return st->ninflight > 0 || st->rt->unref != NULL ||
         runtime_has_dropped(st->rt);
}

void drain_all (lua_State *L);

/*
** Waits as reclaim_start_search says, for memory and other dropped things, and
** drains. Returns a status; not 0: there is nothing to wait for.
*/
Status drain_for_memory (lua_State *L, RtDevice *dev, bool pinned, size_t bytes,
                         bool graphs);

/*
** Drops what garbage holds, because a limit was reached. Returns true if there
** may be room now, so that another try makes sense.
*/
bool drain_make_room (lua_State *L, Status st);

/* The search for a file descriptor for a system call. */
typedef struct Descriptors {
  const char *what; /* the function that needs it */
  int tries;
} Descriptors;

/*
** Tells whether the system call, which failed with that errno, is worth another
** try because it lacked descriptors. Closed files keep theirs while work of
** them is under way; where a wait is allowed, the caller begins again after
** that. Garbage has other descriptors.
*/
bool drain_find_fd (lua_State *L, Descriptors *d, int error);

#endif

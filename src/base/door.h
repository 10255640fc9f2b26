/* door.h - how calls of tide begin, and begin again. See door.c. */
#ifndef TIDE_BASE_DOOR_H
#define TIDE_BASE_DOOR_H

#include <setjmp.h>

#include "state.h"

/* A way back within the C stack. The compiler's own keeps five words, and is 30
** instructions less a call; sanitizers know the library's. */
#if defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
typedef void *DoorBack[5];
#define mark_back(b) __builtin_setjmp(b)
#define go_back(b) __builtin_longjmp((b), 1)
#else
typedef jmp_buf DoorBack;
#define mark_back(b) _setjmp(b)
#define go_back(b) _longjmp((b), 1)
#endif

/* One call of a function of tide, on the C stack. */
typedef struct Door {
  DoorBack back;
  lua_State *L;
  int nargs;
  int attempts;    /* how often it has begun again */
  uint64_t call;   /* the number of this attempt: see State */
  uint64_t since;  /* that of the latest call when it queued something first;
                      0: it has not */
  int bound;       /* operations that must go through: see tide_bind */
  bool queued;     /* an operation of this attempt was queued */
  bool blocked;    /* it ended for want of rt->want */
  const char *what;  /* whom errors blame, or NULL: see blame.h */
  int argument;      /* and for which of its arguments; -1: it is itself */
#if defined(TIDE_TESTING)
  int operations;  /* of this attempt: see T.again */
  bool inner;      /* called by tide_call */
#endif
} Door;

/* Upvalue 2 of what Lua calls: the function, with the State at hand. */
typedef struct DoorEntry {
  State *st;
  const char *name;           /* or NULL */
  const struct Class *class;  /* whose method it is, or NULL */
  lua_CFunction f;
  int most;     /* arguments that it takes */
  bool module;  /* of a module: called with '.' */
  bool through; /* it is called as it is: CALLS_BACK */
} DoorEntry;

/*
** What Lua calls: the function in upvalue 2. It leaves its arguments where they
** are until all is queued, and what it writes of the user's it writes such that
** it may be written again. An argument more than it takes is an error, but for
** nil.
*/
int tide_door (lua_State *L);

/* Enters 'f' through the door: what the __index of a class calls instead. */
int tide_enter (lua_State *L, State *st, lua_CFunction f, int most);

/* Raises if there is an argument from 'arg' on: nil is as good as none. */
void tide_checkend (lua_State *L, int arg);

/* The call has no arguments but the first 'n'. */
void tide_dropargs (lua_State *L, int n);

/* An array was closed since the call looked at it: begins the call again, which
** finds it. Does not return. */
void tide_again (lua_State *L, State *st) __attribute__((cold));

/* The call around has made n calls of its own, with its door put aside, since
** there were 'before': unless more came with them, it goes on. */
void tide_ownedcalls (State *st, struct Door *around, uint64_t before,
                      uint64_t n);

/* Before each operation is queued: if others have come in between since the
** call queued its first one, it has to begin again, which the check does. */
bool tide_isstillcalm (State *st);

static inline bool tide_iscalm (State *st) {
#if !defined(TIDE_TESTING)
  Door *d = st->door;
  if (d != NULL && d->since == 0 && d->attempts == 0) {
    d->since = st->calls;
    return true;
  }
#endif
  return tide_isstillcalm(st);
}

static inline void tide_checkcalm (lua_State *L, State *st) {
  if (!tide_iscalm(st))
    tide_again(L, st);
}

/* The next 'n' operations must go through: no Lua runs before them. Must the
** next one, for that or as the call has queued others? tide_notequeued: it has.
*/
void tide_bind (State *st, int n);
bool tide_isbound (const State *st);
void tide_notequeued (State *st);

/* For a function that changes nothing, at its end: no call around it has to
** begin again for it. */
static inline void tide_uncount (State *st) { st->calls--; }

/* RT_BLOCKED: waits for what the call lacks, and begins it again. Does not
** return. Raises where no wait is allowed. */
int tide_blocked (lua_State *L, State *st);

/* Calls the function under the 'n' arguments on the top, which may be Lua's.
** The program called 'what', and reads that in errors of arguments. */
void tide_call (lua_State *L, const char *what, int n, int nresults);

#endif

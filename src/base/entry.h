/* entry.h - how calls of tide begin, and begin again. See entry.c. */
#ifndef TIDE_BASE_ENTRY_H
#define TIDE_BASE_ENTRY_H

#include <setjmp.h>

#include "state.h"

/* Jumps back within the C stack. The compiler's own buffer has five words, and
** saves 30 instructions a call. Sanitizers know only the library's. */
#if defined(__GNUC__) && !defined(__clang__) && \
  !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
typedef void *EntryJump[5];
#define mark_back(b) __builtin_setjmp(b)
#define go_back(b) __builtin_longjmp((b), 1)
#else
typedef jmp_buf EntryJump;
#define mark_back(b) _setjmp(b)
#define go_back(b) _longjmp((b), 1)
#endif

/* One call of a function of tide, on the C stack. */
typedef struct EntryCall {
  EntryJump back;
  lua_State *L;
  int nargs;
  int argument;     /* that errors name; -1: 'what' is itself argument 1 */
  const char *what; /* the function that they name, or NULL: see argerror.h */
  uint64_t since;   /* the number of the latest call when this one queued its
                      first operation; 0: it has queued none */
  uint64_t call;    /* the number of this try: see State */
  int retries;      /* how often it has begun again */
  int bound;        /* operations that must go through: see entry_commit */
  bool queued;      /* an operation of this try was queued */
  bool blocked;     /* it ended because of rt->wait_reason */
#if defined(TIDE_TESTING)
  int operations; /* of this try: see T.again */
  bool inner;     /* called by entry_call */
#endif
} EntryCall;

/* Upvalue 2 of what Lua calls: the function, with the State at hand. */
typedef struct EntryFunction {
  State *st;
  const char *name;          /* or NULL */
  const struct Class *class; /* of a method, or NULL */
  lua_CFunction f;
  int most;     /* arguments that it takes */
  bool module;  /* of a module: called with '.' */
  bool through; /* it is called without an API entry: CALLS_BACK */
} EntryFunction;

/*
** The C function that Lua calls; it calls the function in upvalue 2. That one
** leaves its arguments in place until all is queued, and may write to objects
** of the user only what it can write again. A surplus argument is an error
** unless it is nil.
*/
int entry_point (lua_State *L);

/* Returns the function of tide that runs, or NULL: functions of host programs
** have other upvalues, and so has the __index of a class. */
const EntryFunction *entry_running (lua_State *L);

/* Calls 'f' as an API entry. The __index of a class calls this instead. */
int entry_run (lua_State *L, State *st, lua_CFunction f, int most);

/* Raises if there is an argument other than nil from 'arg' on. */
void entry_check_end (lua_State *L, int arg);

/* Drops all arguments of the call but the first 'n'. */
void entry_drop_args (lua_State *L, int n);

/* Begins the call again, because an array was closed since the call looked at
** it; the checks then find that. Does not return. */
void entry_retry (lua_State *L, State *st) __attribute__((cold));

/* Accounts for 'n' calls that the call around has made itself, with its API
** entry put aside, since there were 'before': unless more came with them, it
** goes on. */
void entry_own_calls (State *st, struct EntryCall *around, uint64_t before,
                      uint64_t n);

/* To ask before each operation is queued. False: others have come in between
** since the call queued its first operation, so that it has to begin again;
** entry_check_calls does that. */
bool entry_compare_calls (State *st);

static inline bool entry_undisturbed (State *st) {
#if !defined(TIDE_TESTING)
  EntryCall *d = st->entry;
  if (d != NULL && d->since == 0 && d->retries == 0) {
    d->since = st->calls;
    return true;
  }
#endif
  return entry_compare_calls(st);
}

static inline void entry_check_calls (lua_State *L, State *st) {
  if (!entry_undisturbed(st))
    entry_retry(L, st);
}
/*
** entry_commit: the next 'n' operations must go through, and no Lua runs before
** them. entry_committed: tells whether the next one must, because of that or
** because the call has queued others. entry_note_queued: an operation was
** queued.
*/
void entry_commit (State *st, int n);
bool entry_committed (const State *st);
void entry_note_queued (State *st);

/* Uncounts a call that has changed nothing, at its end, so that no call around
** it has to begin again because of it. */
static inline void entry_uncount (State *st) { st->calls--; }

/* Handles RT_BLOCKED: waits for what the call lacks, and begins it again. Does
** not return. Raises where no wait is allowed. */
int entry_blocked (lua_State *L, State *st);

/* Calls the function under the 'n' arguments on the top, which may be a Lua
** function. The program called 'what', and errors of arguments name that. */
void entry_call (lua_State *L, const char *what, int n, int nresults);

#endif

/*
** state.h - the State: the data of one lua_State's copy of tide. This is above
** the wall: code here may use Lua and must not name a driver entry.
**
** Every C function that tide hands to Lua has the State as upvalue 1 (class.c
** sees to it), so there are no globals and no look-ups by name.
*/
#ifndef TIDE_BASE_STATE_H
#define TIDE_BASE_STATE_H

#include <lauxlib.h>
#include <lua.h>

#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/rt.h"
#include "rt/wait/deadlines.h"
#include "rt/wait/interruption.h"

/* User values of the State: tables and other Lua values that belong to it. */
enum {
  UV_CURRENT = 1,   /* coroutine (weak) -> its Current */
  UV_LATEST,        /* the Current that was looked up last, */
  UV_LATEST_THREAD, /* and its coroutine */
  UV_CALLBACKS,     /* key -> {function, argument, stream}: on their way */
  UV_INFLIGHT,      /* body (light userdata): functions of a graph in flight */
  UV_ERRORS,        /* lists of errors of host functions, not reported yet */
  UV_NULL,          /* tide.Stream.null */
  UV_PTDS,          /* tide.Stream.ptds */
  UV_CHECKS,        /* checks of indices: see index_error.c */
  UV_CAPTURED,      /* number of a capture -> list of its checks */
  UV_DEVICES,       /* device index -> Device object */
  UV_METATABLE,     /* of the object that was made last */
  UV_HOOK,          /* the scheduler hook, or nil: await.c, */
  UV_LEAVER,        /* and the function to call when one waits no more */
  UV_POLL,          /* the poll callback of loops, or nil: scheduler.c */
  UV_TICKETS,       /* number of a wait -> who is told that it is over */
  UV_TICKET,        /* a ticket kept for the next wait, or nil: await.c */
  UV_PENDING,       /* [1]: Lua error to raise from a service point; the
                       protected functions of hostfunc.c */
  UV_COUNT = UV_PENDING
};

typedef enum SyncDebug { SYNC_OFF, SYNC_WARN, SYNC_ERROR } SyncDebug;

/* Where errors go that were never reported: unhandled.c. */
typedef enum Unhandled {
  UNHANDLED_STDERR,
  UNHANDLED_WARN,
  UNHANDLED_OFF
} Unhandled;

/*
** The cost of collections that were made to free device memory, and what
** follows from it: see gc.c. Times are in seconds.
*/
typedef struct Pressure {
  double step_after; /* clock: no step of the collector before */
  double full_after; /* clock: no full collection before, unless it must be */
  double end;        /* clock: when the last collection ended */
  double rate;       /* work of a full one for each KiB of Lua's heap; 0: not
                          known */
  int heap;          /* KiB: the smallest size of Lua's heap seen since it
                          was collected for its growth; 0: not known */
  int objects;       /* so many may be made until the heap is looked at */
  unsigned ended;    /* finalizers of arrays that have run; closes as well */
  double spent;      /* work of all collections so far */
  lua_Integer count; /* number of collections so far */
  int crowded;       /* how many in a row came too soon */
  int patience;      /* how often the mode was given back, up to a few */
  bool borrowed;     /* we have switched to the generational mode */
  bool refused;      /* and the program has undone that */
  bool left;         /* the host program wants its collector left alone */
  int handles_base;  /* streams and events after the last collection for */
  int handles_most;  /* them, and how many before the next may come; */
  int pairs_base;    /* after it, those with two descriptors each */
  double window;     /* clock: since then, while borrowed, */
  double fulls;      /* so many full collections were avoided */
} Pressure;

/* tide.printoptions: how arrays are shown. */
typedef struct PrintOptions {
  lua_Integer threshold; /* arrays with more elements are shortened, */
  lua_Integer edgeitems; /* to so many elements at each end of an axis */
  int precision;         /* digits behind the point, at most */
  int linewidth;
  bool suppress; /* small floats are not shown with an exponent */
} PrintOptions;

typedef struct State {
  Runtime *rt;             /* NULL until first needed, and after close */
  struct EntryCall *entry; /* the running call; a stale one after an error */
  uint64_t calls;          /* number of calls so far: see entry.c */
  uint64_t own;            /* calls that entry_call made in the running call */
  void (*await)(lua_State *L, const WaitReason *reason); /* service.c: raises */
  void (*find_default)(lua_State *L); /* device.c: opens that device */
  void (*close_made)(lua_State *L, int index, uint64_t since); /* array.c */
  void (*drop_checks)(lua_State *L, uint64_t since); /* index_error.c */
  const struct Class *made; /* the class of UV_METATABLE, or NULL */
  lua_State *latest;        /* UV_LATEST_THREAD, or NULL: the coroutine of */
  struct Current *current;  /* UV_LATEST */
  lua_State *task;       /* the innermost running task, or NULL: coroutine.c */
  bool schedules;        /* there is an UV_HOOK */
  RtDeadlines deadlines; /* of waits: scheduler.c */
  RtInterrupt interrupt; /* what the host sends by api->interrupt, */
  double deadline;       /* clock: after it scripts may not go on; 0: none */
  const char *why;       /* RT_INTERRUPTED raises this; NULL: "interrupted!" */
  bool hooked;           /* or rather the error of a hook, called by */
  Status (*call_hooks)(lua_State *L, struct State *st); /* luahooks.c */
  lua_State *main;    /* the main thread: lua.c hooks it on Ctrl-C */
  lua_Hook stop;      /* the hook of tide's own prompt for Ctrl-C, or NULL */
  int next_ref;       /* last key given out in UV_CALLBACKS */
  uint64_t served;    /* host functions that have run */
  int nerrors, nlost; /* entries of UV_ERRORS; errors without an entry that
                          were never reported */
  Unhandled unhandled;
  int nreports, *reports;  /* number of reports; where the closer of the State
                              gets that number */
  int unclosed;            /* stream scopes that were collected open */
  int nchecks, next_check; /* entries of UV_CHECKS; the next one to look at */
  bool ticks;        /* long waits call a function now and then: display.c, */
  double next_tick;  /* clock: and when they do next */
  bool watches;      /* event loops want a watcher: scheduler.c */
  bool interrupted;  /* Ctrl-C has ended the host function */
  bool gc_held;      /* a call has stopped the collector */
  Pressure pressure; /* collections for the sake of memory */
  int nscopes;       /* open scopes for arrays, of all coroutines */
  uint32_t scope;    /* the number of the latest scope */
  int ninflight;     /* entries of UV_INFLIGHT */
  int captures_most; /* so many open captures: garbage is looked for; */
  int ranks_most;    /* so many communicators: likewise */
  RtDevice *device;  /* the default device, once asked for */
  SyncDebug sync_debug;
  bool debug_sync; /* each operation is waited for */
  uint64_t waits;  /* how often the host blocked */
  int float_dtype; /* DType of floats where the program names none */
  PrintOptions print;
  int default_stream;  /* StreamKind; STREAM_OWNED: one for each coroutine */
  RtCaps caps;         /* limits of the host program, for 'rt' */
  size_t limits[2];    /* of the default device, set before 'rt' was open: */
  bool seeded;         /* of memory, 0: none; and of the common generator: */
  uint64_t seed;       /* whether there is a seed, and its value */
  struct Trace *trace; /* of the function that is being fused, or NULL */
  uint64_t traces;     /* number of traces so far */
#if defined(TIDE_TESTING)
  int again;     /* calls begin again at that operation; 0: none does */
  bool inner;    /* the next call is our own: it does not begin again */
  bool collects; /* each call begins with a full collection */
#endif
  unsigned left_out; /* groups of functions: TIDE_POINTERS ... */
  List owned;        /* owned.h */
  bool closed;
} State;

/* The State of the running C function. */
State *state_get (lua_State *L);

/* Registers the new State at 'idx'. */
void state_register (lua_State *L, int idx);

/* Tells whether a function of tide runs: those of host programs have other
** upvalues, which may be anything. */
bool state_is_upvalue (lua_State *L);

/* Returns the State that a Runtime belongs to, without asking Lua. */
static inline State *state_of_rt (const Runtime *rt) { return rt->owner; }

/* Returns the State's Runtime, and opens it on first use. Functions that may be
** the first to need it begin with this. Raises. Settings do not open it but
** wait in the State, so that a host program may make them before it forks. */
Runtime *state_rt (lua_State *L);

/* Tells whether no Runtime is open yet, and one can be opened. */
bool state_is_unused (const State *st);

/*
** Checks that begin each call: after a fork it raises; resets by other states
** are noticed; captures that can no longer be ended are dropped.
*/
void state_check (lua_State *L, const State *st);

static inline bool state_needs_check (const State *st) {
  const Runtime *rt = st->rt;
  return rt != NULL &&
         (context_is_forked(rt) || rt->resets != shared_count_resets() ||
          rt->ncaptures > 0);
}

/* state_rt with these checks, for a function without an API entry:
** CALLS_BACK. */
Runtime *state_check_rt (lua_State *L);

/* Raises that the State is closed, for finalizers of others that still run. */
int state_refuse (lua_State *L);

/* Pushes user value 'which' of the State. */
int state_push_uv (lua_State *L, int which);

#endif

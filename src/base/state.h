/*
** state.h - the State: what one lua_State's copy of tide holds. Above the wall:
** everything here may use Lua and nothing may name a driver entry.
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
#include "rt/wait/interrupts.h"

/* Tables that belong to the State: its user values. */
enum {
  UV_CURRENT = 1,   /* coroutine (weak) -> its Current */
  UV_LATEST,        /* the Current that was looked up last, */
  UV_LATEST_THREAD, /* and for which coroutine */
  UV_CALLBACKS,     /* key -> {function, argument, stream}: on their way */
  UV_INFLIGHT,      /* body (light userdata): functions of a graph in flight */
  UV_ERRORS,        /* of host functions that nobody has asked for: lists */
  UV_NULL,          /* tide.Stream.null */
  UV_PTDS,          /* tide.Stream.ptds */
  UV_CHECKS,        /* of indices: see index_error.c */
  UV_DEVICES,       /* device index -> Device object */
  UV_METATABLE,     /* of the object that was made last */
  UV_SLEEPER,       /* who runs coroutines that sleep, or nil: ticket.c, */
  UV_LEAVER,        /* who hears that one does no more, */
  UV_TASK_SLEEPER,  /* and in which function tasks do */
  UV_PUMP,          /* what resumes coroutines of loops, or nil: ticket.c */
  UV_NUMBERS,       /* of tickets, by luaL_ref, and */
  UV_TICKET,        /* one that nobody waits with, or nil: ticket.c */
  UV_PENDING,       /* [1]: Lua error to raise from a service point; the
                       protected functions of host_function.c */
  UV_COUNT = UV_PENDING
};

typedef enum SyncDebug { SYNC_OFF, SYNC_WARN, SYNC_ERROR } SyncDebug;

/* Where errors go that nobody has asked for: unhandled.c. */
typedef enum Unhandled {
  UNHANDLED_STDERR, UNHANDLED_WARN, UNHANDLED_OFF
} Unhandled;

/*
** What collections for the sake of device memory have cost, and what follows
** from it: see gc_pressure.c. Times are in seconds.
*/
typedef struct Pressure {
  double step_after;   /* clock: no step of the collector before */
  double full_after;   /* clock: no full collection before, unless it must be */
  double end;          /* clock: when the last one ended */
  double rate;         /* work of a full one for each KiB of Lua's; 0: not
                          known */
  int heap;            /* KiB: the least that Lua was seen to hold since its
                          heap was collected for its growth; 0: not known */
  int objects;         /* so many may be made until it is looked at again */
  unsigned ended;      /* finalizers of arrays that have run; closes as well */
  double spent;        /* work of all collections so far */
  lua_Integer count;   /* how many those were */
  int crowded;         /* how many in a row came too soon */
  int patience;        /* how often the mode was given back, up to a few */
  bool borrowed;       /* the generational mode is our choice */
  bool refused;        /* and somebody has undone it */
  bool left;           /* the host program wants its collector left alone */
  int handles_base;    /* streams and events after the last collection for */
  int handles_most;    /* them, and how many before the next may come; */
  int pairs_base;      /* after it, those with two descriptors each */
  double window;       /* clock: since then, while borrowed, */
  double fulls;        /* so many full collections were spared */
} Pressure;

/* tide.printoptions: how arrays are shown. */
typedef struct PrintOptions {
  lua_Integer threshold;  /* more elements than that are elided, */
  lua_Integer edgeitems;  /* but for so many at each end of an axis */
  int precision;          /* digits behind the point, at most */
  int linewidth;
  bool suppress;          /* small floats are not shown with an exponent */
} PrintOptions;

typedef struct State {
  Runtime *rt;         /* NULL until first needed, and after close */
  struct Door *door;   /* the call under way; another one's after an error */
  uint64_t calls;      /* how many there have been: see door.c */
  uint64_t own;        /* of these, made by tide_call in the call under way */
  void (*await) (lua_State *L, const RtWant *want);  /* service.c: raises */
  void (*find_default) (lua_State *L);  /* device.c: opens that device */
  void (*close_made) (lua_State *L, int index, uint64_t since);  /* array.c */
  const struct Class *made;  /* whose objects UV_METATABLE is for, or NULL */
  lua_State *latest;   /* UV_LATEST_THREAD, or NULL: whose Current is */
  struct Current *current;  /* UV_LATEST */
  lua_State *task;     /* the innermost that runs, or NULL: coroutine.c */
  bool loops;          /* there is an UV_SLEEPER */
  RtInterrupt interrupt;  /* what the host sends by api->interrupt, */
  double deadline;     /* clock: when its time for scripts is over; 0: never */
  const char *why;     /* RT_INTERRUPTED raises this; NULL: "interrupted!" */
  bool hooked;         /* or rather what a hook has to say, called by */
  Status (*call_hooks) (lua_State *L, struct State *st);  /* hooks.c */
  lua_State *main;     /* the main thread: lua.c hooks it on Ctrl-C */
  lua_Hook stop;       /* by which tide's own prompt does so, or NULL */
  int next_ref;        /* last key given out in UV_CALLBACKS */
  uint64_t served;     /* host functions that have run */
  int nerrors, nlost;  /* entries of UV_ERRORS; errors that these count no
                          more, and nobody was told of */
  Unhandled unhandled;
  int nreports, *reports;  /* how many there were; where that is counted, for
                              whoever closes the State */
  int unclosed;        /* stream scopes that were collected open */
  int nchecks, next_check;  /* entries of UV_CHECKS; which is looked at next */
  bool graph_checks;   /* it has some of graphs as well */
  bool ticks;          /* long waits call a function now and then: tick.c, */
  double next_tick;    /* clock: and when they do next */
  bool watches;        /* event loops want a watcher: ticket.c */
  bool interrupted;    /* Ctrl-C has ended the host function */
  bool gc_held;        /* a call has stopped the collector */
  Pressure pressure;   /* collections for the sake of memory */
  int nscopes;         /* open scopes for arrays, of all coroutines */
  uint32_t scope;      /* the number that one had last */
  int ninflight;       /* entries of UV_INFLIGHT */
  int captures_most;   /* so many open ones: garbage is looked for; */
  int ranks_most;      /* so many of communicators: likewise */
  RtDevice *device;    /* the default device, once asked for */
  SyncDebug sync_debug;
  bool debug_sync;     /* each operation is waited for */
  uint64_t waits;      /* how often the host blocked */
  int float_dtype;     /* DType of floats that nobody gave one */
  PrintOptions print;
  int default_stream;  /* StreamKind; STREAM_OWNED: one for each coroutine */
  RtCaps caps;         /* of the host program, for 'rt' */
  size_t limits[2];    /* for the default device, from before 'rt' was open: */
  bool seeded;         /* of memory, 0: none; and for the common generator: */
  uint64_t seed;       /* is there a seed, and which */
  struct Trace *trace; /* of the function that is fused now, or NULL */
  uint64_t traces;     /* how many there were */
#if defined(TIDE_TESTING)
  int again;           /* calls begin again at that operation; 0: none does */
  bool inner;          /* a call of our own comes: it does not */
  bool collects;       /* at each call all garbage goes */
#endif
  unsigned left_out;   /* groups of functions: TIDE_POINTERS ... */
  bool closed;
} State;

/* The State of the running C function. */
State *tide_state (lua_State *L);

/* The State that a Runtime belongs to, without asking Lua. */
static inline State *tide_owner (const Runtime *rt) { return rt->owner; }

/* The State's Runtime, opened on first use: what may be the first one to need
** it begins with this. Raises. Settings open none, and wait in the State, so
** that a host program may have made them before it forks. */
Runtime *tide_rt (lua_State *L);

/* Tells whether no Runtime is open yet, and one can be opened. */
bool tide_isunused (const State *st);

/*
** What each call looks at before all else: a fork, after which it raises;
** resets by others; captures that nobody can end any more.
*/
void tide_checknews (lua_State *L, const State *st);

static inline bool tide_hasnews (const State *st) {
  const Runtime *rt = st->rt;
  return rt != NULL && (rt_forked(rt) || rt->resets != rt_countresets() ||
                        rt->ncaptures > 0);
}

/* Both, for a function that is behind no door: CALLS_BACK. */
Runtime *tide_checkrt (lua_State *L);

/* Raises: finalisers of others still run, but the State is closed. */
int tide_closed (lua_State *L);

/* Pushes user value 'which' of the State. */
int tide_pushuv (lua_State *L, int which);

#endif

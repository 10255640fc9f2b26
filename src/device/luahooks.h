/* luahooks.h - calls hooks of the program in waits. See luahooks.c. */
#ifndef TIDE_DEVICE_LUAHOOKS_H
#define TIDE_DEVICE_LUAHOOKS_H

#include "base/state.h"

/* The hooks that a wait has seen. */
typedef struct Hooks {
  lua_Hook main, own; /* of the main thread and of the coroutine that waits */
  double next;        /* clock: when that one's hook is called next */
} Hooks;

void luahook_start (lua_State *L, const State *st, Hooks *h);

/* Tells whether there is a hook to call. 'ran': a host function has run; hooks
** that it has set are not called. */
bool luahook_is_due (lua_State *L, const State *st, Hooks *h, bool ran);

/* Calls them, while nothing is half done. Returns 0; RT_LUAERROR if one has
** raised an error, which is kept for error_fail; RT_INTERRUPTED if it was
** lua.c's. */
Status luahook_call (lua_State *L, State *st, Hooks *h);

/* Tells whether hooks were set since; for places where something is half
** done. */
bool luahook_is_new (lua_State *L, const State *st, const Hooks *h);

void open_hooks (lua_State *L);

#endif

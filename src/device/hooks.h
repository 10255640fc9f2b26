/* hooks.h - hooks of the program, in waits. See hooks.c. */
#ifndef TIDE_DEVICE_HOOKS_H
#define TIDE_DEVICE_HOOKS_H

#include "base/state.h"

/* What a wait knows of hooks. */
typedef struct Hooks {
  lua_Hook main, own;  /* of the main thread and of the coroutine that waits */
  double next;         /* clock: when that one's hook is called next */
} Hooks;

void tide_starthooks (lua_State *L, const State *st, Hooks *h);

/* Is there one to call? 'ran': a host function has run, and what it has set is
** its own affair. */
bool tide_arehooksdue (lua_State *L, const State *st, Hooks *h, bool ran);

/* Calls them, with nothing half done around. 0; RT_LUAERROR: one has raised an
** error, which is kept for tide_fail; RT_INTERRUPTED: it was lua.c's. */
Status tide_callhooks (lua_State *L, State *st, Hooks *h);

/* Likewise what has been set since; for where something was half done. */
bool tide_arehooksnew (lua_State *L, const State *st, const Hooks *h);

void tide_openhooks (lua_State *L);

#endif

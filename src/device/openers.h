/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_DEVICE_OPENERS_H
#define TIDE_DEVICE_OPENERS_H

#include "base/state.h"

void open_current (lua_State *L);
void open_devices (lua_State *L);
void open_stream (lua_State *L);
void open_with (lua_State *L);
void open_scope_token (lua_State *L);
void open_event (lua_State *L);
void open_graph (lua_State *L);
void open_callback (lua_State *L);
void open_scheduler (lua_State *L);
void open_coroutine (lua_State *L);
void open_options (lua_State *L);
void open_host_threads (lua_State *L);
void open_atomic (lua_State *L);
void open_unhandled (lua_State *L);

/* Adds to tide.system. */
void open_exit (lua_State *L);

#endif

/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_DEVICE_OPENERS_H
#define TIDE_DEVICE_OPENERS_H

#include "base/state.h"

void tide_opencurrent (lua_State *L);
void tide_opendevice (lua_State *L);
void tide_openstream (lua_State *L);
void tide_openwith (lua_State *L);
void tide_openscopetoken (lua_State *L);
void tide_openevent (lua_State *L);
void tide_opengraph (lua_State *L);
void tide_opencallback (lua_State *L);
void tide_openticket (lua_State *L);
void tide_opencoroutine (lua_State *L);
void tide_opentimers (lua_State *L);
void tide_openoptions (lua_State *L);
void tide_openatomic (lua_State *L);
void tide_openunhandled (lua_State *L);

/* Adds to tide.system. */
void tide_openexit (lua_State *L);

#endif

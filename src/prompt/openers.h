/* openers.h - functions of the system for the prompt and the command `tide`:
** each opener adds its functions to the table on the top, which becomes
** tide.system. */
#ifndef TIDE_PROMPT_OPENERS_H
#define TIDE_PROMPT_OPENERS_H

#include "base/state.h"

void tide_openterminal (lua_State *L);
void tide_openeditor (lua_State *L);
void tide_openinterrupt (lua_State *L);
void tide_openqueued (lua_State *L);
void tide_openticks (lua_State *L);
void tide_openabout (lua_State *L);
void tide_openmeaning (lua_State *L);

#endif

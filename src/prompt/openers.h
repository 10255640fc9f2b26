/* openers.h - functions of the system for the prompt and the command `tide`:
** each opener adds its functions to the table on the top, which becomes
** tide.system. */
#ifndef TIDE_PROMPT_OPENERS_H
#define TIDE_PROMPT_OPENERS_H

#include "base/state.h"

void open_terminal (lua_State *L);
void open_editor (lua_State *L);
void open_sigint (lua_State *L);
void open_device_use (lua_State *L);
void open_progress_tick (lua_State *L);
void open_about (lua_State *L);
void open_synonyms (lua_State *L);

#endif

/* parts.h - how tide's own Lua (lua/tide) is loaded. See parts.c. */
#ifndef TIDE_BASE_PARTS_H
#define TIDE_BASE_PARTS_H

#include <lua.h>

/* Adds field 'environment' to the table on the top: what the Lua half uses in
** place of the global table. */
void open_parts (lua_State *L);

#endif

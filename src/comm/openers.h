/* openers.h - the function that opens this folder: tide.dist's half in C, in
** the module table on the top. */
#ifndef TIDE_COMM_OPENERS_H
#define TIDE_COMM_OPENERS_H

#include "base/state.h"

void open_dist (lua_State *L);

#endif

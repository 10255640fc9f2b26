/* openers.h - the functions that open this folder: the functions of tide.h;
** those for DLPack and for other modules' arrays are added to the module table
** on the top. */
#ifndef TIDE_INTEROP_OPENERS_H
#define TIDE_INTEROP_OPENERS_H

#include "base/state.h"

void open_api (lua_State *L);
void open_dlpack (lua_State *L);
void open_carray (lua_State *L);

#endif

/* openers.h - the functions that open this folder: the functions of tide.h;
** those for DLPack and for other modules' arrays are added to the module table
** on the top. */
#ifndef TIDE_INTEROP_OPENERS_H
#define TIDE_INTEROP_OPENERS_H

#include "base/state.h"

void tide_openapi (lua_State *L);
void tide_opendlpack (lua_State *L);
void tide_opencarray (lua_State *L);

#endif

/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_USER_KERNELS_OPENERS_H
#define TIDE_USER_KERNELS_OPENERS_H

#include "base/state.h"

void tide_opencode (lua_State *L);
void tide_openrawmodule (lua_State *L);
void tide_openrawkernel (lua_State *L);
void tide_openelementwisekernel (lua_State *L);
void tide_openreductionkernel (lua_State *L);
void tide_openfuse (lua_State *L);

#endif

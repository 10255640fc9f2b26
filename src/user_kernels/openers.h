/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_USER_KERNELS_OPENERS_H
#define TIDE_USER_KERNELS_OPENERS_H

#include "base/state.h"

void open_kernel_code (lua_State *L);
void open_rawmodule (lua_State *L);
void open_rawkernel (lua_State *L);
void open_elementwisekernel (lua_State *L);
void open_reductionkernel (lua_State *L);
void open_fuse (lua_State *L);

#endif

/* openers.h - the function that opens this folder: tide.ipc, in the module
** table on the top. */
#ifndef TIDE_IPC_OPENERS_H
#define TIDE_IPC_OPENERS_H

#include "base/state.h"

void open_ipc (lua_State *L);

#endif

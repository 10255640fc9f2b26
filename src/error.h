/* error.h - the only place that turns a Status into a Lua error. */
#ifndef TIDE_ERROR_H
#define TIDE_ERROR_H

#include "tide.h"

/*
** 0: returns. Else raises: a driver error as "cuLaunchKernel:
** CUDA_ERROR_X (700): text", with the position of the Lua call before it.
*/
void tide_check (lua_State *L, Status st);

/* Raises; 'return tide_fail(L, st);' where nothing is left to free. */
int tide_fail (lua_State *L, Status st);

#endif

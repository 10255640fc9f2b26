/* api.h - API entries for the functions of tide.h. See api.c. */
#ifndef TIDE_INTEROP_API_H
#define TIDE_INTEROP_API_H

#include "base/class.h"
#include "include/tide.h"

/*
** A function that is called as an API entry, so that it may wait and begin
** again, with 'x', a light userdata, as argument 1. The address of this struct
** is its key in the registry.
*/
typedef struct ApiCall {
  lua_CFunction f;
} ApiCall;

void api_register (lua_State *L, const ApiCall *call);

/* Calls it with x and the 'n' values on the top. Leaves 'nresults'. */
void api_call (lua_State *L, const ApiCall *call, void *x, int n, int nresults);

#endif

/* order.h - work of a host program in order with tide's, and waits, from C. See
** order.c. */
#ifndef TIDE_INTEROP_ORDER_H
#define TIDE_INTEROP_ORDER_H

#include "include/tide.h"

/* Functions of tide_Api. */
void api_submit (lua_State *L, int stream, const tide_Access *access, int n,
                 tide_Work fn, void *ud);
void *api_before (lua_State *L, int stream, const tide_Access *access, int n);
void api_after (lua_State *L, int stream, const tide_Access *access, int n);
int api_onstream (tide_Device device, void *stream, void (*fn)(void *ud),
                  void *ud);
int api_poll (lua_State *L);
int api_pollfd (lua_State *L);
int api_wait (lua_State *L, int arg, double seconds);

void tide_openorder (lua_State *L);

#endif

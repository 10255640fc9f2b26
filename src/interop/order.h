/* order.h - work of a host program in order with tide's, and waits, from C. See
** order.c. */
#ifndef TIDE_INTEROP_ORDER_H
#define TIDE_INTEROP_ORDER_H

#include "include/tide.h"

/* Functions of tide_Api. */
void order_submit (lua_State *L, int stream, const tide_Access *access, int n,
                   tide_Work fn, void *ud);
void *order_before (lua_State *L, int stream, const tide_Access *access, int n);
void order_after (lua_State *L, int stream, const tide_Access *access, int n);
int order_on_stream (tide_Device device, void *stream, void (*fn)(void *ud),
                     void *ud);
int order_poll (lua_State *L);
int order_poll_fd (lua_State *L);
int order_wait (lua_State *L, int arg, double seconds);

void open_order (lua_State *L);

#endif

/* values.h - checks values from C, and makes values. See values.c. */
#ifndef TIDE_INTEROP_VALUES_H
#define TIDE_INTEROP_VALUES_H

#include "array/array.h"
#include "base/class.h"
#include "include/tide.h"

/* Returns the class for a kind of tide.h. */
const Class *value_class (int kind);

/* Returns the open Array or HostArray at 'arg', in a function of the host.
** Raises. */
Array *value_check_array (lua_State *L, int arg);

/* Functions of tide_Api. */
int value_kind (lua_State *L, int arg);
void value_check (lua_State *L, int arg, int kind);
void value_tensor (lua_State *L, int arg, tide_Tensor *t);
void *value_handle (lua_State *L, int arg);
tide_Device value_device (lua_State *L, int arg);
void value_push_device (lua_State *L, tide_Device device);
void value_push_stream (lua_State *L, tide_Device device, void *stream,
                        tide_Release release, void *ud);
void value_push_event (lua_State *L, tide_Device device, void *event,
                       tide_Release release, void *ud);
void value_push_current (lua_State *L, tide_Device device);
void *value_current (lua_State *L, tide_Device device);

void open_values (lua_State *L);

#endif

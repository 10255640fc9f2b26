/* values.h - checks values from C, and makes values. See values.c. */
#ifndef TIDE_INTEROP_VALUES_H
#define TIDE_INTEROP_VALUES_H

#include "array/array.h"
#include "base/class.h"
#include "include/tide.h"

/* Returns the class for a kind of tide.h. */
const Class *tide_classof (int kind);

/* Returns the open Array or HostArray at 'arg', in a function of the host.
** Raises. */
Array *tide_takearray (lua_State *L, int arg);

/* Functions of tide_Api. */
int api_kind (lua_State *L, int arg);
void api_check (lua_State *L, int arg, int kind);
void api_tensor (lua_State *L, int arg, tide_Tensor *t);
void *api_handle (lua_State *L, int arg);
tide_Device api_device (lua_State *L, int arg);
void api_pushdevice (lua_State *L, tide_Device device);
void api_pushstream (lua_State *L, tide_Device device, void *stream,
                     tide_Release release, void *ud);
void api_pushevent (lua_State *L, tide_Device device, void *event,
                    tide_Release release, void *ud);
void api_pushcurrent (lua_State *L, tide_Device device);
void *api_current (lua_State *L, tide_Device device);

void tide_openvalues (lua_State *L);

#endif

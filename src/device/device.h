/* device.h - the Device type. See device.c. */
#ifndef TIDE_DEVICE_DEVICE_H
#define TIDE_DEVICE_DEVICE_H

#include "base/class.h"

extern const Class device_class;

/* Returns the device that the value at 'arg' names: a Device, 0, "cuda:1",
** "host". */
RtDevice *device_check (lua_State *L, int arg);

/* Returns the device that TIDE_DEVICE names. Raises, saying why it cannot be
** had. */
RtDevice *device_default (lua_State *L);

/* Pushes the one Device object for 'dev'. */
void device_push (lua_State *L, RtDevice *dev);

/* Writes "cuda:0" into a buffer. */
enum { DEVICE_NAME = 32 };
const char *device_write_name (const RtDevice *dev, char buffer[DEVICE_NAME]);

#endif

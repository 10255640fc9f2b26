/* peercopy.h - copies of elements between devices. See peercopy.c. */
#ifndef TIDE_ARRAY_PEERCOPY_H
#define TIDE_ARRAY_PEERCOPY_H

#include "array.h"

/* Pushes a dense Array on 'dev' with the elements of 'a', of another device.
** The copy is queued between devices of one kind; otherwise this waits. */
Array *peercopy_push (lua_State *L, RtDevice *dev, Array *a, const char *what);

/* array_copyto for arrays on any devices: on the current stream of the device
** of 'to', or of that of 'from' if 'to' is a HostArray. */
void peercopy_any (lua_State *L, Array *to, Array *from, const char *what);

#endif

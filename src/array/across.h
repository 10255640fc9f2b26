/* across.h - elements from one device to another. See across.c. */
#ifndef TIDE_ARRAY_ACROSS_H
#define TIDE_ARRAY_ACROSS_H

#include "array.h"

/* Pushes a dense Array on 'dev' with the elements of 'a', of another one. Of
** devices of one kind it is queued, else it waits for them. */
Array *tide_pushacross (lua_State *L, RtDevice *dev, Array *a,
                        const char *what);

/* As tide_copy, of arrays on whichever devices: on the current stream of that
** of 'to'; of that of 'from' if 'to' is a HostArray. */
void tide_copyany (lua_State *L, Array *to, Array *from, const char *what);

#endif

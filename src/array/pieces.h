/* pieces.h - the bytes of an array for a file, piece by piece. See pieces.c. */
#ifndef TIDE_ARRAY_PIECES_H
#define TIDE_ARRAY_PIECES_H

#include "array.h"

/* Takes the next n bytes, whole elements. Raises. */
typedef void (*PieceSink)(lua_State *L, void *ud, const char *bytes, size_t n);

/* Passes all elements of the Array or HostArray at 'arg', in their order, to
** the sink. 'what' names the call. Waits. */
void pieces_pass (lua_State *L, int arg, PieceSink sink, void *ud,
                  const char *what);

#endif

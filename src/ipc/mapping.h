/* mapping.h - arrays in memory that other processes can map. See mapping.c. */
#ifndef TIDE_IPC_MAPPING_H
#define TIDE_IPC_MAPPING_H

#include "array/array.h"

/* The origin of the memory: new, or of another process. */
typedef struct Source {
  RtDevice *dev;
  size_t bytes;
  const uint8_t *id; /* NULL: new */
  int file;
} Source;

/* Gives an array without memory, which has elements and is on the stack, all of
** the memory. */
Status mapping_attach (lua_State *L, Array *a, const Source *from);

#endif

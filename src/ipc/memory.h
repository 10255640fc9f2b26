/* memory.h - arrays in memory that other processes can map. See memory.c. */
#ifndef TIDE_IPC_MEMORY_H
#define TIDE_IPC_MEMORY_H

#include "array/array.h"

/* Where it comes from: nowhere yet, or another process. */
typedef struct Source {
  RtDevice *dev;
  size_t bytes;
  const uint8_t *id;  /* NULL: it is new */
  int file;
} Source;

/* Gives an array without memory, which has elements and is on the stack, all of
** that. */
Status ipc_getmemory (lua_State *L, Array *a, const Source *from);

#endif

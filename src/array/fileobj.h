/* fileobj.h - tide.File, for its reads and writes. See fileobj.c. */
#ifndef TIDE_ARRAY_FILEOBJ_H
#define TIDE_ARRAY_FILEOBJ_H

#include "base/class.h"
#include "rt/file/transfer.h"

typedef struct File {
  Object object;
  RtFile *f; /* NULL: closed */
  FileMode mode;
  uint64_t at;       /* position of the next transfer */
  bool closing;      /* close() waits, and f is NULL */
  Point *writes;     /* the latest write of each stream, */
  int nwrites, room; /* their number, and the room for them */
} File;

extern const Class fileobj_class;

/* Returns the file at 1. Raises if it is closed. */
File *fileobj_check (lua_State *L);

/* Pushes the path of the file at 'idx'. */
const char *fileobj_path (lua_State *L, int idx);

/* Raises the error of the system, or of the file, in the call 'what'. */
int fileobj_raise (lua_State *L, const char *what, const char *path, int error);

/* Returns the length of the file, including present writes. */
uint64_t fileobj_size (const File *o, int *error);

#endif

/* file.h - tide.File, for its reads and writes. See file.c. */
#ifndef TIDE_ARRAY_FILE_H
#define TIDE_ARRAY_FILE_H

#include "base/class.h"
#include "rt/file/transfer.h"

typedef struct File {
  Object object;
  RtFile *f;    /* NULL: closed */
  FileMode mode;
  uint64_t at;  /* where the next one begins */
  bool closing;   /* close() waits, and f is NULL */
  Point *writes;  /* the latest of each stream, */
  int nwrites, room;  /* and for how many there is room */
} File;

extern const Class tide_fileclass;

/* The file at 1. Raises if it is closed. */
File *tide_checkfile (lua_State *L);

/* Pushes the path of the file at 'idx'. */
const char *tide_pushpath (lua_State *L, int idx);

/* Raises what the system, or the file, has against 'what'. */
int tide_raisefile (lua_State *L, const char *what, const char *path,
                    int error);

/* How long the file is, with what was written by now. */
uint64_t tide_filesize (const File *o, int *error);

#endif

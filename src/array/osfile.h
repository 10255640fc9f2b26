/*
** osfile.h - a file that is read or written as a whole. A written file gets
** its name at the end, or never. See osfile.c.
*/
#ifndef TIDE_ARRAY_OSFILE_H
#define TIDE_ARRAY_OSFILE_H

#include <sys/types.h>

#include "base/state.h"

typedef struct WholeFile {
  int fd, folder;        /* -1: none */
  const char *what;      /* the call, for errors */
  const char *path;      /* the user's, on the Lua stack */
  const char *name;      /* the last part of it */
  const char *temporary; /* name of a file to be removed; NULL: none */
  pid_t process;         /* the process to do that, not its children */
} WholeFile;

/* Returns the argument as a path. */
const char *osfile_check_path (lua_State *L, int arg);

/* Pushes a file that is not open yet, with the path at 'arg'. It is closed when
** the calling C function ends. */
WholeFile *osfile_push (lua_State *L, int arg, const char *what);

/* Closes the file at 'idx' and returns true, if there is one; none may be above
** it. */
bool osfile_close (lua_State *L, int idx);

/* Opens the file for reading. Returns its size, also of a file of /proc. */
size_t osfile_open (lua_State *L, WholeFile *f);

/* Pushes a file to be written, under a temporary name in the folder of 'path',
** and the file that it replaces in the end; both stay on the stack until
** then. */
WholeFile *osfile_begin (lua_State *L, const char *path, const char *what);

/* Write to it. The first one raises; the second returns 0 or an errno. */
void osfile_write (lua_State *L, const WholeFile *f, const char *from,
                   size_t n);
int osfile_put (const WholeFile *f, const char *from, size_t n);

/* The next bytes that are written go to that place. */
void osfile_seek (lua_State *L, const WholeFile *f, off_t to);

/* Puts the finished file in the place of the old one. */
void osfile_end (lua_State *L, WholeFile *f);

/* Raise: an errno; the reason why it cannot be read. */
int osfile_fail (lua_State *L, const WholeFile *f, int error);
void osfile_refuse (lua_State *L, const WholeFile *f, const char *why);

#endif

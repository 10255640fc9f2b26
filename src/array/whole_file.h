/*
** whole_file.h - a file that is read as a whole, or written so: it is under its
** name at the end, or never was. See whole_file.c.
*/
#ifndef TIDE_ARRAY_WHOLE_FILE_H
#define TIDE_ARRAY_WHOLE_FILE_H

#include <sys/types.h>

#include "base/state.h"

typedef struct WholeFile {
  int fd, folder;         /* -1: none */
  const char *what;       /* the call, for errors */
  const char *path;       /* of the user's, on the Lua stack */
  const char *name;       /* of it in the folder */
  const char *temporary;  /* there, to be removed; NULL: there is none */
  pid_t process;          /* by that one, not by what it forks */
} WholeFile;

/* The argument as a path. */
const char *tide_checkpath (lua_State *L, int arg);

/* Pushes one that is not open yet, of the path at 'arg'; it is closed when the
** calling C function ends. */
WholeFile *tide_pushfile (lua_State *L, int arg, const char *what);

/* Closes it and is true if there is one at 'idx'; nothing above it is one. */
bool tide_closewhole (lua_State *L, int idx);

/* Opens it for reading; returns its size. */
size_t tide_openwhole (lua_State *L, WholeFile *f);

/* Reads n bytes at 'off': 0, or an errno. Shorter than it was: EIO. Any thread
** may call it. */
int tide_readat (int fd, char *to, size_t n, off_t off);

/* Pushes one to be written, under a name of its own in the folder of 'path',
** and what it replaces in the end; both stay on the stack till then. */
WholeFile *tide_beginfile (lua_State *L, const char *path, const char *what);

/* Writes to it, and raises, or returns 0 or an errno. */
void tide_writefile (lua_State *L, const WholeFile *f, const char *from,
                     size_t n);
int tide_putfile (const WholeFile *f, const char *from, size_t n);

/* All is written: it takes the place of what was there. */
void tide_endfile (lua_State *L, WholeFile *f);

/* Raise: an errno; why it cannot be read. */
int tide_failfile (lua_State *L, const WholeFile *f, int error);
void tide_refusefile (lua_State *L, const WholeFile *f, const char *why);

#endif

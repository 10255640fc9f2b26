/* file.h - open files, and who uses which of their bytes. See file.c. */
#ifndef TIDE_RT_FILE_FILE_H
#define TIDE_RT_FILE_FILE_H

#include <sys/types.h>

#include "rt/rt.h"

/* What all that has a file open shares, however often and by whichever path it
** was opened. */
typedef struct RtInode {
  struct RtInode *next;
  dev_t device;
  ino_t number;
  RtBlock block;     /* it has marks, and no memory */
  int refs;          /* open files, transfers */
  int nwrites;       /* of these, writes; the file will be as long as the */
  uint64_t end;      /* longest of them says */
} RtInode;

typedef enum FileMode { FILE_READ, FILE_WRITE, FILE_UPDATE } FileMode;

typedef struct RtFile {
  Runtime *rt;
  RtInode *inode;
  int fd;
  int direct;        /* one that goes past the system's cache, or -1, */
  unsigned alignment;  /* and of what memory must be a multiple for it */
  FileMode mode;
  int refs;          /* its object, transfers under way */
  bool closed;       /* its object has let it go */
  struct RtFile *older, *newer;  /* all of the Runtime */
} RtFile;

/* NOT_SEEKABLE: as pipes. */
enum { FILE_NOT_SEEKABLE = -1 };

/*
** Opens a file. *error: an errno, or one of the above, if that fails, and the
** Status is 0 then. RT_BLOCKED: it is to be emptied, and has work under way.
*/
Status rt_openfile (Runtime *rt, const char *path, FileMode mode,
                    RtFile **out, int *error);

/* Gives a reference back. Transfers hold some, and the last one closes. Without
** a driver call, as in a fork's child. */
void rt_dropfile (RtFile *f);

/* The same, of its object. */
void rt_closefile (RtFile *f);

/* At close: what is still open, as it was opened by a finalizer. */
void rt_closefiles (Runtime *rt);

/* How many bytes it has, or will once all writes that were queued are done; an
** errno in *error if nobody can tell. */
uint64_t rt_filesize (const RtFile *f, int *error);

/* How long writes that were queued will make the file, if it does not reach
** 'end' before they have; else 0. */
uint64_t rt_growth (const RtFile *f, uint64_t end);

/* Does it say as much as is wanted, from wherever? /dev/zero does. */
bool rt_isendless (const RtFile *f);

/* May a use of these bytes that was queued before be under way? */
bool rt_isbusy (const RtInode *inode, uint64_t off, size_t len, bool writes);

/* The threads have done with that operation, whatever its stream does yet. */
void rt_forgetuse (RtInode *inode, Point at);

#endif

/* file.h - open files, and the operations that use their bytes. See file.c. */
#ifndef TIDE_RT_FILE_FILE_H
#define TIDE_RT_FILE_FILE_H

#include <sys/types.h>

#include "rt/memory/block_types.h"
#include "rt/rt.h"

/* A file's state, shared by all that has it open, however often and by any
** path. */
typedef struct RtInode {
  struct RtInode *next;
  dev_t device;
  ino_t number;
  RtBlock block; /* has marks, but no memory */
  int refs;      /* open files, transfers */
  int nwrites;   /* the writes among them; once they are done the */
  uint64_t end;  /* file is at least this long */
} RtInode;

typedef enum FileMode { FILE_READ, FILE_WRITE, FILE_UPDATE } FileMode;

typedef struct RtFile {
  Link link;
  Runtime *rt;
  RtInode *inode;
  int fd;
  int direct;         /* descriptor for reads past the cache, or -1 */
  unsigned alignment; /* alignment of memory that these need */
  FileMode mode;
  int refs;    /* its object, transfers under way */
  bool closed; /* its object was closed */
} RtFile;

/* All files of a Runtime, and the work on them. */
struct RtFiles {
  RtInode *inodes; /* files that are open or have work under way */
  List open;       /* all files, and the closed ones that have transfers; */
  int nclosed;     /* how many of these there are */
  List transfers;
  RtTransferQueue *queues;                 /* the newest of all */
  RtTransferQueue *slotted, **slotted_end; /* queues with slots, in turn */
  int nslotted;
  struct RtTransfer *over; /* done by the threads; under their lock */
  int nover;               /* atomic: the length of that list */
  bool has_threads;        /* it keeps the threads: io_threads.c */
};

/* NOT_SEEKABLE: a pipe, for example. */
enum { FILE_NOT_SEEKABLE = -1 };

/*
** Opens a file. If that fails, *error is an errno or one of the above, and the
** Status is 0. Returns RT_BLOCKED if it is to be emptied, and has work under
** way.
*/
Status file_open (Runtime *rt, const char *path, FileMode mode, RtFile **out,
                  int *error);

/* Returns the number of open files. */
static inline int file_count (const Runtime *rt) {
  return (rt->files != NULL) ? rt->files->open.n - rt->files->nclosed : 0;
}

/* Gives a reference back. Transfers hold references, too; the last one closes
** the file. Makes no driver call, so that it works in a forked child. */
void file_drop (RtFile *f);

/* Gives the object's reference back. */
void file_drop_object (RtFile *f);

/* Closes, at close, the files that finalizers have opened and left open. */
void file_close_all (Runtime *rt);

/* Returns the size in bytes that the file will have once all queued writes are
** done. *error: an errno if it cannot be found out. */
uint64_t file_final_size (const RtFile *f, int *error);

/* Returns the size that queued writes will give the file, if it does not reach
** 'end' before them; else 0. */
uint64_t file_growth (const RtFile *f, uint64_t end);

/* Tells whether reads from any position return as much as asked, as of
** /dev/zero. */
bool file_is_endless (const RtFile *f);

/* Tells whether an earlier use of these bytes may be under way. */
bool file_is_busy (const RtInode *inode, uint64_t off, size_t len, bool writes);

/* Forgets the uses of an operation that the threads have done, even if its
** stream has not passed it. */
void file_forget_use (RtInode *inode, Point at);

#endif

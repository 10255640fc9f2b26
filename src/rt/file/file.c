/*
** file.c - open files, and the operations that use their bytes.
**
** A file that is opened twice, by any paths, is one inode, found by device and
** number. Its marks are those of a block without memory, so transfers are
** ordered by the bytes that they read or write, like all other work.
*/
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_io.h"
#include "rt/driver/status.h"
#include "rt/memory/hazard.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* {== inodes ========================================================== */

static Status find_inode (Runtime *rt, const struct stat *st, RtInode **out) {
  RtInode *n = rt->files->inodes;
  while (n != NULL && (n->device != st->st_dev || n->number != st->st_ino))
    n = n->next;
  if (n == NULL) {
    n = calloc(1, sizeof *n);
    if (n == NULL)
      return status_fail(rt, RT_NOMEM, NULL);
    n->device = st->st_dev;
    n->number = st->st_ino;
    n->block.marks.exact = true; /* streams may write to a file at the same
                                     time */
    n->next = rt->files->inodes;
    rt->files->inodes = n;
  }
  n->refs++;
  *out = n;
  return 0;
}

/* Drops a reference. The last one frees the inode: no file and no transfer has
** it, so its marks are not needed. */
static void drop_inode (Runtime *rt, RtInode *n) {
  if (--n->refs > 0)
    return;
  RtInode **at = &rt->files->inodes;
  while (*at != n)
    at = &(*at)->next;
  *at = n->next;
  hazard_free(&n->block.marks);
  free(n);
}

bool file_is_busy (const RtInode *inode, uint64_t off, size_t len,
                   bool writes) {
  const MarkSet *m = &inode->block.marks;
  for (int i = 0; i < m->n; i++) {
    const Mark *k = &m->at[i];
    if ((k->write || !writes) && k->seq > k->s->done && k->lo < off + len &&
        off < k->hi)
      return true;
  }
  return false;
}

void file_forget_use (RtInode *inode, Point at) {
  MarkSet *m = &inode->block.marks;
  for (int i = m->n - 1; i >= 0; i--)
    if (m->at[i].s == at.s && m->at[i].seq == at.seq)
      hazard_remove(m, i);
}

/* ==} */

/* {== opening ========================================================= */

/* Blocks until all that was queued for a file is done, before it is emptied. */
static Status wait_for_uses (RtInode *inode) {
  const MarkSet *m = &inode->block.marks;
  for (int i = 0; i < m->n; i++) {
    const Mark *k = &m->at[i];
    Status st = progress_passed(k->s, k->seq);
    if (st == CUDA_ERROR_NOT_READY)
      return wait_block(k->s->dev, WAIT_PASSED, k->s, k->seq, "tide.open");
  }
  return 0;
}

/* Returns 0 if 'fd' can be used, or the error that says why not. */
static int look_at (int fd, struct stat *st) {
  if (fstat(fd, st) != 0)
    return errno;
  if (S_ISDIR(st->st_mode))
    return EISDIR;
  return (lseek(fd, 0, SEEK_CUR) < 0) ? FILE_NOT_SEEKABLE : 0;
}

/* Returns the alignment of memory that the file system requires; 0: it cannot
** read past the cache. */
static unsigned find_alignment (int fd) {
#if defined(STATX_DIOALIGN)
  struct statx st;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) == 0 &&
      (st.stx_mask & STATX_DIOALIGN) != 0)
    return st.stx_dio_offset_align <= FILE_PAGE ? st.stx_dio_mem_align : 0;
#endif
  (void)fd;
  return 512;
}

/* Opens the same file again for reads past the cache, even if its path names
** another file by now. */
static void open_direct (RtFile *f) {
  char path[40];
  f->alignment = find_alignment(f->fd);
  if (f->alignment == 0)
    return;
  snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
  f->direct = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
}

static Status fill (RtFile *f, int *error) {
  struct stat st;
  *error = look_at(f->fd, &st);
  if (*error != 0)
    return 0;
  Status status = find_inode(f->rt, &st, &f->inode);
  if (status == 0 && f->mode == FILE_WRITE)
    status = wait_for_uses(f->inode);
  if (status != 0)
    return status;
  if (!S_ISREG(st.st_mode))
    return 0;
  if (f->mode != FILE_WRITE)
    open_direct(f);
  else if (ftruncate(f->fd, 0) != 0)
    *error = errno;
  return 0;
}

/* Opens without waiting, for example for a writer of a pipe. */
Status file_open (Runtime *rt, const char *path, FileMode mode, RtFile **out,
                  int *error) {
  static const int flags[] = {[FILE_READ] = O_RDONLY,
                              [FILE_WRITE] = O_WRONLY | O_CREAT,
                              [FILE_UPDATE] = O_RDWR};
  if (rt->files == NULL)
    rt->files = calloc(1, sizeof *rt->files);
  RtFile *f = (rt->files != NULL) ? calloc(1, sizeof *f) : NULL;
  if (f == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  *f = (RtFile){.rt = rt, .direct = -1, .mode = mode, .refs = 1};
  links_add(&rt->files->open, &f->link);
  f->fd = open(path, flags[mode] | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  Status st = 0;
  *error = (f->fd < 0) ? errno : 0;
  if (f->fd >= 0)
    st = fill(f, error);
  if (st != 0 || *error != 0)
    file_drop(f);
  else
    *out = f;
  return st;
}

void file_drop (RtFile *f) {
  if (--f->refs > 0)
    return;
  links_remove(&f->rt->files->open, &f->link);
  f->rt->files->nclosed -= f->closed;
  if (f->fd >= 0)
    close(f->fd);
  if (f->direct >= 0)
    close(f->direct);
  if (f->inode != NULL)
    drop_inode(f->rt, f->inode);
  free(f);
}

void file_drop_object (RtFile *f) {
  f->closed = true;
  f->rt->files->nclosed++;
  file_drop(f);
}

void file_close_all (Runtime *rt) {
  while (rt->files->open.n > 0) {
    RtFile *f = LIST_FIRST(RtFile, &rt->files->open);
    f->refs = 1;
    file_drop(f);
  }
}

/* ==} */

uint64_t file_growth (const RtFile *f, uint64_t end) {
  const RtInode *n = f->inode;
  struct stat st;
  if (n->nwrites == 0 || n->end <= end)
    return 0;
  return (fstat(f->fd, &st) == 0 && (uint64_t)st.st_size < end) ? n->end : 0;
}

bool file_is_endless (const RtFile *f) {
  struct stat st;
  return fstat(f->fd, &st) == 0 && S_ISCHR(st.st_mode) &&
         lseek(f->fd, 0, SEEK_END) <= 0;
}

uint64_t file_final_size (const RtFile *f, int *error) {
  struct stat st;
  *error = (fstat(f->fd, &st) != 0) ? errno : 0;
  uint64_t size = 0;
  if (*error == 0 && S_ISREG(st.st_mode)) {
    size = (uint64_t)st.st_size;
  } else if (*error == 0) { /* a disk */
    off_t end = lseek(f->fd, 0, SEEK_END);
    size = (end > 0) ? (uint64_t)end : 0;
  }
  const RtInode *n = f->inode;
  return (n->nwrites > 0 && n->end > size) ? n->end : size;
}

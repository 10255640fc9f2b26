/*
** parts.c - reading and writing parts of files, on threads of tide's own.
**
** DESIGN. What the system has in its cache is copied from there, with as many
** cores as there are threads. What it has not is read past the cache
** (O_DIRECT), as the copy would only be in the way: the disk writes into the
** page-locked memory itself. Which of the two it is the system says of each
** part (RWF_NOWAIT). A file system that lacks either is read as ever, and so is
** what does not begin and end at pages, or goes to memory that does not.
** Some threads with large reads keep a disk as busy as a queue of io_uring
** would, and need no more than POSIX; cuFile needs a file system and a driver
** that few have, and where these lack it does the same as we do.
*/
#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DIRECT_LEAST = 64 << 10,  /* bytes: less is not worth a second read, */
       DIRECT_MEMORY = 512       /* and where in memory they may begin */ };

/* One stretch that is being read: what is left of it. */
typedef struct Rest {
  RtFile *f;
  char *to;
  size_t n;
  uint64_t off;
} Rest;

static void advance (Rest *r, size_t n) {
  r->to += n;
  r->off += n;
  r->n -= n;
}

/* {== from the cache ================================================== */

/* Reads what the system has at hand. True: it has not all of it. */
static bool read_cached (Rest *r) {
#if defined(SYS_preadv2) && defined(RWF_NOWAIT)
  while (r->n > 0 && __atomic_load_n(&r->f->cached, __ATOMIC_RELAXED)) {
    struct iovec v = {r->to, r->n};
    ssize_t got = syscall(SYS_preadv2, r->f->fd, &v, 1L, (long)r->off,
                          sizeof(long) == 8 ? 0L : (long)(r->off >> 32),
                          RWF_NOWAIT);
    if (got > 0)
      advance(r, (size_t)got);
    else if (got == 0)
      return false;  /* its end */
    else if (errno == EAGAIN)
      return true;
    else if (errno != EINTR)
      __atomic_store_n(&r->f->cached, false, __ATOMIC_RELAXED);
  }
#else
  (void)r;
#endif
  return false;
}

/* ==} */

/* {== past the cache ================================================== */

static bool is_worth (const Rest *r, size_t head) {
  return r->f->direct >= 0 && r->n >= head + DIRECT_LEAST &&
         (uintptr_t)(r->to + head) % DIRECT_MEMORY == 0;
}

/* The pages that are whole. Should that fail, all else goes on from there. */
static void read_direct (Rest *r) {
  while (is_worth(r, 0)) {
    size_t n = r->n / FILE_PAGE * FILE_PAGE;
    ssize_t got = pread(r->f->direct, r->to, n, (off_t)r->off);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return;
    advance(r, (size_t)got);
    if (got % FILE_PAGE != 0)  /* its end */
      return;
  }
}

/* ==} */

static int read_plainly (Rest *r, size_t n) {
  while (n > 0) {
    ssize_t got = pread(r->f->fd, r->to, n, (off_t)r->off);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return FILE_ENDED;
    if (got > 0) {
      advance(r, (size_t)got);
      n -= (size_t)got;
    }
  }
  return 0;
}

int rt_readpart (RtFile *f, char *to, size_t n, uint64_t off, size_t *done) {
  Rest r = {f, to, n, off};
  int error = 0;
  if (read_cached(&r)) {
    size_t head = (FILE_PAGE - r.off % FILE_PAGE) % FILE_PAGE;
    if (is_worth(&r, head)) {
      error = read_plainly(&r, head);
      if (error == 0)
        read_direct(&r);
    }
  }
  if (error == 0)
    error = read_plainly(&r, r.n);
  *done = n - r.n;
  return error;
}

int rt_writepart (const RtFile *f, const char *from, size_t n, uint64_t off,
                  size_t *done) {
  for (*done = 0; *done < n;) {
    ssize_t got = pwrite(f->fd, from + *done, n - *done,
                         (off_t)(off + *done));
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return ENOSPC;
    if (got > 0)
      *done += (size_t)got;
  }
  return 0;
}

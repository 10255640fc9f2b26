/*
** file_io.c - reads and writes parts of files, on threads of tide's own.
**
** DESIGN. Data in the system's cache is copied from there, with as many cores
** as there are threads. Other data is read past the cache (O_DIRECT), because
** the copy would only cost time: the disk writes into the page-locked memory
** itself. The system tells for each part which case it is. cachestat (Linux
** 6.5) says so; otherwise the first page, which is read only if it is in the
** cache (RWF_NOWAIT), stands for the others. A file system without these is
** read the usual way, and so are bytes that do not fill whole pages.
**
** Some threads with large reads keep a disk as busy as a queue of io_uring
** would, and need no more than POSIX. cuFile needs a file system and a driver
** that few systems have, and where these lack support it works as this file
** does.
*/
#include "file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt/os/reading.h"

enum { DIRECT_LEAST = 64 << 10 }; /* bytes: for less it is not worth it */

/* The rest of a stretch that is being read. */
typedef struct Stretch {
  RtFile *f;
  char *to;
  size_t n;
  uint64_t off;
} Stretch;

static void advance (Stretch *r, size_t n) {
  r->to += n;
  r->off += n;
  r->n -= n;
}

/* {== what is in the cache ============================================ */

#if !defined(SYS_cachestat)
#define SYS_cachestat 451 /* on all architectures */
#endif

/* As in <linux/mman.h> since Linux 6.5. */
typedef struct CacheRange {
  uint64_t off, n;
} CacheRange;

typedef struct CacheStat {
  uint64_t cached, dirty, writeback, evicted, recently_evicted; /* pages */
} CacheStat;

/* Tells whether the first page is in the cache; true if the system cannot
** tell. */
static bool has_first (const Stretch *r) {
#if defined(SYS_preadv2) && defined(RWF_NOWAIT)
  char page[FILE_PAGE];
  struct iovec v = {page, sizeof page};
  return syscall(SYS_preadv2, r->f->fd, &v, 1L, (long)r->off,
                 sizeof(long) == 8 ? 0L : (long)(r->off >> 32),
                 RWF_NOWAIT) >= 0 ||
         errno != EAGAIN;
#else
  (void)r;
  return true;
#endif
}

/* Tells whether most of it is in the cache. */
static bool is_cached (const Stretch *r) {
  CacheRange range = {r->off, r->n};
  CacheStat stat;
  if (syscall(SYS_cachestat, r->f->fd, &range, &stat, 0) == 0)
    return stat.cached * FILE_PAGE >= r->n / 2;
  return has_first(r);
}

/* ==} */

/* {== past the cache ================================================== */

static bool is_worth (const Stretch *r, size_t head) {
  return r->f->direct >= 0 && r->n >= head + DIRECT_LEAST &&
         (uintptr_t)(r->to + head) % r->f->alignment == 0;
}

/* Reads the whole pages. If that fails, the caller goes on from there. */
static void read_direct (Stretch *r) {
  while (is_worth(r, 0)) {
    size_t n = r->n / FILE_PAGE * FILE_PAGE;
    ssize_t got = pread(r->f->direct, r->to, n, (off_t)r->off);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return;
    advance(r, (size_t)got);
    if (got % FILE_PAGE != 0) /* the end of the file */
      return;
  }
}

/* ==} */

static int read_plainly (Stretch *r, size_t n) {
  while (n > 0) {
    ssize_t got = pread(r->f->fd, r->to, n, (off_t)r->off);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return file_is_endless(r->f) ? ENODATA : READING_ENDED;
    if (got > 0) {
      advance(r, (size_t)got);
      n -= (size_t)got;
    }
  }
  return 0;
}

int file_io_read (RtFile *f, char *to, size_t n, uint64_t off, size_t *done) {
  Stretch r = {f, to, n, off};
  size_t head = (FILE_PAGE - off % FILE_PAGE) % FILE_PAGE;
  int error = 0;
  if (is_worth(&r, head) && !is_cached(&r)) {
    error = read_plainly(&r, head);
    if (error == 0)
      read_direct(&r);
  }
  if (error == 0)
    error = read_plainly(&r, r.n);
  *done = n - r.n;
  return error;
}

int file_io_write (const RtFile *f, const char *from, size_t n, uint64_t off,
                   size_t *done) {
  for (*done = 0; *done < n;) {
    ssize_t got = pwrite(f->fd, from + *done, n - *done, (off_t)(off + *done));
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return ENOSPC;
    if (got > 0)
      *done += (size_t)got;
  }
  return 0;
}

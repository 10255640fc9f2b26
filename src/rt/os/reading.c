/*
** reading.c - reads parts of files, whole.
*/
#include "reading.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int reading_at (int fd, void *to, size_t n, off_t off) {
  for (char *at = to; n > 0;) {
    ssize_t got = pread(fd, at, n, off);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      return READING_ENDED;
    if (got > 0) {
      at += got;
      off += got;
      n -= (size_t)got;
    }
  }
  return 0;
}

const char *reading_why (int error) {
  return (error == READING_ENDED) ? "it has become shorter" : strerror(error);
}

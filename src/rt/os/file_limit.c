/*
** file_limit.c - writes that make files longer, on the program's own threads.
**
** A write beyond RLIMIT_FSIZE raises the signal SIGXFSZ, which kills the
** process; it fails with an error only if the signal is blocked or ignored.
** tide's own threads block all signals. Here the program's thread blocks it for
** one call, and takes back the signal that the call itself has raised.
*/
#include "file_limit.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

typedef struct Shield {
  sigset_t signal, before;
  bool pending; /* the signal is pending already, from elsewhere */
} Shield;

static Shield shield (void) {
  Shield s;
  sigset_t pending;
  sigemptyset(&s.signal);
  sigaddset(&s.signal, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &s.signal, &s.before);
  s.pending = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  return s;
}

/* Restores the mask after a call that has failed or not, and keeps its
** errno. */
static void unshield (const Shield *s, bool failed) {
  int error = errno;
  if (failed && error == EFBIG && !s->pending)
    while (sigtimedwait(&s->signal, NULL, &(struct timespec){0, 0}) < 0 &&
           errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &s->before, NULL);
  errno = error;
}

ssize_t file_limit_write (int fd, const void *from, size_t n) {
  Shield s = shield();
  ssize_t done = write(fd, from, n);
  unshield(&s, done < 0);
  return done;
}

int file_limit_truncate (int fd, off_t size) {
  Shield s = shield();
  int failed = ftruncate(fd, size);
  unshield(&s, failed != 0);
  return failed;
}

size_t file_limit_fwrite (const void *from, size_t n, FILE *f) {
  Shield s = shield();
  size_t done = fwrite(from, 1, n, f);
  unshield(&s, done < n);
  return done;
}

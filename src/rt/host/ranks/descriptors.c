/*
** descriptors.c - the descriptors of ranks. A child of fork closes them,
** because ranks see a death by a closed socket, and a copy in a child would
** keep it open. (Their flags close them in an exec.)
*/
#include <unistd.h>

#include "ranks.h"

enum { MAX_KEPT = 1 << 14 };

static int kept[MAX_KEPT]; /* descriptor + 1; atomic */

static void close_all (void) {
  for (int i = 0; i < MAX_KEPT; i++)
    if (kept[i] != 0)
      close(kept[i] - 1);
}

static void watch (void) { pthread_atfork(NULL, NULL, close_all); }

void rank_handle_fork (void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}

/* Beyond MAX_KEPT descriptors are not kept; then a death may be seen late, if
** the process forks. */
int rank_keep_fd (int fd) {
  for (int i = 0; fd >= 0 && i < MAX_KEPT; i++) {
    int none = 0;
    if (__atomic_compare_exchange_n(&kept[i], &none, fd + 1, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      break;
  }
  return fd;
}

void rank_close_fd (int fd) {
  for (int i = 0; fd >= 0 && i < MAX_KEPT; i++) {
    int its = fd + 1;
    if (__atomic_compare_exchange_n(&kept[i], &its, 0, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      break;
  }
  if (fd >= 0)
    close(fd);
}

/* poll(2) takes no more entries than a process may have descriptors, and counts
** even entries without one. */
int rank_poll_open (struct pollfd *p, int n, int ms) {
  struct pollfd open[MAX_ENDS];
  int at[MAX_ENDS], nopen = 0;
  for (int i = 0; i < n; i++) {
    p[i].revents = 0;
    if (p[i].fd >= 0) {
      open[nopen] = p[i];
      at[nopen++] = i;
    }
  }
  int ready = poll(open, (nfds_t)nopen, ms);
  for (int i = 0; i < nopen; i++)
    p[at[i]].revents = open[i].revents;
  return ready;
}

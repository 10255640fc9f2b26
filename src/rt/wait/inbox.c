/*
** inbox.c - the one object of a Runtime that other threads reach. They wake its
** owner, which sleeps there in waits, and post a wakeup, which an event loop
** sees by a descriptor.
*/
#include "inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/os/nap.h"

typedef struct Inbox {
  pthread_mutex_t lock;
  pthread_cond_t waked;
  bool wakeup; /* read without the lock by inbox_has_wakeup */
  bool woken;  /* since the owner last slept */
  int fd;      /* an eventfd, or -1 */
  bool shown;  /* the descriptor is readable: there is a wakeup */
} Inbox;

Status inbox_open (Inbox **out) {
  Inbox *in = calloc(1, sizeof *in);
  if (in == NULL)
    return RT_NOMEM;
  pthread_mutex_init(&in->lock, NULL);
  nap_init_condition(&in->waked);
  in->fd = -1;
  *out = in;
  return 0;
}

void inbox_close (Inbox *in) {
  if (in == NULL)
    return;
  if (in->fd >= 0)
    close(in->fd);
  pthread_cond_destroy(&in->waked);
  pthread_mutex_destroy(&in->lock);
  free(in);
}

/* {== the descriptor ================================================== */

/* Makes the descriptor readable while there is a wakeup. Its count is 0 or 1,
** so neither call can fail. The lock is held. */
static void show (Inbox *in) {
  uint64_t one = 1;
  if (in->fd < 0 || in->wakeup == in->shown)
    return;
  in->shown = in->wakeup;
  if (in->wakeup)
    (void)!write(in->fd, &one, sizeof one);
  else
    (void)!read(in->fd, &one, sizeof one);
}

static void set_wakeup (Inbox *in, bool on) {
  pthread_mutex_lock(&in->lock);
  __atomic_store_n(&in->wakeup, on, __ATOMIC_RELEASE);
  show(in);
  pthread_mutex_unlock(&in->lock);
}

void inbox_post_wakeup (Inbox *in) {
  if (!inbox_has_wakeup(in))
    set_wakeup(in, true);
}

bool inbox_has_wakeup (const Inbox *in) {
  return __atomic_load_n(&in->wakeup, __ATOMIC_ACQUIRE);
}

void inbox_take_wakeup (Inbox *in) {
  if (inbox_has_wakeup(in))
    set_wakeup(in, false);
}

Status inbox_fd (Runtime *rt, int *fd) {
  Inbox *in = rt->inbox;
  pthread_mutex_lock(&in->lock);
  if (in->fd < 0)
    in->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  show(in);
  *fd = in->fd;
  pthread_mutex_unlock(&in->lock);
  return (*fd >= 0) ? 0
                    : status_explain(rt, RT_MISUSE, NULL,
                                     "no descriptor for events: too many files "
                                     "are open");
}

void inbox_clear_fd (Inbox *in) {
  uint64_t n;
  pthread_mutex_lock(&in->lock);
  if (in->fd >= 0 && !in->shown)
    (void)!read(in->fd, &n, sizeof n);
  pthread_mutex_unlock(&in->lock);
}

/* ==} */

void inbox_sleep (Inbox *in, int64_t ns) {
  int64_t until = clock_now() + ns;
  bool late = false;
  pthread_mutex_lock(&in->lock);
  while (!in->woken && !late)
    late = !nap_wait(&in->waked, &in->lock, until);
  in->woken = false;
  pthread_mutex_unlock(&in->lock);
}

void inbox_end_sleep (void *ud) {
  Inbox *in = ud;
  pthread_mutex_lock(&in->lock);
  in->woken = true;
  pthread_cond_signal(&in->waked);
  pthread_mutex_unlock(&in->lock);
}

/*
** interruption.c - messages from any thread, or from a signal handler, that end
** the wait of the thread that is in a Lua state.
**
** DESIGN. A sender takes no lock, allocates nothing and at most calls write(2).
** It finds the state in a list, by a key that it never dereferences, so a
** closed state is simply not found. The lock protects owners from each other
** while they add and remove themselves. An owner that has removed itself waits
** until no sender is under way, because a sender that found it just before may
** still write. A sender takes a few instructions only. If a signal handler on
** the owner's own thread sends, it has returned before the owner goes on.
*/
#include "interruption.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static RtInterrupt *first;
static int sending; /* senders that are under way */

void interruption_open (RtInterrupt *in, const void *key) {
  *in = (RtInterrupt){.key = key, .fd = -1};
  pthread_mutex_lock(&lock);
  in->next = first;
  __atomic_store_n(&first, in, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&lock);
}

static void take_out (const RtInterrupt *in) {
  RtInterrupt **at = &first;
  while (*at != NULL && *at != in)
    at = &(*at)->next;
  if (*at != NULL)
    __atomic_store_n(at, in->next, __ATOMIC_SEQ_CST);
}

void interruption_close (RtInterrupt *in) {
  pthread_mutex_lock(&lock);
  take_out(in);
  pthread_mutex_unlock(&lock);
  while (__atomic_load_n(&sending, __ATOMIC_SEQ_CST) > 0)
    sched_yield();
  in->message = NULL;
}

static RtInterrupt *find (const void *key) {
  RtInterrupt *in = __atomic_load_n(&first, __ATOMIC_SEQ_CST);
  while (in != NULL && in->key != key)
    in = __atomic_load_n(&in->next, __ATOMIC_SEQ_CST);
  return in;
}

static void send (RtInterrupt *in, const char *message) {
  const uint64_t one = 1;
  __atomic_store_n(&in->message, message, __ATOMIC_SEQ_CST);
  int fd = __atomic_load_n(&in->fd, __ATOMIC_SEQ_CST);
  if (fd >= 0 && message != NULL)
    (void)!write(fd, &one, sizeof one);
}

bool interruption_send (const void *key, const char *message) {
  int saved = errno;
  __atomic_add_fetch(&sending, 1, __ATOMIC_SEQ_CST);
  RtInterrupt *in = find(key);
  if (in != NULL)
    send(in, message);
  __atomic_sub_fetch(&sending, 1, __ATOMIC_SEQ_CST);
  errno = saved;
  return in != NULL;
}

const char *interruption_take (RtInterrupt *in) {
  return __atomic_exchange_n(&in->message, NULL, __ATOMIC_ACQ_REL);
}

void interruption_set_fd (RtInterrupt *in, int fd) {
  __atomic_store_n(&in->fd, fd, __ATOMIC_SEQ_CST);
  const char *message = __atomic_load_n(&in->message, __ATOMIC_SEQ_CST);
  if (message != NULL)
    send(in, message);
}

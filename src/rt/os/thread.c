/*
** thread.c - the start of a thread. All signals are blocked in it, because they
** are for the program's own threads.
*/
#include "thread.h"

#include <signal.h>

int thread_start (pthread_t *thread, void *(*fn)(void *ud), void *ud) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int error = pthread_create(thread, NULL, fn, ud);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return error;
}

bool thread_start_detached (void *(*fn)(void *ud), void *ud) {
  pthread_t thread;
  bool made = (thread_start(&thread, fn, ud) == 0);
  if (made)
    pthread_detach(thread);
  return made;
}

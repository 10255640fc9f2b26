/*
** threads.c - a system that has no more threads: loaded by LD_PRELOAD, it
** refuses thread TIDE_FAKE_THREAD of the process, which is counted from 1; with
** TIDE_FAKE_AFTER those after it as well.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef int Create (pthread_t *thread, const pthread_attr_t *attributes,
                    void *(*fn)(void *ud), void *ud);

int pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                    void *(*fn)(void *ud), void *ud) {
  static atomic_int count;
  const char *refused = getenv("TIDE_FAKE_THREAD");
  int i = atomic_fetch_add(&count, 1) + 1;
  int first = (refused != NULL) ? atoi(refused) : 0;
  if (first > 0 && (i == first || (i > first && getenv("TIDE_FAKE_AFTER"))))
    return EAGAIN;
  void *address = dlsym(RTLD_NEXT, "pthread_create");
  Create *create;
  memcpy(&create, &address, sizeof create);
  return create(thread, attributes, fn, ud);
}

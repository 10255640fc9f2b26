/*
** shared.c - the list of what the Runtimes of the process share: an RtShared
** for each open device. Runtimes join and leave it in sharing.c.
*/
#include "shared.h"

static RtShared *first;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;
unsigned shared_resets;

/* A forked child has no device open, whatever its parent was doing. */
static void forget (void) {
  first = NULL;
  pthread_mutex_init(&list_lock, NULL);
}

static void watch_forks (void) { pthread_atfork(NULL, NULL, forget); }

RtShared *shared_find (const RtDevice *dev) {
  RtShared *sh = first;
  while (sh != NULL && (sh->D != dev->D || sh->ordinal != dev->ordinal))
    sh = sh->next;
  return sh;
}

void shared_unlink (RtShared *sh) {
  RtShared **at = &first;
  while (*at != sh)
    at = &(*at)->next;
  *at = sh->next;
}

void shared_link (RtShared *sh) {
  sh->next = first;
  first = sh;
}

void shared_lock_list (void) {
  pthread_once(&watch_once, watch_forks);
  pthread_mutex_lock(&list_lock);
}

void shared_unlock_list (void) { pthread_mutex_unlock(&list_lock); }

RtShared *shared_lock (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh != NULL) {
    pthread_mutex_lock(&sh->lock);
    return sh;
  }
  shared_lock_list();
  sh = shared_find(dev);
  if (sh != NULL)
    pthread_mutex_lock(&sh->lock);
  shared_unlock_list();
  return sh;
}

/* shared.h - the state of a device that all Runtimes of the process share: the
** loaded image, idle stream handles, the number of held streams. See shared.c,
** sharing.c and device_lock.c. */
#ifndef TIDE_RT_DRIVER_SHARED_H
#define TIDE_RT_DRIVER_SHARED_H

#include <pthread.h>

#include "rt/rt.h"

typedef struct IdleHandle {
  CUstream handle;
  unsigned flags;
  int priority;
} IdleHandle;

enum {
  HANDLES_KEPT = 512, /* of handles that were used, */
  HANDLES_STOCK = 64  /* and more for handles made in advance */
};

typedef struct RtShared {
  const Driver *D;
  int ordinal;
  uint64_t id;          /* unique in the process, for ever */
  CUmodule module;      /* the built-in kernels */
  int early;            /* atomic: built-in kernels may start while what comes
                            before them ends; -1: not known yet */
  CUfunction *fns;      /* by KernelId, NULL until looked up */
  pthread_mutex_t lock; /* protects all below */
  bool dead;            /* atomic: the device was reset */
  bool ready;           /* all that held streams need is there, */
  Status (*prepare)(RtDevice *dev); /* made by this: sharing.c */
  RtDevice *users;           /* the Runtimes' devices, linked by 'peer' */
  int held;                  /* streams that wait for a word: device_lock.c */
  struct RtModules *modules; /* of users' kernels: see modules.c */
  void *blas;             /* cuBLAS's handle, NULL until first used: cublas.c */
  bool noblas;            /* the handle could not be made */
  struct RtFftPlan *ffts; /* cuFFT's plans, the latest used first: cufft.c */
  void *solver;           /* cuSOLVER's handle, NULL until first used:
                              cusolver.c */
  CUevent filled;         /* recorded when libraries had queued work of their
                              own, or NULL: library.c */
  void *waiting;          /* page-locked memory to be freed, linked in itself */
  List execs;             /* executable graphs to be destroyed */
  IdleHandle idle[HANDLES_KEPT + HANDLES_STOCK];
  int nidle;
  struct RtShared *next;
} RtShared;

/* The list of all RtShared, under a lock that is taken before their own
** locks. */
void shared_lock_list (void);
void shared_unlock_list (void);
RtShared *shared_find (const RtDevice *dev);
void shared_link (RtShared *sh);
void shared_unlink (RtShared *sh);

/* Locks what others share of 'dev', which may not be open here, and returns it;
** NULL if no Runtime uses the device. */
RtShared *shared_lock (const RtDevice *dev);

/* Tells whether no other Runtime uses 'dev', which is open. */
static inline bool shared_is_only_user (const RtDevice *dev) {
  pthread_mutex_lock(&dev->shared->lock);
  bool only = (dev->shared->users == dev && dev->peer == NULL);
  pthread_mutex_unlock(&dev->shared->lock);
  return only;
}

/* Tells whether built-in kernels may start while what comes before them ends.
** See image.c. */
static inline bool shared_starts_early (const RtDevice *dev) {
  return __atomic_load_n(&dev->shared->early, __ATOMIC_RELAXED) > 0;
}

/* Tells whether the device was reset since this Runtime opened it.
** shared_resets counts the resets of all devices. */
static inline bool shared_is_dead (const RtDevice *dev) {
  return dev->shared != NULL &&
         __atomic_load_n(&dev->shared->dead, __ATOMIC_ACQUIRE);
}
extern unsigned shared_resets; /* atomic */
static inline unsigned shared_count_resets (void) {
  return __atomic_load_n(&shared_resets, __ATOMIC_ACQUIRE);
}

#endif

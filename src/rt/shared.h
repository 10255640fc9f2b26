/* shared.h - what all Runtimes of the process share of a device: the loaded
** image, idle stream handles, and how many streams stand at gates. See shared.c
** and standing.c. */
#ifndef TIDE_SHARED_H
#define TIDE_SHARED_H

#include <pthread.h>

#include "rt.h"

typedef struct IdleHandle {
  CUstream handle;
  unsigned flags;
  int priority;
} IdleHandle;

enum { HANDLES_KEPT = 128 };

typedef struct RtShared {
  const Driver *D;
  int ordinal;
  uint64_t id;           /* no other one's, before or after */
  CUmodule module;       /* the built-in kernels */
  CUfunction *fns;       /* by KernelId, NULL until looked up */
  pthread_mutex_t lock;  /* for all below */
  bool dead;             /* atomic: the device was reset */
  bool ready;            /* for gates: see rt_prepare */
  RtDevice *users;       /* the Runtimes' devices, linked by 'peer' */
  int standing;          /* streams behind gates */
  int held;              /* streams that a test holds */
  struct RtModules *modules;  /* of users' kernels: see modules.c */
  void *blas;            /* cuBLAS's handle, NULL until first used: gemm.c */
  bool noblas;           /* it could not be made */
  void *waiting;         /* page-locked memory to be freed: a list in itself */
  RtGraph *execs;        /* executable graphs to be destroyed */
  IdleHandle idle[HANDLES_KEPT];
  int nidle;
  struct RtShared *next;
} RtShared;

/* Sets dev->shared; the context is current. Loads the image if need be. */
Status rt_joinshared (RtDevice *dev);

/* Locks what others share of 'dev', which may not be open here, and returns it;
** NULL if nobody uses the device. */
RtShared *rt_lockshared (const RtDevice *dev);

/* The last one to leave frees everything. */
void rt_leaveshared (RtDevice *dev);

/*
** Resets the device, whose context is current, for all its users. RT_BLOCKED:
** not while it works and streams of any user stand at gates.
*/
Status rt_resetshared (RtDevice *dev, const char *what);

/* Was the device reset since this Runtime opened it? How often any was. */
static inline bool rt_isdead (const RtDevice *dev) {
  return dev->shared != NULL &&
         __atomic_load_n(&dev->shared->dead, __ATOMIC_ACQUIRE);
}
extern unsigned rt_resets;  /* atomic */
static inline unsigned rt_countresets (void) {
  return __atomic_load_n(&rt_resets, __ATOMIC_ACQUIRE);
}

/* The lock is held: makes all that cannot be had once streams stand at gates;
** frees what waits in 'sh', whoever stands; forgets who stands for 'dev'. */
Status rt_prepare (RtDevice *dev);
void rt_freeall (RtShared *sh);
void rt_leavestanding (RtDevice *dev);

/* A driver stream without work. RT_BLOCKED: none can be made now. */
Status rt_lendhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle);
void rt_returnhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream handle);

/* How many are waiting for use; is it one of them? */
int rt_idlehandles (const RtDevice *dev);
bool rt_isidle (const RtDevice *dev, CUstream handle);

#endif

/* shared.h - what all Runtimes of the process share of a device: the loaded
** image, idle stream handles, and how many gates are shut. See shared.c and, for
** gates, shut.c. */
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
  bool ready;            /* for gates: see prepare */
  RtDevice *users;       /* the Runtimes' devices, linked by 'peer' */
  int shut;              /* gates that are not open yet */
  int placed;            /* streams behind gates */
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

/* The last one to leave frees everything. */
void rt_leaveshared (RtDevice *dev);

/*
** Resets the device, whose context is current, for all its users. While it
** works, no gate of any user may be shut: waits for that.
*/
Status rt_resetshared (RtDevice *dev, const char *what);

/* Was the device reset since this Runtime opened it? How often any was. */
bool rt_isdead (const RtDevice *dev);
unsigned rt_countresets (void);

/* The lock is held: all that cannot be had once a gate is shut; counts gates
** and held streams; frees what waits in 'sh', whatever is shut. */
Status rt_prepare (RtDevice *dev);
void rt_countshut (RtShared *sh, int gates, int held);
void rt_freeall (RtShared *sh);

/* Before 'n' gates are queued on streams of the device, and when they open
** (or were not queued after all). */
Status rt_shutgates (RtDevice *dev, int n);
void rt_openedgates (RtDevice *dev, int n);

/* Are gates shut? GATES_STUCK: by other Lua states of this thread only. */
typedef enum Gates { GATES_OPEN, GATES_SHUT, GATES_STUCK } Gates;
Gates rt_gates (const RtDevice *dev);

/* Around a driver call that may wait for the device: waits until no gate is
** shut, and keeps it so. Nothing is locked if it fails. */
Status rt_lockgates (RtDevice *dev, const char *what);
void rt_unlockgates (RtDevice *dev);

/* The same at once or not at all, also if a test holds a stream. */
bool rt_trylockgates (RtDevice *dev);

/* Tests hold a stream: +1, and let it go: -1. */
Status rt_holdstream (RtDevice *dev, int n);

/* Frees page-locked memory, or a graph whose launches have passed and that
** nobody has any more, once no gate is shut; what now can go, modules too. */
void rt_freehost (RtDevice *dev, void *p);
void rt_freeexec (RtGraph *g);
void rt_freewaiting (RtDevice *dev);

/* A driver stream without work. */
Status rt_lendhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle);
void rt_returnhandle (RtDevice *dev, unsigned flags, int priority,
                      CUstream handle);

/* How many are waiting for use. */
int rt_idlehandles (const RtDevice *dev);

#endif

/*
** shut.c - the gates that all Runtimes of a device have shut, and what has to
** wait until none is: calls of the driver that wait for the device.
*/
#include "shared.h"

#include <stdlib.h>

#include "modules.h"
#include "runtime.h"
#include "streams.h"
#include "wait.h"

/*
** Page-locked memory is of use to every device, and to free it may wait for
** all of them: so for that the gates and held streams of all count, under a
** lock of their own, which is taken last.
*/
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static int all_shut;

void rt_countshut (RtShared *sh, int gates, int held) {
  sh->shut += gates;
  sh->held += held;
  pthread_mutex_lock(&all_lock);
  all_shut += gates + held;
  pthread_mutex_unlock(&all_lock);
}

void rt_freeall (RtShared *sh) {
  while (sh->waiting != NULL) {
    void *p = sh->waiting;
    sh->waiting = *(void **)p;
    sh->D->cuMemFreeHost(p);
  }
  for (RtGraph *g; (g = sh->execs) != NULL;) {
    sh->execs = g->next;
    sh->D->cuGraphExecDestroy(g->exec);
    free(g);
  }
  rt_trimmodules(sh);
}

/* The lock is held. */
static void try_waiting (RtShared *sh) {
  pthread_mutex_lock(&all_lock);
  if (all_shut == 0)
    rt_freeall(sh);
  pthread_mutex_unlock(&all_lock);
}

Status rt_shutgates (RtDevice *dev, int n) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  Status st = sh->dead ? rt_fail(dev->rt, RT_RESET, NULL) : 0;
  if (st == 0 && !sh->ready)
    st = rt_prepare(dev);
  if (st == 0) {
    rt_countshut(sh, n, 0);
    dev->nshut += n;
    dev->shutter = rt_thread();
  }
  pthread_mutex_unlock(&sh->lock);
  return st;
}

void rt_openedgates (RtDevice *dev, int n) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  rt_countshut(sh, -n, 0);
  dev->nshut -= n;
  pthread_mutex_unlock(&sh->lock);
}

Gates rt_gates (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  Gates gates = GATES_OPEN;
  pthread_mutex_lock(&sh->lock);
  for (const RtDevice *d = sh->users; d != NULL; d = d->peer) {
    if (d->nshut > 0 && (d == dev || d->shutter != rt_thread()))
      gates = GATES_SHUT;
    else if (d->nshut > 0 && gates == GATES_OPEN)
      gates = GATES_STUCK;
  }
  pthread_mutex_unlock(&sh->lock);
  return gates;
}

Status rt_lockgates (RtDevice *dev, const char *what) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  while (sh->shut > 0) {
    pthread_mutex_unlock(&sh->lock);
    Status st = rt_waitgates(dev, what);
    if (st == 0)
      st = rt_enter(dev);
    if (st != 0)
      return st;
    pthread_mutex_lock(&sh->lock);
  }
  if (!sh->dead)
    return 0;
  pthread_mutex_unlock(&sh->lock);
  return rt_fail(dev->rt, RT_RESET, NULL);
}

bool rt_trylockgates (RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (sh->shut == 0 && sh->held == 0 && !sh->dead)
    return true;
  pthread_mutex_unlock(&sh->lock);
  return false;
}

void rt_unlockgates (RtDevice *dev) {
  pthread_mutex_unlock(&dev->shared->lock);
}

Status rt_holdstream (RtDevice *dev, int n) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  Status st = (n > 0 && !sh->ready && !sh->dead) ? rt_prepare(dev) : 0;
  if (st == 0)
    rt_countshut(sh, 0, n);
  pthread_mutex_unlock(&sh->lock);
  return st;
}

void rt_freehost (RtDevice *dev, void *p) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (sh->dead) {  /* so is the memory */
    pthread_mutex_unlock(&sh->lock);
    return;
  }
  *(void **)p = sh->waiting;
  sh->waiting = p;
  try_waiting(sh);
  pthread_mutex_unlock(&sh->lock);
}

void rt_freeexec (RtGraph *g) {
  RtShared *sh = g->dev->shared;
  pthread_mutex_lock(&sh->lock);
  g->next = sh->execs;
  sh->execs = g;
  try_waiting(sh);
  pthread_mutex_unlock(&sh->lock);
}

void rt_freewaiting (RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if ((sh->waiting != NULL || sh->execs != NULL || rt_hasmanymodules(sh)) &&
      rt_visit(dev) == 0)
    try_waiting(sh);
  pthread_mutex_unlock(&sh->lock);
}

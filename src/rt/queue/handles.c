/*
** handles.c - driver streams without work, which all Runtimes of the process
** share. Creating or destroying one may wait for the device (device_lock.c). So
** they are reused, and some are kept ready.
*/
#include "handles.h"

#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/wait/device_lock.h"

static bool take_idle (RtShared *sh, unsigned flags, int priority,
                       CUstream *handle) {
  for (int i = sh->nidle - 1; i >= 0; i--) {
    if (sh->idle[i].flags == flags && sh->idle[i].priority == priority) {
      *handle = sh->idle[i].handle;
      sh->idle[i] = sh->idle[--sh->nidle];
      sh->ready = false;
      return true;
    }
  }
  return false;
}

static void put_idle (RtShared *sh, int most, unsigned flags, int priority,
                      CUstream handle) {
  if (sh->nidle >= most) {
    sh->D->cuStreamDestroy(handle);
    return;
  }
  IdleHandle *idle = &sh->idle[sh->nidle++];
  idle->handle = handle;
  idle->flags = flags;
  idle->priority = priority;
}

static Status create (RtDevice *dev, unsigned flags, int priority,
                      CUstream *handle) {
  Status st = dev->D->cuStreamCreateWithPriority(handle, flags, priority);
  return st ? status_fail(dev->rt, st, "cuStreamCreateWithPriority") : 0;
}

Status handle_take (RtDevice *dev, unsigned flags, int priority,
                    CUstream *handle) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  bool found = !sh->dead && take_idle(sh, flags, priority, handle);
  pthread_mutex_unlock(&sh->lock);
  if (found)
    return 0;
  Status st = device_lock_take(dev, "cuStreamCreateWithPriority");
  if (st != 0)
    return st;
  st = create(dev, flags, priority, handle);
  device_lock_release(dev);
  return st;
}

void handle_return (RtDevice *dev, unsigned flags, int priority,
                    CUstream handle) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (!sh->dead)
    put_idle(sh, HANDLES_KEPT, flags, priority, handle);
  pthread_mutex_unlock(&sh->lock);
}

int handle_count_idle (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  int n = sh->nidle;
  pthread_mutex_unlock(&sh->lock);
  return n;
}

bool handle_is_idle (const RtDevice *dev, CUstream handle) {
  RtShared *sh = dev->shared;
  bool found = false;
  pthread_mutex_lock(&sh->lock);
  for (int i = 0; i < sh->nidle && !found; i++)
    found = (sh->idle[i].handle == handle);
  pthread_mutex_unlock(&sh->lock);
  return found;
}

static int count_idle (const RtShared *sh, unsigned flags, int priority) {
  int n = 0;
  for (int i = 0; i < sh->nidle; i++)
    n += (sh->idle[i].flags == flags && sh->idle[i].priority == priority);
  return n;
}

Status handle_stock (RtDevice *dev, unsigned flags, int priority, int n) {
  CUstream handle;
  Status st = 0;
  n -= count_idle(dev->shared, flags, priority);
  while (st == 0 && n-- > 0) {
    st = create(dev, flags, priority, &handle);
    if (st == 0)
      put_idle(dev->shared, HANDLES_KEPT + HANDLES_STOCK, flags, priority,
               handle);
  }
  return st;
}

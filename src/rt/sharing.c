/*
** sharing.c - the part of a device that all Runtimes of the process share.
**
** DESIGN. The Runtimes that use a device find each other in one struct. It has
** the loaded kernels, idle stream handles and, under a lock of the device, the
** number of held streams (device_lock.c). While ranks wait for others, no
** stream can be made and no kernel loaded. So before the first one waits, all
** kernels are loaded and some streams are made.
*/
#include "sharing.h"

#include <stdlib.h>

#include "extensions.h"
#include "rt/code/cublas.h"
#include "rt/code/cufft.h"
#include "rt/code/cusolver.h"
#include "rt/code/library.h"
#include "rt/code/modules.h"
#include "rt/driver/image.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/graph/graph_types.h"
#include "rt/queue/handles.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/wait.h"
#include "rt/wait/watcher.h"

enum {
  SPARE_NONBLOCKING = 32,
  SPARE_BLOCKING = 16, /* of priority 0 */
  SPARE_OTHER = 1      /* of each other priority */
};

/* {== joining and leaving ============================================= */

static void free_shared (RtShared *sh) {
  module_forget_all(sh);
  cufft_forget(sh);
  while (sh->execs.n > 0) {
    RtGraph *g = (RtGraph *)links_take(&sh->execs);
    free(g);
  }
  pthread_mutex_destroy(&sh->lock);
  free(sh->fns);
  free(sh);
}

/* Makes everything that cannot be made once the device waits. The lock is
** held. */
static Status prepare (RtDevice *dev) {
  Status st = image_load_all(dev);
  for (int p = dev->least; p >= dev->greatest && st == 0; p--) {
    st = handle_stock(dev, CU_STREAM_NON_BLOCKING, p,
                      p == 0 ? SPARE_NONBLOCKING : SPARE_OTHER);
    if (st == 0)
      st = handle_stock(dev, CU_STREAM_DEFAULT, p,
                        p == 0 ? SPARE_BLOCKING : SPARE_OTHER);
  }
  dev->shared->ready = (st == 0);
  return st;
}

static Status open_shared (RtDevice *dev, RtShared **out) {
  RtShared *sh = calloc(1, sizeof *sh);
  if (sh == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  static uint64_t made;
  sh->D = dev->D;
  sh->prepare = prepare;
  sh->id = ++made;
  sh->ordinal = dev->ordinal;
  pthread_mutex_init(&sh->lock, NULL);
  Status st = image_load(dev, sh);
  if (st != 0) {
    free_shared(sh);
    return st;
  }
  shared_link(sh);
  *out = sh;
  return 0;
}

Status sharing_join (RtDevice *dev) {
  shared_lock_list();
  RtShared *sh = shared_find(dev);
  Status st = (sh == NULL) ? open_shared(dev, &sh) : 0;
  if (st == 0) {
    pthread_mutex_lock(&sh->lock);
    dev->shared = sh;
    dev->peer = sh->users;
    sh->users = dev;
    pthread_mutex_unlock(&sh->lock);
  }
  shared_unlock_list();
  return st;
}

static void remove_user (RtShared *sh, RtDevice *dev) {
  pthread_mutex_lock(&sh->lock);
  RtDevice **at = &sh->users;
  while (*at != dev)
    at = &(*at)->peer;
  *at = dev->peer;
  pthread_mutex_unlock(&sh->lock);
}

void sharing_leave (RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh == NULL)
    return;
  shared_lock_list();
  remove_user(sh, dev);
  dev->shared = NULL;
  if (sh->users == NULL && !sh->dead) {
    shared_unlink(sh);
    device_lock_free_all(sh);
    while (sh->nidle > 0)
      sh->D->cuStreamDestroy(sh->idle[--sh->nidle].handle);
    module_unload_all(sh);
    cublas_free(sh);
    cufft_free(sh);
    cusolver_free(sh);
    library_free(sh);
    image_unload(sh);
  }
  if (sh->users == NULL)
    free_shared(sh);
  shared_unlock_list();
}

/*
** Both locks are held; they are taken in this order. A driver may repeat a
** fault on every call; then only giving back all holds helps.
*/
static Status reset (RtShared *sh, RtDevice *dev) {
  extension_reset(dev); /* before page-locked memory goes */
  Status st = sh->D->cuDevicePrimaryCtxReset(dev->dev);
  if (st != CUDA_SUCCESS && st != dev->fault.code)
    return status_explain(dev->rt, st, "cuDevicePrimaryCtxReset",
                          "nothing has changed");
  for (const RtDevice *d = sh->users; d != NULL; d = d->peer)
    sh->D->cuDevicePrimaryCtxRelease(dev->dev);
  shared_unlink(sh);
  __atomic_store_n(&sh->dead, true, __ATOMIC_RELEASE);
  __atomic_add_fetch(&shared_resets, 1, __ATOMIC_RELEASE);
  return 0;
}

Status sharing_reset (RtDevice *dev) {
  RtShared *sh = dev->shared;
  shared_lock_list();
  pthread_mutex_lock(&sh->lock);
  watcher_pause();
  Status st = sh->dead ? RT_RESET : reset(sh, dev);
  watcher_resume();
  pthread_mutex_unlock(&sh->lock);
  shared_unlock_list();
  return st;
}

/* ==} */

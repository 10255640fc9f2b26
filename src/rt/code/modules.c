/*
** modules.c - modules of users' kernels: one for each code and device, shared
** by all Runtimes of the process.
**
** DESIGN. A loaded module is in a table of its device, by a hash of its inputs.
** Runtimes refer to it by their codes (codes.c), which stay until no work under
** way runs it. A module without references is idle. It stays loaded, so that a
** program that makes the same kernel again and again finds it. The MODULES_KEPT
** latest idle modules are kept, so that a program that makes ever new kernels
** does not grow.
**
** Loading, looking a function up, which loads it, and unloading wait for the
** device. All three are done under the lock and only while no rank waits for
** others (device_lock.c). No call waits for that in order to unload: modules
** beyond MODULES_KEPT go together with other objects whose release had to wait
** for it. Executable graphs go first, because they may have nodes of a module.
** Only a few modules go at a time, because each may wait for kernels.
*/
#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "rt/driver/context.h"
#include "rt/driver/shared.h"
#include "rt/driver/status.h"
#include "rt/wait/device_lock.h"

/* Overridable. */
#if !defined(MODULES_KEPT)
#define MODULES_KEPT 64
#endif

enum { MODULES_BATCH = 16, BINS_FEW = 64 };

typedef struct RtModules {
  RtModule **bins; /* 'mask' + 1 of them */
  size_t mask, n;
  List idle; /* modules without references */
} RtModules;

/* {== the table: the lock is held ===================================== */

/* Keys are hashes, so their first bytes choose the bin. */
static RtModule **bin_of (const RtModules *all, const unsigned char *key) {
  size_t hash;
  memcpy(&hash, key, sizeof hash);
  return &all->bins[hash & all->mask];
}

static RtModules *open_table (RtShared *sh) {
  RtModules *all = calloc(1, sizeof *all);
  RtModule **bins = calloc(BINS_FEW, sizeof *bins);
  if (all == NULL || bins == NULL) {
    free(all);
    free(bins);
    return NULL;
  }
  all->bins = bins;
  all->mask = BINS_FEW - 1;
  sh->modules = all;
  return all;
}

/* If there is no memory the bins get longer. */
static void grow (RtModules *all) {
  size_t old = all->mask + 1;
  RtModule **from = all->bins, **bins = calloc(2 * old, sizeof *bins);
  if (bins == NULL)
    return;
  all->bins = bins;
  all->mask = 2 * old - 1;
  for (size_t i = 0; i < old; i++) {
    for (RtModule *m; (m = from[i]) != NULL;) {
      RtModule **bin = bin_of(all, m->key);
      from[i] = m->next;
      m->next = *bin;
      *bin = m;
    }
  }
  free(from);
}

static void put (RtModules *all, RtModule *m) {
  if (all->n > all->mask)
    grow(all);
  RtModule **bin = bin_of(all, m->key);
  m->next = *bin;
  *bin = m;
  all->n++;
}

static void take_out (RtModules *all, RtModule *m) {
  RtModule **at = bin_of(all, m->key);
  while (*at != m)
    at = &(*at)->next;
  *at = m->next;
  all->n--;
}

/* Returns the module with a new reference, or NULL. */
static RtModule *find (const RtShared *sh, const unsigned char *key) {
  RtModules *all = sh->modules;
  RtModule *m = (all != NULL) ? *bin_of(all, key) : NULL;
  while (m != NULL && memcmp(m->key, key, SHA256_BYTES) != 0)
    m = m->next;
  if (m != NULL && m->refs++ == 0)
    links_remove(&all->idle, &m->link);
  return m;
}

/* ==} */

/* {== a module ======================================================== */

static void free_module (RtModule *m) {
  for (RtFunction *f; (f = m->functions) != NULL; free(f))
    m->functions = f->next;
  free(m->symbols);
  free(m);
}

/* Looks for the section of that name in a cubin, for a declaration in PTX. */
static bool has_globals (const RtImage *image) {
  bool elf = (image->size > 4 && memcmp(image->bytes, "\177ELF", 4) == 0);
  const char *sign = elf ? ".nv.global" : ".global ";
  return memmem(image->bytes, image->size, sign, strlen(sign)) != NULL;
}

static RtModule *new_module (const unsigned char *key, const RtImage *image) {
  RtModule *m = calloc(1, sizeof *m);
  if (m == NULL)
    return NULL;
  memcpy(m->key, key, SHA256_BYTES);
  m->refs = 1;
  m->has_globals = has_globals(image);
  if (image->nsymbols == 0)
    return m;
  m->symbols = malloc(image->nsymbols);
  if (m->symbols == NULL) {
    free(m);
    return NULL;
  }
  memcpy(m->symbols, image->symbols, image->nsymbols);
  return m;
}

RtModule *module_find (RtDevice *dev, const unsigned char key[SHA256_BYTES]) {
  pthread_mutex_lock(&dev->shared->lock);
  RtModule *m = find(dev->shared, key);
  pthread_mutex_unlock(&dev->shared->lock);
  return m;
}

/* The lock is held. */
static Status load (RtDevice *dev, const unsigned char *key,
                    const RtImage *image, RtModule **out) {
  RtShared *sh = dev->shared;
  *out = find(sh, key);
  if (*out != NULL)
    return 0;
  RtModules *all = (sh->modules != NULL) ? sh->modules : open_table(sh);
  RtModule *m = (all != NULL) ? new_module(key, image) : NULL;
  if (m == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  Status st = dev->D->cuModuleLoadData(&m->module, image->bytes);
  if (st != CUDA_SUCCESS) {
    free_module(m);
    return status_fail(dev->rt, st, "cuModuleLoadData");
  }
  put(all, m);
  *out = m;
  return 0;
}

Status module_load (RtDevice *dev, const unsigned char key[SHA256_BYTES],
                    const RtImage *image, RtModule **m) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  *m = module_find(dev, key);
  if (*m != NULL)
    return 0;
  st = device_lock_take(dev, "cuModuleLoadData");
  if (st != 0)
    return st;
  st = load(dev, key, image, m);
  device_lock_release(dev);
  return st;
}

static CUfunction find_function (RtDevice *dev, const RtModule *m,
                                 const char *name) {
  pthread_mutex_lock(&dev->shared->lock);
  const RtFunction *f = m->functions;
  while (f != NULL && strcmp(f->name, name) != 0)
    f = f->next;
  pthread_mutex_unlock(&dev->shared->lock);
  return (f != NULL) ? f->fn : NULL;
}

/* The lock is held. If there is no memory the function is looked up again
** later. */
static void keep_function (RtModule *m, const char *name, CUfunction fn) {
  size_t size = strlen(name) + 1;
  RtFunction *f = malloc(sizeof *f + size);
  if (f == NULL)
    return;
  memcpy(f->name, name, size);
  f->fn = fn;
  f->shared = 0;
  f->next = m->functions;
  m->functions = f;
}

Status module_function (RtDevice *dev, RtModule *m, const char *name,
                        CUfunction *fn) {
  *fn = find_function(dev, m, name);
  if (*fn != NULL)
    return 0;
  Status st = device_lock_take(dev, "cuModuleGetFunction");
  if (st != 0)
    return st;
  st = dev->D->cuModuleGetFunction(fn, m->module, name);
  if (st == CUDA_SUCCESS)
    keep_function(m, name, *fn);
  device_lock_release(dev);
  if (st == CUDA_ERROR_NOT_FOUND)
    return status_explain(dev->rt, RT_MISUSE, NULL,
                          "there is no function '%s' in the compiled code",
                          name);
  return st ? status_fail(dev->rt, st, "cuModuleGetFunction") : 0;
}

Status module_variable (RtDevice *dev, RtModule *m, const char *name,
                        CUdeviceptr *p, size_t *bytes) {
  Status st = device_lock_take(dev, "cuModuleGetGlobal");
  if (st != 0)
    return st;
  st = dev->D->cuModuleGetGlobal(p, bytes, m->module, name);
  device_lock_release(dev);
  if (st == CUDA_ERROR_NOT_FOUND)
    return status_explain(dev->rt, RT_MISUSE, NULL,
                          "there is no variable '%s' in the compiled code",
                          name);
  return st ? status_fail(dev->rt, st, "cuModuleGetGlobal") : 0;
}

/* The lock is held. */
static Status allow (RtDevice *dev, RtFunction *f, CUfunction fn,
                     unsigned bytes) {
  if (f != NULL && f->shared >= bytes)
    return 0;
  Status st =
    dev->D->cuFuncSetAttribute(fn,
                               CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               (int)bytes);
  if (st == CUDA_SUCCESS && f != NULL)
    f->shared = bytes;
  return st ? status_fail(dev->rt, st, "cuFuncSetAttribute") : 0;
}

/* The driver keeps the limit of shared memory with the function, which other
** kernels and Runtimes use too. So the limit never shrinks. */
Status module_allow_shared (RtDevice *dev, RtModule *m, CUfunction fn,
                            unsigned bytes) {
  pthread_mutex_lock(&dev->shared->lock);
  RtFunction *f = m->functions;
  while (f != NULL && f->fn != fn)
    f = f->next;
  Status st = allow(dev, f, fn, bytes);
  pthread_mutex_unlock(&dev->shared->lock);
  return st;
}

void module_drop (RtDevice *dev, RtModule *m) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (--m->refs == 0)
    links_add(&sh->modules->idle, &m->link);
  pthread_mutex_unlock(&sh->lock);
}

/* ==} */

/* {== unloading ======================================================= */

static bool has_many (const RtShared *sh) {
  return sh->modules != NULL &&
         sh->modules->idle.n >= MODULES_KEPT + MODULES_BATCH;
}

static void trim (RtShared *sh) {
  RtModules *all = sh->modules;
  while (all->idle.n > MODULES_KEPT) {
    RtModule *m = (RtModule *)links_take(&all->idle);
    take_out(all, m);
    sh->D->cuModuleUnload(m->module);
    free_module(m);
  }
}

void module_trim (RtDevice *dev) {
  RtShared *sh = dev->shared;
  pthread_mutex_lock(&sh->lock);
  if (has_many(sh) && context_reenter(dev) == 0)
    device_lock_if_unheld(sh, trim);
  pthread_mutex_unlock(&sh->lock);
}

/* Frees all modules; 'unload': with a driver call for each. */
static void free_all (RtShared *sh, bool unload) {
  RtModules *all = sh->modules;
  if (all == NULL)
    return;
  for (size_t i = 0; i <= all->mask; i++) {
    for (RtModule *m; (m = all->bins[i]) != NULL; free_module(m)) {
      all->bins[i] = m->next;
      if (unload)
        sh->D->cuModuleUnload(m->module);
    }
  }
  free(all->bins);
  free(all);
  sh->modules = NULL;
}

void module_forget_all (RtShared *sh) { free_all(sh, false); }

void module_unload_all (RtShared *sh) { free_all(sh, true); }

/* ==} */

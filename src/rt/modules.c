/*
** modules.c - modules of users' kernels: one for each code and device, shared
** by all Runtimes of the process.
**
** A module stays until the last of them leaves the device, as kernels of it may
** be under way or in graphs of any; what a program compiles is bounded by its
** own text. Loading, and looking a function up, which loads it, waits for the
** device: both are done only while no gate is shut (see shared.c).
*/
#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "runtime.h"
#include "shared.h"

/* The lock is held. */
static RtModule *find (const RtShared *sh, const unsigned char *key) {
  RtModule *m = sh->modules;
  while (m != NULL && memcmp(m->key, key, CACHE_KEY) != 0)
    m = m->next;
  return m;
}

static RtModule *look_up (RtDevice *dev, const unsigned char *key) {
  pthread_mutex_lock(&dev->shared->lock);
  RtModule *m = find(dev->shared, key);
  pthread_mutex_unlock(&dev->shared->lock);
  return m;
}

static void free_module (RtModule *m) {
  free(m->symbols);
  free(m);
}

static RtModule *new_module (const unsigned char *key, const RtImage *image) {
  RtModule *m = calloc(1, sizeof *m);
  if (m == NULL)
    return NULL;
  memcpy(m->key, key, CACHE_KEY);
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

/* The lock is held and no gate is shut. */
static Status load (RtDevice *dev, const unsigned char *key,
                    const RtImage *image, RtModule **out) {
  RtShared *sh = dev->shared;
  *out = find(sh, key);
  if (*out != NULL)
    return 0;
  RtModule *m = new_module(key, image);
  if (m == NULL)
    return rt_fail(dev->rt, RT_NOMEM, NULL);
  Status st = dev->D->cuModuleLoadData(&m->module, image->bytes);
  if (st != CUDA_SUCCESS) {
    free_module(m);
    return rt_fail(dev->rt, st, "cuModuleLoadData");
  }
  m->next = sh->modules;
  sh->modules = m;
  *out = m;
  return 0;
}

Status rt_loadmodule (RtDevice *dev, const unsigned char key[CACHE_KEY],
                      const RtImage *image, RtModule **m) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  *m = look_up(dev, key);
  if (*m != NULL)
    return 0;
  st = rt_lockgates(dev, "cuModuleLoadData");
  if (st != 0)
    return st;
  st = load(dev, key, image, m);
  rt_unlockgates(dev);
  return st;
}

static Status ask_arch (RtDevice *dev, int *arch) {
  int major = 0, minor = 0;
  Status st = dev->D->cuDeviceGetAttribute(&major,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, dev->dev);
  if (st == CUDA_SUCCESS)
    st = dev->D->cuDeviceGetAttribute(&minor,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, dev->dev);
  *arch = 10 * major + minor;
  return st ? rt_fail(dev->rt, st, "cuDeviceGetAttribute") : 0;
}

Status rt_getmodule (RtDevice *dev, RtSource *source, RtImage *image,
                     RtModule **m) {
  unsigned char key[CACHE_KEY];
  Status st = rt_enter(dev);
  if (st == 0)
    st = ask_arch(dev, &source->arch);
  if (st == 0)
    st = rt_identify(dev->rt, source, key);
  if (st != 0)
    return st;
  *m = look_up(dev, key);
  if (*m != NULL)
    return 0;
  st = rt_compile(dev->rt, source, image);
  return (st != 0) ? st : rt_loadmodule(dev, key, image, m);
}

Status rt_modulefunction (RtDevice *dev, const RtModule *m, const char *name,
                          CUfunction *fn) {
  Status st = rt_enter(dev);
  if (st == 0)
    st = rt_lockgates(dev, "cuModuleGetFunction");
  if (st != 0)
    return st;
  st = dev->D->cuModuleGetFunction(fn, m->module, name);
  rt_unlockgates(dev);
  if (st == CUDA_ERROR_NOT_FOUND)
    return rt_explain(dev->rt, RT_MISUSE, NULL, "there is no function '%s' in "
                      "the compiled code", name);
  return st ? rt_fail(dev->rt, st, "cuModuleGetFunction") : 0;
}

Status rt_askfunction (RtDevice *dev, CUfunction fn, int attribute,
                       int *value) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuFuncGetAttribute(value, attribute, fn);
  return st ? rt_fail(dev->rt, st, "cuFuncGetAttribute") : 0;
}

Status rt_allowshared (RtDevice *dev, CUfunction fn, unsigned bytes) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuFuncSetAttribute(fn,
      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes);
  return st ? rt_fail(dev->rt, st, "cuFuncSetAttribute") : 0;
}

Status rt_parametersize (RtDevice *dev, CUfunction fn, int i, long *bytes) {
  size_t offset = 0, size = 0;
  *bytes = -1;
  if (dev->D->cuFuncGetParamInfo == NULL)
    return 0;
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuFuncGetParamInfo(fn, (size_t)i, &offset, &size);
  if (st == CUDA_SUCCESS || st == CUDA_ERROR_INVALID_VALUE) {
    *bytes = (st == CUDA_SUCCESS) ? (long)size : 0;
    return 0;
  }
  return rt_fail(dev->rt, st, "cuFuncGetParamInfo");
}

void rt_forgetmodules (RtShared *sh) {
  for (RtModule *m = sh->modules, *next; m != NULL; m = next) {
    next = m->next;
    free_module(m);
  }
  sh->modules = NULL;
}

void rt_unloadmodules (RtShared *sh) {
  for (const RtModule *m = sh->modules; m != NULL; m = m->next)
    sh->D->cuModuleUnload(m->module);
  rt_forgetmodules(sh);
}

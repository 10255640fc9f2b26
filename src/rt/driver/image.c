/*
** image.c - loads the embedded kernels of a device and finds functions. The
** kernels of an operation are a unit with an image of its own. A program uses
** few kernels, so a unit is loaded when one of its kernels is first used, and a
** kernel is looked up then; the driver copies its code to the device.
*/
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "rt/kernels/kernels.h"
#include "shared.h"
#include "status.h"

/* Loads the unit, if it is not loaded. The lock of 'sh' is held. */
static Status load (RtDevice *dev, RtShared *sh, int unit) {
  CUmodule module;
  if (sh->units[unit] != NULL)
    return 0;
  Status st = dev->D->cuModuleLoadData(&module, dev->D->image(unit));
  if (st == 0)
    sh->units[unit] = module;
  if (st == CUDA_ERROR_NO_BINARY_FOR_GPU ||
      st == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return status_explain(dev->rt, st, "cuModuleLoadData",
                          "tide was built without kernels for this GPU, or for "
                          "a newer driver: 'make KERNELS=all' builds them for "
                          "all GPUs since Ampere");
  return st ? status_fail(dev->rt, st, "cuModuleLoadData") : 0;
}

/* Loads a unit that nearly all programs need, to see whether this device can
** have the kernels. */
Status image_open (RtDevice *dev, RtShared *sh) {
  KernelId id = kernel_fill(DTYPE_UINT8);
  sh->early = -1;
  sh->fns = calloc((size_t)kernel_count, sizeof *sh->fns);
  sh->units = calloc((size_t)kernel_unit_count, sizeof *sh->units);
  if (sh->fns == NULL || sh->units == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  return load(dev, sh, kernel_infos[id].unit);
}

void image_unload_all (RtShared *sh) {
  for (int i = 0; i < kernel_unit_count; i++)
    if (sh->units[i] != NULL)
      sh->D->cuModuleUnload(sh->units[i]);
}

void image_free (RtShared *sh) {
  free(sh->fns);
  free(sh->units);
}

/*
** Tells whether kernels support programmatic dependent launch. It needs compute
** capability 9.0, for which the kernel must have been compiled, too. Captures
** support it since CUDA 12.3. The driver gives both versions as 10 * major +
** minor.
*/
static bool can_start_early (const RtDevice *dev, CUfunction fn) {
  const Driver *D = dev->D;
  int version = 0, binary = 0, ptx = 0;
  return D->cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 12030 &&
         D->cuFuncGetAttribute(&binary, CU_FUNC_ATTRIBUTE_BINARY_VERSION, fn) ==
           CUDA_SUCCESS &&
         binary >= 90 &&
         D->cuFuncGetAttribute(&ptx, CU_FUNC_ATTRIBUTE_PTX_VERSION, fn) ==
           CUDA_SUCCESS &&
         ptx >= 90;
}

/* Looks the kernel up in its unit, which is loaded. Threads that look up the
** same one store the same handle. */
static Status find (RtDevice *dev, KernelId id, CUfunction *fn) {
  const KernelInfo *k = &kernel_infos[id];
  Status st = dev->D->cuModuleGetFunction(fn, dev->shared->units[k->unit],
                                          k->name);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuModuleGetFunction");
  if (__atomic_load_n(&dev->shared->early, __ATOMIC_RELAXED) < 0)
    __atomic_store_n(&dev->shared->early, can_start_early(dev, *fn),
                     __ATOMIC_RELAXED);
  __atomic_store_n(&dev->shared->fns[id], *fn, __ATOMIC_RELEASE);
  return 0;
}

static CUfunction found (const RtDevice *dev, KernelId id) {
  return __atomic_load_n(&dev->shared->fns[id], __ATOMIC_ACQUIRE);
}

Status image_function (RtDevice *dev, KernelId id, CUfunction *fn) {
  *fn = found(dev, id);
  if (*fn != NULL)
    return 0;
  RtShared *sh = dev->shared;
  Status st = context_enter(dev);
  if (st == 0) {
    pthread_mutex_lock(&sh->lock);
    st = load(dev, sh, kernel_infos[id].unit);
    pthread_mutex_unlock(&sh->lock);
  }
  return (st != 0) ? st : find(dev, id, fn);
}

Status image_load_all (RtDevice *dev) {
  CUfunction fn;
  Status st = context_enter(dev);
  for (int id = 0; id < kernel_count && st == 0; id++) {
    const KernelInfo *k = &kernel_infos[id];
    if (k->only != NULL && strcmp(k->only, dev->D->kind) != 0)
      continue;
    st = load(dev, dev->shared, k->unit);
    if (st == 0 && found(dev, (KernelId)id) == NULL)
      st = find(dev, (KernelId)id, &fn);
  }
  return st;
}

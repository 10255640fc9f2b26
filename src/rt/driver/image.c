/*
** image.c - loads the embedded kernels of a device and finds functions.
** Loading a module waits for all work of the device, so it is done once, when
** the device is opened. Looking a kernel up, which copies its code to the
** device, does not, unless it needs more local memory than those before (seen
** on an H200). Because a program uses few kernels, that is done on first use.
*/
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "rt/kernels/kernels.h"
#include "shared.h"
#include "status.h"

Status image_load (RtDevice *dev, RtShared *sh) {
  sh->early = -1;
  sh->fns = calloc((size_t)kernel_count, sizeof *sh->fns);
  if (sh->fns == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  Status st = dev->D->cuModuleLoadData(&sh->module, dev->D->image);
  if (st == CUDA_ERROR_NO_BINARY_FOR_GPU && dev->D->ptx != NULL)
    st = dev->D->cuModuleLoadData(&sh->module, dev->D->ptx);
  if (st == CUDA_ERROR_NO_BINARY_FOR_GPU ||
      st == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return status_explain(dev->rt, st, "cuModuleLoadData",
                          "tide was built without kernels for this GPU, or for "
                          "a newer driver: 'make KERNELS=all' builds them for "
                          "all GPUs since Ampere");
  return st ? status_fail(dev->rt, st, "cuModuleLoadData") : 0;
}

void image_unload (RtShared *sh) { sh->D->cuModuleUnload(sh->module); }

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

/* Threads that look up the same function store the same handle. */
static Status find (RtDevice *dev, KernelId id, CUfunction *fn) {
  Status st = dev->D->cuModuleGetFunction(fn, dev->shared->module,
                                          kernel_infos[id].name);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuModuleGetFunction");
  if (__atomic_load_n(&dev->shared->early, __ATOMIC_RELAXED) < 0)
    __atomic_store_n(&dev->shared->early, can_start_early(dev, *fn),
                     __ATOMIC_RELAXED);
  __atomic_store_n(&dev->shared->fns[id], *fn, __ATOMIC_RELEASE);
  return 0;
}

Status image_function (RtDevice *dev, KernelId id, CUfunction *fn) {
  *fn = __atomic_load_n(&dev->shared->fns[id], __ATOMIC_ACQUIRE);
  if (*fn != NULL)
    return 0;
  Status st = context_enter(dev);
  return (st != 0) ? st : find(dev, id, fn);
}

Status image_load_all (RtDevice *dev) {
  CUfunction fn;
  Status st = 0;
  for (int id = 0; id < kernel_count && st == 0; id++) {
    const char *only = kernel_infos[id].only;
    if (only == NULL || strcmp(only, dev->D->kind) == 0)
      st = image_function(dev, (KernelId)id, &fn);
  }
  return st;
}

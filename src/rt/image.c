/* image.c - loads the embedded kernels of a device and finds functions. */
#include "image.h"

#include <stdlib.h>

#include "runtime.h"

Status rt_loadimage (RtDevice *dev) {
  Runtime *rt = dev->rt;
  dev->fns = calloc((size_t)rt_kernel_count, sizeof *dev->fns);
  if (dev->fns == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  Status st = dev->D->cuModuleLoadData(&dev->module, dev->D->image);
  return st ? rt_fail(rt, st, "cuModuleLoadData") : 0;
}

static Status find (RtDevice *dev, KernelId id) {
  Status st = rt_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuModuleGetFunction(&dev->fns[id], dev->module,
                                   rt_kernels[id].name);
  return st ? rt_fail(dev->rt, st, "cuModuleGetFunction") : 0;
}

Status rt_function (RtDevice *dev, KernelId id, CUfunction *fn) {
  if (dev->fns[id] == NULL) {
    Status st = find(dev, id);
    if (st != 0)
      return st;
  }
  *fn = dev->fns[id];
  return 0;
}

void rt_freeimage (RtDevice *dev) {
  if (dev->module != NULL)
    dev->D->cuModuleUnload(dev->module);
  free(dev->fns);
  dev->fns = NULL;
  dev->module = NULL;
}

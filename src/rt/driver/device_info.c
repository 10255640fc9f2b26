/* device_info.c - name, memory and attributes of a device. */
#include "device_info.h"

#include "rt/driver/context.h"
#include "rt/driver/status.h"

Status device_info_name (RtDevice *dev, char name[DEVICE_NAME_MAX]) {
  CUdevice d;
  Status st = dev->D->cuDeviceGet(&d, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuDeviceGet");
  st = dev->D->cuDeviceGetName(name, DEVICE_NAME_MAX, d);
  return st ? status_fail(dev->rt, st, "cuDeviceGetName") : 0;
}

Status device_info_total (RtDevice *dev, size_t *bytes) {
  CUdevice d;
  Status st = dev->D->cuDeviceGet(&d, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuDeviceGet");
  st = dev->D->cuDeviceTotalMem(bytes, d);
  return st ? status_fail(dev->rt, st, "cuDeviceTotalMem") : 0;
}

Status device_info_memory (RtDevice *dev, size_t *free, size_t *total) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuMemGetInfo(free, total);
  return st ? status_fail(dev->rt, st, "cuMemGetInfo") : 0;
}

Status device_info_attribute (RtDevice *dev, int attribute, int *value) {
  CUdevice d;
  Status st = dev->D->cuDeviceGet(&d, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuDeviceGet");
  st = dev->D->cuDeviceGetAttribute(value, attribute, d);
  return st ? status_fail(dev->rt, st, "cuDeviceGetAttribute") : 0;
}

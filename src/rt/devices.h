/* devices.h - name, memory and attributes of a device. See devices.c. */
#ifndef TIDE_RT_DEVICES_H
#define TIDE_RT_DEVICES_H

#include "rt.h"

enum { DEVICE_NAME_MAX = 256 };

Status rt_devicename (RtDevice *dev, char name[DEVICE_NAME_MAX]);
Status rt_totalmem (RtDevice *dev, size_t *bytes);
Status rt_meminfo (RtDevice *dev, size_t *free, size_t *total);
Status rt_attribute (RtDevice *dev, int attribute, int *value);

#endif

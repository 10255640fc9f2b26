/* device_info.h - name, memory and attributes of a device. See device_info.c.
*/
#ifndef TIDE_RT_DRIVER_DEVICE_INFO_H
#define TIDE_RT_DRIVER_DEVICE_INFO_H

#include "rt/rt.h"

enum { DEVICE_NAME_MAX = 256 };

Status device_info_name (RtDevice *dev, char name[DEVICE_NAME_MAX]);
Status device_info_total (RtDevice *dev, size_t *bytes);
Status device_info_memory (RtDevice *dev, size_t *free, size_t *total);
Status device_info_attribute (RtDevice *dev, int attribute, int *value);

#endif

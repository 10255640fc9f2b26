/* kernel_ids.h - K_add_vv_f32 ...: the id of each kernel by its name. */
#ifndef TIDE_RT_KERNELS_KERNEL_IDS_H
#define TIDE_RT_KERNELS_KERNEL_IDS_H

enum {
#define KERNEL(name, args, block, each) K_##name,
#include "kernels/list.h"
  KERNELS
};

#endif

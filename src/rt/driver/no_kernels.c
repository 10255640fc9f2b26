/*
** no_kernels.c - in place of kernels/embed.c where there is no nvcc: no image,
** so the library has the host device only.
*/
#include "image_data.h"

#include <stddef.h>

const void *rt_cuda_image (void) {
  return NULL;
}

const char *rt_cuda_targets (void) {
  return NULL;
}

/*
** no_kernels.c - replaces kernels/embed.c where there is no nvcc: without an
** image the library has the host device only.
*/
#include "image_data.h"

#include <stddef.h>

const void *rt_cuda_image (void) { return NULL; }

const char *rt_cuda_targets (void) { return NULL; }

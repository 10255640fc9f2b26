/*
** no_kernels.c - replaces kernels/embed.c where there is no nvcc: without an
** image the library has the host device only.
*/
#include "image_data.h"

#include <stddef.h>

const void *image_data_bytes (void) { return NULL; }

const void *image_data_ptx (void) { return NULL; }

const char *image_data_targets (void) { return NULL; }

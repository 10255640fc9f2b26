/*
** image_data.h - the embedded image of the built-in CUDA kernels.
*/
#ifndef TIDE_RT_DRIVER_IMAGE_DATA_H
#define TIDE_RT_DRIVER_IMAGE_DATA_H

/* Returns the image for cuModuleLoadData; NULL if tide was built without
** nvcc. */
const void *image_data_bytes (void);

/* Returns the targets it was compiled for, as given to nvcc; NULL likewise. */
const char *image_data_targets (void);

#endif

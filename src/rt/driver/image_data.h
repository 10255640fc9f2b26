/*
** image_data.h - the embedded images of the built-in CUDA kernels.
*/
#ifndef TIDE_RT_DRIVER_IMAGE_DATA_H
#define TIDE_RT_DRIVER_IMAGE_DATA_H

/* Returns the image of a unit for cuModuleLoadData; NULL if tide was built
** without nvcc. */
const void *image_data_of (int unit);

/* Returns the targets they were compiled for, as given to nvcc; NULL
** likewise. */
const char *image_data_targets (void);

#endif

/*
** image_data.h - the embedded images of the built-in CUDA kernels.
*/
#ifndef TIDE_RT_DRIVER_IMAGE_DATA_H
#define TIDE_RT_DRIVER_IMAGE_DATA_H

/* Return the images for cuModuleLoadData: code for some generations of GPUs,
** and PTX for newer ones; NULL if tide was built without nvcc. */
const void *image_data_bytes (void);
const void *image_data_ptx (void);

/* Returns the targets it was compiled for, as given to nvcc; NULL likewise. */
const char *image_data_targets (void);

#endif

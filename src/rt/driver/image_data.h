/*
** image_data.h - the embedded image of the built-in CUDA kernels.
*/
#ifndef TIDE_RT_DRIVER_IMAGE_DATA_H
#define TIDE_RT_DRIVER_IMAGE_DATA_H

/* For cuModuleLoadData; NULL if tide was built without nvcc. */
const void *rt_cuda_image (void);

/* What it was compiled for, as nvcc was told; NULL likewise. */
const char *rt_cuda_targets (void);

#endif

/*
** twins.h - the host device's kernels: a C function of the same name for every
** CUDA kernel of kernels/kernels.def.
*/
#ifndef TIDE_TWINS_H
#define TIDE_TWINS_H

/*
** params[i] points to 8 bytes: a pointer, a size_t, an int64_t, a double, or a
** scalar of the element type T in the first sizeof(T) of them.
*/
typedef struct HostTwin {
  const char *name;
  const char *args;  /* as KernelInfo's */
  void (*run) (void **params, const unsigned grid[3], const unsigned block[3]);
} HostTwin;

/* What the twin that has just run on this thread did wrong; CUDA_SUCCESS. */
extern _Thread_local int host_wrong;

extern const HostTwin host_twins[];
extern const int host_twin_count;

#endif

/* cusolver.h - jobs for LAPACK on CUDA devices, by cuSOLVER. See cusolver.c. */
#ifndef TIDE_RT_CODE_CUSOLVER_H
#define TIDE_RT_CODE_CUSOLVER_H

#include "rt/driver/shared.h"
#include "rt/kernels/lapack.h"

/* A job and its operands. 'info' has a number for each matrix; 'work' has
** 'bytes' of workspace, which no other job uses meanwhile. */
typedef struct RtSolver {
  LapackJob job;
  CUdeviceptr at[LAPACK_OPERANDS], info, work;
  size_t bytes;
} RtSolver;

/*
** Sets the bytes of workspace. The first call on a device creates its handle.
** Fails without the library, and in a capture if the handle is missing or the
** routine waits for the device.
*/
Status cusolver_plan (RtStream *s, RtSolver *v);

/* Queues the job, for dispatch.c only. */
Status cusolver_run (RtStream *s, const RtSolver *v);

/* Returns the name of the loaded library; NULL: there is none, or it is off. */
const char *cusolver_name (void);

/* Frees the handle, before the context goes. */
void cusolver_free (RtShared *sh);

#endif

/* program.h - runs the programs of ../program.h. See program.c. */
#ifndef TIDE_RT_HOST_KERNELS_PROGRAM_H
#define TIDE_RT_HOST_KERNELS_PROGRAM_H

#include "rt/program/program.h"
#include "twins.h"

/* By ProgramFn: see steps.c. */
extern const HostTwin host_steps[];

/* One launch: 'params' as cuLaunchKernel has them. */
void host_runprogram (const Program *p, void **params);

#endif

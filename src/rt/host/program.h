/* program.h - runs the programs of ../program.h. See program.c. */
#ifndef TIDE_HOST_PROGRAM_H
#define TIDE_HOST_PROGRAM_H

#include "../program.h"
#include "twins.h"

/* By ProgramFn: see steps.c. */
extern const HostTwin host_steps[];

/* One launch: 'params' as cuLaunchKernel has them. */
void host_runprogram (const Program *p, void **params);

#endif

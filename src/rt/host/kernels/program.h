/* program.h - runs the programs of ../program.h. See program.c. */
#ifndef TIDE_RT_HOST_KERNELS_PROGRAM_H
#define TIDE_RT_HOST_KERNELS_PROGRAM_H

#include "rt/driver/driver.h"
#include "rt/program/program.h"
#include "twins.h"

/* By ProgramFn: see steps.c. */
extern const HostTwin host_steps[];

/* One launch: 'params' as cuLaunchKernel has them; of its elements, or results,
** part 'part' of 'parts' (from 0 on). Ends early once '*stop', which others
** set, and a step that finds something wrong. */
void host_runprogram (const Program *p, void **params, bool *stop,
                      unsigned part, unsigned parts);

/* More about the program that has just run on this thread and set host_wrong;
** else empty. */
extern _Thread_local char host_why[DRIVER_WHY];

/* Where a step was the first one to go outside of an array: its arguments, of
** which params[1] of a read and params[0] of a write is the array. */
typedef struct Outside {
  bool *stop;      /* of the program that runs on this thread */
  void **params;
  int64_t index, size;
} Outside;

extern _Thread_local Outside host_outside;

#endif

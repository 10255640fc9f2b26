/* interpreter.h - runs the programs of ../program.h. See interpreter.c. */
#ifndef TIDE_RT_HOST_KERNELS_INTERPRETER_H
#define TIDE_RT_HOST_KERNELS_INTERPRETER_H

#include "host_kernels.h"
#include "rt/driver/driver.h"
#include "rt/program/program.h"

/* Indexed by ProgramFn: see steps.c. */
extern const HostKernel interpreter_steps[];

/* Runs part 'part' of 'parts' (from 0 on) of a launch: of its elements, or of
** its results. 'params' are as for cuLaunchKernel. Ends early once '*stop' is
** set, by another thread or by a step that finds an error. */
void interpreter_run (const Program *p, void **params, bool *stop,
                      unsigned part, unsigned parts);

/* More about the error of the program that has just run on this thread and set
** host_kernel_error; else empty. */
extern _Thread_local char interpreter_why[DRIVER_WHY];

/* The first access outside of an array: the step's arguments, in which
** params[1] of a read or params[0] of a write is the array. */
typedef struct Outside {
  bool *stop; /* of the program that runs on this thread */
  void **params;
  int64_t index, size;
} Outside;

extern _Thread_local Outside interpreter_outside;

#endif

/*
** cores.c - how many processors there are for this process: those that it may
** run on, which in a container, or under taskset or Slurm, are not all.
*/
#include "cores.h"

#include <sched.h>
#include <unistd.h>

int rt_cores (void) {
  cpu_set_t set;
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    n = CPU_COUNT(&set);
  return (n < 1) ? 1 : (int)n;
}

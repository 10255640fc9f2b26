/*
** cores.c - the number of processors that this process may run on. In a
** container, or under taskset or Slurm, it is less than all.
*/
#include "cores.h"

#include <sched.h>
#include <unistd.h>

int core_count (void) {
  cpu_set_t set;
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    n = CPU_COUNT(&set);
  return (n < 1) ? 1 : (int)n;
}

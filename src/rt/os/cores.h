/* cores.h - the number of processors for this process. See cores.c. */
#ifndef TIDE_RT_OS_CORES_H
#define TIDE_RT_OS_CORES_H

int core_count (void); /* at least 1 */

#endif

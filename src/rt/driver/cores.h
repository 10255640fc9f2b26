/* cores.h - how many processors there are for this process. See cores.c. */
#ifndef TIDE_RT_DRIVER_CORES_H
#define TIDE_RT_DRIVER_CORES_H

int rt_cores (void);  /* from 1 */

#endif

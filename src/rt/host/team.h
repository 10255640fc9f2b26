/* team.h - how many workers of the host device share one launch, in the whole
** process. See scheduler/parallel.c. */
#ifndef TIDE_RT_HOST_TEAM_H
#define TIDE_RT_HOST_TEAM_H

enum { TEAM_MOST = 64 };

/* Returns the number: that of TIDE_HOST_THREADS, by default of cores. */
int team_size (void);

/* Sets it, from 1 to TEAM_MOST, for launches that begin from now on; an
** OpenBLAS that the host device uses gets no more threads either. */
void team_resize (int n);

#endif

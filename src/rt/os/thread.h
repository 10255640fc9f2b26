/* thread.h - tide's own threads. See thread.c. */
#ifndef TIDE_RT_OS_THREAD_H
#define TIDE_RT_OS_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that must be joined. Returns 0, or errno if the system has no
** more threads. */
int thread_start (pthread_t *thread, void *(*fn)(void *ud), void *ud);

/* Starts a thread that is never joined, and tells whether it could. */
bool thread_start_detached (void *(*fn)(void *ud), void *ud);

#endif

/* want.h - asking for what a call lacks. See want.c. */
#ifndef TIDE_RT_WANT_H
#define TIDE_RT_WANT_H

#include "rt.h"

/* Is what rt_block noted there? 0, CUDA_ERROR_NOT_READY, or why it never will
** be. */
Status rt_isready (const RtWant *want);

#endif

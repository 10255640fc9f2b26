/* finish.h - the last wait of a Runtime. See finish.c. */
#ifndef TIDE_RT_FINISH_H
#define TIDE_RT_FINISH_H

#include "rt.h"

/* At close: finishes all work. Host functions are skipped, so no Lua runs. */
void rt_finish (Runtime *rt);

#endif

/* finish.h - the end of all work. See finish.c. */
#ifndef TIDE_RT_FINISH_H
#define TIDE_RT_FINISH_H

#include "rt.h"

/* At close: finishes all work; host functions are passed over, no Lua runs. */
void rt_finish (Runtime *rt);

#endif

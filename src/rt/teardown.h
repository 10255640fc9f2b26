/* teardown.h - the last wait of a Runtime. See teardown.c. */
#ifndef TIDE_RT_TEARDOWN_H
#define TIDE_RT_TEARDOWN_H

#include "rt.h"

/* At close: finishes all work. Host functions are skipped, so no Lua runs. */
void teardown_finish (Runtime *rt);

#endif

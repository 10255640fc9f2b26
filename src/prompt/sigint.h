/* sigint.h - Ctrl-C while a prompt runs. See sigint.c. */
#ifndef TIDE_PROMPT_SIGINT_H
#define TIDE_PROMPT_SIGINT_H

#include "base/state.h"

/* Tells whether there was a Ctrl-C since the last call, while no line was
** running. Call it with SIGINT blocked, so that none is lost before a wait. */
bool sigint_take (void);

/* Restores SIGINT as before the prompt, because the Lua state closes. */
void sigint_restore (State *st);

#endif

/* interrupt.h - Ctrl-C while a prompt runs. See interrupt.c. */
#ifndef TIDE_PROMPT_INTERRUPT_H
#define TIDE_PROMPT_INTERRUPT_H

#include "base/state.h"

/* Tells whether there was a Ctrl-C since the last call, while no line was
** running. Call it with SIGINT blocked, so that none is lost before a wait. */
bool tide_tookinterrupt (void);

/* Restores SIGINT as before the prompt, because the Lua state closes. */
void tide_endinterrupts (State *st);

#endif

/* interrupt.h - Ctrl-C while a prompt runs. See interrupt.c. */
#ifndef TIDE_PROMPT_INTERRUPT_H
#define TIDE_PROMPT_INTERRUPT_H

#include "base/state.h"

/* Has there been one since the last time, while no line was running? With
** SIGINT blocked: nothing is lost between the question and a wait. */
bool tide_tookinterrupt (void);

/* The Lua state closes: SIGINT is again what it was before its prompt. */
void tide_endinterrupts (State *st);

#endif

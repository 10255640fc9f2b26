/* wait.h - the one way to block. See wait.c. */
#ifndef TIDE_WAIT_H
#define TIDE_WAIT_H

#include "rt.h"

/*
** Waits until (s, seq) has passed, running host functions meanwhile. 'what'
** names the tide call for errors: illegal while 's' is capturing, and inside
** a host function that 's' itself waits for.
*/
Status rt_wait (RtStream *s, uint64_t seq, const char *what);

/*
** For debug_sync: waits for 'op', just queued as s->seq, without a word. Not
** for what waits for the host function that runs now.
*/
Status rt_waitoperation (RtStream *s, const Op *op);

/* Waits for all that is queued on 's' now, by whomever. */
Status rt_synchronize (RtStream *s, const char *what);

/* Waits for the recording of 'e' that was the last when called. */
Status rt_waitevent (RtEvent *e, const char *what);

/*
** Waits until ready(ud) is another thing than CUDA_ERROR_NOT_READY, and
** returns that. 'seq': the last operation that is waited for. 'what' NULL: who
** waits has said so, with rt_announce.
*/
Status rt_waituntil (RtDevice *dev, uint64_t seq, Status (*ready) (void *ud),
                     void *ud, const char *what);

/* The host is about to block in a call of that name: counted, and sync_debug
** may refuse it. */
Status rt_announce (Runtime *rt, const char *what);

/* Before a driver call that waits for the device: lets every pending host
** function run, so that no gate is shut. */
Status rt_quiesce (Runtime *rt, const char *what);

/* Waits until no gate of the process is shut on 'dev'. */
Status rt_waitgates (RtDevice *dev, const char *what);

/* At close: finishes all work; gates are opened, no Lua runs. */
void rt_finish (Runtime *rt);

/*
** A host function has run: lets its stream go on, once 'pending' has passed (s:
** NULL: now). Does not wait for that: see rt_pollending.
*/
void rt_endnode (RtHostNode *node, Point pending);

/* Lets those streams go on that can. */
void rt_pollending (Runtime *rt);

#endif

/* hurdles.h - which gates an operation comes after. See hurdles.c. */
#ifndef TIDE_RT_WAIT_HURDLES_H
#define TIDE_RT_WAIT_HURDLES_H

#include "rt/rt.h"

/* Has 's' itself a gate up to 'seq' that is shut? They open in their order. */
static inline bool rt_hasgate (const RtStream *s, uint64_t seq) {
  return s->gates != NULL && s->gates->seq <= seq;
}

/* Are there host functions up to 'seq' on 's' that have not run? For the null
** stream, those of blocking streams count. */
bool rt_isshut (const RtStream *s, uint64_t seq);

/*
** Does (s, seq) come after a gate that is shut? And from which operation on is
** 's' behind that one? UINT64_MAX: it is not. By its own order, by what 's' was
** told to wait for, or by that of the legacy stream. This is what queueing,
** waiting and refusing go by.
*/
bool rt_isheld (const RtStream *s, uint64_t seq);
bool rt_areheld (const MarkSet *m);  /* one of these */
uint64_t rt_behindfrom (const RtStream *s, Point gate);

/* Does the device stand still in 's', or will it when it gets there? */
bool rt_stands (const RtStream *s);

/* Room for 'n' more hurdles. From its next operation on 's' has those of
** (t, seq), for which it waits: as many as 't' has, and one. */
Status rt_reservehurdles (RtStream *s, int n);
void rt_follow (RtStream *s, RtStream *t, uint64_t seq);

#endif

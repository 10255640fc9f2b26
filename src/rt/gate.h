/* gate.h - flags in page-locked memory that hold a stream. See gate.c. */
#ifndef TIDE_GATE_H
#define TIDE_GATE_H

#include "rt.h"

enum { GRAPH_HOSTS = 40 };  /* gates that a graph can bring at once */

/* A flag that reads 0. */
Status rt_lendgate (RtDevice *dev, uint32_t **gate);
void rt_returngate (RtDevice *dev, uint32_t *gate);  /* NULL: nothing */
void rt_freegates (RtDevice *dev);
void rt_forgetgates (RtDevice *dev);  /* after a reset: without the driver */

/*
** Before an operation is queued on 's' that brings gates, or while some are
** shut: if what is queued behind gates could fill the driver's queues, lets the
** host functions run first. 'weight': how much room it takes without gates.
*/
Status rt_makeroom (RtStream *s, int weight, int gates, const char *what);

/* Before anything is queued on the default stream of a thread, or a gate by the
** thread. The context is current. */
Status rt_makeptds (RtDevice *dev, const char *what);

/* Before a gate is queued on 's', or 's' gets behind one: what is queued so
** far can then be waited for without waiting for the gate. */
Status rt_marktails (RtStream *s);

/* 's' is to wait for (t, seq), and does: if that is behind gates, so is 's'.
** RT_CROWDED: it may not, as things are. */
Status rt_beforefollow (RtStream *s, RtStream *t, uint64_t seq);
void rt_follow (RtStream *s, const RtStream *t, uint64_t seq);

/* May operation 'seq' of 's' wait for a gate that is shut? */
bool rt_heldup (const RtStream *s, uint64_t seq);

/*
** Does 's' stand at a gate that was queued as operation 'seq' or later? One
** that was queued earlier than some gate opens without it.
*/
bool rt_isheld (const RtStream *s, uint64_t seq);

/* Does operation 'seq' of 's' wait for this gate, by its own order, by what 's'
** was told to wait for, or by that of the legacy stream? */
bool rt_isbehind (const RtStream *s, uint64_t seq, Point gate);

/* Before the host function runs that was queued as operation 'seq': sees to it
** that dev->fn does not wait for it. */
Status rt_renewfn (RtDevice *dev, uint64_t seq);

/* Operation 'seq' of 's' brought gates; one of them was opened (of a graph's
** launch: 0). */
void rt_noteshut (RtStream *s, uint64_t seq, int weight, int gates);
void rt_noteopen (RtStream *s, uint64_t seq);

/* Sets a flag: what waits for it on the device goes on. */
void rt_opengate (uint32_t *gate, uint32_t value);

/* Does the flag belong to 'dev'? */
bool rt_hasgate (const RtDevice *dev, const uint32_t *gate);

#endif

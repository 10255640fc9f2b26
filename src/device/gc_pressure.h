/* gc_pressure.h - when to collect garbage. See gc_pressure.c. */
#ifndef TIDE_DEVICE_GC_PRESSURE_H
#define TIDE_DEVICE_GC_PRESSURE_H

#include "base/state.h"

/*
** Before 'bytes' more of a kind are held, once that crosses the threshold of
** dev->memory[pinned]: collects garbage if that is worth its time.
*/
void tide_relieve (lua_State *L, RtDevice *dev, bool pinned, size_t bytes);

/* Looks at Lua's heap, and collects it if it has grown by too much garbage. */
void tide_followheap (lua_State *L);

/* Counts an object; call it before an array, a stream or an event is made. */
static inline void tide_countobject (lua_State *L, State *st) {
  if (--st->pressure.objects < 0)
    tide_followheap(L);
}

/* tide_relieve for one more stream, event or piece of shared memory. */
void tide_relievehandles (lua_State *L);

/*
** Collects garbage because memory is short, whatever that costs. 'full': all
** of it, else one step of the collector. Returns false if the collector cannot
** run now, because this is a finalizer or the host program wants it left alone.
*/
bool tide_collect (lua_State *L, RtDevice *dev, bool pinned, bool full);

#if defined(TIDE_TESTING)
/* Sets the clock to 't', in seconds, until the next call; each collection takes
** 'cost'. With a cost of 0 the real clocks count again. */
void tide_setclock (double t, double cost);
#endif

#endif

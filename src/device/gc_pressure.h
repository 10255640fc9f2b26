/* gc_pressure.h - when garbage is looked for. See gc_pressure.c. */
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

/* Before an array, a stream or an event is made. */
static inline void tide_countobject (lua_State *L, State *st) {
  if (--st->pressure.objects < 0)
    tide_followheap(L);
}

/* As tide_relieve, before one more stream or event is, or memory to share. */
void tide_relievehandles (lua_State *L);

/*
** Memory is short: collects garbage whatever that costs; 'full': all of it,
** else one step of the collector. False: it cannot run now, since this is a
** finalizer, or the host program wants it left alone.
*/
bool tide_collect (lua_State *L, RtDevice *dev, bool pinned, bool full);

#if defined(TIDE_TESTING)
/* It is 't' now, in seconds, until this is called again, and each collection
** takes 'cost'; 0: the clocks count again. */
void tide_setclock (double t, double cost);
#endif

#endif

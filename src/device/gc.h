/* gc.h - when to collect garbage. See gc.c. */
#ifndef TIDE_DEVICE_GC_H
#define TIDE_DEVICE_GC_H

#include "base/state.h"

/*
** Before 'bytes' more of a kind are held, once that crosses the threshold of
** dev->memory[pinned]: collects garbage if that is worth its time.
*/
void gc_relieve (lua_State *L, RtDevice *dev, bool pinned, size_t bytes);

/* Looks at Lua's heap, and collects it if it has grown by too much garbage. */
void gc_follow_heap (lua_State *L);

/* Counts an object; call it before an array, a stream or an event is made. */
static inline void gc_count_object (lua_State *L, State *st) {
  if (--st->pressure.objects < 0)
    gc_follow_heap(L);
}

/* gc_relieve for one more stream, event or piece of shared memory. */
void gc_relieve_handles (lua_State *L);

/*
** Collects garbage because memory is short, whatever that costs. 'full': all
** of it, else one step of the collector. Returns false if the collector cannot
** run now, because this is a finalizer or the host program wants it left alone.
*/
bool gc_collect (lua_State *L, RtDevice *dev, bool pinned, bool full);

#if defined(TIDE_TESTING)
/* Sets the clock to 't', in seconds, until the next call; each collection takes
** 'cost'. With a cost of 0 the real clocks count again. */
void gc_set_clock (double t, double cost);
#endif

#endif

/* owned.h - what an object has outside of Lua's memory and of the Runtime. Its
** finalizer ends it. Lua does not call all finalizers (docs/reliability.md), so
** what is left ends with the State. */
#ifndef TIDE_BASE_OWNED_H
#define TIDE_BASE_OWNED_H

#include "rt/driver/links.h"
#include "state.h"

typedef struct Owned {
  Link link;
  void (*end)(struct Owned *o); /* frees it */
} Owned;

static inline void owned_add (State *st, Owned *o, void (*end)(Owned *o)) {
  o->end = end;
  links_add(&st->owned, &o->link);
}

/* Ends what the object still has; once the State is closed it has nothing. */
static inline void owned_end (State *st, Owned **o) {
  Owned *it = *o;
  *o = NULL;
  if (it == NULL || st->closed)
    return;
  links_remove(&st->owned, &it->link);
  it->end(it);
}

static inline void owned_end_all (State *st) {
  while (st->owned.n > 0) {
    Owned *it = (Owned *)links_take(&st->owned);
    it->end(it);
  }
}

#endif

/*
** life.c - the life of an object of a Runtime: a stream, an event, a graph ...
**
** DESIGN. While an object has references it is in the list rt->held of its
** kind. Finalizers and closes drop references, and must call no driver: the
** last one only moves the object to rt->dropped. Later calls of tide drain
** these queues. An object whose work is still under way goes back to the end
** of its queue, so no object waits for the work of another one.
**
** A reset of the device makes its objects stale (reset.c): they are dropped and
** drained as others are, but 'end' frees them without the driver.
*/
#include "life.h"

void life_begin (Life *o, LifeKind kind, RtDevice *dev) {
  o->dev = dev;
  o->generation = dev->generation;
  o->refs = 1;
  links_add(&dev->rt->held[kind], &o->link);
}

void life_leave (Life *o, LifeKind kind) {
  links_remove(&o->dev->rt->held[kind], &o->link);
}

static void queue (Runtime *rt, LifeKind kind, Life *o) {
  links_add(&rt->dropped[kind], &o->link);
  rt->ndropped++;
}

bool life_drop (Life *o, LifeKind kind) {
  if (--o->refs > 0)
    return false;
  life_leave(o, kind);
  queue(o->dev->rt, kind, o);
  return true;
}

void life_drain (Runtime *rt, LifeKind kind, int most, bool (*end)(Life *o)) {
  List *dropped = &rt->dropped[kind];
  for (int n = (most < dropped->n) ? most : dropped->n; n > 0; n--) {
    Life *o = (Life *)links_take(dropped);
    rt->ndropped--;
    if (!end(o))
      queue(rt, kind, o);
  }
}

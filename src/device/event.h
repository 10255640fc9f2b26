/* event.h - the Event type. See event.c. */
#ifndef TIDE_DEVICE_EVENT_H
#define TIDE_DEVICE_EVENT_H

#include "base/class.h"

typedef struct Event {
  Object object;
  RtEvent *re;   /* NULL from birth until created, and once closed */
} Event;

extern const Class tide_eventclass;

Event *tide_checkevent (lua_State *L, int arg);

/* Pushes a new Event for 'dev'; 'flags' as cuEventCreate. */
Event *tide_newevent (lua_State *L, RtDevice *dev, unsigned flags);

/* What an event has recorded by now, for who waits for it: a host function may
** record the event again meanwhile, or close it. */
typedef struct Recording {
  const Event *e;
  RtStream *s;
  uint64_t seq;
} Recording;

Recording tide_recording (const Event *e);

/* Has it passed? */
Status tide_recordingpassed (const Recording *r, const char *what);

/* Records the event on 'rs'. Raises. */
void tide_recordevent (lua_State *L, Event *e, RtStream *rs);

#endif

/* event.h - the Event type. See event.c. */
#ifndef TIDE_DEVICE_EVENT_H
#define TIDE_DEVICE_EVENT_H

#include "base/class.h"

typedef struct Event {
  Object object;
  RtEvent *re; /* NULL from birth until created, and once closed */
} Event;

extern const Class event_class;

Event *event_check (lua_State *L, int arg);

/* Pushes a new Event for 'dev'; 'flags' as cuEventCreate. */
Event *event_create (lua_State *L, RtDevice *dev, unsigned flags);

/* Pushes an event of another process from its file, which stays the
** caller's. */
Status event_import (lua_State *L, RtDevice *dev, int fd);

/* The present recording of an event, for a wait: a host function may record the
** event again meanwhile, or close it. */
typedef struct Recording {
  const Event *e;
  RtStream *s;
  uint64_t seq;
  uint64_t at; /* not 0: of another process, in the event's timeline */
} Recording;

Recording event_recording (const Event *e);

/* Returns 0 if it has passed, CUDA_ERROR_NOT_READY, or an error. */
Status event_query (const Recording *r, const char *what);

/* Returns the driver's event, for others to use. */
void *event_handle (lua_State *L, const Event *e, const char *what);

/*
** Queues 'op', begun as an OP_WAIT, on 'rs': for recording 'at' of the event's
** timeline or, if that is 0, for the latest one. If the process that made the
** recording ends before it is done, waits for 'rs' raise that.
*/
void event_queue_wait (lua_State *L, RtStream *rs, Event *e, uint64_t at,
                       Op *op);

/* Records the event on 'rs'. Raises. */
void event_queue_record (lua_State *L, Event *e, RtStream *rs);

#endif

/* life.h - what objects of the driver have in common. See life.c. */
#ifndef TIDE_RT_DRIVER_LIFE_H
#define TIDE_RT_DRIVER_LIFE_H

#include "rt/rt.h"

#define LIFE_FIELDS \
  Link link; \
  RtDevice *dev; \
  unsigned generation; /* of the device when it was made */ \
  int refs

/* The header of an object, which is used by its fields, or as a Life. */
typedef struct Life {
  LIFE_FIELDS;
} Life;

#define LIFE \
  union { \
    Life life; \
    struct { \
      LIFE_FIELDS; \
    }; \
  }

/* Tells whether the object was made before its device was reset. */
static inline bool life_is_stale (const Life *o) {
  return o->dev->generation != o->generation;
}

/* Begins the life of an object of a device, with one reference. */
void life_begin (Life *o, LifeKind kind, RtDevice *dev);

/* Removes a reference. Returns true if it was the last: life_drain looks at the
** object then. Calls no driver. */
bool life_drop (Life *o, LifeKind kind);

/* Takes an object that is held off its list. */
void life_leave (Life *o, LifeKind kind);

/* Looks at dropped objects, the oldest first, up to 'most'. 'end' frees one; if
** it returns false the object waits for its next turn. */
void life_drain (Runtime *rt, LifeKind kind, int most, bool (*end)(Life *o));

#endif

/* await.h - x:await(): waits of one coroutine only. See await.c. */
#ifndef TIDE_DEVICE_AWAIT_H
#define TIDE_DEVICE_AWAIT_H

#include "base/class.h"
#include "event.h"

/* The goal of a wait, as it is when the call begins: all of these. */
typedef struct Awaited {
  RtDevice *dev;
  const char *what;            /* the name of the call, a literal */
  Point point;                 /* 's' NULL: none */
  const MarkSet *marks;        /* uses of a block, or NULL */
  const Point *points;         /* more points, each of another stream, */
  int n;                       /* and how many */
  const Recording *r;          /* of an event, or NULL, */
  bool odd;                    /* and whether others may have recorded it */
  bool mute;                   /* the call returns nothing */
  void (*check)(lua_State *L); /* raises if the work has failed; or NULL */
} Awaited;

/* Runs x:await([seconds]) of the object at 1. The call ends with its results:
** true, or nil and "timeout". */
int await_all (lua_State *L, const Awaited *w);

/* Finds a ticket that is over: all of its points have passed, or one never
** will. Returns its number, or 0. 'some': see waitlist_next. */
int await_next (State *st, bool some);

/* Opens the watcher, if event loops want one. */
void await_watch (lua_State *L);

/* Sets the deadline of a wait, and tells the watcher if it is the first;
** await_show_deadline tells it the first one. */
void await_set_deadline (State *st, int id, double at);
void await_show_deadline (const State *st);

#endif

/* current.h - the current device and stream of a coroutine. See current.c. */
#ifndef TIDE_DEVICE_CURRENT_H
#define TIDE_DEVICE_CURRENT_H

#include "stream.h"

/*
** The current device and streams of one coroutine, or of several which have
** inherited them. User value i+1 is the Stream object that is current on device
** i (nil: the default one); 'held' keeps its stream alive even if that object
** is closed meanwhile. More user values follow, from CURRENT_SCOPE on.
*/
typedef struct Current {
  Object object;
  RtDevice *dev;       /* NULL: the default device */
  struct Scope *scope; /* the innermost open one */
  struct Scope *first; /* CURRENT_SCOPE: that one, or a closed one inside */
  int ndevices;
  bool shared;      /* never changed: it has a device and its stream */
  bool has_token;   /* a user value, which is a shared Current */
  uint64_t nulls;   /* bit i: device i's current one is the null stream */
  RtStream *held[]; /* by device index; NULL: a singleton or default */
} Current;

/* User values of a Current, counted from 'ndevices'. */
enum {
  CURRENT_SCOPE = 1,
  CURRENT_ARRAYS,
  CURRENT_TOKEN,
  CURRENT_UVS = CURRENT_TOKEN
};

/* Pushes the running coroutine's own Current. */
Current *current_find (lua_State *L, State *st);

/* Puts the Stream object on the top (popped) into slot 'index' of the Current
** at 'at'. */
void current_set_slot (lua_State *L, Current *c, int at, int index);

/* Returns the device on which 's' becomes current. */
RtDevice *current_device_of (lua_State *L, const Current *c, const Stream *s);

/* Returns the current device of the running coroutine. Raises if there is
** none. */
RtDevice *current_get_device (lua_State *L);

/* Returns the current stream of the running coroutine on 'dev'. */
RtStream *current_get_stream (lua_State *L, RtDevice *dev);

/* Pushes the Stream object that is current on 'dev'. */
void current_push_stream (lua_State *L, RtDevice *dev);

/* Makes the Stream object at 'arg' current, and its device if it has one. */
void current_use_stream (lua_State *L, int arg);
void current_use_device (lua_State *L, RtDevice *dev);

/* Pushes what is current here as a shared Current, without moving other values.
** current_give_token makes the one at 'token' the Current of a coroutine which
** has not begun. */
void current_push_token (lua_State *L);
void current_give_token (lua_State *L, int co, int token);

/* Push the innermost tide.scope, or nil: that of the running coroutine, and
** that of the Current at 'at'. current_set_scope_of puts the scope on the top
** (popped) there. See array_scope.c. */
void current_push_scope (lua_State *L);
void current_push_scope_of (lua_State *L, int at);
void current_set_scope_of (lua_State *L, int at);

/* Begins a host function on 'dev' and its 'fn' stream, as in a coroutine of its
** own, and pushes what is current around it. current_leave_func restores
** that. */
void current_enter_func (lua_State *L, RtDevice *dev);
void current_leave_func (lua_State *L, int around);

#endif

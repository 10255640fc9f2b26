/* current.h - the current device and stream of a coroutine. See current.c. */
#ifndef TIDE_DEVICE_CURRENT_H
#define TIDE_DEVICE_CURRENT_H

#include "stream.h"

/*
** One coroutine's choice, or that of several which have inherited it. User
** value i+1 is the Stream object that is current on device i (nil: the default
** one); 'held' keeps its stream alive even if that object is closed meanwhile.
** The others follow, from CURRENT_SCOPE on.
*/
typedef struct Current {
  Object object;
  RtDevice *dev;        /* NULL: the default device */
  struct Scope *scope;  /* the innermost open one */
  struct Scope *spare;  /* one that with_stream may use again */
  int ndevices;
  bool shared;          /* nobody changes it: it has a device and its stream */
  bool has_token;       /* a user value, which is a shared one */
  uint64_t nulls;       /* bit i: on device i it is the null stream */
  RtStream *held[];     /* by device index; NULL: a singleton or default */
} Current;

/* User values of a Current, counted from 'ndevices'. */
enum { CURRENT_SCOPE = 1, CURRENT_SPARE, CURRENT_ARRAYS, CURRENT_TOKEN,
       CURRENT_UVS = CURRENT_TOKEN };

/* Pushes the running coroutine's own Current. */
Current *tide_findcurrent (lua_State *L);

/* Puts the Stream object on the top (popped) into a slot of the Current at
** 'at'. */
void tide_setslot (lua_State *L, Current *c, int at, int index);

/* The device on which 's' becomes current. */
RtDevice *tide_deviceof (lua_State *L, const Current *c, const Stream *s);

/* The current device of the running coroutine. Raises if there is none. */
RtDevice *tide_currentdevice (lua_State *L);

/* The current stream of the running coroutine on 'dev'. */
RtStream *tide_currentstream (lua_State *L, RtDevice *dev);

/* Pushes the Stream object that is current on 'dev'. */
void tide_pushcurrent (lua_State *L, RtDevice *dev);

/* Makes the Stream object at 'arg' current; its device too, if it has one. */
void tide_usestream (lua_State *L, int arg);
void tide_usedevice (lua_State *L, RtDevice *dev);

/* Pushes, above other values, what is current here: a Current that is shared.
** Makes the one at 'token' that of a coroutine which has not begun. */
void tide_pushtoken (lua_State *L);
void tide_givetoken (lua_State *L, int co, int token);

/* Pushes the innermost tide.scope of the running coroutine, or nil; that of the
** Current at 'at'; makes the one on the top (popped) that. See
** array_scope.c. */
void tide_pusharrayscope (lua_State *L);
void tide_pushscopeof (lua_State *L, int at);
void tide_setscopeof (lua_State *L, int at);

/* A host function starts on 'dev' and its 'fn' stream, as in a coroutine of its
** own; pushes what is current around it. At the end that is so again. */
void tide_enterfunction (lua_State *L, RtDevice *dev);
void tide_leavefunction (lua_State *L, int around);

#endif

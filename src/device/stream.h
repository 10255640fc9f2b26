/* stream.h - the Stream type. See stream.c. */
#ifndef TIDE_DEVICE_STREAM_H
#define TIDE_DEVICE_STREAM_H

#include "base/class.h"
#include "rt/queue/stream_types.h"

typedef struct Stream {
  Object object;
  StreamKind kind; /* STREAM_NULL, STREAM_PTDS: the singletons, no device */
  RtStream *rs;    /* NULL from birth until created, once closed, and in the
                       singletons, which stand for a stream of each device */
  bool closed;
} Stream;

extern const Class stream_class;

/* Returns the Stream at 'arg'. Raises if it is another value or closed. */
Stream *stream_check (lua_State *L, int arg);

/* Returns the Stream at 'arg', which has passed stream_check. Raises if a
** finalizer has closed it since. */
Stream *stream_check_again (lua_State *L, int arg);

/* Returns the stream that a Stream stands for now: for a singleton, that of the
** current device. */
RtStream *stream_resolve (lua_State *L, Stream *s);

/* Returns the stream argument or, if it is none or nil, the current stream of
** 'dev' (NULL: of the current device). */
RtStream *stream_opt (lua_State *L, int arg, RtDevice *dev);

/* Returns the driver's default stream of either kind on 'dev'. Raises. */
RtStream *stream_default (lua_State *L, StreamKind kind, RtDevice *dev);

/* Pushes a Stream over an external driver stream of 'dev'. Returns NULL if it
** is a default stream. Raises. */
RtStream *stream_push_external (lua_State *L, RtDevice *dev, CUstream handle);

/* Lets others know its handle, by which they may queue work on it. Raises. */
void stream_expose (lua_State *L, RtStream *s, const char *what);

/* Pushes a new Stream object that takes over the reference to 'rs'. */
void stream_push (lua_State *L, RtStream *rs);

/* Pushes a Stream object for a new stream. Raises. */
Stream *stream_create (lua_State *L, RtDevice *dev, unsigned flags,
                       int priority);

#endif

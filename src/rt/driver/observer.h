/*
** observer.h - where builds with -DTIDE_TESTING look into the runtime:
** src/rt/testing/ has the functions. Other builds have none of it.
*/
#ifndef TIDE_RT_DRIVER_OBSERVER_H
#define TIDE_RT_DRIVER_OBSERVER_H

#include "rt/rt.h"

#if defined(TIDE_TESTING)

typedef struct Observer {
  /* Returns a driver table that forwards to another one; the one behind it. */
  const Driver *(*table)(const Driver *D);
  const Driver *(*behind)(const Driver *D);

  /* Notes an operation that was queued, or captured. */
  void (*note)(const RtStream *s, const Op *op);
  void (*note_captured)(const RtCapture *c, const RtStream *s, const Op *op);

  /* Notes nodes that others have captured on 's': they come after all
  ** before. */
  void (*note_nodes)(const RtStream *s);

  /* Notes that the threads have ended this use of a file by the stream. */
  void (*note_done)(const RtStream *s, const RtBlock *b, size_t off, size_t len,
                    bool write);

  /* Notes a captured host function: what comes next in the capture follows all
  ** before it. */
  void (*note_cut)(const RtCapture *c);

  /* Notes a use of memory by the host itself. */
  void (*note_host)(const RtBlock *b, size_t off, size_t len, bool write);
} Observer;

extern const Observer observer;

#define observer_table(D) observer.table(D)
#define observer_behind(D) observer.behind(D)
#define observer_note(s, op) observer.note(s, op)
#define observer_note_captured(c, s, op) observer.note_captured(c, s, op)
#define observer_note_nodes(s) observer.note_nodes(s)
#define observer_note_done(s, b, off, len, write) \
  observer.note_done(s, b, off, len, write)
#define observer_note_cut(c) observer.note_cut(c)
#define observer_note_host(b, off, len, write) \
  observer.note_host(b, off, len, write)

#else

#define observer_table(D) (D)
#define observer_behind(D) (D)
#define observer_note(s, op) ((void)0)
#define observer_note_captured(c, s, op) ((void)0)
#define observer_note_nodes(s) ((void)0)
#define observer_note_done(s, b, off, len, write) ((void)0)
#define observer_note_cut(c) ((void)0)
#define observer_note_host(b, off, len, write) ((void)0)

#endif

#endif

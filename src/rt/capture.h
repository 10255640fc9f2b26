/* capture.h - from begin_capture to a body for a graph. See capture.c. */
#ifndef TIDE_CAPTURE_H
#define TIDE_CAPTURE_H

#include "footprint.h"

/* 's' has waited for 't' up to 'seq' inside the capture. */
typedef struct Crossing {
  RtStream *s, *t;
  uint64_t seq;
} Crossing;

typedef struct Lent {
  RtDevice *dev;
  CUevent event;
} Lent;

struct RtCapture {
  RtCapture *next;
  RtStream *origin;
  RtName *source;      /* where it began: the chunk, or NULL, */
  int line;            /* and the line */
  bool abandoned;      /* nobody will end it: it goes before the next operation */
  bool strict;         /* not relaxed (see strict.c): ends where it began, */
  uintptr_t thread;    /* which is here */
  uint64_t id;
  RtBody *body;        /* grows until the end */
  Footprint blocks;
  Crossing *crossings;
  int ncrossings;
  Lent *events;        /* to be returned at the end */
  int nevents;
};

Status rt_begincapture (RtStream *s, CUstreamCaptureMode mode,
                        const char *what);

/* Ends the capture that began on 's' and makes a graph of it. An error ends it as
** well, unless 's' did not begin one. RT_BLOCKED: not now. */
Status rt_endcapture (RtStream *s, RtGraph **out, const char *what);

/* A capture that began on 's' is not to be ended by anybody, and is thrown away
** then. The same for those whose stream nobody holds; for all. */
void rt_abandon (RtStream *s);
void rt_endabandoned (Runtime *rt);
void rt_abandonall (Runtime *rt);
void rt_abandonon (RtDevice *dev);  /* those that the device takes part in */

/* The open capture with this id, or NULL. */
RtCapture *rt_findcapture (Runtime *rt, uint64_t id);

/* Is 's' capturing, by us or (an external stream) by somebody else? */
Status rt_iscapturing (RtStream *s, bool *capturing);

/* Host functions captured so far by the capture that 's' takes part in. */
int rt_capturehosts (const RtStream *s);

#endif

/* capture_types.h - an open capture. */
#ifndef TIDE_RT_GRAPH_CAPTURE_TYPES_H
#define TIDE_RT_GRAPH_CAPTURE_TYPES_H

#include "rt/rt.h"

/* All blocks of a capture; all zero: none. */
typedef struct Footprint {
  struct Captured **table; /* open addressing by block */
  int nblocks, size;
} Footprint;

enum { CHAINS = 16 };

typedef struct BorrowedEvent {
  RtDevice *dev;
  CUevent event;
} BorrowedEvent;

struct RtCapture {
  RtCapture *next;
  RtStream *origin;
  RtName *source;   /* the chunk where it began, or NULL */
  int line;         /* the line there */
  bool abandoned;   /* the program has lost it: the next operation ends it */
  bool strict;      /* not relaxed (capture_mode.c): must end on the */
  uintptr_t thread; /* thread where it began, this one */
  uint64_t id;
  RtBody *body; /* grows until the end */
  CUstreamCaptureMode mode;
  int segment;   /* host functions so far; each begins a segment */
  int cut;       /* index, plus one, of the latest function's node, which
                          all later nodes follow */
  CUevent begun; /* streams enter the segment by it; NULL: none did */
  struct CapturedNode *nodes; /* as many as the body has */
  RtStream *chains[CHAINS];   /* the stream of each chain: nodes.c */
  int nchains;
  struct Reach *recordings; /* of events */
  int nrecordings;
  CUgraphNode *handles; /* the driver's names of the nodes, in any order */
  int nhandles;
  Footprint blocks;
  RtBlock *spare;        /* blocks made and dropped in it, the newest first */
  BorrowedEvent *events; /* returned to the pool at the end */
  int nevents;
};

#endif

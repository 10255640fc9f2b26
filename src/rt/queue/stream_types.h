/* stream_types.h - a driver stream and its state. */
#ifndef TIDE_RT_QUEUE_STREAM_TYPES_H
#define TIDE_RT_QUEUE_STREAM_TYPES_H

#include "rt/driver/op_kinds.h"
#include "rt/driver/life.h"
#include "rt/rt.h"

/* A place of the program and the last operation that it queued on a stream. */
typedef struct LaunchRecord {
  uint64_t seq;     /* 0: none */
  const char *name; /* of the operation: a static string, */
  RtName *kept;     /* or the text of this name */
  RtName *source;   /* of the Lua function; NULL: not known or wanted */
  int line;
  OpKind kind;
  bool foreign; /* see Op */
} LaunchRecord;

enum { LAUNCH_RECORDS = 16 };
enum { STREAM_SHELVES = 8 };
enum { WAITED_FEW = 4 };

typedef enum StreamKind {
  STREAM_OWNED,
  STREAM_NULL,
  STREAM_PTDS,
  STREAM_EXTERNAL
} StreamKind;

/* The event that the watcher asks about for a stream. Its thread reads this,
** under its lock. */
typedef struct RtWatch {
  bool on;       /* atomic: the owner reads it without the lock */
  uint64_t seq;  /* the operation to look after: for the owner alone */
  CUevent event; /* NULL: there is no event to ask about */
  CUcontext ctx;
  const Driver *D;
  RtStream *next;
} RtWatch;

/* Operations of a stream from 'from' on come after (s, seq): error_order.c. */
typedef struct Behind {
  RtStream *s;
  uint64_t seq, from;
} Behind;

/*
** A driver stream and its state. The struct outlives its handle. It is recycled
** only once all its work is known done, and sequence numbers come from one
** counter per Runtime. So a Mark may keep a pointer to it for ever.
*/
struct RtStream {
  LIFE; /* referenced by Lua objects, current slots, captures */
  CUstream handle;
  StreamKind kind;
  bool nonblocking;
  bool live; /* has a handle; false once destroyed */
  int priority;
  int id;        /* index in rt->streams */
  uint64_t seq;  /* the last operation queued */
  uint64_t sent; /* the last operation that the driver has */
  uint64_t done; /* everything up to here is known to have finished */
  Tail *tails;   /* ascending seq, all > done */
  int ntails, captails;
  Point *waited;    /* the streams it waited for: progress.c */
  unsigned nwaited; /* places, a power of two */
  Point met[WAITED_FEW];
  Behind *behind; /* while there are errors */
  int nbehind, capbehind;
  uint64_t behind_errors;    /* rt->reported when the list was begun */
  RtKept *kept, **last_kept; /* operations not sent yet, the oldest first */
  RtStream *next_keeper;     /* the next stream with kept operations */
  List tickets;              /* coroutines that sleep until its
                                              points have passed: waitlist.c */
  RtStream *next_awaited;    /* the next stream with tickets */
  RtWatch watch;             /* what event loops are woken for: watcher.c */
  bool exposed;              /* others know its handle, and may queue work */
  uintptr_t thread;          /* of a per-thread default stream: its thread */
  RtCapture *capture;        /* the capture it takes part in, or NULL */
  bool captured_once;        /* was in a capture, which may have ended badly */
  struct RtBranch *branch;   /* its place in that capture: graph/branch.c */
  bool unasked;              /* made by tide for a coroutine, not by the user */
  int errors;                /* unreported errors that name it: until they are
                           reported, the struct is not reused */
  int slot[2];               /* while marks are merged: indices of its own */
  RtOwner *owners;           /* of an external stream */
  RtTransferQueue *queues[2]; /* from files, to files; NULL: not needed yet */
  LaunchRecord launches[LAUNCH_RECORDS]; /* the latest: fault.c */
  int next_launch;                       /* the record expected next */
  struct Shelf *shelves[STREAM_SHELVES]; /* by bin: see cache.c */
};

#endif

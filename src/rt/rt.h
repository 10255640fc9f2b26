/*
** rt.h - what all below the wall know: statuses, Runtime, device. Each room has
** its data in headers of its own; X_types.h is for rooms below, too.
**
** Nothing here or below knows Lua. One Runtime serves one lua_State and is used
** by one thread at a time; other threads reach only its inbox. Functions return
** a Status; above the wall one function (error.c) raises it.
*/
#ifndef TIDE_RT_RT_H
#define TIDE_RT_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/driver/driver.h"
#include "rt/driver/links.h"

/*
** 0, a CUresult, or one of these. rt->call names the driver entry or the tide
** method that failed; rt->detail, if not empty, explains more than the code.
*/
typedef int Status;
enum {
  RT_LUAERROR = 100000, /* a Lua error waits in the State: raise it */
  RT_INTERRUPTED,       /* Ctrl-C while waiting */
  RT_NOMEM,             /* malloc failed */
  RT_FORKED,            /* this process is a fork of the one that opened it */
  RT_RESET,             /* the object is older than its device's reset */
  RT_MISUSE,            /* rt->detail is the whole message */
  RT_LIMIT,             /* as RT_MISUSE: a limit of the host program */
  RT_BLOCKED /* nothing was done: wait for rt->wait_reason, then retry */
};

typedef struct Runtime Runtime;
typedef struct RtDevice RtDevice;

/* Headers of the rooms define these. */
typedef struct Access Access;
typedef struct Extension Extension;
typedef struct Mark Mark;
typedef struct MarkSet MarkSet;
typedef struct Memory Memory;
typedef struct Op Op;
typedef struct RtBlock RtBlock;
typedef struct RtBody RtBody;
typedef struct RtCapture RtCapture;
typedef struct RtCode RtCode;
typedef struct RtVariable RtVariable;
typedef struct RtEvent RtEvent;
typedef struct RtFiles RtFiles;
typedef struct RtGenerator RtGenerator;
typedef struct RtGraph RtGraph;
typedef struct RtImport RtImport;
typedef struct RtKept RtKept;
typedef struct RtName RtName;
typedef struct RtOwner RtOwner;
typedef struct RtStream RtStream;
typedef struct RtTransferQueue RtTransferQueue;
typedef struct Tail Tail;

/* "All work queued on 's' up to and including operation 'seq'." */
typedef struct Point {
  RtStream *s;
  uint64_t seq;
} Point;

typedef struct RtNames {
  RtName **bins;
  unsigned nbins, n;
} RtNames;

/* Page-locked slots for uploads: slots.c. */
enum { STAGING_SLOTS = 16 };

typedef struct EventPool {
  CUevent *at;
  int n, cap;
} EventPool;

/* Why a device is lost, once the driver has reported it. */
typedef struct Fault {
  Status code;          /* 0: it works */
  const char *call;     /* the first driver entry that reported it */
  char why[DRIVER_WHY]; /* more that the driver knows; mostly empty */
  char suspects[1536];  /* the operations that may have done it, a line each */
} Fault;

struct RtDevice {
  Runtime *rt;
  const Driver *D;
  int ordinal; /* among devices of its kind */
  int index;   /* in rt->devices */
  CUdevice dev;
  CUcontext ctx;       /* NULL until first used */
  unsigned generation; /* number of resets */
  Fault fault;
  CUmemoryPool pool;
  size_t total;            /* bytes of memory */
  int least, greatest;     /* stream priorities: 0, -5 */
  RtStream *null;          /* the legacy default stream */
  RtStream *mem;           /* non-blocking: driver allocations and frees */
  RtStream *fn;            /* non-blocking: current inside host functions */
  List bare;               /* streams without a handle, for new ones */
  EventPool idle[2];       /* unused events, with timing and without */
  struct RtShared *shared; /* shared with other Runtimes: shared.h */
  RtDevice *peer;          /* the next Runtime's; under the shared lock */
  Point ranks;             /* the latest launch of a graph with operations of
                              ranks */
  int pending;             /* its ranks that may wait for others; other Runtimes
                            notice their own */
  Memory *memory;          /* [0] of the device, [1] page-locked */
  List blocks, foreign;    /* its blocks, held or cached; foreign ones */
  RtBlock *staging[STAGING_SLOTS]; /* see slots.c */
  int nstaging, next_slot;
  int64_t **word_pages; /* for streams to wait on, for kernels to write:
                            flags.c */
  int nword_pages;
  int64_t **idle_words;
  int nidle_words;
};

/* The event that an RT_BLOCKED call waits for. See wait.h. */
typedef enum WaitKind {
  WAIT_PASSED, /* operation 'seq' of 's' has passed */
  WAIT_SENT,   /* operation 'seq' of 's' has been sent */
  WAIT_ROOM,   /* the lists of kept operations have room */
  WAIT_OPEN,   /* no rank on 'dev' waits for others */
  WAIT_QUIET,  /* the Runtime has no kept operation */
  WAIT_ENDED,  /* no end of a communicator is under way or requested */
  WAIT_ASKED   /* is_ready says so */
} WaitKind;

typedef struct WaitReason {
  WaitKind kind;
  RtDevice *dev;
  RtStream *s;
  uint64_t seq;
  const char *what; /* the blocked call: a static string */
  bool (*is_ready)(const struct WaitReason *w);
} WaitReason;

/* Limits that the host program sets for a Runtime; 0: no limit. */
typedef struct RtCaps {
  size_t bytes, pinned_bytes; /* of each device */
  int streams, events;
  bool no_addresses; /* in messages */
} RtCaps;

/* The round in which tickets are asked: those not asked yet. See waitlist.c. */
typedef struct TicketRound {
  struct RtTicket *odd;
  int left; /* how many streams of rt->awaited, from the first */
  bool begun;
} TicketRound;

/* Objects that have a Life. */
typedef enum LifeKind {
  LIFE_GRAPH,
  LIFE_BODY,
  LIFE_CODE,
  LIFE_EVENT,
  LIFE_STREAM,
  LIFE_IMPORT,
  LIFE_SHAREABLE, /* memory that other processes can map */
  LIFE_COMM,      /* a rank of a communicator */
  LIFE_KINDS
} LifeKind;

struct Runtime {
  uint64_t id; /* unique in the process, for ever */
  RtCaps caps;
  RtDevice *devices;
  int ndevices, ncuda;
  char no_cuda[256];   /* why there is no CUDA device; empty: there is one */
  unsigned generation; /* forks seen when opened */
  Status (*open_device)(RtDevice *dev); /* what context_enter does first */
  void (*lose_graphs)(Runtime *rt);     /* graph_exec_lose, for rooms below */
  const Extension *const *extensions;   /* up to NULL */
  unsigned active;    /* bits of those that have something to do */
  bool closing;       /* the State is gone: no Lua function is anchored */
  uint64_t stamp;     /* the last sequence number given out */
  int nhandles;       /* stream handles of users, in use or dropped */
  int nevents;        /* events of users, held or dropped */
  int nshared;        /* memory and events that other processes can have */
  RtStream **streams; /* by id */
  int nstreams;
  List held[LIFE_KINDS];     /* objects with references, and those without, */
  List dropped[LIFE_KINDS];  /* which end once their work is done: life.h */
  int ndropped;              /* how many of the latter */
  int64_t watch_comms;       /* ns: when ranks are looked at next */
  struct RtPoison *poisons;  /* the newest poison of their operations */
  struct RtPeer *peers;      /* one per pair of devices; NULL: not needed yet */
  int nparting;              /* unused ranks that are not gone yet */
  void *places;              /* blocks by address */
  struct RtReturns *returns; /* our memory that others hold: export.c */
  RtVariable *variables;     /* of codes, that arrays stand for */
  Point *points;             /* scratch: one place per stream */
  RtCapture *captures;
  int ncaptures;
  uint64_t capture_ids;
  List generators;        /* of random numbers */
  RtGenerator *generator; /* the common generator; NULL: not needed yet */
  RtFiles *files;         /* file.h; NULL: none was opened yet */
  struct Inbox *inbox;
  struct CopyPool *copy_pool; /* or NULL: not needed yet */
  RtStream *keepers;          /* streams with kept operations, by the oldest */
  int nkept;                  /* the number of kept operations */
  bool resends;               /* some of them could not be sent in their turn */
  size_t kept_bytes; /* bytes of page-locked memory that only they hold */
  uint64_t newest_function; /* the latest host function queued */
  RtKept *failed;           /* kept operations that failed, not reported yet */
  RtKept *unref;          /* host functions that will not run: to be released */
  RtKept *running;        /* the host function that runs now, or NULL */
  Point at;               /* the operation that it is, or is part of */
  uint64_t ran_at;        /* the latest operation when it began */
  int errors;             /* errors that a wait has to report or to look for */
  uint64_t reported;      /* counts how often there were none any more */
  bool finalizing;        /* a finalizer runs in the middle of a call */
  WaitReason wait_reason; /* after RT_BLOCKED */
  void *owner;            /* an opaque pointer of the State */
  struct RtRemoteWait *remote_waits; /* waits for other processes:
                                         timeline.c */
  RtStream *awaited, *last_awaited;  /* streams with tickets: a queue */
  int nawaited;                      /* its length */
  List odd_tickets;                  /* tickets for no point of a stream */
  TicketRound round;
  bool sweeps;             /* all tickets are being asked */
  struct Watcher *watcher; /* for event loops; NULL: not started */
  bool watched_others;     /* it knows of odd tickets */
  bool polls;              /* the thread asks the driver only: contexts stay
                            current */
  RtDevice *current; /* the device current to this thread; NULL: unknown */
  unsigned resets;   /* resets of devices, by any Runtime, handled so far */
  RtNames names;
  RtName *source;   /* the Lua chunk that queues work, or NULL */
  int line;         /* its line; 0: unknown */
  RtDevice *faulty; /* the device whose fault 'call' reports; or NULL */
  const char *call;
  char detail[256];
#if defined(TIDE_TESTING)
  int most_kept;              /* see T.limits; 0: the default */
  unsigned late_us, pause_us; /* see T.delays; 0: a GPU is never late */
  uint64_t late_seed;
  enum { PEERS_ON, PEERS_SEVERED, PEERS_SILENT } peers_off; /* T.peers */
  bool slotted_always; /* T.slots: all transfers go through slots */
#endif
};

/* Tells whether host functions may run now: not inside one, nor in a finalizer
** that runs in the middle of a call. */
static inline bool rt_may_serve (const Runtime *rt) {
  return rt->running == NULL && !rt->finalizing;
}

#endif

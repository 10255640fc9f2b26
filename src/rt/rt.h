/*
** rt.h - the data model below the wall: what a Runtime, a device, a stream, a
** block of memory, an operation, a capture and a graph are.
**
** Nothing here or below knows Lua. One Runtime serves one lua_State and is
** used by one thread at a time; only the inbox is reached from other threads.
** Functions return a Status; above the wall one function (error.c) raises it.
*/
#ifndef TIDE_RT_RT_H
#define TIDE_RT_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/driver/driver.h"
#include "rt/driver/op_kinds.h"
#include "rt/kernels/dtypes.h"

/*
** 0, a CUresult, or one of these. rt->call names the driver entry or the tide
** method that failed, rt->detail (if not empty) explains beyond the code.
*/
typedef int Status;
enum {
  RT_LUAERROR = 100000,  /* a Lua error waits in the State: raise it */
  RT_INTERRUPTED,        /* Ctrl-C while waiting */
  RT_NOMEM,              /* malloc failed */
  RT_FORKED,             /* this process is a fork of the one that opened us */
  RT_RESET,              /* made before its device was reset */
  RT_MISUSE,             /* rt->detail is the whole message */
  RT_LIMIT,              /* the same: a limit of the host program is reached */
  RT_BLOCKED             /* nothing was done: wait for rt->want, then again */
};

typedef struct Runtime Runtime;
typedef struct RtDevice RtDevice;
typedef struct RtStream RtStream;
typedef struct RtCapture RtCapture;
typedef struct RtGenerator RtGenerator;  /* random.h */
typedef struct RtBody RtBody;

/* "All work queued on 's' up to and including operation 'seq'." */
typedef struct Point {
  RtStream *s;
  uint64_t seq;
} Point;

/* One use of a byte range of a block by the operation at (s, seq). */
typedef struct Mark {
  RtStream *s;
  uint64_t seq;
  size_t lo, hi;  /* bytes [lo, hi) of the block */
  bool write;
} Mark;

/* The uses of a block that may still be under way. */
typedef struct MarkSet {
  Mark *at;       /* 'room', or malloc'ed once that is too small */
  int n, cap;
  int writes;     /* how many of them are of writes */
  bool exact;     /* of page-locked memory: host functions ask for elements */
  Mark room[2];
} MarkSet;

/* Whose a thing is that is not ours, and how they are told that it is used no
** more: owner.c. It may free things and must not call tide or Lua. */
typedef void RtRelease (void *ud);

typedef struct RtOwner {
  struct RtOwner *next;
  RtRelease *release;
  void *ud;
} RtOwner;

typedef struct RtLoan RtLoan;  /* memory of others: foreign.c */

/* Bytes [lo, hi) of a block come from operations of ranks: losses.c. */
typedef struct Owed {
  uint64_t since, seq;   /* the earliest and the latest; 0: there are none */
  struct RtLoss *loss;   /* why it was not done; NULL: that is not known */
  size_t lo, hi;
} Owed;

/* One allocation: device memory, or page-locked host memory. */
typedef struct RtBlock {
  RtDevice *dev;
  CUdeviceptr ptr;     /* page-locked: the host address as well */
  size_t size;         /* what was asked, rounded up to its size class or,
                          where that is too much, to 512 bytes */
  int refs;            /* arrays, captures and graphs that hold it */
  int ncaptures;       /* open captures that touched it */
  bool pinned;
  bool own;            /* the library's, in no account */
  bool foreign;        /* somebody else's, in no account: foreign.c */
  bool placed;         /* found by its address: address.c */
  bool kept;           /* dropped, but for kept operations: in rt->kept_bytes */
  bool registered;     /* page-locked by us */
  int graphs, loans;   /* of the references: those of graphs, of loans */
  uint64_t born;       /* the call that it was made for: see door.h */
  uint64_t made_in;    /* the capture that alone has used it; 0: none */
  unsigned generation;
  MarkSet marks;
  struct Shelf *shelf;   /* of the cache, or NULL */
  struct RtBlock *next, *prev;  /* there, the newer and the older one */
  struct RtBlock *older, *newer;  /* all blocks of the device, or all foreign
                                     ones */
  Owed owed;
} RtBlock;

/* A name that a program gives, with a count of who refers to it: names.c. */
typedef struct RtName {
  struct RtName *next;  /* in its bin */
  unsigned hash;
  int refs;
  char text[];
} RtName;

typedef struct RtNames {
  RtName **bins;
  unsigned nbins, n;
} RtNames;

/* Loaded code under the name of a kernel: codes.c. */
typedef struct RtCode {
  RtDevice *dev;
  unsigned generation;
  int refs;                  /* Lua objects, nodes of graphs */
  struct RtModule *module;   /* NULL: not yet, or its device was left */
  RtName *name;
  MarkSet uses;              /* launches that may be under way */
  struct RtCode *older, *newer;  /* all of the Runtime */
  struct RtCode *next;       /* those that nobody holds */
} RtCode;

/* What an operation does to a range of a block. */
typedef struct Access {
  RtBlock *block;
  size_t off, len;
  bool write;  /* reads as well, for all that ordering cares */
  bool blind;  /* sees nothing of what was there, and if it is a write, leaves
                  nothing of it: losses.c */
} Access;

enum { OP_ACCESSES = 7 };  /* room inside an Op; graphs bring their own list */

/* Queues work of the host program's own on a driver stream: 0, or an error,
** after which what it has queued counts all the same. */
typedef int RtWork (void *stream, void *ud);

/* One operation to queue: filled on the C stack, handed to rt_submit. */
typedef struct Op {
  OpKind kind;
  const char *name;        /* for graphs, errors and traces: a static string,
                              or the name of 'code' */
  const Access *access;    /* 'own', or a list that outlives the call */
  int naccess;
  bool foreign;            /* runs code that tide did not write, */
  bool opaque;             /* and that may use more than 'access' says */
  bool early;              /* of a launch: the kernel begins with a wait for
                              what comes before it */
  int ahead;               /* how many more must go through once this one has */
  int part;                /* of OP_GRAPH: which of the graph's */
  bool must;               /* it is one of those, or its call has queued some */
  uint64_t seq;            /* its number, if it was kept; 0: the next one */
  const struct RtGemm *gemm;  /* of a launch: what cuBLAS may do instead */
  RtCode *code;            /* of a launch; NULL: of a built-in kernel */
  Access own[OP_ACCESSES];
  union {
    struct {
      CUfunction fn;
      unsigned grid[3], block[3];
      unsigned shared;                  /* bytes of dynamic shared memory */
      void **params;
    } launch;
    struct { CUdeviceptr dst, src; size_t bytes; } copy;
    struct { CUdeviceptr dst; size_t bytes; } zero;
    struct RtEvent *event;              /* OP_RECORD */
    struct {                            /* OP_WAIT */
      struct RtEvent *event;
      uint64_t at;                      /* of its timeline; 0: the latest */
      int64_t *broken;                  /* see rt_awaitrecording */
    } wait;                             /* no event: see rt_waitstream */
    struct { int ref; } hostfn;         /* key of the Lua function */
    struct RtGraph *graph;              /* OP_GRAPH, OP_UPLOAD */
    uint32_t *hold;                     /* OP_HOLD: tests shut a stream */
    struct {                            /* OP_FILE */
      struct RtTransfer *transfer;
      Status result;                    /* what went wrong half way; or 0 */
    } file;
    struct OpCall { RtWork *fn; void *ud; int result; } call;
    struct {                            /* OP_COLLECTIVE */
      const struct RtTogether *together;  /* NULL: none, to order */
      struct RtComm *comm;              /* this rank of some other one's */
      const Access *all;                /* of all ranks of this process, */
      int nall;                         /* so many */
    } collective;
  } u;
} Op;

/* An event recorded at a stream's tail so that others can wait for it. */
typedef struct Tail {
  CUevent event;
  uint64_t seq;
} Tail;

/*
** An operation that has not been sent to the driver, because it comes after a
** host function that has not run, or is one: kept.c. A list per stream, in the
** order of calls.
*/
typedef struct RtKept {
  struct RtKept *next;   /* of the stream, of rt->failed or of rt->unref */
  RtStream *s;
  uint64_t seq;
  Op op;                 /* with lists and parameters of its own */
  Point *after;          /* points of other streams that it comes after, */
  int nafter;            /* so many */
  RtBody *body;          /* of a graph's launch; or NULL */
  Status status;         /* why it could not be sent: of rt->failed, */
  const char *call;      /* and as rt_fail would say */
  char *detail;
} RtKept;

/*
** What a stream reads from files, or what it writes there: in pieces, which are
** numbered. Two words of page-locked memory say which piece the stream has come
** to and which one the threads have done with; both only grow. See
** file/transfer.c.
*/
typedef struct RtLane {
  RtDevice *dev;
  uint32_t *stream, *threads;
  uint32_t issued;       /* the latest piece */
  RtBlock *slots;        /* what pieces go through, or NULL, */
  size_t slot;           /* the bytes of each, */
  int nslots;            /* how many, */
  uint32_t slots_from;   /* and the first piece that goes through it */
  RtBlock *scratch;      /* a word that nobody reads: queue/transfer.c; NULL:
                            not needed yet */
  int ntransfers;        /* that are not reaped */
  bool broken;           /* a call of the driver failed: no stream's any more */
  struct RtLane *older;      /* of the Runtime */
  struct RtLane *next;       /* of those with slots */
  /* under the lock of threads.c: */
  struct RtTransfer *first, **last;  /* that the threads have not done, */
  struct RtLane *next_busy;          /* and lanes that have some */
} RtLane;

/* A place of the program and the last operation that it queued on a stream. */
typedef struct Crumb {
  uint64_t seq;         /* 0: none */
  const char *name;     /* of the operation: a static string, */
  RtName *kept;         /* or the text of this one */
  RtName *source;       /* of the Lua function; NULL: not known or wanted */
  int line;
  OpKind kind;
  bool foreign;         /* see Op */
} Crumb;

enum { CRUMBS = 16 };
enum { STREAM_SHELVES = 8 };
enum { WAITED_FEW = 4 };

typedef enum StreamKind {
  STREAM_OWNED, STREAM_NULL, STREAM_PTDS, STREAM_EXTERNAL
} StreamKind;

/*
** A driver stream with what hangs on it. The struct outlives its handle: it is
** recycled only once all its work is known done, and sequence numbers come
** from one counter per Runtime, so a Mark may keep a pointer to it for ever.
*/
/* What the watcher asks for a stream: its thread reads it, under its lock. */
typedef struct RtWatch {
  bool on;              /* atomic: its owner reads it without the lock */
  uint64_t seq;         /* which operation it is for: for the owner alone */
  CUevent event;        /* NULL: there is none to ask about */
  CUcontext ctx;
  const Driver *D;
  RtStream *next;
} RtWatch;

struct RtStream {
  RtDevice *dev;
  CUstream handle;
  StreamKind kind;
  bool nonblocking;
  bool live;            /* has a handle; false once destroyed */
  int priority;
  int id;               /* index in rt->streams */
  int refs;             /* Lua objects, current slots, captures */
  uint64_t seq;         /* the last operation queued */
  uint64_t sent;        /* the last one that the driver has */
  uint64_t done;        /* everything up to here is known to have finished */
  Tail *tails;          /* ascending seq, all > done */
  int ntails, captails;
  Point *waited;        /* whom it waited for, and how far: progress.c */
  unsigned nwaited;     /* places, a power of two */
  Point met[WAITED_FEW];
  RtKept *kept, **last_kept;   /* what was not sent yet, the oldest first, */
  RtStream *next_keeper;       /* and the next stream that has some */
  struct RtTicket *tickets, *last_ticket;  /* who sleeps until its points have
                                              passed: tickets.c */
  RtStream *next_awaited;                  /* that has some */
  RtWatch watch;        /* what event loops are alerted for: watcher.c */
  bool exposed;         /* others know its handle, and may queue work */
  uintptr_t thread;     /* per-thread default stream: whose */
  RtCapture *capture;   /* the capture it takes part in, or NULL */
  bool captured_once;   /* took part in one, which may have ended badly */
  struct RtBranch *branch;  /* and where it is in that: graph/branches.c */
  unsigned generation;  /* of its device when it was made */
  bool unasked;         /* made by tide for a coroutine, not by the user */
  int errors;           /* kept ones that name it: it serves no other stream */
  int slot[2];          /* while marks are merged: where its own is */
  RtOwner *owners;      /* of an external one */
  RtLane *lanes[2];     /* from files, to files; NULL: not needed yet */
  Crumb crumbs[CRUMBS]; /* who queued what lately: see fault_trace.c */
  int crumb;            /* the place expected next */
  struct Shelf *shelves[STREAM_SHELVES];  /* by bin: see cache.c */
  RtStream *next;       /* on the dropped, retiring or bare list */
};

/* A user's event. */
typedef struct RtEvent {
  RtDevice *dev;
  CUevent handle;
  unsigned flags;
  unsigned generation;
  RtStream *s;          /* where it was recorded last; NULL: never */
  uint64_t seq;
  uint64_t capture;     /* id of the capture that recorded it; 0: none */
  int recording;        /* and which of that one's recordings it is */
  bool foreign;         /* somebody else's, who may record it, too */
  int kept;             /* recordings that have not been sent */
  struct RtTimeline *timeline;  /* of an interprocess one, or NULL: others may
                                   record it; and its number there of */
  uint64_t published;   /* our own latest recording */
  RtOwner *owners;
  struct RtEvent *next; /* on the dropped list */
  struct RtEvent *older, *newer;  /* all that users hold */
} RtEvent;

enum { NODE_DETAIL = 64 };

/* One node of a captured graph, for people: its name and its edges. */
typedef struct GraphNode {
  const char *name;
  RtCode *code;      /* that it launches, whose name it has; or NULL */
  char detail[NODE_DETAIL];  /* sizes, for the verbose form */
  int after;         /* where in the body's edges the nodes are that it
                        follows, without those that another one follows, */
  int nafter;        /* and how many */
} GraphNode;

/* A launch does these one after the other: nodes of the driver's, or a host
** function. */
typedef struct GraphPart {
  CUgraph graph;     /* NULL: a function, or lost: rt_losegraphs */
  RtKept *function;  /* or NULL; holds its key */
} GraphPart;

/* A rank that has operations in a graph. */
typedef struct GraphComm {
  struct RtComm *comm;
  int n;                /* how many */
} GraphComm;

/*
** What a graph runs and owns; shared by graphs after update. 'last' orders
** launches of bodies with host functions, which must not overlap.
*/
struct RtBody {
  int refs;
  RtDevice *dev;
  unsigned generation;
  GraphPart *parts;        /* what a launch does in turn, */
  int nparts;
  int nfunctions;          /* and how many of these are host functions */
  Access *access;          /* each block at most once read and once written;
                              page-locked memory as it is used */
  int naccess;
  Access *uses;            /* of page-locked memory, by each node */
  int nuses;
  GraphNode *nodes;
  int nnodes;
  int *edges;              /* indices of nodes */
  int nedges;
  Point last;              /* its latest launch */
  struct RtGraph *execs;   /* dropped ones that it was launched by */
  bool anchored;           /* the State holds its Lua functions for a launch */
  bool owned;              /* a Graph keeps its Lua functions */
  GraphComm *comms;        /* it has operations of these, and holds them */
  int ncomms;
  struct RtBody *next;     /* on the parked list */
};

typedef struct RtGraph {
  RtDevice *dev;
  unsigned generation;
  RtBody *body;
  Point last;            /* its latest launch, of whatever body */
  struct RtGraph *next;  /* on the dropped list, then its body's */
  struct RtGraph *older, *newer;  /* all that users hold */
  int nexecs;            /* one for each part; NULL: of a function, or lost */
  CUgraphExec execs[];
} RtGraph;

enum { CACHE_BINS = 8 * 40 };

/* Free blocks of one size class that one stream used last. */
typedef struct Shelf {
  struct Cache *cache;
  int bin;
  RtBlock *oldest, *newest;
  struct Shelf *next, *prev;  /* in the bin's ring, if it has blocks */
  struct Shelf *sibling;      /* another one of the stream's */
} Shelf;

/* Free memory of one kind: see cache.c. */
typedef struct Cache {
  Shelf common[CACHE_BINS];   /* blocks that no stream is known to use */
  Shelf *ring[CACHE_BINS];    /* shelves with blocks; that whose turn it is */
  uint8_t given[CACHE_BINS];  /* blocks by the driver, as far as counted */
  size_t bytes;
} Cache;

/*
** The accounts of one kind of memory. live + cache.bytes + ring == reserved <=
** peak; 'reserved' grows in one place only, and never beyond 'limit'.
*/
typedef struct Memory {
  Cache cache;
  size_t live;       /* bytes in blocks that somebody holds */
  size_t lent;       /* bytes of others, in no other figure */
  size_t ring;       /* bytes in slots of the ring */
  size_t reserved;   /* bytes got from the driver: held, cached, in slots */
  size_t peak;       /* the most 'reserved' has been under this limit */
  size_t limit;      /* NO_LIMIT: what the driver has */
  size_t cap;        /* the host program's: the most that 'limit' may be, and */
  size_t shared;     /* bytes of it that other processes may have as well */
  size_t threshold;  /* 'live' beyond it: garbage is looked for; 0: not set */
  size_t base, step; /* for the threshold: see gc_pressure.c */
  size_t nlive;      /* how many blocks are held */
  size_t nmost, nstep;  /* the same for their number */
  int calm;             /* steps in a row that freed some; -: that did not */
  size_t floor, room;   /* for full collections */
} Memory;

#define NO_LIMIT SIZE_MAX

/* What 'reserved' may come to. */
static inline size_t rt_limitof (const Memory *m) {
  size_t left = (m->shared < m->cap) ? m->cap - m->shared : 0;
  return (left < m->limit && m->cap != NO_LIMIT) ? left : m->limit;
}

enum { RING_SLOTS = 16 };

typedef struct EventPool {
  CUevent *at;
  int n, cap;
} EventPool;

/* Why a device is of no more use, once the driver has said so. */
typedef struct Fault {
  Status code;           /* 0: it works */
  const char *call;      /* the driver entry that said so first */
  char why[DRIVER_WHY];  /* what else the driver knows; mostly empty */
  char suspects[1536];   /* the operations that may have done it, a line each */
} Fault;

struct RtDevice {
  Runtime *rt;
  const Driver *D;
  int ordinal;           /* among devices of its kind */
  int index;             /* in rt->devices */
  CUdevice dev;
  CUcontext ctx;         /* NULL until first used */
  unsigned generation;   /* how often it was reset */
  Fault fault;
  CUmemoryPool pool;
  size_t total;          /* bytes of memory */
  int least, greatest;   /* stream priorities: 0, -5 */
  RtStream *null;        /* the legacy default stream */
  RtStream *mem;         /* non-blocking: driver allocations and frees */
  RtStream *fn;          /* non-blocking: current inside host functions */
  RtStream *bare;        /* structs without a handle, for new streams */
  EventPool idle[2];     /* events nobody uses: with and without timing */
  struct RtShared *shared;  /* with other Runtimes: see shared.h */
  RtDevice *peer;        /* the next Runtime's; under the shared lock as are */
  int pending;           /* its ranks of communicators that may wait for others:
                            what other Runtimes have is theirs to notice */
  Memory memory[2];      /* of the device; page-locked */
  RtBlock *blocks;       /* the newest of all, held or cached */
  RtBlock *foreign;      /* the newest that is somebody else's */
  RtBlock *ring[RING_SLOTS];  /* see upload.c */
  int nring, next_slot;
  int64_t **word_pages;  /* that streams wait for, or kernels write: flags.c */
  int nword_pages;
  int64_t **idle_words;
  int nidle_words;
};

/* What a call that was RT_BLOCKED has to wait for. See wait.h. */
typedef enum WantKind {
  WANT_PASSED,  /* operation 'seq' of 's' has passed */
  WANT_SENT,    /* operation 'seq' of 's' has been sent */
  WANT_ROOM,    /* the lists of kept operations take one more */
  WANT_PIECES,  /* 's' takes 'seq' more pieces of files */
  WANT_SLOTS,   /* some slots that files go through are idle, or none is left */
  WANT_OPEN,    /* no rank on 'dev' waits for others */
  WANT_QUIET,   /* the Runtime keeps no operation */
  WANT_ENDED    /* no end of a communicator is under way, or wants to be */
} WantKind;

typedef struct RtWant {
  WantKind kind;
  RtDevice *dev;
  RtStream *s;
  uint64_t seq;
  const char *what;  /* the call that is blocked: a static string */
} RtWant;

/* What the host program allows a Runtime; 0: no limit. */
typedef struct RtCaps {
  size_t bytes, pinned_bytes;  /* of each device */
  int streams, events;
  bool no_addresses;  /* in messages */
} RtCaps;

/* A block in a capture: its captured uses. */
typedef struct Captured {
  RtBlock *block;
  MarkSet marks;
  bool written;  /* by what does not see it, */
  bool seen;     /* but not before others have */
} Captured;

/* All of them; empty: zero. */
typedef struct Footprint {
  Captured **table;    /* open addressing by block */
  int nblocks, size;
} Footprint;

enum { CHAINS = 16 };

/* Nodes of a capture: of each chain a node, and all before it in the chain. The
** number is the index of the node, plus one; 0: there is none of the chain. */
typedef struct Reach {
  int upto[CHAINS];
} Reach;

/* A node while its capture is open. */
typedef struct CapturedNode {
  RtStream *s;         /* where it was captured */
  int chain;
  Reach before;        /* all that it follows */
  int first, n;        /* the driver's nodes for it, in the capture's list;
                          'first' -1: the driver was not asked yet */
} CapturedNode;

/* A stream in a capture. */
typedef struct RtBranch {
  Reach base;          /* what all operations to come follow */
  Reach all;           /* what was captured on it or it has waited for */
  int at;              /* the node that the driver's stream is at, or AT_... */
  int latest;          /* its latest node; -1: there is none */
  int links;           /* how many nodes in a row, up to the latest, each use
                          what the one before wrote */
  int segment;         /* the latest one that its driver's stream is in */
  int first, n;        /* of a mixed one: the driver's nodes that were there */
  int joined;          /* at the end: nodes before this one are joined */
  bool mixed;          /* operations that tide does not see go there, too */
} RtBranch;

typedef struct Lent {
  RtDevice *dev;
  CUevent event;
} Lent;

struct RtCapture {
  RtCapture *next;
  RtStream *origin;
  RtName *source;      /* where it began: the chunk, or NULL, */
  int line;            /* and the line */
  bool abandoned;      /* nobody will end it: the next operation does */
  bool strict;         /* not relaxed (capture_mode.c): ends where it began, */
  uintptr_t thread;    /* which is here */
  uint64_t id;
  RtBody *body;        /* grows until the end */
  CUstreamCaptureMode mode;
  int segment;         /* host functions so far: each begins a new one, and */
  int cut;             /* its node, plus one, comes before all that follows */
  CUevent begun;       /* streams enter the segment by it; NULL: none did */
  CapturedNode *nodes; /* as many as the body has */
  RtStream *chains[CHAINS];  /* chains of nodes: graph_nodes.c */
  int nchains;
  Reach *recordings;   /* of events */
  int nrecordings;
  CUgraphNode *handles;  /* what the driver calls the nodes, in any order */
  int nhandles;
  Footprint blocks;
  RtBlock *spare;      /* the one that was made and let go in it last */
  Lent *events;        /* to be returned at the end */
  int nevents;
};

/* Who has tickets is asked in turn: who has not been yet. See tickets.c. */
typedef struct TicketRound {
  struct RtTicket *odd;
  int left;             /* streams, from the first on */
  bool begun;
} TicketRound;

struct Runtime {
  uint64_t id;           /* that no other one of the process ever has */
  RtCaps caps;
  RtDevice *devices;
  int ndevices, ncuda;
  char no_cuda[256];     /* why there is no CUDA device; empty: there is */
  unsigned generation;   /* forks seen when opened */
  Status (*open_device) (RtDevice *dev);  /* what rt_enter does first */
  bool closing;          /* the State is gone: nothing is anchored any more */
  uint64_t stamp;        /* the last sequence number given out */
  int nhandles;          /* stream handles of users, in use or retiring */
  int nevents;           /* events of users, held or dropped */
  int nshared;           /* of memory and events: what others can have */
  RtStream **streams;    /* by id */
  int nstreams, capstreams;
  RtStream *dropped;
  RtStream *retiring, **retiring_end;  /* a queue: each has its turn */
  int nretiring;
  RtEvent *events;       /* the newest that users hold */
  RtEvent *dropped_events;
  RtGraph *graphs;
  RtGraph *dropped_graphs;
  RtBody *parked, **parked_end;  /* bodies that wait for their last launch */
  int nparked;
  struct RtComm *comms;    /* ranks of communicators: the newest of all, */
  int64_t watch_comms;     /* ns: when they are looked at again */
  struct RtLoss *losses;   /* what some have not done: the newest */
  struct RtPeer *peers;    /* of each two devices; NULL: not needed yet */
  RtLoan *loans;           /* memory of others that somebody holds */
  RtLoan *leaving_loans, **leaving_end;  /* ... that nobody does: a queue */
  int nparting;          /* ranks that nobody uses, and are not gone */
  int nleaving_loans;
  struct RtShareable *shareables;  /* what other processes can map */
  void *places;            /* blocks by address */
  struct RtReturns *returns;  /* what others hold of ours: exported.c */
  RtCode *codes;         /* the newest of all */
  RtCode *leaving, *last_leaving;  /* nobody holds them: in turn */
  int nleaving;
  Point *points;         /* scratch: one place per stream */
  RtCapture *captures;
  int ncaptures;
  uint64_t capture_ids;
  RtGenerator *generators;  /* of random numbers: the newest of all, and */
  RtGenerator *generator;   /* the common one; NULL: not needed yet */
  struct RtInode *inodes;   /* files that are open or have work under way */
  struct RtFile *files;     /* the newest that is open */
  int nfiles, nclosed;      /* those, and those of them that were closed */
  struct RtTransfer *transfers;  /* the newest of all */
  RtLane *lanes;            /* the newest of all */
  RtLane *slotted, **slotted_end;  /* those with slots: in turn */
  int nslotted;
  struct RtTransfer *over;  /* that the threads have done; their lock */
  int nover;                /* atomic: how many those are */
  bool has_filethreads;
  struct Inbox *inbox;
  struct Crew *crew;     /* threads that fill memory; NULL: not needed yet */
  RtStream *keepers;     /* streams with kept operations, by the oldest one, */
  int nkept;             /* how many they have in all, */
  size_t kept_bytes;     /* and bytes of page-locked memory that is theirs */
  uint64_t newest_function;  /* the latest operation that is a host function */
  RtKept *failed;        /* what could not be sent, and nobody was told of */
  RtKept *unref;         /* nobody will run them: their functions can go */
  RtKept *running;       /* the host function that runs now, or NULL: */
  Point at;              /* the operation that it is, or is part of */
  int errors;            /* of host functions, that nobody has asked for */
  bool finalizing;       /* a finalizer runs in the middle of a call */
  RtWant want;           /* after RT_BLOCKED */
  void *owner;           /* whose it is: not ours to know */
  struct RtRemoteWait *remote_waits;  /* for other processes: timeline.c */
  RtStream *awaited, *last_awaited;  /* a queue: those with tickets, */
  int nawaited;                      /* and how many those are */
  struct RtTicket *odd_tickets;  /* for what is no point of a stream */
  TicketRound round;
  bool sweeps;           /* all who have tickets are asked now */
  struct Watcher *watcher;  /* for event loops; NULL: there is none, */
  bool watched_others;   /* and whether it was told that there are odd ones */
  bool polls;            /* it does now: nobody else changes contexts, */
  RtDevice *current;     /* and whose this thread has; NULL: not known */
  unsigned resets;       /* of devices, by anybody, that were looked at */
  RtNames names;
  RtName *source;        /* of the Lua chunk that queues, or NULL, */
  int line;              /* and where in it; 0: unknown */
  RtDevice *faulty;      /* the device whose fault 'call' tells; or NULL */
  const char *call;
  char detail[256];
#if defined(TIDE_TESTING)
  int most_kept;         /* see T.limits; 0: the usual */
  unsigned late_us, pause_us;    /* see T.delays; 0: a GPU is never late */
  uint64_t late_seed;
  enum { PEERS_ON, PEERS_SEVERED, PEERS_SILENT } peers_off;  /* T.peers */
  bool slotted_always;   /* T.slots: files go through slots, whatever memory */
#endif
};

/* Is there an operation of 's' up to 'seq' that the driver does not have yet?
*/
static inline bool rt_iskept (const RtStream *s, uint64_t seq) {
  return s->kept != NULL && s->kept->seq <= seq;
}

/* May host functions run now? Not inside one, nor in a finalizer that runs in
** the middle of a call. */
static inline bool rt_mayserve (const Runtime *rt) {
  return rt->running == NULL && !rt->finalizing;
}

#endif

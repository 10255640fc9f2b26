/*
** rt.h - the data model below the wall: Runtime, device, stream, block of
** memory, operation, capture, graph.
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
#include "rt/driver/op_kinds.h"
#include "rt/kernels/dtypes.h"

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
typedef struct RtStream RtStream;
typedef struct RtCapture RtCapture;
typedef struct RtGenerator RtGenerator; /* rng.h */
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
  size_t lo, hi; /* bytes [lo, hi) of the block */
  bool write;
} Mark;

/* The uses of a block that may still be under way. */
typedef struct MarkSet {
  Mark *at; /* 'room', or malloc'ed once that is too small */
  int n, cap;
  int writes; /* how many of them are writes */
  bool exact; /* of page-locked memory: host functions ask for elements */
  Mark room[2];
} MarkSet;

/* The owner of foreign memory, a foreign stream or a foreign event. release(ud)
** is called once, when tide no longer uses the object (owner.c). It may free
** things and must not call tide or Lua. */
typedef void RtRelease (void *ud);

typedef struct RtOwner {
  struct RtOwner *next;
  RtRelease *release;
  void *ud;
} RtOwner;

typedef struct RtImport RtImport; /* foreign memory: import.c */

/* Operations of ranks that write bytes [lo, hi) of a block: poison.c. */
typedef struct Taint {
  uint64_t since, seq;     /* the earliest and the latest; 0: none */
  struct RtPoison *poison; /* why it was not done; NULL: not known */
  size_t lo, hi;
} Taint;

/* One allocation: device memory, or page-locked host memory. */
typedef struct RtBlock {
  RtDevice *dev;
  CUdeviceptr ptr; /* page-locked: the host address as well */
  size_t size;     /* the size asked for, rounded up to its size class or,
                          where that is too much, to 512 bytes */
  int refs;        /* arrays, captures and graphs that hold it */
  int ncaptures;   /* open captures that use it */
  bool pinned;
  bool own;            /* tide's own, in no account */
  bool foreign;        /* not allocated by tide, in no account: import.c */
  bool placed;         /* found by its address: address.c */
  bool kept;           /* dropped, but kept operations use it: counted in
                          rt->kept_bytes */
  bool registered;     /* page-locked by tide */
  int graphs, imports; /* references by graphs, by imports */
  uint64_t born;       /* the call that it was made for: see entry.h */
  uint64_t made_in;    /* the only capture that has used it; 0: none */
  unsigned generation;
  MarkSet marks;
  struct Shelf *shelf;           /* in the cache, or NULL */
  struct RtBlock *next, *prev;   /* on the shelf: newer, older block */
  struct RtBlock *older, *newer; /* all blocks of the device, or all foreign
                                     blocks */
  Taint taint;
} RtBlock;

/* A name that a program gives, with a count of references: names.c. */
typedef struct RtName {
  struct RtName *next; /* in its bin */
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
  int refs;                /* Lua objects, nodes of graphs */
  struct RtModule *module; /* NULL: not loaded, or its device was left */
  RtName *name;
  MarkSet uses;                 /* launches that may be under way */
  struct RtCode *older, *newer; /* all of the Runtime */
  struct RtCode *next;          /* in the list of unreferenced codes */
} RtCode;

/* A use of a range of a block by an operation. */
typedef struct Access {
  RtBlock *block;
  size_t off, len;
  bool write; /* counts as a read as well, for ordering */
  bool blind; /* does not read what was there before, and as a write leaves
                  nothing of it: poison.c */
} Access;

enum {
  OP_ACCESSES = 7
}; /* room inside an Op; graphs have lists of their
                              own */

/* Queues work of the host program on a driver stream. Returns 0 or an error;
** after an error the work that it queued still counts. */
typedef int RtWork (void *stream, void *ud);

/* One operation to queue: filled on the C stack, handed to op_submit. */
typedef struct Op {
  OpKind kind;
  const char *name;     /* for graphs, errors and traces: a static string,
                              or the name of 'code' */
  const Access *access; /* 'own', or a list that outlives the call */
  int naccess;
  bool foreign; /* runs code that tide did not write */
  bool opaque;  /* may use more than 'access' says */
  bool early;   /* of a launch: the kernel begins with a wait for
                              what comes before it */
  int ahead;    /* how many more operations must follow this one */
  int part;     /* of OP_GRAPH: which part of the graph */
  bool must;    /* it must follow an earlier operation of its call */
  uint64_t seq; /* its number if it was kept; 0: the next */
  const struct RtGemm *gemm; /* of a launch: what cuBLAS may compute instead */
  const struct RtSolver *solver; /* ... what cuSOLVER computes: no kernel */
  RtCode *code;                  /* of a launch; NULL: a built-in kernel */
  Access own[OP_ACCESSES];
  union {
    struct {
      CUfunction fn;
      unsigned grid[3], block[3];
      unsigned shared; /* bytes of dynamic shared memory */
      void **params;
    } launch;
    struct {
      CUdeviceptr dst, src;
      size_t bytes;
    } copy;
    struct {
      CUdeviceptr dst;
      size_t bytes;
    } zero;
    struct RtEvent *event; /* OP_RECORD */
    struct {               /* OP_WAIT */
      struct RtEvent *event;
      uint64_t at;     /* of its timeline; 0: the latest */
      int64_t *broken; /* see timeline_wait */
    } wait;            /* event NULL: see op_wait_stream */
    struct {
      int ref;
    } hostfn;              /* key of the Lua function */
    struct RtGraph *graph; /* OP_GRAPH, OP_UPLOAD */
    uint32_t *hold;        /* OP_HOLD: tests block a stream */
    struct {               /* OP_FILE */
      struct RtTransfer *transfer;
      Status result; /* the error half way, or 0 */
    } file;
    struct OpCall {
      RtWork *fn;
      void *ud;
      int result;
    } call;
    struct {                             /* OP_COLLECTIVE */
      const struct RtTogether *together; /* NULL: an operation for order
                                             only */
      struct RtComm *comm;               /* this rank, if another one submits */
      const Access *all;                 /* of all ranks of this process */
      int nall;                          /* their number */
    } collective;
  } u;
} Op;

/* An event recorded at a stream's tail so that others can wait for it. */
typedef struct Tail {
  CUevent event;
  uint64_t seq;
} Tail;

/*
** An operation that is not sent to the driver yet, because it is a host
** function or comes after one that has not run: kept.c. Each stream has a list,
** in the order of calls.
*/
typedef struct RtKept {
  struct RtKept *next; /* in the list of a stream, rt->failed or rt->unref */
  RtStream *s;
  uint64_t seq;
  Op op;            /* with lists and parameters of its own */
  Point *after;     /* points of other streams that it comes after */
  int nafter;       /* their number */
  RtBody *body;     /* of a graph's launch; or NULL */
  Status status;    /* in rt->failed: why it could not be sent, */
  const char *call; /* and the arguments of status_fail */
  char *detail;
} RtKept;

/*
** A stream's transfers from files, or to files, in numbered chunks. Two words
** of page-locked memory hold the chunk that the stream has come to, and the
** chunk that the threads have done. Both only grow. See file/transfer.c.
*/
typedef struct RtTransferQueue {
  RtDevice *dev;
  uint32_t *stream, *threads;
  uint32_t issued;     /* the latest chunk */
  RtBlock *slots;      /* memory that chunks go through, or NULL */
  size_t slot;         /* bytes of each slot */
  int nslots;          /* how many, */
  uint32_t slots_from; /* the first chunk that goes through these slots */
  RtBlock *scratch; /* a word that is never read: queue/dispatch_file.c; NULL:
                            not needed yet */
  int ntransfers;   /* transfers that are not reaped */
  bool broken;      /* a driver call failed: it has left its stream */
  struct RtTransferQueue *older; /* of the Runtime */
  struct RtTransferQueue *next;  /* in the list of queues with slots */
  /* under the lock of io_threads.c: */
  struct RtTransfer *first, **last;  /* transfers that the threads have to do */
  struct RtTransferQueue *next_busy; /* in the list of queues with some */
} RtTransferQueue;

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

/*
** A driver stream and its state. The struct outlives its handle. It is recycled
** only once all its work is known done, and sequence numbers come from one
** counter per Runtime. So a Mark may keep a pointer to it for ever.
*/
struct RtStream {
  RtDevice *dev;
  CUstream handle;
  StreamKind kind;
  bool nonblocking;
  bool live; /* has a handle; false once destroyed */
  int priority;
  int id;        /* index in rt->streams */
  int refs;      /* Lua objects, current slots, captures */
  uint64_t seq;  /* the last operation queued */
  uint64_t sent; /* the last operation that the driver has */
  uint64_t done; /* everything up to here is known to have finished */
  Tail *tails;   /* ascending seq, all > done */
  int ntails, captails;
  Point *waited;    /* the streams it waited for: progress.c */
  unsigned nwaited; /* places, a power of two */
  Point met[WAITED_FEW];
  RtKept *kept, **last_kept; /* operations not sent yet, the oldest first */
  RtStream *next_keeper;     /* the next stream with kept operations */
  struct RtTicket *tickets, *last_ticket; /* coroutines that sleep until its
                                              points have passed: waitlist.c */
  RtStream *next_awaited;                 /* the next stream with tickets */
  RtWatch watch;           /* what event loops are woken for: watcher.c */
  bool exposed;            /* others know its handle, and may queue work */
  uintptr_t thread;        /* of a per-thread default stream: its thread */
  RtCapture *capture;      /* the capture it takes part in, or NULL */
  bool captured_once;      /* was in a capture, which may have ended badly */
  struct RtBranch *branch; /* its place in that capture: graph/branch.c */
  unsigned generation;     /* of its device when it was made */
  bool unasked;            /* made by tide for a coroutine, not by the user */
  int errors;              /* unreported errors that name it: until they are
                           reported, the struct is not reused */
  int slot[2];             /* while marks are merged: indices of its own */
  RtOwner *owners;         /* of an external stream */
  RtTransferQueue *queues[2]; /* from files, to files; NULL: not needed yet */
  LaunchRecord launches[LAUNCH_RECORDS]; /* the latest: fault.c */
  int next_launch;                       /* the record expected next */
  struct Shelf *shelves[STREAM_SHELVES]; /* by bin: see cache.c */
  RtStream *next; /* on the dropped, retiring or bare list */
};

/* A user's event. */
typedef struct RtEvent {
  RtDevice *dev;
  CUevent handle;
  unsigned flags;
  unsigned generation;
  RtStream *s; /* where it was recorded last, or NULL */
  uint64_t seq;
  uint64_t capture; /* id of the capture that recorded it; 0: none */
  int recording;    /* index among that capture's recordings */
  bool foreign;     /* the host program's, which may record it, too */
  int kept;         /* recordings that have not been sent */
  struct RtTimeline *timeline; /* of an interprocess event, or NULL. Other
                                   processes may record it */
  uint64_t published;          /* number of our own latest recording in it */
  RtOwner *owners;
  struct RtEvent *next;          /* on the dropped list */
  struct RtEvent *older, *newer; /* all events that users hold */
} RtEvent;

enum { NODE_DETAIL = 64 };

/* A node of a captured graph, for printing: its name and its edges. */
typedef struct GraphNode {
  const char *name;
  RtCode *code; /* the code that it launches, with its name; or NULL */
  char detail[NODE_DETAIL]; /* sizes, for the verbose form */
  int after;  /* index in the body's edges of the nodes that it follows,
                        without those that another of them follows */
  int nafter; /* their number */
} GraphNode;

/* A part of a launch, which does its parts in turn: the driver's graph, or a
** host function. */
typedef struct GraphPart {
  CUgraph graph;    /* NULL: a function, or lost (graph_exec_lose) */
  RtKept *function; /* holds the function's key; or NULL */
} GraphPart;

/* A rank that has operations in a graph. */
typedef struct GraphComm {
  struct RtComm *comm;
  int n; /* number of its operations */
} GraphComm;

/*
** The contents of a graph, which a launch runs; graphs share it after an
** update. 'last' orders launches of bodies with host functions, which must not
** overlap.
*/
struct RtBody {
  int refs;
  RtDevice *dev;
  unsigned generation;
  GraphPart *parts; /* what a launch does in turn */
  int nparts;
  int nfunctions; /* parts that are host functions */
  Access *access; /* each block at most once read and once written;
                              page-locked memory as it is used */
  int naccess;
  Access *uses; /* of page-locked memory, by each node */
  int nuses;
  GraphNode *nodes;
  int nnodes;
  int *edges; /* indices of nodes */
  int nedges;
  Point last;            /* its latest launch */
  struct RtGraph *execs; /* dropped graphs that launched it */
  bool anchored;         /* the State holds its Lua functions for a launch */
  bool owned;            /* a Graph keeps its Lua functions */
  GraphComm *comms;      /* ranks with operations in it; it holds them */
  int ncomms;
  struct RtBody *next; /* on the parked list */
};

typedef struct RtGraph {
  RtDevice *dev;
  unsigned generation;
  RtBody *body;
  Point last;                    /* its latest launch, whichever body */
  struct RtGraph *next;          /* on the dropped list, then its body's */
  struct RtGraph *older, *newer; /* all graphs that users hold */
  int nexecs; /* one per part; NULL: a host function, or lost */
  CUgraphExec execs[];
} RtGraph;

enum { CACHE_BINS = 8 * 40 };

/* Free blocks of one size class that the same stream used last. */
typedef struct Shelf {
  struct Cache *cache;
  int bin;
  RtBlock *oldest, *newest;
  struct Shelf *next, *prev; /* in the bin's ring, if it has blocks */
  struct Shelf *sibling;     /* another shelf of the stream */
} Shelf;

/* Free memory of one kind: see cache.c. */
typedef struct Cache {
  Shelf common[CACHE_BINS];  /* blocks that no stream is known to use */
  Shelf *ring[CACHE_BINS];   /* shelves with blocks; the one whose turn it
                                 is */
  uint8_t given[CACHE_BINS]; /* blocks that the driver gave, as far as
                                 counted */
  size_t bytes;
} Cache;

/*
** The accounts of one kind of memory. live + cache.bytes + staging == reserved
** <= peak, live <= peak_live; 'live' and 'reserved' grow in one place only, and
** 'reserved' never beyond 'limit'.
*/
typedef struct Memory {
  Cache cache;
  size_t live;         /* bytes in blocks that are held */
  size_t imported;     /* bytes of foreign memory, in no other figure */
  size_t staging;      /* bytes in staging slots */
  size_t reserved;     /* bytes got from the driver: held, cached, in slots */
  size_t peak;         /* the most 'reserved' has been under this limit, */
  size_t peak_live;    /* and 'live'; since reclaim_restart_peaks, if later */
  size_t limit;        /* NO_LIMIT: what the driver has */
  size_t cap;          /* the host program's maximum for 'limit' */
  size_t shared;       /* bytes of 'cap' that other processes may have too */
  size_t threshold;    /* look for garbage once 'live' is more; 0: not set */
  size_t base, step;   /* for the threshold: see gc.c */
  size_t nlive;        /* how many blocks are held */
  size_t nmost, nstep; /* as threshold and step, for their number */
  int streak;          /* > 0: steps in a row that freed some; < 0: that freed
                           none */
  size_t floor, room;  /* for full collections */
} Memory;

#define NO_LIMIT SIZE_MAX

/* Returns the most that 'reserved' may be. */
static inline size_t rt_limit (const Memory *m) {
  size_t left = (m->shared < m->cap) ? m->cap - m->shared : 0;
  return (left < m->limit && m->cap != NO_LIMIT) ? left : m->limit;
}

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
  RtStream *bare;          /* structs without a handle, for new streams */
  EventPool idle[2];       /* unused events, with timing and without */
  struct RtShared *shared; /* shared with other Runtimes: shared.h */
  RtDevice *peer;          /* the next Runtime's; under the shared lock */
  int pending;             /* its ranks that may wait for others; other Runtimes
                            notice their own */
  Memory memory[2];        /* of the device; page-locked */
  RtBlock *blocks;         /* the newest of all, held or cached */
  RtBlock *foreign;        /* the newest foreign block */
  RtBlock *staging[STAGING_SLOTS]; /* see staging.c */
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
  WAIT_CHUNKS, /* 's' takes 'seq' more chunks of files */
  WAIT_SLOTS,  /* some slots of files are idle, or none is left */
  WAIT_OPEN,   /* no rank on 'dev' waits for others */
  WAIT_QUIET,  /* the Runtime has no kept operation */
  WAIT_ENDED   /* no end of a communicator is under way or requested */
} WaitKind;

typedef struct WaitReason {
  WaitKind kind;
  RtDevice *dev;
  RtStream *s;
  uint64_t seq;
  const char *what; /* the blocked call: a static string */
} WaitReason;

/* Limits that the host program sets for a Runtime; 0: no limit. */
typedef struct RtCaps {
  size_t bytes, pinned_bytes; /* of each device */
  int streams, events;
  bool no_addresses; /* in messages */
} RtCaps;

/* A block that a capture uses, with its captured uses. */
typedef struct Captured {
  RtBlock *block;
  MarkSet marks;
  bool written; /* a node overwrites it without reading it */
  bool seen;    /* a node reads it before such a write */
} Captured;

/* All blocks of a capture; all zero: none. */
typedef struct Footprint {
  Captured **table; /* open addressing by block */
  int nblocks, size;
} Footprint;

enum { CHAINS = 16 };

/* A set of nodes of a capture: for each chain, one node and all before it in
** that chain. A number is the node's index plus one; 0: no node of the
** chain. */
typedef struct Reach {
  int upto[CHAINS];
} Reach;

/* A captured node while its capture is open. */
typedef struct CapturedNode {
  RtStream *s; /* where it was captured */
  int chain;
  Reach before; /* all nodes that it follows */
  int first, n; /* the driver's nodes for it, in the capture's list;
                          'first' -1: the driver was not asked yet */
} CapturedNode;

/* A stream in a capture. */
typedef struct RtBranch {
  Reach base;   /* nodes that all its operations to come follow */
  Reach all;    /* nodes captured on it, or that it has waited for */
  int at;       /* the node that the driver's stream is at, or AT_... */
  int latest;   /* its latest node; -1: none */
  int links;    /* length of the run of nodes, up to the latest, that
                          each use what the node before wrote */
  int segment;  /* the latest segment that its driver stream is in */
  int first, n; /* if mixed: the driver's nodes on it so far */
  int joined;   /* at the end: nodes before this one are joined */
  bool mixed;   /* others may queue work on its driver stream */
} RtBranch;

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
  int segment;         /* host functions so far; each begins a segment */
  int cut;             /* index, plus one, of the latest function's node, which
                          all later nodes follow */
  CUevent begun;       /* streams enter the segment by it; NULL: none did */
  CapturedNode *nodes; /* as many as the body has */
  RtStream *chains[CHAINS]; /* the stream of each chain: nodes.c */
  int nchains;
  Reach *recordings; /* of events */
  int nrecordings;
  CUgraphNode *handles; /* the driver's names of the nodes, in any order */
  int nhandles;
  Footprint blocks;
  RtBlock *spare;        /* blocks made and dropped in it, the newest first */
  BorrowedEvent *events; /* returned to the pool at the end */
  int nevents;
};

/* The round in which tickets are asked: those not asked yet. See waitlist.c. */
typedef struct TicketRound {
  struct RtTicket *odd;
  int left; /* how many streams of rt->awaited, from the first */
  bool begun;
} TicketRound;

struct Runtime {
  uint64_t id; /* unique in the process, for ever */
  RtCaps caps;
  RtDevice *devices;
  int ndevices, ncuda;
  char no_cuda[256];   /* why there is no CUDA device; empty: there is one */
  unsigned generation; /* forks seen when opened */
  Status (*open_device)(RtDevice *dev); /* what context_enter does first */
  bool closing;       /* the State is gone: no Lua function is anchored */
  uint64_t stamp;     /* the last sequence number given out */
  int nhandles;       /* stream handles of users, in use or retiring */
  int nevents;        /* events of users, held or dropped */
  int nshared;        /* memory and events that other processes can have */
  RtStream **streams; /* by id */
  int nstreams;
  RtStream *dropped;
  RtStream *retiring, **retiring_end; /* a queue: each is looked at in turn */
  int nretiring;
  RtEvent *events; /* the newest event that users hold */
  RtEvent *dropped_events;
  RtGraph *graphs;
  RtGraph *dropped_graphs;
  RtBody *parked, **parked_end; /* bodies that wait for their last launch */
  int nparked;
  struct RtComm *comms;     /* the newest rank of a communicator */
  int64_t watch_comms;      /* ns: when they are looked at next */
  struct RtPoison *poisons; /* the newest poison of their operations */
  struct RtPeer *peers;     /* one per pair of devices; NULL: not needed yet */
  RtImport *imports;        /* foreign memory that is held */
  RtImport *leaving_imports, **leaving_end; /* and dropped: a queue */
  int nparting; /* unused ranks that are not gone yet */
  int nleaving_imports;
  struct RtShareable *shareables; /* memory that other processes can map */
  void *places;                   /* blocks by address */
  struct RtReturns *returns;      /* our memory that others hold: export.c */
  RtCode *codes;                  /* the newest of all */
  RtCode *leaving, *last_leaving; /* unreferenced codes: a queue */
  int nleaving;
  Point *points; /* scratch: one place per stream */
  RtCapture *captures;
  int ncaptures;
  uint64_t capture_ids;
  RtGenerator *generators; /* of random numbers: the newest of all */
  RtGenerator *generator;  /* the common generator; NULL: not needed yet */
  struct RtInode *inodes;  /* files that are open or have work under way */
  struct RtFile *files;    /* the newest open file */
  int nfiles, nclosed;     /* with transfers of closed ones; the closed ones */
  struct RtTransfer *transfers;            /* the newest of all */
  RtTransferQueue *queues;                 /* the newest of all */
  RtTransferQueue *slotted, **slotted_end; /* queues with slots, in turn */
  int nslotted;
  struct RtTransfer *over; /* done by the threads; under their lock */
  int nover;               /* atomic: the length of that list */
  bool has_filethreads;
  struct Inbox *inbox;
  struct CopyPool *copy_pool; /* or NULL: not needed yet */
  RtStream *keepers;          /* streams with kept operations, by the oldest */
  int nkept;                  /* the number of kept operations */
  size_t kept_bytes; /* bytes of page-locked memory that only they hold */
  uint64_t newest_function; /* the latest host function queued */
  RtKept *failed;           /* kept operations that failed, not reported yet */
  RtKept *unref;          /* host functions that will not run: to be released */
  RtKept *running;        /* the host function that runs now, or NULL */
  Point at;               /* the operation that it is, or is part of */
  int errors;             /* errors that a wait has to report or to look for */
  bool finalizing;        /* a finalizer runs in the middle of a call */
  WaitReason wait_reason; /* after RT_BLOCKED */
  void *owner;            /* an opaque pointer of the State */
  struct RtRemoteWait *remote_waits; /* waits for other processes:
                                         timeline.c */
  RtStream *awaited, *last_awaited;  /* streams with tickets: a queue */
  int nawaited;                      /* its length */
  struct RtTicket *odd_tickets;      /* tickets for no point of a stream */
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

/* Tells whether 's' keeps an operation up to 'seq', so that the driver does not
** have it yet. */
static inline bool rt_keeps (const RtStream *s, uint64_t seq) {
  return s->kept != NULL && s->kept->seq <= seq;
}

/* Tells whether host functions may run now: not inside one, nor in a finalizer
** that runs in the middle of a call. */
static inline bool rt_may_serve (const Runtime *rt) {
  return rt->running == NULL && !rt->finalizing;
}

#endif

/*
** host.h - private types of the host device; included only inside host/.
**
** The driver's opaque handles are defined here for what they are on this
** device, so no cast stands between a handle and its struct. Everything below
** 'host' is protected by its one lock unless a comment says otherwise.
*/
#ifndef TIDE_HOST_H
#define TIDE_HOST_H

#include <pthread.h>
#include <stdbool.h>

#include "../driver.h"
#include "twins.h"

enum { MAX_ARGS = 12, MAX_DEVICES = 64, PRIORITIES = 6, LEAST = 0,
       GREATEST = -5 };

/* "Stream 's' has completed job 'seq'": holds a reference to s. */
typedef struct Dep {
  CUstream s;
  uint64_t seq;
} Dep;

typedef enum TaskKind {
  TASK_NONE, TASK_KERNEL, TASK_COPY, TASK_SET, TASK_RECORD, TASK_HOSTFN,
  TASK_WAITVALUE, TASK_WRITEVALUE, TASK_FREE
} TaskKind;

/* One recording of an event; outlives the event while a job will reach it. */
typedef struct Recording {
  int refs;
  CUstream s;       /* held */
  uint64_t seq;
  int64_t ns;       /* when it was reached */
} Recording;

/* What a job, or a node of a graph, does. */
typedef struct Task {
  TaskKind kind;
  union {
    struct {
      const HostTwin *twin;
      unsigned grid[3], block[3];
      uint64_t args[MAX_ARGS];
    } kernel;
    struct { void *dst; const void *src; size_t bytes; } copy;
    struct { void *dst; size_t bytes; unsigned char value; } set;
    struct { Recording *at; } record;
    struct { CUhostFn fn; void *ud; } hostfn;
    struct { uint32_t *addr; uint32_t value; unsigned flags; } value;
    struct { void *p; } free;
  } u;
} Task;

typedef struct Job {
  struct Job *next;   /* in its stream's queue, or on the free list */
  Task task;
  Dep room[2];
  Dep *deps;          /* 'room', or malloc'ed */
  int ndeps, capdeps;
  CUgraphExec exec;   /* last job of a launch: held until then */
} Job;

/* A growing list of node indices: what comes next depends on these. */
typedef struct Set {
  int *id;
  int n, cap;
} Set;

typedef struct Node {
  Task task;
  Set deps;
  int lane;           /* instantiated: which internal stream runs it */
} Node;

struct CUctx_st {
  int ordinal;
  int retains;
  size_t limit, used;
  CUstream null;          /* the legacy stream */
  CUstream pending;       /* blocking streams with unfinished work */
  CUresult fault;         /* sticky: every later call says so */
  int captures;           /* open captures with a blocking stream in them */
};

struct CUstream_st {
  int refs;
  CUcontext ctx;
  unsigned flags;
  int priority;
  bool legacy, live;
  Job *head, **tail;
  uint64_t issued, completed;
  bool scheduled;         /* ready, running, parked or polling */
  CUstream next;          /* in the ready queue, a waiters list or the polls */
  CUstream waiters;       /* streams parked until this one gets further */
  uint64_t needs;         /* parked: until that stream completes this */
  CUstream prev_pending, next_pending;
  CUgraph capture;        /* the graph it records into, or NULL */
  Set frontier;
};

struct CUevent_st {
  unsigned flags;
  Recording *at;          /* NULL: never recorded */
  uint64_t capture;       /* id of the capture that recorded it last; 0 */
  Set frontier;
};

struct CUgraph_st {
  uint64_t id;            /* of the capture */
  CUstream origin;        /* while capturing */
  CUstreamCaptureMode mode;
  pthread_t thread;
  bool invalid;
  Node *nodes;
  int n, cap;
};

struct CUgraphExec_st {
  int refs;
  Node *nodes;            /* a copy, in an order where deps come first */
  int n, lanes;
  Dep last;               /* the latest launch: launches do not overlap */
};

struct CUfunc_st { HostTwin twin; };
struct CUmemPoolHandle_st { CUcontext ctx; uint64_t threshold; };

typedef struct Host {
  pthread_mutex_t lock;
  pthread_cond_t work;    /* something became ready, or stop */
  pthread_cond_t idle;    /* a job finished */
  pthread_t workers[64];
  int nworkers, retained;
  bool inited, stop, polling;
  volatile bool forked;
  CUstream ready[PRIORITIES], *ready_tail[PRIORITIES];
  int nready, sleeping;
  CUstream polls;         /* streams whose head waits for a value */
  Job *jobs;              /* free list */
  long unfinished;        /* jobs queued and not completed */
  struct CUctx_st devices[MAX_DEVICES];
  int ndevices;
  uint64_t capture_ids;
  uint64_t seed;          /* of the random delays */
  unsigned max_delay_us;
} Host;

extern Host host;

/* The calling thread's context, or why there is none. Takes the lock. */
CUresult host_enter (CUcontext *ctx);
void host_leave (void);

/* queue.c: the lock is held in all of these. */
Job *host_newjob (TaskKind kind);
void host_dropjob (Job *job);
bool host_depend (Job *job, CUstream s, uint64_t seq);
void host_enqueue (CUstream s, Job *job);
void host_pollvalues (void);
void host_startworkers (void);
void host_stopworkers (void);

/* stream.c */
CUstream host_newstream (CUcontext ctx, unsigned flags, int priority);
void host_retainstream (CUstream s);
void host_releasestream (CUstream s);
CUstream host_stream (CUcontext ctx, CUstream handle);  /* resolves 0, 1, 2 */
void host_releaserecording (Recording *at);
/* Queues a task, or captures it. 'what' is copied. */
CUresult host_submit (CUcontext ctx, CUstream handle, const Task *what);

bool host_dependimplicitly (CUstream s, Job *job);

/* graph.c */
CUresult host_joincapture (CUstream s, CUevent e);
CUresult host_capture (CUstream s, const Task *what);
bool host_joinset (Set *into, const Set *from);
void host_freeset (Set *s);
void host_releaseexec (CUgraphExec exec);
CUresult host_legacy (CUcontext ctx, CUstream s);
void host_invalidate (CUgraph g);

int64_t host_now (void);  /* ns, monotonic */

/* memory.c: without the lock; p came from cuMemAllocFromPoolAsync. */
void host_freememory (void *p);

/* The entries of driver.def, by file. */
#define X(kind, live, since, name, params, args) CUresult host_##name params;
#include "../driver.def"
#undef X

#endif

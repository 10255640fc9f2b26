/*
** host.h - private types of the host device; included only inside host/.
**
** The driver's opaque handles are defined here as the structs of this device,
** so no cast stands between a handle and its struct. One lock, host.lock,
** protects everything unless a comment says otherwise.
*/
#ifndef TIDE_RT_HOST_HOST_H
#define TIDE_RT_HOST_HOST_H

#include <pthread.h>
#include <stdbool.h>

#include "kernels/geometry.h"
#include "rt/driver/driver.h"
#include "rt/host/kernels/host_kernels.h"
#include "rt/host/team.h"

enum {
  MAX_ARGS = 32,
  MAX_BLOCK = 1024, /* threads */
  MAX_DEVICES = 64,
  MAX_WORKERS = TEAM_MOST,
  SPIN_NS = 20000,
  LEAST = 0, /* stream priorities */
  GREATEST = -5,
  PRIORITIES = LEAST - GREATEST + 1,
  GLANCE = 16 /* values that a query looks at: bounds its cost */
};

/* {== work ============================================================ */

/* "Stream 's' has completed its job number 'seq'". Holds a reference to s. */
typedef struct Dep {
  CUstream s;
  uint64_t seq;
} Dep;

/* One recording of an event: the event may be recorded again or destroyed. */
typedef struct EventRecord {
  struct EventRecord *next; /* on the free list */
  int refs;                 /* the event, and the job that will reach it */
  Dep at;
  int64_t ns; /* when it was reached */
} EventRecord;

typedef enum TaskKind {
  TASK_NONE,
  TASK_KERNEL,
  TASK_COPY,
  TASK_SET,
  TASK_RECORD,
  TASK_HOSTFN,
  TASK_WAITVALUE,
  TASK_WRITEVALUE,
  TASK_FREE,
  TASK_AWAY
} TaskKind;

/* Work that is done outside of the workers, while its stream stands AT_AWAY.
** All functions are called with the lock held. */
typedef struct Away {
  int refs; /* of jobs, of nodes and of its maker */

  /* The stream has reached the work, and goes on by host_finish_job. False:
  ** there is nothing to do. */
  bool (*begin)(struct Away *a, CUstream s);

  /* The context of 's' has failed: the work shall end soon. */
  void (*cut)(struct Away *a, CUstream s);

  void (*drop)(struct Away *a); /* the last reference is gone */
} Away;

/* The work of a job or of a graph node. */
typedef struct Task {
  TaskKind kind;
  union {
    struct {
      const HostKernel *builtin;
      const struct Program *program; /* if there is no built-in kernel */
      unsigned grid[3], block[3];
      size_t n;     /* elements, if the arguments tell; else 0 */
      size_t lines; /* independent parts, if they are not single elements;
                          else 0 */
      int geometry; /* index of the Geometry argument, or 0; see
                          host_copy_task */
      bool stop;    /* atomic: it shall end now; see stop_kernels.c */
      uint64_t args[MAX_ARGS];
      Geometry shapes;
    } kernel;
    struct {
      void *dst;
      const void *src;
      size_t bytes;
    } copy;
    struct {
      void *dst;
      size_t bytes;
      unsigned char value;
    } set;
    struct {
      EventRecord *at;
    } record;
    struct {
      CUhostFn fn;
      void *ud;
    } hostfn;
    struct {
      uint32_t *addr;
      uint32_t value;
      unsigned flags;
    } value;
    struct {
      void *p;
    } free;
    struct {
      Away *work;
    } away;
  } u;
} Task;

/* Copies a task without the geometry, its larger part, unless the kernel has
** one. The copy refers to any Away work, too, until host_drop_task. */
void host_copy_task (Task *to, const Task *from);
void host_drop_task (const Task *t);

/* A task in a stream's queue. */
typedef struct Job {
  struct Job *next; /* in the queue, or on the free list */
  Task task;
  Dep *deps; /* jobs it depends on: 'room', or malloc'ed */
  int ndeps, capdeps;
  Dep room[2];
  bool counted; /* in its stream's backlog */
} Job;

/* ==} */

/* Base of objects that die with their context: first in their struct. */
typedef struct Owned {
  struct Owned *next, **at;     /* in the context's list; 'at' NULL: in none */
  void (*drop)(struct Owned *); /* frees it: with the lock held */
} Owned;

/* {== devices and streams ============================================= */

struct CUctx_st {
  int ordinal;
  int retains;      /* owners of the primary context */
  size_t limit;     /* of its memory, in bytes */
  size_t used;      /* atomic */
  CUstream null;    /* the legacy stream; made once, never freed */
  CUstream busy[2]; /* streams with unfinished work: blocking ones, others */
  int capturing;    /* blocking streams in captures */
  CUresult fault;   /* sticky: every later call returns it */
  char why[DRIVER_WHY]; /* and the known reason */
  Owned *owned;         /* all objects made in it */
};

/* The list that a stream is in; see queue.c. */
typedef enum QueueState {
  AT_REST,
  AT_LOOK,
  AT_READY,
  AT_WORK,
  AT_AWAY,
  AT_WAITERS,
  AT_POLLS
} QueueState;

struct CUstream_st {
  Owned owned; /* if it has a handle */
  CUcontext ctx;
  int refs; /* its handle, its unfinished work, deps on it */
  int priority;
  unsigned flags;
  bool legacy;
  bool live; /* not yet destroyed */

  Job *head, **tail;          /* the queue */
  uint64_t issued, completed; /* jobs, ever */
  int backlog;                /* unfinished launches and copies: backlog.c, */
  int crowders;               /* and threads that wait until there are fewer */
  QueueState place;
  CUstream next;    /* in the list that 'place' names */
  uint64_t needs;   /* AT_WAITERS: the job of the other stream */
  CUstream waiters; /* streams whose heads depend on jobs of this one ... */
  uint64_t wake_at; /* ... and the first such job */
  CUstream prev_busy, next_busy;
  CUstream prev, next_made; /* all streams */
  uint64_t after_null;      /* jobs of the legacy stream that ours follow, */
  uint64_t before_null;     /* and our jobs that it follows: host_fence */

  CUgraph capture;      /* the graph it records into, or NULL */
  CUstream next_member; /* of that capture */
  struct NodeSet {
    int *id;
    int n, cap;
  } frontier;           /* nodes the next follows, */
  CUgraphNode *handles; /* and their handles, as the caller last got them */
  int caphandles;
};

/* A growing set of node indices. */
typedef struct NodeSet NodeSet;

struct CUevent_st {
  Owned owned;
  CUcontext ctx;
  unsigned flags;
  EventRecord *at;  /* NULL: never recorded, or last in a capture */
  uint64_t capture; /* id of the capture that recorded it last, or 0 */
  NodeSet frontier; /* its nodes in that capture */
};

/* ==} */

/* {== graphs, modules, pools ========================================== */

typedef struct HostNode {
  Task task;
  NodeSet deps;    /* smaller indices: nodes are in order of capture */
  int lane, place; /* instantiated: its stream, and its number there */
} HostNode;

struct CUgraph_st {
  Owned owned; /* once the capture has ended */
  HostNode *nodes;
  int n, cap;

  uint64_t id;  /* of the capture that makes it: */
  CUgraph next; /* in the list of open captures */
  CUstream origin, members;
  CUstreamCaptureMode mode;
  pthread_t thread;
  bool invalid;
};

struct CUgraphExec_st {
  Owned owned;
  HostNode *nodes;
  int n, nlanes;
  CUstream *lanes; /* [0] is NULL: the launching stream */
  Dep last;        /* end of the latest launch, because they do not
                         overlap */
};

struct CUfunc_st {
  CUcontext ctx;
  const HostKernel *builtin; /* or NULL: the program of its */
  CUmodule module;
  int nargs;
  int geometry; /* index of the Geometry argument, or 0 */
};

struct CUmod_st {
  Owned owned;
  struct Program *program; /* NULL: the module of built-in kernels */
  int n, next;             /* 'next' is atomic: where a search begins */
  struct CUfunc_st fns[];
};

struct CUmemPoolHandle_st {
  Owned owned; /* if it has a handle */
  CUcontext ctx;
  int refs;           /* atomic: the handle, and its allocations */
  uint64_t used;      /* atomic */
  uint64_t threshold; /* stored only: nothing is cached */
};

/* ==} */

typedef enum Phase { PHASE_NEW, PHASE_USABLE, PHASE_FORKED } Phase;

typedef struct Host {
  Phase phase; /* atomic */
  pthread_mutex_t lock;

  CUstream streams; /* all streams, also destroyed ones with work */

  CUstream looks; /* streams whose heads need a look */
  CUstream ready[PRIORITIES], *ready_tail[PRIORITIES];
  int nready;                  /* atomic: the spinning worker reads it */
  CUstream polls, *polls_tail; /* streams whose heads wait for a value */
  Job *jobs;                   /* free lists */
  EventRecord *recordings;

  /* threads: workers.c */
  pthread_cond_t work;   /* for sleeping workers: there is work, or 'stop' */
  pthread_cond_t passed; /* for 'waiting' callers: a job was completed */
  pthread_cond_t room;   /* for queueing threads: a stream's backlog is less */
  pthread_t workers[MAX_WORKERS];
  int nworkers;
  int team;              /* workers of a launch, at most; atomic: see team.h */
  struct Team *teams;    /* launches in parts: parallel.c; atomic */
  pthread_cond_t parted; /* for workers that wait for their helpers */
  int sleeping, waking, spinning, waiting;
  DriverListener *listeners; /* woken by events */
  bool polling;              /* a worker watches 'polls' */
  bool stop;                 /* atomic */
  bool stopping;
  uint64_t seed; /* of the random delays */
  unsigned max_delay_us, max_pause_us;
  bool delays;          /* max_delay_us or max_pause_us is set */
  bool sticky;          /* an access outside of an array fails the context */
  int64_t paused_until; /* by clock_now */

  CUgraph captures; /* open ones: host_capture.c */
  uint64_t capture_ids;

  struct CUctx_st devices[MAX_DEVICES];
  int ndevices, retained;
} Host;

extern Host host;

static inline int host_team (void) {
  return __atomic_load_n(&host.team, __ATOMIC_RELAXED);
}

/* driver_table.c: gets the thread's context and the lock, or an error without
** the lock. */
CUresult host_enter (CUcontext *ctx);
CUresult host_enter_faulty (CUcontext *ctx); /* even after a sticky error */
CUresult host_usable (void);
#define host_leave() host_unlock()

/* owned.c: with the lock held */
void host_own (CUcontext ctx, Owned *o, void (*drop)(Owned *));
void host_disown (Owned *o);
void host_drop_owned (CUcontext ctx);
void host_reset_context (CUcontext ctx);

/* queue.c. All functions here and below need the lock, but for lock and
** unlock. */
void host_lock (void);
void host_unlock (void);
Job *host_new_job (const Task *what); /* NULL: out of memory */
void host_drop_job (Job *job);
bool host_depend (Job *job, CUstream s, uint64_t seq); /* false: likewise */
void host_enqueue (CUstream s, Job *job);
bool host_run_now (CUstream s, Task *t);
CUstream host_take_ready (void);
void host_finish_job (CUstream s);
void host_recheck (int max);
void host_cut_off (CUcontext ctx);
void host_free_spares (void);

/* backlog.c: waits until there is room for one more job, and may drop the lock;
** counts a queued job, and a completed one. */
void host_wait_room (CUstream s, TaskKind kind);
void host_count_job (CUstream s, Job *job, TaskKind kind);
void host_uncount_job (CUstream s, const Job *job);

/* workers.c */
/* One turn of a spin loop, SPIN_NS at most; needs no lock. */
void host_relax (int turn);
void host_init_workers (int team); /* 0: the number of cores */
bool host_start_worker (void);
bool host_wants_worker (void);
void host_execute (Task *t); /* without the lock, except for short tasks */
CUresult host_drain (CUcontext ctx);
void host_wait (void);
DriverListen host_listen; /* takes the lock */
void host_wake_listeners (void);
void host_stop_workers (void);
extern _Thread_local int host_worker; /* number of this worker thread, from 1;
                                          or 0 */

/* parallel.c: runs a host kernel or a program, or copies or sets bytes, without
** the lock. Long tasks run in parts, which idle workers take as well. */
typedef struct Team Team;
void host_run_kernel (Task *t, void **params);
void host_run_bytes (Task *t);
bool host_help_team (void);
bool host_has_parts (const Task *t); /* tells whether a kernel can end between
                                        parts */

/* stop_kernels.c */
DriverStop host_stop;
void host_stop_all (CUcontext ctx); /* with the lock held, as are */
void host_cut_away (CUcontext ctx);
bool host_is_endless (void); /* tells whether a stream may be busy for
                                       ever */

/* host_stream.c */
CUstream host_new_stream (CUcontext ctx, unsigned flags, int priority);
void host_release_stream (CUstream s);
CUstream host_stream (CUcontext ctx, CUstream handle); /* resolves 0, 1, 2 */
bool host_fence (CUstream s, Job *job);
void host_unfence (CUstream s);
CUresult host_queue (CUstream s, Task *what, const Dep *after);

/* host_event.c */
void host_release_recording (EventRecord *at);

/* host_capture.c */
bool host_join_set (NodeSet *into, const NodeSet *from);
void host_free_set (NodeSet *s);
void host_free_nodes (HostNode *nodes, int n);
CUresult host_capture (CUstream s, const Task *what);
CUresult host_capture_event (CUstream s, CUevent e);
CUresult host_read_captured (CUevent e);
CUresult host_join_capture (CUstream s, CUevent e);
CUresult host_refuse (CUstream s, CUresult why);
CUresult host_check_legacy (CUstream s);
CUresult host_check_unsafe (void);
void host_quit_capture (CUstream s);
void host_quit_captures (CUcontext ctx);

/* memory.c: without the lock */
bool host_claim_memory (void *p); /* marks it as freed; false: not ours, or
                                     marked */
void host_unclaim_memory (void *p);
void host_free_memory (void *p); /* claimed before */

/* The entries of driver.def, by file. */
#define X(kind, live, since, name, params, args) CUresult host_##name params;
#include "rt/driver/driver.def"
#undef X

#endif

/* comm.h - communicators: ranks that compute together. See comm.c. */
#ifndef TIDE_RT_COMM_COMM_H
#define TIDE_RT_COMM_COMM_H

#include "rt/driver/context.h"
#include "rt/driver/nccl.h"
#include "rt/rt.h"

enum { COMM_PLACE = 80, COMM_WHY = NCCL_WHY + 200 };

/* How long ends are waited for at most, where they must be: one of NCCL's takes
** a second, 26 at a time two (two H100s). */
#define COMM_END_NS INT64_C(5000000000)

typedef enum CollectiveKind {
  COLLECTIVE_ALL_REDUCE, COLLECTIVE_REDUCE, COLLECTIVE_BROADCAST,
  COLLECTIVE_ALL_GATHER, COLLECTIVE_REDUCE_SCATTER,
  COLLECTIVE_SEND, COLLECTIVE_RECV
} CollectiveKind;

/* What one rank does in one call of the library. */
typedef struct RtCollective {
  int at;               /* whose: its place in RtTogether */
  CollectiveKind kind;
  CUdeviceptr from, to;
  size_t n;             /* elements, as the library counts them */
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer;             /* or root */
  size_t elements;      /* as the program counts them, */
  const char *dtype;    /* if it is told by itself (in a group); else NULL */
} RtCollective;

/* An operation that may be under way. */
typedef struct RtPending {
  Point before, at;     /* what it comes after on its stream; and itself */
  uint64_t number;      /* of its communicator, from 1 */
  const char *what;     /* "all_reduce" ... */
  RtName *source;       /* the chunk of the program, or NULL; and where there */
  int line;
  bool launch;          /* of a graph, whose operations have their numbers: */
  uint64_t replayed;    /* how many launches will have done then */
  int64_t since;        /* ns, when the device had come to it; 0: it has not */
} RtPending;

typedef enum CommPhase {
  COMM_MEETING,         /* its ranks come together */
  COMM_OPEN,
  COMM_FAILED,          /* 'why' says it; the library's part is gone */
  COMM_LEAVING,         /* closed, and what is under way is not done */
  COMM_PARTING,         /* its lanes end, and it with them */
  COMM_FLUSHED,         /* or, without lanes, the library was told to end */
  COMM_GONE
} CommPhase;

typedef struct RtLanes RtLanes;

/* One rank. It is there as long as somebody has it or it is not gone. */
typedef struct RtComm {
  RtDevice *dev;
  int holders;          /* who has it: rt_dropcomm */
  unsigned generation;
  const Nccl *N;
  ncclComm_t handle;    /* NULL: the library has no part of it (any more) */
  struct RtComm *from;  /* it is being split off that one: until the library has
                           done that, or given it up, it writes to 'handle' */
  RtLanes *lanes;       /* of its operations: see lanes.c; NULL: 'handle' is */
  CommPhase phase;
  int rank, size;
  uint64_t family;      /* the ranks of one communicator in this process */
  uint64_t number;      /* operations so far, */
  uint64_t replayed;    /* and those of graphs that were launched */
  RtBlock *order;       /* what all operations of it write: so they are in the
                           order of the program; and a few bytes for barriers */
  RtStream *side;       /* see src/comm/submit.c, which has it; or NULL */
  int64_t timeout;      /* ns */
  RtPending *pending;   /* those from 'oldest' up to 'end', in their order */
  int oldest, end, room;
  Point before;         /* that of the operation that is being queued */
  bool counted;         /* as pending, by its device: see rt_countpending */
  bool parts;           /* nobody uses it: counted by the Runtime */
  bool told;            /* its failure was */
  Point lost;           /* the first operation that was not done, if any */
  char why[COMM_WHY];
  struct RtLoss *loss;  /* for what it may lose, as memory must not lack then;
                           NULL: one is lost */
  bool listed;          /* by the Runtime: it is not gone */
  struct RtComm *next;  /* there */
} RtComm;

/* {== life ============================================================ */

/* The library for ranks on 'dev'; NULL: rt->detail says why there is none. */
const Nccl *rt_nccl (RtDevice *dev);

/* One number for the ranks of a communicator in this process. */
uint64_t rt_newfamily (void);

/* A rank without a part of the library yet, which the caller holds; RT_NOMEM or
** no memory. */
Status rt_newcomm (RtDevice *dev, int rank, int size, int64_t timeout,
                   uint64_t family, RtComm **out);

/* 'n' new ranks of this process begin to meet those of others, under the id.
** RT_MISUSE: they cannot. */
Status rt_meet (RtComm *const *comms, int n, const ncclUniqueId *id);

/* Those of 'comms' begin to form others: each the ranks of its color, in the
** order of their keys; color -1: of none. */
Status rt_splitcomms (RtComm *const *comms, int n, const int *color,
                      const int *key, RtComm *const *made);

/* Have all of them met? 0, CUDA_ERROR_NOT_READY, or RT_MISUSE: why not. 'since'
** is when they began. */
Status rt_hasmet (RtComm *const *comms, int n, int64_t since);

/* After the others: rank and size of one that was made by a split. */
void rt_asksize (RtComm *comm);

/* Nobody uses it any more: it goes when what is under way is done. Who holds it
** may look at it still. */
void rt_leavecomm (RtComm *comm);

/* One holder less; without any it goes, as by rt_leavecomm. Of one that is gone
** the Runtime may be as well. */
void rt_dropcomm (RtComm *comm);

/* What can go, goes. */
void rt_draincomms (Runtime *rt);
static inline bool rt_hasfailed (const RtComm *c) {
  return c->phase == COMM_FAILED ||
         (c->phase == COMM_GONE && c->why[0] != '\0');
}
/* Is there somebody to be told that it has, and what it had to do is not done?
** What a reset took is said by what was there. */
static inline bool rt_isuntold (const RtComm *c) {
  return !c->told && c->lost.s != NULL && rt_hasfailed(c) &&
         !rt_isstale(c->dev, c->generation);
}

static inline bool rt_hascomms (const Runtime *rt) {
  return rt->comms != NULL;
}

/* Ends without a word to the others. */
void rt_abortcomm (RtComm *comm, const char *why);

/* All of 'dev', which will be reset; have threads ended them? */
void rt_abortcomms (RtDevice *dev, const char *why);
bool rt_areaborted (RtDevice *dev);

/* The Runtime ends: those that have work under way may take until their
** timeout. */
void rt_endcomms (Runtime *rt);

/* ==} */

/* {== operations: collective.c ======================================== */

/* What the ranks of this process do together in one operation. */
typedef struct RtTogether {
  RtComm *const *comms;
  RtStream *const *streams;   /* one of each */
  NcclCall *says;             /* what each does, for the others */
  int ncomms;
  const RtCollective *calls;  /* of any of them, in order */
  int ncalls;
} RtTogether;

/* 0: it can have operations; else RT_MISUSE, and why not. The same of all whose
** operations a graph has: 'what' is called. */
Status rt_checkcomm (RtComm *comm);
Status rt_checkgraphcomms (const RtBody *body, const char *what);

/* Is none of them known to have failed, or closed? */
bool rt_arecommsopen (const RtBody *body);

/* An error says that a communicator has failed, of all its ranks here. */
void rt_notetold (Runtime *rt, uint64_t family);

/* 'op' has launched a graph with operations of communicators on 's'. */
void rt_notegraphcomms (RtStream *s, const Op *op);

/* ==} */

/* {== watching: watch.c =============================================== */

/* Looks at all of them, as often as it is worth it: have they failed, or is one
** too late? False: it was not. */
bool rt_watchcomms (Runtime *rt);

/* The same at once, and not for lateness: a wait has ended. */
void rt_askcomms (Runtime *rt);

/* 0, or RT_BLOCKED: 's' may have 'op' once an operation of ranks has passed. */
Status rt_keepnear (RtStream *s, const Op *op);

/* The oldest and the latest that are remembered, or NULL; and the first from
** 'seq' on. They are there until the next one is. */
static inline RtPending *rt_firstpending (const RtComm *c) {
  return c->oldest < c->end ? &c->pending[c->oldest] : NULL;
}
static inline RtPending *rt_lastpending (const RtComm *c) {
  return c->oldest < c->end ? &c->pending[c->end - 1] : NULL;
}
const RtPending *rt_findpending (const RtComm *comm, uint64_t seq);

/* Room for one more: RT_NOMEM. */
Status rt_reservepending (RtComm *comm);

/* The oldest one is remembered no more. */
void rt_forgetfirst (RtComm *comm);

/* "train.lua:12". */
void rt_writeplace (const RtName *source, int line, char place[COMM_PLACE]);

/* Forgets what has passed. Is nothing under way? */
bool rt_isquiet (RtComm *comm);

/* It fails, as do the others of its communicator in this process: 'text' says
** why. */
void rt_failcomm (RtComm *comm, const char *text);

/* "WHAT within 30 s", and whom the library waits for if it knows. */
void rt_explainlate (const RtComm *comm, const char *what,
                     char text[COMM_WHY]);

/* ==} */

#endif

/* comm.h - communicators: ranks that compute together. See comm.c. */
#ifndef TIDE_RT_COMM_COMM_H
#define TIDE_RT_COMM_COMM_H

#include "rt/driver/context.h"
#include "rt/driver/nccl.h"
#include "rt/driver/life.h"
#include "rt/rt.h"

enum { COMM_PLACE = 80, COMM_WHY = NCCL_WHY + 200 };

/* The longest wait for ends that must be waited for. An end in NCCL takes a
** second; 26 at a time take two (two H100s). */
#define COMM_END_NS INT64_C(5000000000)

typedef enum CollectiveKind {
  COLLECTIVE_ALL_REDUCE,
  COLLECTIVE_REDUCE,
  COLLECTIVE_BROADCAST,
  COLLECTIVE_ALL_GATHER,
  COLLECTIVE_REDUCE_SCATTER,
  COLLECTIVE_SEND,
  COLLECTIVE_RECV
} CollectiveKind;

/* The part of one rank in one call of the library. */
typedef struct RtCollective {
  int at; /* the rank's place in RtTogether */
  CollectiveKind kind;
  CUdeviceptr from, to;
  size_t n; /* elements, as the library counts them */
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer;          /* or root */
  size_t elements;   /* as the program counts them */
  const char *dtype; /* of a send or receive in a group; else NULL */
} RtCollective;

/* An operation that may be under way. */
typedef struct RtPending {
  Point before, at; /* the point before it on its stream; itself */
  uint64_t number;  /* in its communicator, from 1 */
  const char *what; /* "all_reduce" ... */
  RtName *source;   /* the chunk of the program, or NULL, and the line */
  int line;
  bool launch;       /* it launches a graph, whose operations are counted
                           in */
  uint64_t replayed; /* 'replayed': their number once it is done */
  int64_t since;     /* ns: when the device came to it; 0: it has not */
} RtPending;

typedef enum CommPhase {
  COMM_MEETING, /* its ranks are connecting */
  COMM_OPEN,
  COMM_FAILED,  /* 'why' says why; the library's part is gone */
  COMM_LEAVING, /* closed, with work under way */
  COMM_PARTING, /* its subcommunicators end, and the communicator with them */
  COMM_FLUSHED, /* without subcommunicators: the library was asked to end */
  COMM_GONE
} CommPhase;

typedef struct RtSubcomms RtSubcomms;

/* One rank. The struct lives while it has holders, and until it is gone. */
typedef struct RtComm {
  LIFE; /* referenced by its holders: comm_drop */
  const Nccl *N;
  ncclComm_t handle;    /* NULL: the library has no part of it yet, or no
                           more */
  struct RtComm *from;  /* the rank it is being split from: until the library
                           has done that, or given it up, it writes to
                           'handle' */
  RtSubcomms *subcomms; /* for its operations: subcomm.c; NULL: uses
                                'handle' */
  CommPhase phase;
  int rank, size;
  uint64_t family;    /* names the communicator's ranks in this process */
  uint64_t number;    /* number of operations so far */
  uint64_t replayed;  /* number of operations in launches of graphs */
  RtBlock *order;     /* all its operations write this, so that they are in
                           the order of the program; a few bytes for barriers */
  RtStream *side;     /* used by src/comm/rank_submit.c; or NULL */
  int64_t timeout;    /* ns */
  RtPending *pending; /* in their order, from 'oldest' up to 'end' */
  int oldest, end, room;
  Point before;   /* the point before the operation being queued */
  bool counted;   /* in its device's 'pending': see device_lock_add_pending */
  bool parts;     /* it is unused, and counted by the Runtime */
  bool reported;  /* its failure was reported */
  Point poisoned; /* the first operation that failed, if any */
  char why[COMM_WHY];
  struct RtPoison *poison; /* reserved for a failure, when memory must not be
                           short; NULL: used */
  bool listed;             /* in the Runtime's list: it is not gone */
} RtComm;

/* {== life ============================================================ */

/* Returns the library for ranks on 'dev'; NULL: rt->detail says why there is
** none. */
const Nccl *comm_nccl (RtDevice *dev);

/* Returns a new number for the ranks of a communicator in this process. */
uint64_t comm_new_family (void);

/* Makes a rank without a part of the library; the caller holds it. Fails with
** RT_NOMEM or for lack of device memory. */
Status comm_new (RtDevice *dev, int rank, int size, int64_t timeout,
                 uint64_t family, RtComm **out);

/* Makes 'n' new ranks of this process begin to meet those of others, under the
** id. Fails with RT_MISUSE. */
Status comm_meet (RtComm *const *comms, int n, const ncclUniqueId *id);

/* Begins to split the communicator of 'comms': each new one has the ranks of
** one color, in the order of their keys; color -1: in none. */
Status comm_split_all (RtComm *const *comms, int n, const int *color,
                       const int *key, RtComm *const *made);

/* Tells whether all ranks have met: 0, CUDA_ERROR_NOT_READY, or RT_MISUSE with
** the reason. 'since' is when they began. */
Status comm_has_met (RtComm *const *comms, int n, int64_t since);

/* Asks the library, after a split, for the rank and size. */
void comm_ask_size (RtComm *comm);

/* Closes a rank: it goes when its work under way is done. Its holders may still
** read the struct. */
void comm_leave (RtComm *comm);

/* Removes a holder. After the last one the rank is closed, as by comm_leave.
** The Runtime of a rank that is gone may be gone as well. */
void comm_drop (RtComm *comm);

/* Ends the ranks that can end now. */
void comm_drain (Runtime *rt);
static inline bool comm_has_failed (const RtComm *c) {
  return c->phase == COMM_FAILED ||
         (c->phase == COMM_GONE && c->why[0] != '\0');
}
/* Tells whether the rank's failure still has to be reported, because it
** poisoned memory. If a reset took the operations, the stale objects report
** that. */
static inline bool comm_is_unreported (const RtComm *c) {
  return !c->reported && c->poisoned.s != NULL && comm_has_failed(c) &&
         !life_is_stale(&c->life);
}

static inline bool comm_any (const Runtime *rt) {
  return rt->held[LIFE_COMM].n > 0;
}

/* Ends a rank without telling the others. */
void comm_abort (RtComm *comm, const char *why);

/* Destroys the graphs that communicators wait for to end. */
void comm_lose_graphs (Runtime *rt);

/* The room at the steps of the runtime's life. */
extern const Extension comm_extension;

/* ==} */

/* {== operations: collective.c ======================================== */

/* One operation of the ranks of this process together. */
typedef struct RtTogether {
  RtComm *const *comms;
  RtStream *const *streams; /* one for each rank */
  NcclCall *says;           /* announced to the others, one for each rank */
  int ncomms;
  const RtCollective *calls; /* of any rank, in order */
  int ncalls;
} RtTogether;

/* Checks that a rank can have operations: 0, or RT_MISUSE with the reason. */
Status comm_check_open (RtComm *comm);

/* Notes, for all its ranks here, that an error has reported a communicator's
** failure. */
void comm_note_reported (Runtime *rt, uint64_t family);

/* ==} */

/* {== watching: watch.c =============================================== */

/* Looks for failed and late communicators, at most once a millisecond. Returns
** false if it was too soon. */
bool comm_watch (Runtime *rt);

/* Looks for failures at once, but not for lateness, because a wait has
** ended. */
void comm_poll (Runtime *rt);

/* Returns 0 if 's' may have 'op' now, else RT_BLOCKED until an operation of
** ranks has passed. */
Status comm_throttle (RtStream *s, const Op *op);

/* Return the oldest and the latest operation remembered, or NULL, and the first
** from 'seq' on. They are valid until the next one is added. */
static inline RtPending *comm_oldest (const RtComm *c) {
  return c->oldest < c->end ? &c->pending[c->oldest] : NULL;
}
static inline RtPending *comm_latest (const RtComm *c) {
  return c->oldest < c->end ? &c->pending[c->end - 1] : NULL;
}
const RtPending *comm_find (const RtComm *comm, uint64_t seq);

/* Makes room for one more, or returns RT_NOMEM. */
Status comm_reserve (RtComm *comm);

/* Forgets the oldest one. */
void comm_forget (RtComm *comm);

/* Writes a place as "train.lua:12". */
void comm_write_place (const RtName *source, int line, char place[COMM_PLACE]);

/* Forgets the operations that have passed, and tells whether none is left. */
bool comm_is_idle (RtComm *comm);

/* Fails the rank, and the others of its communicator in this process: 'text'
** says why. */
void comm_fail (RtComm *comm, const char *text);

/* Writes "WHAT within 30 s", and the ranks that the library waits for if it
** knows. */
void comm_explain_late (const RtComm *comm, const char *what,
                        char text[COMM_WHY]);

/* ==} */

#endif

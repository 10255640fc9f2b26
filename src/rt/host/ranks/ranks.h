/*
** ranks.h - private types of the ranks; included only inside host/ranks/.
**
** Each rank has a thread, its proxy, which does the work of its streams. Ranks
** know each other by a segment that all of them map. Fields there have one
** writer each, so no death leaves a lock behind.
*/
#ifndef TIDE_RT_HOST_RANKS_RANKS_H
#define TIDE_RT_HOST_RANKS_RANKS_H

#include <poll.h>

#include "rt/driver/nccl.h"
#include "rt/host/host.h"

enum {
  MAX_RANKS = 256,
  STRANGERS = 32, /* at rank 0: have not said who they are */
  MAX_ENDS = MAX_RANKS + 1 + STRANGERS,
  SLOT = 1 << 18,   /* bytes of a rank in a step of a collective */
  LETTER = 1 << 16, /* bytes of a message between two ranks */
  NAP_MS = 20,      /* delay until an end or a death is seen */
  ID_TEXT = 40
};

typedef enum RankCallKind {
  ALL_REDUCE,
  REDUCE,
  BROADCAST,
  ALL_GATHER,
  REDUCE_SCATTER,
  SEND,
  RECV
} RankCallKind;

/* {== the segment ===================================================== */

/* The description of an operation, which others read and compare. */
typedef struct CallDesc {
  char what[24], type[16], op[12], place[80];
  uint64_t number, n;
  int root;
  bool joint;        /* messages that all ranks exchange */
  RankCallKind kind; /* the operation itself: NCCL's call, */
  int t, redop, at;  /* its dtype, operator, root or peer */
  uint64_t count;
} CallDesc;

typedef enum Presence { ABSENT, HERE, LEFT, DEAD } Presence;

/* The state of a rank: see 'doing'. */
typedef enum Doing { IDLE, COLLECTIVE, PREPARING, EXCHANGING } Doing;

typedef struct Member {
  _Alignas(64) uint32_t presence; /* written by itself, and by rank 0 */
  uint32_t pid;                   /* as rank 0 sees it; rank 0 writes those */
  int ordinal;                    /* of a device of that process */
  uint32_t apart;                 /* 'pid' differs in its own pid namespace */
  uint32_t bell, asleep;          /* a futex; others ring it */
  uint64_t doing;                 /* 4 x job number, plus one of Doing */
  uint64_t begun;              /* collectives; the latest is desc[begun % 2] */
  uint64_t posted;             /* steps for which its slots are filled, */
  uint64_t taken;              /* and whose slots it has read */
  CallDesc desc[2], now;       /* 'now': its current operation */
  uint64_t splits, split_ends; /* numbers of begun and ended splits, */
  CallDesc parting; /* the latest of these, or "": see rank_split.c */
  struct {
    int color, key;
  } split[2];
} Member;

/* One end of a pair of ranks, in one direction. */
typedef struct PairSide {
  _Alignas(64) uint64_t promised; /* messages to the end of its current job */
  uint64_t posted; /* descriptions; the latest is desc[(posted-1) % 2] */
  uint64_t moved;  /* letters filled, or emptied */
  CallDesc desc[2];
} PairSide;

typedef struct RankPair {
  PairSide from, to;
} RankPair;

typedef struct Segment {
  uint32_t failed; /* 0; 1: a rank writes 'why'; 2 + result */
  char why[NCCL_WHY];
  uint64_t named;        /* number of splits that have a name, */
  char name[2][ID_TEXT]; /* that is the id up to the color */
  Member member[MAX_RANKS];
} Segment;

/* ==} */

/* A mapping of the segment, shared by all its users in this process. */
typedef struct Mapping {
  int refs; /* under the lock */
  int size;
  size_t bytes;
  Segment *segment;
} Mapping;

/* A part of a job. */
typedef struct WorkPart {
  const void *from;
  void *to;
  CallDesc desc;

  /* While a send or receive is done: */
  int next;         /* the next part of the same side, or -1 */
  uint64_t message; /* its number on its side */
  size_t moved;     /* bytes */
  enum { NEW, POSTED, AGREED, DONE } stage;
} WorkPart;

/* The work of a stream: one collective, or sends and receives that go on at the
** same time. */
typedef struct RankWork {
  Away away;
  ncclComm_t comm;
  bool counted;  /* among its communicator's pending ones, */
  bool captured; /* or captured ones */
  int n;
  WorkPart part[];
} RankWork;

struct ncclComm {
  /* under the lock */
  int refs;      /* its handle, works, splits of it */
  bool open;     /* it has a handle, */
  bool ready;    /* all ranks are there, */
  bool flushing; /* ncclCommFinalize */
  int pending;   /* queued works, but for those in graphs */
  int captured;  /* works in existing graphs */
  int splitting; /* splits of it under way */
  uint64_t splits, calls;
  ncclResult_t error;
  char why[NCCL_WHY];
  CUstream posted, *posted_tail; /* streams with work for the proxy */
  RankWork *now;                 /* of the first of these, while it is done */
  CallDesc next;                 /* announced */
  bool announced;
  bool resting; /* the proxy sleeps: 'wake' wakes it */
  bool over;    /* the proxy has ended */

  CUcontext ctx;
  int rank, size;
  ncclUniqueId id;
  Mapping *map;      /* NULL: not yet; set under the lock */
  bool ending;       /* atomic: the proxy shall end */
  uint64_t done;     /* atomic: number of the latest done work */
  uint64_t replayed; /* atomic: number of works done by graphs */
  bool cut;          /* atomic: end the current work: the device failed */
  pthread_t proxy;

  /* the proxy's own */
  int wake;            /* an eventfd */
  struct pollfd *ends; /* after 'wake': to each rank, by rank, in rank 0;
                             else only to rank 0 */
  int nends;
  uint64_t jobs, begun, filled, steps;

  ncclComm_t parent; /* split off from it; may be closed, so: */
  Mapping *old;
  CallDesc parting;
  int color, key;
  uint64_t generation;
};

/* descriptors.c: descriptors that a fork's child closes. They take and return
** -1 as well. */
void rank_handle_fork (void);
int rank_keep_fd (int fd);
void rank_close_fd (int fd);
int rank_poll_open (struct pollfd *p, int n, int ms); /* n: to MAX_ENDS */

/* segment.c: without the lock, as everything below unless it says so. */
int rank_make_segment (int size);             /* a descriptor, or -1 */
Mapping *rank_map_segment (int fd, int size); /* NULL: failure */
void rank_unmap_segment (Mapping *m);         /* with the lock held */
unsigned char *rank_slot (const Mapping *m, int rank, uint64_t step);
RankPair *rank_pair (const Mapping *m, int from, int to);
unsigned char *rank_letter (RankPair *p, uint64_t number);
void rank_wake (Segment *g, int rank);
void rank_wake_all (const Mapping *m);
uint64_t rank_read64 (const uint64_t *word);
void rank_write64 (uint64_t *word, uint64_t value);
uint32_t rank_read32 (const uint32_t *word);

/* rank_wait.c: waits until 'done' says YES. False: the communicator has failed
** or ended, or fails now because 'done' says NEVER. */
typedef enum Answer { NOT_YET, YES, NEVER } Answer;
typedef Answer Question (ncclComm_t c, void *ud);
bool rank_wait (ncclComm_t c, Question *done, void *ud);
bool rank_wait_posted (ncclComm_t c, uint64_t step);
bool rank_wait_taken (ncclComm_t c, uint64_t step);
bool rank_is_ending (ncclComm_t c); /* its owner ends it, */
bool rank_must_quit (ncclComm_t c); /* or it has failed */

/* failure.c: the first rank to fail tells all others why. */
__attribute__((format(printf, 3, 4))) void
rank_fail (ncclComm_t c, ncclResult_t code, const char *format, ...);
void rank_read_failure (ncclComm_t c); /* with the lock held */
void rank_fail_dead (ncclComm_t c, int rank);
void rank_fail_gone (ncclComm_t c, int rank);

/* rank_describe.c */
void rank_list (char *text, size_t size, const bool *which, int n);

/* Writes "ranks 1 and 2 of 3 have not come", if so. */
void rank_list_absent (ncclComm_t comm, char text[NCCL_WHY]);
void rank_describe (char *text, size_t size, const CallDesc *t);
void rank_describe_at (char *text, size_t size, const CallDesc *t);
void rank_append (char *text, size_t size, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
bool rank_calls_match (const CallDesc *a, const CallDesc *b);
bool rank_texts_match (const CallDesc *a, const CallDesc *b);
void rank_use_nccl_names (CallDesc *t); /* in NCCL's words */
void rank_describe_diff (char text[NCCL_WHY], const CallDesc *const *desc,
                         int n, uint64_t number);

/* agree.c. false: they do not agree, and the communicator has failed */
bool rank_agree (ncclComm_t c, const CallDesc *t);

/* rank_collective.c, mailbox.c */
bool rank_collective (ncclComm_t c, const WorkPart *p);
bool rank_exchange (ncclComm_t c, RankWork *w);

/* rank_reduce.c */
size_t rank_type_size (ncclDataType_t t);
const char *rank_type_name (ncclDataType_t t);
const char *rank_op_name (ncclRedOp_t op);
void rank_reduce (void *to, const void *const *from, int nfrom, size_t n,
                  ncclDataType_t t, ncclRedOp_t op);

/* rendezvous.c. false: it failed, or shall end. */
bool rank_meet (ncclComm_t c);

/* liveness.c */
void rank_find_dead (ncclComm_t c);
void rank_sleep (ncclComm_t c); /* sleeps until woken, or until a rank ends */
void rank_leave (ncclComm_t c);

/* rank_split.c */
bool rank_join_split (ncclComm_t c); /* in a split: false as above */
void rank_list_unsplit (const Mapping *old, uint64_t generation,
                        char text[NCCL_WHY]);

/* Returns the description of a split that rank i is in and we are not, so that
** it will not come to our current operation; NULL: it may come. */
const CallDesc *rank_other_split (ncclComm_t c, int i);

/* proxy.c */
int rank_start_proxy (ncclComm_t c); /* 0, or errno */
void rank_end_proxy (ncclComm_t c);
void rank_wake_proxy (ncclComm_t c);
bool rank_begin_work (Away *a, CUstream s);
void rank_abort_work (Away *a, CUstream s);
void rank_drop_work (Away *a);

/* rank_comm.c */
ncclComm_t rank_new_comm (CUcontext ctx, int size, int rank);
ncclResult_t rank_open_comm (ncclComm_t c); /* frees it on failure; */
extern _Thread_local int rank_errno;        /* then errno, or 0 */
void rank_release_comm (ncclComm_t c);      /* with the lock held */

/* The entries of nccl.def, by file. */
#define X(kind, name, params, args) ncclResult_t host_##name params;
#include "rt/driver/nccl.def"
#undef X

#endif

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

typedef enum Kind {
  ALL_REDUCE,
  REDUCE,
  BROADCAST,
  ALL_GATHER,
  REDUCE_SCATTER,
  SEND,
  RECV
} Kind;

/* {== the segment ===================================================== */

/* The description of an operation, which others read and compare. */
typedef struct Told {
  char what[24], type[16], op[12], place[80];
  uint64_t number, n;
  int root;
  bool joint;       /* messages that all ranks exchange */
  Kind kind;        /* the operation itself: NCCL's call, */
  int t, redop, at; /* its dtype, operator, root or peer */
  uint64_t count;
} Told;

/* FUTEX_WAIT and FUTEX_WAKE of <linux/futex.h>, which musl does not bring. */
enum { BELL_WAIT = 0, BELL_WAKE = 1 };

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
  uint64_t begun;              /* collectives; the latest is told[begun % 2] */
  uint64_t posted;             /* steps for which its slots are filled, */
  uint64_t taken;              /* and whose slots it has read */
  Told told[2], now;           /* 'now': its current operation */
  uint64_t splits, split_ends; /* numbers of begun and ended splits, */
  Told parting;                /* the latest of these, or "": see split.c */
  struct {
    int color, key;
  } split[2];
} Member;

/* One end of a pair of ranks, in one direction. */
typedef struct Side {
  _Alignas(64) uint64_t promised; /* messages to the end of its current job */
  uint64_t posted; /* descriptions; the latest is told[(posted-1) % 2] */
  uint64_t moved;  /* letters filled, or emptied */
  Told told[2];
} Side;

typedef struct Pair {
  Side from, to;
} Pair;

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
typedef struct Part {
  const void *from;
  void *to;
  Told told;

  /* While a send or receive is done: */
  int next;         /* the next part of the same side, or -1 */
  uint64_t message; /* its number on its side */
  size_t moved;     /* bytes */
  enum { NEW, POSTED, AGREED, DONE } stage;
} Part;

/* The work of a stream: one collective, or sends and receives that go on at the
** same time. */
typedef struct Work {
  Away away;
  ncclComm_t comm;
  bool counted;  /* among its communicator's pending ones, */
  bool captured; /* or captured ones */
  int n;
  Part part[];
} Work;

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
  Work *now;                     /* of the first of these, while it is done */
  Told next;                     /* announced */
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
  Told parting;
  int color, key;
  uint64_t generation;
};

/* descriptors.c: descriptors that a fork's child closes. They take and return
** -1 as well. */
void host_watchranks (void);
int host_keepfd (int fd);
void host_closefd (int fd);
int host_pollopen (struct pollfd *p, int n, int ms); /* n: to MAX_ENDS */

/* segment.c: without the lock, as everything below unless it says so. */
int host_makesegment (int size);             /* a descriptor, or -1 */
Mapping *host_mapsegment (int fd, int size); /* NULL: failure */
void host_unmapsegment (Mapping *m);         /* with the lock held */
unsigned char *host_slot (const Mapping *m, int rank, uint64_t step);
Pair *host_pair (const Mapping *m, int from, int to);
unsigned char *host_letter (Pair *p, uint64_t number);
void host_ring (Segment *g, int rank);
void host_ringall (const Mapping *m);
uint64_t host_read64 (const uint64_t *word);
void host_write64 (uint64_t *word, uint64_t value);
uint32_t host_read32 (const uint32_t *word);

/* wait.c: waits until 'done' says YES. False: the communicator has failed or
** ended, or fails now because 'done' says NEVER. */
typedef enum Answer { NOT_YET, YES, NEVER } Answer;
typedef Answer Question (ncclComm_t c, void *ud);
bool host_await (ncclComm_t c, Question *done, void *ud);
bool host_awaitposted (ncclComm_t c, uint64_t step);
bool host_awaittaken (ncclComm_t c, uint64_t step);
bool host_isending (ncclComm_t c); /* its owner ends it, */
bool host_quits (ncclComm_t c);    /* or it has failed */
void host_tick (void);             /* a turn of a spin loop */

/* failure.c: the first rank to fail tells all others why. */
__attribute__((format(printf, 3, 4))) void
host_failranks (ncclComm_t c, ncclResult_t code, const char *format, ...);
void host_hearfailure (ncclComm_t c); /* with the lock held */
void host_faildead (ncclComm_t c, int rank);
void host_failgone (ncclComm_t c, int rank);

/* say.c */
void host_sayranks (char *text, size_t size, const bool *which, int n);

/* Writes "ranks 1 and 2 of 3 have not come", if so. */
void host_sayabsent (ncclComm_t comm, char text[NCCL_WHY]);
void host_saytold (char *text, size_t size, const Told *t);
void host_saynumber (char *text, size_t size, const Told *t);
void host_append (char *text, size_t size, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
bool host_isalike (const Told *a, const Told *b);
bool host_looksalike (const Told *a, const Told *b);
void host_nameplainly (Told *t); /* in NCCL's words */
void host_saydifference (char text[NCCL_WHY], const Told *const *told, int n,
                         uint64_t number);

/* agree.c. false: they do not agree, and the communicator has failed */
bool host_agree (ncclComm_t c, const Told *t);

/* exchange.c, mailbox.c */
bool host_collect (ncclComm_t c, const Part *p);
bool host_exchange (ncclComm_t c, Work *w);

/* reduce.c */
size_t host_typesize (ncclDataType_t t);
const char *host_typename (ncclDataType_t t);
const char *host_opname (ncclRedOp_t op);
void host_reduce (void *to, const void *const *from, int nfrom, size_t n,
                  ncclDataType_t t, ncclRedOp_t op);

/* rendezvous.c. false: it failed, or shall end. */
bool host_meet (ncclComm_t c);

/* deaths.c */
void host_lookforthedead (ncclComm_t c);
void host_rest (ncclComm_t c); /* sleeps until woken, or until a rank ends */
void host_leaveranks (ncclComm_t c);

/* split.c */
bool host_takepart (ncclComm_t c); /* in a split: false as above */
void host_saysplit (const Mapping *old, uint64_t generation,
                    char text[NCCL_WHY]);

/* Returns the description of a split that rank i is in and we are not, so that
** it will not come to our current operation; NULL: it may come. */
const Told *host_parting (ncclComm_t c, int i);

/* proxy.c */
int host_startproxy (ncclComm_t c); /* 0, or errno */
void host_endproxy (ncclComm_t c);
void host_wakeproxy (ncclComm_t c);
bool host_beginwork (Away *a, CUstream s);
void host_cutwork (Away *a, CUstream s);
void host_dropwork (Away *a);

/* comm.c */
ncclComm_t host_newcomm (CUcontext ctx, int size, int rank);
ncclResult_t host_opencomm (ncclComm_t c); /* frees it on failure; */
extern _Thread_local int host_error;       /* then errno, or 0 */
void host_releasecomm (ncclComm_t c);      /* with the lock held */

/* The entries of nccl.def, by file. */
#define X(kind, name, params, args) ncclResult_t host_##name params;
#include "rt/driver/nccl.def"
#undef X

#endif

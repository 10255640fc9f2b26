/* comm.h - what a Communicator is, and its operands. See comm.c. */
#ifndef TIDE_COMM_COMM_H
#define TIDE_COMM_COMM_H

#include "array/array.h"
#include "rt/comm/comm.h"

enum { COMM_LOCAL = 64 };  /* ranks of one process, at most */

/* The ranks of it that this process has: mostly one. */
typedef struct Comm {
  Object object;
  int n;
  int local_rank;     /* of the first, among the processes of a machine */
  bool closed;
  int ngroups;        /* that are open: see exchange.c */
  lua_Integer groups; /* how many there have been: their numbers */
  RtComm *at[];       /* held; NULL: no more */
} Comm;

extern const Class comm_class;

/* comm.c: the open one at 'arg', which has not failed; 'what' is called. */
Comm *comm_check (lua_State *L, int arg, const char *what);

/* What has run since may have closed it, or it has failed: then the call begins
** again, which says so. */
void comm_checkstill (lua_State *L, const Comm *c);

extern const Function comm_collectives[];  /* collectives.c */
extern const Function comm_exchanges[];    /* exchange.c */

/* {== operands: operands.c ============================================ */

/* An Array for each rank of this process, in the order of its ranks. */
typedef struct Operands {
  int n, size;       /* local ranks, all of them */
  bool list;         /* they came as a list, and so do results */
  int at;            /* the first one's place on the stack */
  Array *a[COMM_LOCAL];
} Operands;

/* The same arrays: there is room for many more. */
void comm_copyoperands (Operands *to, const Operands *from);

/* Pushes the arrays at 'arg': one, or a list of one for each local rank. They
** are on their ranks' devices, of one dtype and one shape. */
void comm_pushranked (lua_State *L, const Comm *c, int arg, Operands *x);

/* The same of the option 'out' of a table at 'options'; false: there is
** none. */
bool comm_pushrankedout (lua_State *L, const Comm *c, int options,
                         Operands *x);

/* Pushes what there is instead of what is expected. A call fills up what it was
** not given with nils. */
const char *comm_pushinstead (lua_State *L, int arg);

/* Raises: the array of local rank i is not on that rank's device. */
void comm_wrongdevice (lua_State *L, int arg, const Comm *c, int i,
                       const Array *a);

/* Pushes new arrays of that dtype and shape. */
void comm_pushnew (lua_State *L, const Comm *c, Operands *x, DType t, int ndim,
                   const int64_t *shape);

/* Raises unless 'out' has that dtype and shape. */
void comm_checkout (lua_State *L, int arg, const Operands *out, DType t,
                    int ndim, const int64_t *shape);

/* Pushes those of 'x' as dense ones: themselves, or copies. */
void comm_pushdensed (lua_State *L, const Operands *x, Operands *dense);

/* Pushes those of 'out' as what the library may write to while it reads those
** of 'from': themselves, or new arrays. */
void comm_pushapart (lua_State *L, const Operands *out, const Operands *from,
                     Operands *to);

/* The shape of as many of 'a' as there are ranks, one after the other along the
** first axis; and of one of so many parts, which raises if it has no such.
** Return ndim. */
int comm_gatheredshape (const Array *a, int size, int64_t shape[MAX_DIMS]);
int comm_scatteredshape (lua_State *L, int arg, const Array *a, int size,
                         int64_t shape[MAX_DIMS]);

/* Where its elements are; 0: it has none. */
static inline CUdeviceptr comm_address (const Array *a) {
  return (a->size > 0) ? tide_pointer(a) : 0;
}

/* What is in 'from' goes to 'to', where that is another array: so many copies
** does it take. */
int comm_countback (const Operands *to, const Operands *from);
void comm_putback (lua_State *L, const Operands *to, const Operands *from);

/* Pushes what is returned: the array, or a list. */
int comm_returnranked (lua_State *L, const Comm *c, const Operands *x);

/* A rank at 'arg', from 0: the "root" or "rank"; 'order' is that of all
** arguments, which others have otherwise. */
int comm_checkrank (lua_State *L, int arg, const Comm *c, const char *what,
                    const char *order);

/* The library's name for elements that are only moved, and for those that are
** reduced by 'op', which raises where there is none; *each: how many of its
** elements make one of ours. */
ncclDataType_t comm_movedtype (DType t, size_t *each);
ncclDataType_t comm_reducedtype (lua_State *L, int arg, DType t,
                                 ncclRedOp_t *op, size_t *each);

/* "sum", "prod" ...: at 'arg', or the option 'op' of a table there; "sum". */
ncclRedOp_t comm_optreduction (lua_State *L, int arg);

/* The same without a table. */
ncclRedOp_t comm_optreductionname (lua_State *L, int arg, const char *order);
extern const char *const comm_reductions[];

/* ==} */

/* {== submit.c ======================================================== */

/* One operation of all local ranks. */
typedef struct Joint {
  const char *name;       /* "comm:all_reduce" */
  Comm *comm;
  NcclCall says;          /* what is common to all local ranks */
  RtStream *own[COMM_LOCAL];      /* the current ones, */
  RtStream *streams[COMM_LOCAL];  /* and those that calls are made on */
  RtCollective *calls;    /* those of local rank i have 'at' i */
  int ncalls;
  Access *accesses;       /* of each rank, one after the other, */
  int total, naccesses[COMM_LOCAL];  /* so many of each, */
  int at;                 /* up to this rank */
  int behind;             /* copies of results that come after it */
} Joint;

/*
** Finds the streams, and waits or raises where it cannot be queued now. From
** then on nothing may run Lua: comm_addcall for each call, with what it reads
** and writes (or NULL), for one local rank after the other; then it is
** submitted.
*/
void comm_startjoint (lua_State *L, Joint *j, Comm *c, const char *name);
void comm_addcall (Joint *j, int i, const RtCollective *call, const Array *from,
                   const Array *to);
void comm_submitjoint (lua_State *L, Joint *j);

/* A rank's stream for calls, if it has one, is given back. */
void comm_dropside (RtComm *rank);

/* So many accesses does it take at most. */
static inline int comm_accesses (const Comm *c, int ncalls) {
  return c->n + 2 * ncalls;
}

/* ==} */

#endif

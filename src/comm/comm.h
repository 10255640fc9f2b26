/* comm.h - the Communicator, and its operands. See comm.c. */
#ifndef TIDE_COMM_COMM_H
#define TIDE_COMM_COMM_H

#include "array/array.h"
#include "rt/comm/comm.h"

enum { COMM_LOCAL = 64 }; /* ranks of one process, at most */

/* A communicator, with the ranks that this process has: mostly one. */
typedef struct Comm {
  Object object;
  int n;
  int local_rank; /* of the first, among the processes of a machine */
  bool closed;
  int ngroups;        /* open groups: see exchange.c */
  lua_Integer groups; /* groups so far, which gives their numbers */
  RtComm *at[];       /* held; NULL: dropped */
} Comm;

extern const Class comm_class;

/* comm.c: returns the open communicator at 'arg'. Raises if it has failed.
** 'what' is the call. */
Comm *comm_check (lua_State *L, int arg, const char *what);

/* Begins the call again if the communicator was closed or has failed meanwhile;
** the call then raises that. */
void comm_checkstill (lua_State *L, const Comm *c);

extern const Function comm_collectives[]; /* collectives.c */
extern const Function comm_exchanges[];   /* exchange.c */

/* {== operands: operands.c ============================================ */

/* An Array for each rank of this process, in the order of its ranks. */
typedef struct Operands {
  int n, size; /* local ranks, all ranks */
  bool list;   /* they came as a list, and results go as one */
  int at;      /* the first one's index on the stack */
  Array *a[COMM_LOCAL];
} Operands;

/* Copies the used part only, because there is room for many more. */
void comm_copyoperands (Operands *to, const Operands *from);

/* Pushes the arrays at 'arg': one, or a list of one for each local rank. They
** are on their ranks' devices, and have one dtype and one shape. */
void comm_pushranked (lua_State *L, const Comm *c, int arg, Operands *x);

/* Pushes the arrays of the option 'out' of a table at 'options'. Returns false
** without that option. */
bool comm_pushrankedout (lua_State *L, const Comm *c, int options, Operands *x);

/* Pushes a description of the value at 'arg', for errors. Missing arguments of
** a call have become nil. */
const char *comm_pushinstead (lua_State *L, int arg);

/* Raises that the array of local rank i is not on that rank's device. */
void comm_wrongdevice (lua_State *L, int arg, const Comm *c, int i,
                       const Array *a);

/* Pushes new arrays of that dtype and shape. */
void comm_pushnew (lua_State *L, const Comm *c, Operands *x, DType t, int ndim,
                   const int64_t *shape);

/* Raises unless 'out' has that dtype and shape. */
void comm_checkout (lua_State *L, int arg, const Operands *out, DType t,
                    int ndim, const int64_t *shape);

/* Pushes the arrays of 'x' as dense ones: themselves, or copies. */
void comm_pushdensed (lua_State *L, const Operands *x, Operands *dense);

/* Pushes arrays that the library may write instead of those of 'out' while it
** reads those of 'from': themselves, or new ones. */
void comm_pushapart (lua_State *L, const Operands *out, const Operands *from,
                     Operands *to);

/* Find the shape of 'size' arrays like 'a', one after the other along the first
** axis; and of one of so many parts of 'a', which raises if 'a' cannot be
** divided. Return ndim. */
int comm_gatheredshape (const Array *a, int size, int64_t shape[MAX_DIMS]);
int comm_scatteredshape (lua_State *L, int arg, const Array *a, int size,
                         int64_t shape[MAX_DIMS]);

/* Returns the address of its elements; 0 if it has none. */
static inline CUdeviceptr comm_address (const Array *a) {
  return (a->size > 0) ? tide_pointer(a) : 0;
}

/* Copy the arrays of 'from' to those of 'to' if these are others. The first one
** returns the number of copies. */
int comm_countback (const Operands *to, const Operands *from);
void comm_putback (lua_State *L, const Operands *to, const Operands *from);

/* Pushes what a call returns: the array, or a list. */
int comm_returnranked (lua_State *L, const Comm *c, const Operands *x);

/* Returns the rank at 'arg', from 0: the "root" or "rank". 'order' lists all
** arguments, because other libraries have another order. */
int comm_checkrank (lua_State *L, int arg, const Comm *c, const char *what,
                    const char *order);

/* Return the library's type for elements that are only moved, and for elements
** that are reduced by 'op', which raises if there is none. *each: how many of
** its elements make one of ours. */
ncclDataType_t comm_movedtype (DType t, size_t *each);
ncclDataType_t comm_reducedtype (lua_State *L, int arg, DType t,
                                 ncclRedOp_t *op, size_t *each);

/* Returns the reduction "sum", "prod" ...: at 'arg', or the option 'op' of a
** table there; "sum" by default. */
ncclRedOp_t comm_optreduction (lua_State *L, int arg);

/* Returns the reduction that 'arg' names; no table is accepted there. */
ncclRedOp_t comm_optreductionname (lua_State *L, int arg, const char *order);
extern const char *const comm_reductions[];

/* ==} */

/* {== submit.c ======================================================== */

/* One operation of all local ranks. */
typedef struct Joint {
  const char *name; /* "comm:all_reduce" */
  Comm *comm;
  NcclCall says;                 /* what is common to all local ranks */
  RtStream *own[COMM_LOCAL];     /* the current streams, */
  RtStream *streams[COMM_LOCAL]; /* and those of the calls */
  RtCollective *calls;           /* calls of local rank i have 'at' i */
  int ncalls;
  Access *accesses; /* those of each rank, one after the other, */
  int total, naccesses[COMM_LOCAL]; /* so many for each, */
  int at;                           /* up to this rank */
  int behind;                       /* copies of results that follow */
} Joint;

/*
** comm_startjoint finds the streams, and waits or raises if the operation
** cannot be queued now. From then on nothing may run Lua. comm_addcall adds
** each call with the arrays that it reads and writes (or NULL), for one local
** rank after the other; then comm_submitjoint queues them.
*/
void comm_startjoint (lua_State *L, Joint *j, Comm *c, const char *name);
void comm_addcall (Joint *j, int i, const RtCollective *call, const Array *from,
                   const Array *to);
void comm_submitjoint (lua_State *L, Joint *j);

/* Drops a rank's stream for calls, if it has one. */
void comm_dropside (RtComm *rank);

/* Returns how many accesses the operation has at most. */
static inline int comm_accesses (const Comm *c, int ncalls) {
  return c->n + 2 * ncalls;
}

/* ==} */

#endif

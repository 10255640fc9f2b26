/* dist.h - the Communicator, and its operands. See dist.c. */
#ifndef TIDE_COMM_DIST_H
#define TIDE_COMM_DIST_H

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

extern const Class dist_class;

/* dist.c: returns the open communicator at 'arg'. Raises if it has failed.
** 'what' is the call. */
Comm *dist_check (lua_State *L, int arg, const char *what);

/* Begins the call again if the communicator was closed or has failed meanwhile;
** the call then raises that. */
void dist_recheck (lua_State *L, const Comm *c);

extern const Function dist_collectives[]; /* collectives.c */
extern const Function dist_exchanges[];   /* exchange.c */

/* {== operands: rank_arrays.c ============================================ */

/* An Array for each rank of this process, in the order of its ranks. */
typedef struct Operands {
  int n, size; /* local ranks, all ranks */
  bool list;   /* they came as a list, and results go as one */
  int at;      /* the first one's index on the stack */
  Array *a[COMM_LOCAL];
} Operands;

/* Copies the used part only, because there is room for many more. */
void dist_copy_operands (Operands *to, const Operands *from);

/* Pushes the arrays at 'arg': one, or a list of one for each local rank. They
** are on their ranks' devices, and have one dtype and one shape. */
void dist_push_arrays (lua_State *L, const Comm *c, int arg, Operands *x);

/* Pushes the arrays of the option 'out' of a table at 'options'. Returns false
** without that option. */
bool dist_push_out (lua_State *L, const Comm *c, int options, Operands *x);

/* Pushes a description of the value at 'arg', for errors. Missing arguments of
** a call have become nil. */
const char *dist_describe_arg (lua_State *L, int arg);

/* Raises that the array of local rank i is not on that rank's device. */
void dist_device_error (lua_State *L, int arg, const Comm *c, int i,
                        const Array *a);

/* Pushes new arrays of that dtype and shape. */
void dist_push_new (lua_State *L, const Comm *c, Operands *x, DType t, int ndim,
                    const int64_t *shape);

/* Raises unless 'out' has that dtype and shape. */
void dist_check_out (lua_State *L, int arg, const Operands *out, DType t,
                     int ndim, const int64_t *shape);

/* Pushes the arrays of 'x' as dense ones: themselves, or copies. */
void dist_push_dense (lua_State *L, const Operands *x, Operands *dense);

/* Pushes arrays that the library may write instead of those of 'out' while it
** reads those of 'from': themselves, or new ones. */
void dist_push_separate (lua_State *L, const Operands *out,
                         const Operands *from, Operands *to);

/* Find the shape of 'size' arrays like 'a', one after the other along the first
** axis; and of one of so many parts of 'a', which raises if 'a' cannot be
** divided. Return ndim. */
int dist_gather_shape (const Array *a, int size, int64_t shape[MAX_DIMS]);
int dist_scatter_shape (lua_State *L, int arg, const Array *a, int size,
                        int64_t shape[MAX_DIMS]);

/* Returns the address of its elements; 0 if it has none. */
static inline CUdeviceptr dist_address (const Array *a) {
  return (a->size > 0) ? array_pointer(a) : 0;
}

/* Copy the arrays of 'from' to those of 'to' if these are others. The first one
** returns the number of copies. */
int dist_count_copies (const Operands *to, const Operands *from);
void dist_copy_back (lua_State *L, const Operands *to, const Operands *from);

/* Pushes what a call returns: the array, or a list. */
int dist_return (lua_State *L, const Comm *c, const Operands *x);

/* Returns the rank at 'arg', from 0: the "root" or "rank". 'order' lists all
** arguments, because other libraries have another order. */
int dist_check_rank (lua_State *L, int arg, const Comm *c, const char *what,
                     const char *order);

/* Return the library's type for elements that are only moved, and for elements
** that are reduced by 'op', which raises if there is none. *each: how many of
** its elements make one of ours. */
ncclDataType_t dist_move_type (DType t, size_t *each);
ncclDataType_t dist_reduce_type (lua_State *L, int arg, DType t,
                                 ncclRedOp_t *op, size_t *each);

/* Returns the reduction "sum", "prod" ...: at 'arg', or the option 'op' of a
** table there; "sum" by default. */
ncclRedOp_t dist_opt_reduction (lua_State *L, int arg);

/* Returns the reduction that 'arg' names; no table is accepted there. */
ncclRedOp_t dist_opt_reduction_name (lua_State *L, int arg, const char *order);
extern const char *const dist_reductions[];

/* ==} */

/* {== rank_submit.c ======================================================== */

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
** dist_start_joint finds the streams. From then on nothing may run Lua.
** dist_add_call adds each call with the arrays that it reads and writes (or
** NULL), for one local rank after the other; then dist_submit_joint queues
** them, or waits for host functions that they come after.
*/
void dist_start_joint (lua_State *L, Joint *j, Comm *c, const char *name);
void dist_add_call (Joint *j, int i, const RtCollective *call,
                    const Array *from, const Array *to);
void dist_submit_joint (lua_State *L, Joint *j);

/* Drops a rank's stream for calls, if it has one. */
void dist_drop_stream (RtComm *rank);

/* Returns how many accesses the operation has at most. */
static inline int dist_max_accesses (const Comm *c, int ncalls) {
  return c->n + 2 * ncalls;
}

/* ==} */

#endif

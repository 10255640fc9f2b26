/*
** nccl.h - the table of collectives: NCCL's types as far as tide needs them,
** and struct Nccl, one slot per line of nccl.def.
**
** Two functions make a table: nccl_cuda (libnccl, by dlopen) and
** nccl_host (ranks that are host devices). Never include this beside
** NVIDIA's nccl.h.
*/
#ifndef TIDE_RT_DRIVER_NCCL_H
#define TIDE_RT_DRIVER_NCCL_H

#include <stdbool.h>

#include "driver.h"

typedef enum ncclResult_t {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7
} ncclResult_t;

typedef enum ncclDataType_t {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9
} ncclDataType_t;

typedef enum ncclRedOp_t {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4
} ncclRedOp_t;

typedef struct ncclComm *ncclComm_t;

enum { NCCL_ID_BYTES = 128 };
typedef struct ncclUniqueId {
  char internal[NCCL_ID_BYTES];
} ncclUniqueId;

/* The layout of 2.17, which later versions accept, by its size. */
typedef struct ncclConfig_t {
  size_t size;
  unsigned magic, version;
  int blocking; /* 0: calls do not wait, and return ncclInProgress */
  int cgaClusterSize, minCTAs, maxCTAs;
  const char *netName;
  int splitShare;
} ncclConfig_t;

enum {
  NCCL_UNDEFINED = -2147483647 - 1,
  NCCL_MAGIC = 0xcafebeef,
  NCCL_LAYOUT = 21700
};

/* A rank's next call, in the program's terms. Other ranks must do the same in
** 'n', 't', 'op' and 'root'. */
typedef struct NcclCall {
  const char *what;  /* "all_reduce" ...: a static string */
  const char *place; /* of the program: "train.lua:12"; copied */
  uint64_t number;   /* its number in the communicator, from 1 */
  size_t n;          /* elements that each rank gives, */
  const char *type;  /* their dtype: a static string */
  const char *op;    /* the operator, or NULL */
  int root;          /* rank that it is from or to; -1: none */
  bool joint;        /* all ranks take part, though it is made of messages */
} NcclCall;

enum { NCCL_WHY = 400 };

typedef struct Nccl {
  const char *name; /* of the library */
  bool subcomms;    /* non-blocking calls are slow, and ends wait: see
                           rt/comm/subcomm.c */
  int most;         /* ranks of a communicator; 0: any number */
#define X(kind, name, params, args) ncclResult_t(*name) params;
#include "nccl.def"
#undef X
  const char *(*ncclGetErrorString)(ncclResult_t result);

  /* Entries without a counterpart in NCCL; NULL in its table. */

  /* Announces the next call of this communicator, or the calls up to the end of
  ** a group; also a split of it. Sends and receives in a group are announced
  ** one by one. */
  void (*announce)(ncclComm_t comm, const NcclCall *call);

  /* Returns the number of the latest operation, as announced, that was done
  ** completely; with 'graphs', how many operations of graphs were. */
  uint64_t (*done)(ncclComm_t comm, bool graphs);

  /* Writes why the communicator has failed, or what it waits for. */
  void (*why)(ncclComm_t comm, char text[NCCL_WHY]);
} Nccl;

/* NCCL, loaded once per process. NULL if it cannot be used; *why then says what
** is missing (a sentence for the user). Thread-safe. */
const Nccl *nccl_cuda (const char **why);

/* Returns the table for ranks that are host devices, which is always there. */
const Nccl *nccl_host (void);

#endif

/*
** nccl_probe.c - a table of collectives for tests: forwards to another one, and
** makes call n fail, counted together with calls of the driver (probe.c).
*/
#include "probe.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NPROBES = 2 }; /* of GPUs, of host devices */

static const Nccl *bases[NPROBES];

#define FORWARD(set, name, params, args) \
  static ncclResult_t name##set params { \
    return probe_is_due() ? ncclInternalError : bases[set]->name args; \
  }

#define X(kind, name, params, args) \
  FORWARD(0, name, params, args) FORWARD(1, name, params, args)
#include "rt/driver/nccl.def"
#undef X

static Nccl probes[NPROBES] = {
#define X(kind, name, params, args) .name = name##0,
  {
#include "rt/driver/nccl.def"
  },
#undef X
#define X(kind, name, params, args) .name = name##1,
  {
#include "rt/driver/nccl.def"
  }
#undef X
};

/* Makes ranks on host devices behave like those on GPUs: with subcommunicators
** (rt/comm/subcomm.c), and with a library that compares nothing. */
static void be_like_nccl (Nccl *probe) {
  probe->subcomms = true;
  probe->announce = NULL;
  probe->done = NULL;
  probe->why = NULL;
}

/* Calls that end things do not fail, nor calls that are repeated in polls,
** because their number depends on chance. */
static void set_up (const Nccl *base, int set) {
  bases[set] = base;
  probes[set].name = base->name;
  probes[set].subcomms = base->subcomms;
  probes[set].most = base->most;
  probes[set].ncclGetErrorString = base->ncclGetErrorString;
  probes[set].announce = base->announce;
  probes[set].done = base->done;
  probes[set].why = base->why;
  probes[set].ncclCommDestroy = base->ncclCommDestroy;
  probes[set].ncclCommAbort = base->ncclCommAbort;
  probes[set].ncclCommFinalize = base->ncclCommFinalize;
  probes[set].ncclCommGetAsyncError = base->ncclCommGetAsyncError;
  probes[set].ncclGroupEnd = base->ncclGroupEnd;
  if (getenv("TIDE_TEST_SUBCOMMS") != NULL)
    be_like_nccl(&probes[set]);
}

/* Each set has one library; other threads may use the table already. */
const Nccl *probe_nccl (const Nccl *base, int set) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (base == NULL)
    return NULL;
  pthread_mutex_lock(&lock);
  if (bases[set] == NULL)
    set_up(base, set);
  pthread_mutex_unlock(&lock);
  return &probes[set];
}

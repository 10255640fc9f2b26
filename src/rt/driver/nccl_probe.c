/*
** nccl_probe.c - a table of collectives for tests: forwards to another one, and
** makes call n fail, together with those of the driver (probe.c).
*/
#if defined(TIDE_TESTING)

#include "nccl.h"

#include <string.h>

#include "probe.h"

enum { NPROBES = 2 };  /* of GPUs, of host devices */

static const Nccl *bases[NPROBES];

#define FORWARD(set, name, params, args)                         \
  static ncclResult_t name##set params {                         \
    return rt_probe_due() ? ncclInternalError                    \
                          : bases[set]->name args;               \
  }

#define X(kind, name, params, args) \
  FORWARD(0, name, params, args) FORWARD(1, name, params, args)
#include "nccl.def"
#undef X

static Nccl probes[NPROBES] = {
#define X(kind, name, params, args) .name = name##0,
  {
#include "nccl.def"
  },
#undef X
#define X(kind, name, params, args) .name = name##1,
  {
#include "nccl.def"
  }
#undef X
};

/* What ends things is not made to fail, nor what is asked again and again: how
** often that is, is chance. */
const Nccl *rt_probe_nccl (const Nccl *base, int set) {
  if (base == NULL)
    return NULL;
  bases[set] = base;
  probes[set].name = base->name;
  probes[set].lanes = base->lanes;
  probes[set].ncclGetErrorString = base->ncclGetErrorString;
  probes[set].announce = base->announce;
  probes[set].done = base->done;
  probes[set].why = base->why;
  probes[set].ncclCommDestroy = base->ncclCommDestroy;
  probes[set].ncclCommAbort = base->ncclCommAbort;
  probes[set].ncclCommFinalize = base->ncclCommFinalize;
  probes[set].ncclCommGetAsyncError = base->ncclCommGetAsyncError;
  probes[set].ncclGroupEnd = base->ncclGroupEnd;
  return &probes[set];
}

#endif

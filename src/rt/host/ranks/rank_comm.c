/*
** rank_comm.c - communicators: their beginnings, ends and errors.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "ranks.h"

/* {== creation and end ================================================ */

ncclComm_t rank_new_comm (CUcontext ctx, int size, int rank) {
  ncclComm_t c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->refs = 1;
  c->open = true;
  c->ctx = ctx;
  c->size = size;
  c->rank = rank;
  c->wake = -1;
  c->posted_tail = &c->posted;
  return c;
}

void rank_release_comm (ncclComm_t c) {
  if (--c->refs > 0)
    return;
  rank_unmap_segment(c->map);
  free(c);
}

/* A split that fails here counts as never begun. */
static void give_up (ncclComm_t c) {
  host_lock();
  if (c->parent != NULL) {
    c->parent->splitting--;
    c->parent->splits--;
    rank_unmap_segment(c->old);
    rank_release_comm(c->parent);
  }
  rank_release_comm(c);
  host_unlock();
}

_Thread_local int rank_errno;

ncclResult_t rank_open_comm (ncclComm_t c) {
  rank_handle_fork();
  int error = rank_start_proxy(c);
  if (error == 0)
    return ncclInProgress;
  give_up(c);
  rank_errno = error;
  return ncclSystemError;
}

ncclResult_t host_ncclGetVersion (int *version) {
  if (version == NULL)
    return ncclInvalidArgument;
  *version = 21800;
  return ncclSuccess;
}

/* The id is made from an address that all ranks know, so all make the same. */
ncclResult_t host_ncclGetUniqueId (ncclUniqueId *id) {
  const char *address = getenv("NCCL_COMM_ID");
  uint64_t random[2];
  if (id == NULL)
    return ncclInvalidArgument;
  memset(id, 0, sizeof *id);
  if (address != NULL && address[0] != '\0') {
    snprintf(id->internal, sizeof id->internal, "%s", address);
    return ncclSuccess;
  }
  if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
    return ncclSystemError;
  snprintf(id->internal, sizeof id->internal, "%016llx%016llx",
           (unsigned long long)random[0], (unsigned long long)random[1]);
  return ncclSuccess;
}

ncclResult_t host_ncclCommInitRankConfig (ncclComm_t *comm, int size,
                                          ncclUniqueId id, int rank,
                                          ncclConfig_t *config) {
  CUcontext ctx;
  (void)config;
  if (comm == NULL || size < 1 || size > MAX_RANKS || rank < 0 || rank >= size)
    return ncclInvalidArgument;
  *comm = NULL;
  if (host_enter(&ctx) != CUDA_SUCCESS)
    return ncclUnhandledCudaError;
  host_leave();
  ncclComm_t c = rank_new_comm(ctx, size, rank);
  if (c == NULL)
    return ncclSystemError;
  c->id = id;
  c->id.internal[NCCL_ID_BYTES - 1] = '\0';
  ncclResult_t r = rank_open_comm(c);
  if (r == ncclInProgress)
    *comm = c;
  return r;
}

/* With the lock held. Captured work does not count, because NCCL, too, lets
** graphs be launched. */
static bool has_work (ncclComm_t c) {
  return c->pending > 0 || c->captured > 0 || c->posted != NULL;
}

/* Queued work is done first; see ncclCommGetAsyncError. */
ncclResult_t host_ncclCommFinalize (ncclComm_t c) {
  if (c == NULL)
    return ncclInvalidArgument;
  if (host_usable() != CUDA_SUCCESS)
    return ncclSuccess;
  host_lock();
  c->flushing = true;
  bool busy = has_work(c);
  host_unlock();
  return busy ? ncclInProgress : ncclSuccess;
}

/* Queued work ends at once when its turn comes. In a fork's child this does
** nothing. */
ncclResult_t host_ncclCommAbort (ncclComm_t c) {
  if (c == NULL)
    return ncclInvalidArgument;
  if (host_usable() != CUDA_SUCCESS)
    return ncclSuccess;
  rank_end_proxy(c);
  host_lock();
  c->open = false;
  rank_unmap_segment(c->map);
  c->map = NULL;
  rank_release_comm(c);
  host_unlock();
  return ncclSuccess;
}

ncclResult_t host_ncclCommDestroy (ncclComm_t c) {
  return host_ncclCommAbort(c);
}

/* ==} */

/* {== queries ========================================================= */

/* Reports a failure only between operations. An operation under way may have
** all that it needs, because other ranks fail, or close, as soon as they are
** done with it. */
static ncclResult_t state_of (ncclComm_t c) {
  bool busy = (c->now != NULL);
  if (!busy)
    rank_read_failure(c);
  if (!busy && c->error != ncclSuccess)
    return c->error;
  bool waits = !c->ready || c->splitting > 0 || (c->flushing && has_work(c));
  return waits ? ncclInProgress : ncclSuccess;
}

/* In a communicator that is being split off, size and rank are unknown before
** it is ready. */
ncclResult_t host_ncclCommCount (ncclComm_t c, int *size) {
  if (c == NULL || size == NULL)
    return ncclInvalidArgument;
  host_lock();
  *size = c->size;
  host_unlock();
  return ncclSuccess;
}

ncclResult_t host_ncclCommUserRank (ncclComm_t c, int *rank) {
  if (c == NULL || rank == NULL)
    return ncclInvalidArgument;
  host_lock();
  *rank = c->rank;
  host_unlock();
  return ncclSuccess;
}

ncclResult_t host_ncclCommGetAsyncError (ncclComm_t c, ncclResult_t *state) {
  if (c == NULL || state == NULL)
    return ncclInvalidArgument;
  if (host_usable() != CUDA_SUCCESS)
    return ncclInvalidUsage;
  host_lock();
  *state = state_of(c);
  host_unlock();
  return ncclSuccess;
}

/* ==} */

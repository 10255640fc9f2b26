/*
** memory.c - memory for arrays that other processes can map. If memory or
** descriptors are short, it climbs the ladder of all arrays
** (array/allocate.c).
*/
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "array/allocate.h"
#include "device/gc_pressure.h"
#include "device/host_function.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/foreign.h"
#include "rt/memory/shareable.h"

static Status get (const Source *from, RtShareable **m) {
  return (from->id == NULL)
           ? rt_newshareable(from->dev, from->bytes, m)
           : rt_openshareable(from->dev, from->id, from->file, from->bytes, m);
}

enum { FILES_FEW = 4 }; /* an array has two, a driver call needs some */

static bool is_short (Status st) {
  return st == CUDA_ERROR_OUT_OF_MEMORY || st == CUDA_ERROR_OPERATING_SYSTEM;
}

/* Tells whether descriptors are left, because the driver reports a shortage by
** errors of its own. */
static bool has_descriptors (void) {
  int fd[FILES_FEW], n = 0;
  while (n < FILES_FEW &&
         (fd[n] = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
    n++;
  bool enough = (n == FILES_FEW || errno != EMFILE);
  while (n > 0)
    close(fd[--n]);
  return enough;
}

/* On host devices it is a file of whole pages, whose size the system limits. */
static bool is_too_long (const RtDevice *dev, size_t bytes) {
  struct rlimit most;
  rlim_t page = (rlim_t)sysconf(_SC_PAGESIZE);
  return strcmp(dev->D->kind, "host") == 0 &&
         getrlimit(RLIMIT_FSIZE, &most) == 0 &&
         bytes > most.rlim_cur / page * page;
}

/* Gives the array a share in all of the memory. */
static Status use (Array *a, RtShareable *m) {
  RtLoan *loan;
  RtBlock *block;
  Status st = rt_useshareable(m, &loan, &block);
  if (st != 0)
    return st;
  tide_shareblock(a, block, loan);
  rt_dropblock(block);
  rt_droploan(loan);
  return 0;
}

typedef struct SharedRequest {
  Request r;
  Array *a;
  const Source *from;
  Status last; /* the driver's status */
} SharedRequest;

static Status get_for (Array *a, const Source *from) {
  RtShareable *m;
  Status st = get(from, &m);
  return (st != 0) ? st : use(a, m);
}

static Status get_again (void *ud) {
  SharedRequest *s = ud;
  s->last = get_for(s->a, s->from);
  return is_short(s->last) ? CUDA_ERROR_OUT_OF_MEMORY : s->last;
}

Status ipc_getmemory (lua_State *L, Array *a, const Source *from) {
  RtDevice *dev = from->dev;
  tide_relieve(L, dev, false, from->bytes);
  tide_relievehandles(L);
  if (tide_hasdropped(tide_owner(dev->rt)))
    tide_drain(L);
  Status st = get_for(a, from);
  if (!is_short(st))
    return st;
  if (from->id == NULL && is_too_long(dev, from->bytes))
    return rt_explain(dev->rt, RT_LIMIT, NULL,
                      "tide.ipc: %s: memory of %zu "
                      "bytes, which is one (see ulimit -f)",
                      strerror(EFBIG), from->bytes);
  SharedRequest s = {
    {dev, from->bytes, false, NULL, get_again, &s}, a, from, st};
  st = tide_findmemory(L, &s.r);
  if (st == CUDA_ERROR_OUT_OF_MEMORY && !has_descriptors())
    return rt_explain(dev->rt, RT_LIMIT, NULL,
                      "tide.ipc: %s: each of its "
                      "arrays has some",
                      strerror(EMFILE));
  if (st == CUDA_ERROR_OUT_OF_MEMORY && s.last != st)
    return rt_fail(dev->rt, s.last, s.r.call);
  return st;
}

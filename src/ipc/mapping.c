/*
** mapping.c - memory for arrays that other processes can map. If memory or
** descriptors are short, it runs the fallback steps of all arrays
** (array/alloc.c).
*/
#include "mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "array/alloc.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/import.h"
#include "rt/memory/shareable.h"

static Status get (const Source *from, RtShareable **m) {
  return (from->id == NULL)
           ? shareable_new(from->dev, from->bytes, m)
           : shareable_open(from->dev, from->id, from->file, from->bytes, m);
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
  return context_is_host(dev) && getrlimit(RLIMIT_FSIZE, &most) == 0 &&
         bytes > most.rlim_cur / page * page;
}

/* Gives the array a share in all of the memory. */
static Status use (Array *a, RtShareable *m) {
  RtImport *import;
  RtBlock *block;
  Status st = shareable_use(m, &import, &block);
  if (st != 0)
    return st;
  array_share_block(a, block, import);
  block_drop(block);
  import_drop(import);
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

Status mapping_attach (lua_State *L, Array *a, const Source *from) {
  RtDevice *dev = from->dev;
  gc_relieve(L, dev, false, from->bytes);
  gc_relieve_handles(L);
  if (drain_is_due(state_of_rt(dev->rt)))
    drain_dropped(L);
  Status st = get_for(a, from);
  if (!is_short(st))
    return st;
  if (from->id == NULL && is_too_long(dev, from->bytes))
    return status_explain(dev->rt, RT_LIMIT, NULL,
                          "tide.ipc: %s: memory of %zu bytes, which is one "
                          "(see ulimit -f)",
                          strerror(EFBIG), from->bytes);
  SharedRequest s = {
    {dev, from->bytes, false, NULL, get_again, &s}, a, from, st};
  st = alloc_retry(L, &s.r);
  if (st == CUDA_ERROR_OUT_OF_MEMORY && !has_descriptors())
    return status_explain(dev->rt, RT_LIMIT, NULL,
                          "tide.ipc: %s: each of its arrays has some",
                          strerror(EMFILE));
  if (st == CUDA_ERROR_OUT_OF_MEMORY && s.last != st)
    return status_fail(dev->rt, s.last, s.r.call);
  return st;
}

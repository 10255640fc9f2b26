/*
** memory.c - memory that other processes can map, for arrays. Where there is
** none, or there are no descriptors for it, what can go does, as for all other
** arrays: what was dropped, what is kept for reuse, garbage, and what the
** device has not done with.
*/
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "array/allocate.h"
#include "array/gc_pressure.h"
#include "base/error.h"
#include "device/host_function.h"
#include "device/service.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/foreign.h"
#include "rt/memory/shareable.h"
#include "rt/reclaim.h"

static Status get (const Source *from, RtShareable **m) {
  return (from->id == NULL) ?
         rt_newshareable(from->dev, from->bytes, m) :
         rt_openshareable(from->dev, from->id, from->file, from->bytes, m);
}

/* Which rung of the ladder makes room; false: there is none left. */
static bool climb (lua_State *L, RtDevice *dev, int rung) {
  if (rung > 2)
    return false;
  if (rung == 1 && !tide_state(L)->pressure.left)
    lua_gc(L, LUA_GCCOLLECT);
  if (rung == 2 && tide_finishdevice(L, dev, "out of memory") != 0)
    return false;
  tide_drainall(L);
  return tide_giveback(L, dev) == 0;
}

static bool is_short (Status st) {
  return st == CUDA_ERROR_OUT_OF_MEMORY || st == CUDA_ERROR_OPERATING_SYSTEM;
}

/* What the driver lacks it says in its own words. */
static bool has_descriptor (void) {
  int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (fd >= 0)
    close(fd);
  return fd >= 0 || errno != EMFILE;
}

/* The array has a share in all of it. */
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

static Status get_for (Array *a, const Source *from) {
  RtShareable *m;
  Status st = get(from, &m);
  return (st != 0) ? st : use(a, m);
}

void ipc_getmemory (lua_State *L, Array *a, const Source *from) {
  tide_relieve(L, from->dev, false, from->bytes);
  Status st = get_for(a, from);
  for (int rung = 0; is_short(st) && climb(L, from->dev, rung); rung++)
    st = get_for(a, from);
  if (is_short(st) && !has_descriptor())
    st = rt_explain(from->dev->rt, RT_LIMIT, NULL, "tide.ipc: %s: each of its "
                    "arrays has some", strerror(EMFILE));
  else if (st == CUDA_ERROR_OUT_OF_MEMORY)
    st = rt_explainmemory(from->dev, false, from->bytes, "tide.ipc");
  tide_check(L, st);
}

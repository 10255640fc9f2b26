/*
** host_access.c - decides by its marks when the host may read or write
** page-locked memory.
*/
#include "host_access.h"

#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/deferral.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

static Status refuse (Runtime *rt, const char *what, const char *why) {
  return status_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                        "in a host function memory can be used only where all "
                        "else that uses it is ordered before or after the "
                        "function, %s",
                        why);
}

/* Looks at one conflicting use. It is no conflict if it has passed, or comes
** after the host function that runs now. That work is kept, also if it
** belongs to the same launch of a graph. The function's own work is a conflict
** even if it is kept, because the function has queued it before the access. */
static Status look_at_use (const Mark *k, const char *what) {
  Runtime *rt = k->s->dev->rt;
  Status st = progress_passed(k->s, k->seq);
  if (st != CUDA_ERROR_NOT_READY)
    return st;
  if (rt->running == NULL) {
    st = wait_check(k->s, what);
    return (st != 0) ? st : CUDA_ERROR_NOT_READY;
  }
  bool own = (k->seq > rt->ran_at);
  bool behind = (!own && deferral_keeps(k->s, k->seq) && k->seq >= rt->at.seq);
  if (behind || progress_null_passed(k->s, k->seq))
    return 0;
  return refuse(rt, what,
                own ? "and work that the function has queued uses it"
                    : "and work of another stream uses it now");
}

Status host_access_ready (RtBlock *b, size_t off, size_t len, bool write,
                          const char *what) {
  Runtime *rt = b->dev->rt;
  const Access a = {b, off, len, write, false};
  Status st = 0;
  if (b->ncaptures > 0 && rt->running == NULL)
    return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                          "the memory takes part in a capture");
  for (int i = 0; i < b->marks.n && st == 0; i++)
    if (hazard_conflicts(&b->marks.at[i], &a))
      st = look_at_use(&b->marks.at[i], what);
  if (st == 0)
    observer_note_host(b, off, len, write);
  return st;
}

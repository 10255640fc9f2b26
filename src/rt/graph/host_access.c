/*
** host_access.c - when the host itself may read or write page-locked memory: in
** a host function of a graph the nodes of the graph decide, else the marks.
*/
#include "host_access.h"

#include "graph_nodes.h"
#include "rt/driver/status.h"
#include "rt/driver/witness.h"
#include "rt/memory/hazard.h"
#include "rt/wait/hurdles.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

static Status refuse (Runtime *rt, const char *what, const char *why) {
  return rt_explain(rt, CUDA_ERROR_NOT_PERMITTED, what, "in a host function "
                    "memory can be used only where all else that uses it is "
                    "ordered before or after the function, %s", why);
}

/* A host function of a graph: what its other nodes do with the memory is
** ordered by the graph or not at all. */
static Status check_uses (const RtBlock *b, const Access *a,
                          const char *what) {
  Runtime *rt = b->dev->rt;
  const RtBody *body = rt->running->body;
  for (int i = 0; i < body->nuses; i++) {
    const HostUse *use = &body->uses[i];
    bool ordered = true;
    if (use->block != b || !(a->write || use->write) ||
        use->hi <= a->off || a->off + a->len <= use->lo)
      continue;
    Status st = rt_areordered(body, use->node, rt->running->id, &ordered);
    if (st == 0 && !ordered)
      st = refuse(rt, what, "and another branch of the graph uses it");
    if (st != 0)
      return st;
  }
  return 0;
}

/* One use that is in the way: has it passed, or does it come after the function
** that runs now? */
static Status look_at_use (const Mark *k, const char *what) {
  Runtime *rt = k->s->dev->rt;
  Status st = rt_passed(k->s, k->seq);
  if (st != CUDA_ERROR_NOT_READY)
    return st;
  if (rt->running == NULL) {
    st = rt_checkwait(k->s, what);
    return (st != 0) ? st : CUDA_ERROR_NOT_READY;
  }
  bool behind = (k->seq >= rt_behindfrom(k->s, rt->at));
  return behind || rt_nullpassed(k->s, k->seq) ? 0 :
         refuse(rt, what, "and work of another stream uses it now");
}

Status rt_hostready (RtBlock *b, size_t off, size_t len, bool write,
                     const char *what) {
  Runtime *rt = b->dev->rt;
  const Access a = {b, off, len, write, false};
  Status st = 0;
  if (b->ncaptures > 0 && rt->running == NULL)
    return rt_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                      "the memory takes part in a capture");
  if (rt->running != NULL && rt->running->body != NULL)
    st = check_uses(b, &a, what);
  for (int i = 0; i < b->marks.n && st == 0; i++)
    if (rt_conflicts(&b->marks.at[i], &a))
      st = look_at_use(&b->marks.at[i], what);
  if (st == 0)
    rt_sawhost(b, off, len, write);
  return st;
}

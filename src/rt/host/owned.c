/*
** owned.c - objects that die with a context: all that its owners have made and
** not destroyed, as when CUDA resets or destroys a context.
*/
#include <limits.h>

#include "host.h"

void host_own (CUcontext ctx, Owned *o, void (*drop)(Owned *)) {
  o->drop = drop;
  o->next = ctx->owned;
  o->at = &ctx->owned;
  if (o->next != NULL)
    o->next->at = &o->next;
  ctx->owned = o;
}

/* Does nothing to an object that is not owned (any more). */
void host_disown (Owned *o) {
  if (o->at == NULL)
    return;
  *o->at = o->next;
  if (o->next != NULL)
    o->next->at = o->at;
  o->at = NULL;
}

/* No work of the context is queued. */
void host_drop_owned (CUcontext ctx) {
  for (Owned *o; (o = ctx->owned) != NULL;) {
    host_disown(o);
    o->drop(o);
  }
}

/*
** Skips queued work, ends captures, and frees everything. Owners stay owners;
** older handles are invalid afterwards.
*/
void host_reset_context (CUcontext ctx) {
  if (ctx->fault == CUDA_SUCCESS)
    ctx->fault = CUDA_ERROR_CONTEXT_IS_DESTROYED;
  host_stop_all(ctx);
  host_recheck(INT_MAX);
  host_cut_off(ctx);
  host_quit_captures(ctx);
  while (ctx->busy[0] != NULL || ctx->busy[1] != NULL)
    host_wait();
  host_drop_owned(ctx);
  ctx->fault = CUDA_SUCCESS;
  ctx->why[0] = '\0';
}

/*
** host_event.c - events: points in streams, and the times at which they were
** reached.
**
** An event is a name for its latest recording. A wait stores the recording's
** place in the stream, not the event. So recording the event again or
** destroying it changes no queued wait.
*/
#include <stdlib.h>

#include "host.h"

/* {== recordings ====================================================== */

/* Records the next job of 's'. Two references: the event's and the job's. */
static EventRecord *new_recording (CUstream s) {
  EventRecord *at = host.recordings;
  if (at != NULL)
    host.recordings = at->next;
  else if ((at = malloc(sizeof *at)) == NULL)
    return NULL;
  s->refs++;
  *at = (EventRecord){NULL, 2, {s, s->issued + 1}, 0};
  return at;
}

void host_release_recording (EventRecord *at) {
  if (--at->refs > 0)
    return;
  host_release_stream(at->at.s);
  at->next = host.recordings;
  host.recordings = at;
}

static bool is_reached (const EventRecord *at) {
  return at == NULL || at->at.s->completed >= at->at.seq;
}

/* ==} */

/* {== creation and destruction ======================================== */

static void forget (CUevent e) {
  if (e->at != NULL)
    host_release_recording(e->at);
  e->at = NULL;
  e->capture = 0;
  e->frontier.n = 0;
}

static void drop (Owned *o) {
  CUevent e = (CUevent)o;
  host_disown(o);
  forget(e);
  host_free_set(&e->frontier);
  free(e);
}

CUresult host_cuEventCreate (CUevent *out, unsigned flags) {
  const unsigned shared = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
  CUcontext ctx;
  if (out == NULL || flags > (shared | CU_EVENT_BLOCKING_SYNC) ||
      (flags & shared) == CU_EVENT_INTERPROCESS)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUevent e = calloc(1, sizeof *e);
  if (e != NULL) {
    e->ctx = ctx;
    e->flags = flags;
    host_own(ctx, &e->owned, drop);
    *out = e;
  }
  host_leave();
  return (e != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuEventDestroy (CUevent e) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter_faulty(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  drop(&e->owned);
  r = ctx->fault;
  host_leave();
  return r;
}

/* ==} */

/* {== recording and waiting =========================================== */

static CUresult record (CUevent e, CUstream s) {
  EventRecord *at = new_recording(s);
  if (at == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult r = host_queue(s, &(Task){TASK_RECORD, {.record = {at}}}, NULL);
  if (r != CUDA_SUCCESS) {
    host_release_recording(at);
    return r;
  }
  forget(e);
  e->at = at;
  return CUDA_SUCCESS;
}

CUresult host_cuEventRecord (CUevent e, CUstream handle) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (s == NULL || s->ctx != e->ctx) {
    r = CUDA_ERROR_INVALID_HANDLE;
  } else if (s->capture != NULL) {
    forget(e);
    r = host_capture_event(s, e);
  } else if ((r = host_check_legacy(s)) == CUDA_SUCCESS) {
    r = record(e, s);
  }
  host_leave();
  return r;
}

/* A wait for an event that was never recorded does nothing, as in CUDA. */
static CUresult wait_event (CUstream s, CUevent e) {
  if (e->capture != 0)
    return host_join_capture(s, e);
  if (s->capture != NULL)
    return (e->at == NULL)
             ? CUDA_SUCCESS
             : host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  CUresult r = host_check_legacy(s);
  if (r != CUDA_SUCCESS || is_reached(e->at))
    return r;
  return host_queue(s, &(Task){.kind = TASK_NONE}, &e->at->at);
}

CUresult host_cuStreamWaitEvent (CUstream handle, CUevent e, unsigned flags) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL) ? wait_event(s, e) : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

/* ==} */

/* {== queries ========================================================= */

CUresult host_cuEventQuery (CUevent e) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (host.polls != NULL)
    host_recheck(GLANCE);
  if (e->capture != 0)
    r = host_read_captured(e);
  else if ((r = host_check_unsafe()) == CUDA_SUCCESS && !is_reached(e->at))
    r = CUDA_ERROR_NOT_READY;
  host_leave();
  return r;
}

static CUresult elapsed (float *ms, CUevent from, CUevent to) {
  if (from->capture != 0 || to->capture != 0)
    return host_read_captured(from->capture != 0 ? from : to);
  if ((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING)
    return CUDA_ERROR_INVALID_HANDLE;
  if (from->at == NULL || to->at == NULL || from->ctx != to->ctx)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!is_reached(from->at) || !is_reached(to->at))
    return CUDA_ERROR_NOT_READY;
  *ms = (float)((double)(to->at->ns - from->at->ns) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult host_cuEventElapsedTime (float *ms, CUevent from, CUevent to) {
  CUcontext ctx;
  if (ms == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (from == NULL || to == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = elapsed(ms, from, to);
  host_leave();
  return r;
}

/* ==} */

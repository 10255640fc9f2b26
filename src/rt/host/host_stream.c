/*
** host_stream.c - streams and their operations, by CUDA's rules for the legacy
** stream, blocking and non-blocking streams.
*/
#include <stdlib.h>

#include "host.h"

/* {== creation and destruction ======================================== */

CUstream host_new_stream (CUcontext ctx, unsigned flags, int priority) {
  CUstream s = calloc(1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->refs = 1;
  s->live = true;
  s->ctx = ctx;
  s->flags = flags;
  s->priority = priority;
  s->tail = &s->head;
  s->next_made = host.streams;
  if (host.streams != NULL)
    host.streams->prev = s;
  host.streams = s;
  return s;
}

void host_release_stream (CUstream s) {
  if (--s->refs > 0)
    return;
  if (s->prev != NULL)
    s->prev->next_made = s->next_made;
  else
    host.streams = s->next_made;
  if (s->next_made != NULL)
    s->next_made->prev = s->prev;
  host_free_set(&s->frontier);
  free(s->handles);
  free(s);
}

/* Destroys the stream's handle; queued work completes. */
static void destroy (CUstream s) {
  host_disown(&s->owned);
  host_quit_capture(s);
  s->live = false;
  host_release_stream(s);
}

static void drop (Owned *o) { destroy((CUstream)o); }

/* The calling thread's default streams, one for each device. */
typedef struct Defaults {
  CUstream of[MAX_DEVICES];
} Defaults;

static pthread_key_t defaults_key;
static pthread_once_t defaults_once = PTHREAD_ONCE_INIT;

static void drop_defaults (void *p) {
  Defaults *d = p;
  if (host_usable() != CUDA_SUCCESS)
    return; /* in a fork's child another thread's lock is held for ever */
  host_lock();
  for (int i = 0; i < MAX_DEVICES; i++)
    if (d->of[i] != NULL)
      destroy(d->of[i]);
  host_unlock();
  free(d);
}

static void make_key (void) {
  pthread_key_create(&defaults_key, drop_defaults);
}

static CUstream thread_stream (CUcontext ctx) {
  pthread_once(&defaults_once, make_key);
  Defaults *d = pthread_getspecific(defaults_key);
  if (d == NULL) {
    d = calloc(1, sizeof *d);
    if (d == NULL || pthread_setspecific(defaults_key, d) != 0) {
      free(d);
      return NULL;
    }
  }
  CUstream *s = &d->of[ctx->ordinal];
  if (*s == NULL)
    *s = host_new_stream(ctx, CU_STREAM_DEFAULT, 0);
  return *s;
}

/* Returns NULL for a handle that is not a stream (any more). */
CUstream host_stream (CUcontext ctx, CUstream handle) {
  if (handle == NULL || handle == CU_STREAM_LEGACY)
    return ctx->null;
  if (handle == CU_STREAM_PER_THREAD)
    return thread_stream(ctx);
  return handle->live ? handle : NULL;
}

CUresult host_cuStreamCreateWithPriority (CUstream *out, unsigned flags,
                                          int priority) {
  CUcontext ctx;
  if (out == NULL || flags > CU_STREAM_NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (priority > LEAST)
    priority = LEAST;
  if (priority < GREATEST)
    priority = GREATEST;
  *out = host_new_stream(ctx, flags, priority);
  if (*out != NULL)
    host_own(ctx, &(*out)->owned, drop);
  host_leave();
  return (*out != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuStreamDestroy (CUstream s) {
  CUcontext ctx;
  if (s == NULL || s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter_faulty(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = s->live ? ctx->fault : CUDA_ERROR_INVALID_HANDLE;
  if (s->live)
    destroy(s);
  host_leave();
  return r;
}

/* ==} */

/* {== queries ========================================================= */

/* For the legacy stream, asks all blocking streams. */
static bool is_busy (CUstream s) {
  if (s->legacy && s->ctx->busy[0] != NULL)
    return true;
  return s->completed < s->issued;
}

static CUresult query (CUstream s) {
  if (s == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != NULL)
    return host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUresult r = host_check_legacy(s);
  if (r == CUDA_SUCCESS)
    r = host_check_unsafe();
  if (r == CUDA_SUCCESS && is_busy(s))
    r = (s->ctx->fault != CUDA_SUCCESS) ? s->ctx->fault : CUDA_ERROR_NOT_READY;
  return r;
}

CUresult host_cuStreamQuery (CUstream handle) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (host.polls != NULL)
    host_recheck(GLANCE);
  r = query(host_stream(ctx, handle));
  host_leave();
  return r;
}

/* Enters, and resolves a stream. On success the lock is held. */
static CUresult enter (CUstream *s, CUstream handle, const void *out) {
  CUcontext ctx;
  if (out == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  *s = host_stream(ctx, handle);
  if (*s != NULL)
    return CUDA_SUCCESS;
  host_leave();
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult host_cuStreamGetFlags (CUstream handle, unsigned *flags) {
  CUstream s;
  CUresult r = enter(&s, handle, flags);
  if (r != CUDA_SUCCESS)
    return r;
  *flags = s->flags;
  host_leave();
  return CUDA_SUCCESS;
}

CUresult host_cuStreamGetPriority (CUstream handle, int *priority) {
  CUstream s;
  CUresult r = enter(&s, handle, priority);
  if (r != CUDA_SUCCESS)
    return r;
  *priority = s->priority;
  host_leave();
  return CUDA_SUCCESS;
}

static bool is_default (CUstream handle) {
  return handle == NULL || handle == CU_STREAM_LEGACY ||
         handle == CU_STREAM_PER_THREAD;
}

/* tide calls this first for a foreign handle, which may be any number. */
CUresult host_cuStreamGetCtx (CUstream handle, CUcontext *ctx) {
  CUcontext own;
  if (ctx == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&own);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host.streams;
  while (s != NULL && s != handle)
    s = s->next_made;
  if (is_default(handle) || s != NULL)
    s = host_stream(own, handle);
  if (s != NULL)
    *ctx = s->ctx;
  host_leave();
  return (s != NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Returns an error for the legacy stream while a blocking one captures. The
** query harms no capture. */
CUresult host_cuStreamIsCapturing (CUstream handle,
                                   CUstreamCaptureStatus *status) {
  CUstream s;
  CUresult r = enter(&s, handle, status);
  if (r != CUDA_SUCCESS)
    return r;
  if (s->legacy && s->ctx->capturing > 0)
    r = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  else if (s->capture == NULL)
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
  else
    *status = s->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                  : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  host_leave();
  return r;
}

/* ==} */

/* {== queueing ======================================================== */

/*
** The implicit order: a job of the legacy stream follows all earlier jobs of
** the device's blocking streams, and their jobs follow it. Jobs of one stream
** are in order anyway, so dependencies of earlier jobs are not added again. The
** job must be queued next, or host_unfence called. False: out of memory.
*/
bool host_fence (CUstream s, Job *job) {
  CUstream null = s->ctx->null;
  if (s->flags & CU_STREAM_NON_BLOCKING)
    return true;
  if (!s->legacy) {
    if (s->after_null != null->issued && !host_depend(job, null, null->issued))
      return false;
    s->after_null = null->issued;
    return true;
  }
  for (CUstream p = s->ctx->busy[0]; p != NULL; p = p->next_busy) {
    if (p == s || p->before_null == p->issued)
      continue;
    if (!host_depend(job, p, p->issued))
      return false;
    p->before_null = p->issued;
  }
  return true;
}

void host_unfence (CUstream s) {
  s->after_null = 0;
  if (s->legacy)
    for (CUstream p = s->ctx->busy[0]; p != NULL; p = p->next_busy)
      p->before_null = 0;
}

/* CUDA's legacy stream does not follow a wait for a value or an event's record,
** unless other work was queued since the two streams last met (seen on an
** H200). */
static void hide_from_null (CUstream s) {
  if (!s->legacy && s->before_null == s->issued - 1)
    s->before_null = s->issued;
}

/* Tells whether host_fence would find no job to follow. */
static bool follows_nothing (CUstream s) {
  const CUcontext ctx = s->ctx;
  if (s->flags & CU_STREAM_NON_BLOCKING)
    return true;
  return s->legacy ? ctx->busy[0] == NULL
                   : ctx->null->completed == ctx->null->issued;
}

static CUresult queue (CUstream s, Task *what, const Dep *after) {
  if (after == NULL && follows_nothing(s) && host_run_now(s, what))
    return CUDA_SUCCESS;
  Job *job = host_new_job(what);
  if (job == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if ((after != NULL && !host_depend(job, after->s, after->seq)) ||
      !host_fence(s, job)) {
    host_unfence(s);
    host_drop_job(job);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_count_job(s, job, what->kind);
  host_enqueue(s, job);
  if (what->kind == TASK_WAITVALUE || what->kind == TASK_RECORD)
    hide_from_null(s);
  return CUDA_SUCCESS;
}

/* Does 'what' at once or queues a copy, or captures it. If 'after' is not NULL,
** the job follows that as well. A NULL stream is an invalid handle. */
CUresult host_queue (CUstream s, Task *what, const Dep *after) {
  if (s == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture == NULL)
    host_wait_room(s, what->kind);
  if (s->capture != NULL)
    return host_capture(s, what);
  CUresult r = host_check_legacy(s);
  return (r == CUDA_SUCCESS) ? queue(s, what, after) : r;
}

static CUresult submit (CUstream handle, Task *what) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = host_queue(host_stream(ctx, handle), what, NULL);
  host_leave();
  return r;
}

CUresult host_cuLaunchHostFunc (CUstream s, CUhostFn fn, void *ud) {
  if (fn == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return submit(s, &(Task){TASK_HOSTFN, {.hostfn = {fn, ud}}});
}

static CUresult submit_value (TaskKind kind, CUstream s, CUdeviceptr addr,
                              uint32_t value, unsigned flags) {
  if (addr == 0 || addr % sizeof(uint32_t) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  uint32_t *p = (uint32_t *)(uintptr_t)addr;
  return submit(s, &(Task){kind, {.value = {p, value, flags}}});
}

CUresult host_cuStreamWaitValue32 (CUstream s, CUdeviceptr addr,
                                   cuuint32_t value, unsigned flags) {
  if (flags > CU_STREAM_WAIT_VALUE_EQ)
    return CUDA_ERROR_NOT_SUPPORTED;
  return submit_value(TASK_WAITVALUE, s, addr, value, flags);
}

CUresult host_cuStreamWriteValue32 (CUstream s, CUdeviceptr addr,
                                    cuuint32_t value, unsigned flags) {
  if (flags != CU_STREAM_WRITE_VALUE_DEFAULT)
    return CUDA_ERROR_NOT_SUPPORTED;
  return submit_value(TASK_WRITEVALUE, s, addr, value, flags);
}

CUresult host_cuMemcpyAsync (CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                             CUstream s) {
  if (bytes > 0 && (dst == 0 || src == 0))
    return CUDA_ERROR_INVALID_VALUE;
  void *to = (void *)(uintptr_t)dst;
  const void *from = (const void *)(uintptr_t)src;
  return submit(s, &(Task){TASK_COPY, {.copy = {to, from, bytes}}});
}

CUresult host_cuMemsetD8Async (CUdeviceptr dst, unsigned char value,
                               size_t bytes, CUstream s) {
  if (bytes > 0 && dst == 0)
    return CUDA_ERROR_INVALID_VALUE;
  void *to = (void *)(uintptr_t)dst;
  return submit(s, &(Task){TASK_SET, {.set = {to, bytes, value}}});
}

CUresult host_cuMemFreeAsync (CUdeviceptr p, CUstream s) {
  if (!host_claim_memory((void *)(uintptr_t)p))
    return CUDA_ERROR_INVALID_VALUE;
  Task t = {TASK_FREE, {.free = {(void *)(uintptr_t)p}}};
  CUresult r = submit(s, &t);
  if (r != CUDA_SUCCESS)
    host_unclaim_memory(t.u.free.p);
  return r;
}

/* ==} */

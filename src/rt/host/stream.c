/*
** stream.c - streams, events and what is queued on them, by CUDA's rules for
** the legacy stream, blocking and non-blocking streams.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* {== streams ========================================================= */

CUstream host_newstream (CUcontext ctx, unsigned flags, int priority) {
  CUstream s = calloc(1, sizeof *s);
  if (s == NULL)
    return NULL;
  s->refs = 1;
  s->live = true;
  s->ctx = ctx;
  s->flags = flags;
  s->priority = priority;
  s->tail = &s->head;
  return s;
}

void host_retainstream (CUstream s) { s->refs++; }

void host_releasestream (CUstream s) {
  if (--s->refs > 0)
    return;
  host_freeset(&s->frontier);
  free(s);
}

/* The calling thread's default streams, one for each device. */
typedef struct Defaults {
  CUstream of[MAX_DEVICES];
} Defaults;

static pthread_key_t defaults_key;
static pthread_once_t defaults_once = PTHREAD_ONCE_INIT;

static void drop_defaults (void *p) {
  Defaults *d = p;
  pthread_mutex_lock(&host.lock);
  for (int i = 0; i < MAX_DEVICES; i++)
    if (d->of[i] != NULL)
      host_releasestream(d->of[i]);
  pthread_mutex_unlock(&host.lock);
  free(d);
}

static void make_key (void) { pthread_key_create(&defaults_key, drop_defaults); }

static CUstream thread_stream (CUcontext ctx) {
  pthread_once(&defaults_once, make_key);
  Defaults *d = pthread_getspecific(defaults_key);
  if (d == NULL) {
    d = calloc(1, sizeof *d);
    if (d == NULL || pthread_setspecific(defaults_key, d) != 0)
      return free(d), NULL;
  }
  CUstream *s = &d->of[ctx->ordinal];
  if (*s == NULL)
    *s = host_newstream(ctx, CU_STREAM_DEFAULT, 0);
  return *s;
}

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
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (flags > CU_STREAM_NON_BLOCKING) {
    r = CUDA_ERROR_INVALID_VALUE;
  } else {
    int p = priority > LEAST ? LEAST : priority < GREATEST ? GREATEST
                                                           : priority;
    *out = host_newstream(ctx, flags, p);
    r = (*out != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_leave();
  return r;
}

/* Pending work completes: each job holds its stream. */
CUresult host_cuStreamDestroy (CUstream s) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if ((uintptr_t)s <= (uintptr_t)CU_STREAM_PER_THREAD || !s->live) {
    r = CUDA_ERROR_INVALID_HANDLE;
  } else {
    if (s->capture != NULL)
      host_invalidate(s->capture);
    s->live = false;
    host_releasestream(s);
  }
  host_leave();
  return r;
}

CUresult host_cuStreamQuery (CUstream handle) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (host.polls != NULL)
    host_pollvalues();
  if (s == NULL)
    r = CUDA_ERROR_INVALID_HANDLE;
  else if (s->capture != NULL)
    host_invalidate(s->capture), r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  else if ((r = host_legacy(ctx, s)) == CUDA_SUCCESS) {
    bool busy = s->completed < s->issued;
    if (s->legacy)  /* it stands for all blocking streams */
      busy = busy || ctx->pending != NULL;
    r = busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
  }
  host_leave();
  return r;
}

/* Runs 'read' on a stream under the lock. */
static CUresult inspect (CUstream handle, void (*read) (CUstream, void *),
                         void *out) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (s != NULL)
    read(s, out);
  host_leave();
  return (s != NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static void read_flags (CUstream s, void *out) {
  *(unsigned *)out = s->flags;
}

static void read_priority (CUstream s, void *out) {
  *(int *)out = s->priority;
}

static void read_context (CUstream s, void *out) {
  *(CUcontext *)out = s->ctx;
}

static void read_capture (CUstream s, void *out) {
  *(CUstreamCaptureStatus *)out =
      s->capture == NULL ? CU_STREAM_CAPTURE_STATUS_NONE :
      s->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED :
                            CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult host_cuStreamGetFlags (CUstream s, unsigned *flags) {
  return inspect(s, read_flags, flags);
}

CUresult host_cuStreamGetPriority (CUstream s, int *priority) {
  return inspect(s, read_priority, priority);
}

CUresult host_cuStreamGetCtx (CUstream s, CUcontext *ctx) {
  return inspect(s, read_context, ctx);
}

CUresult host_cuStreamIsCapturing (CUstream s, CUstreamCaptureStatus *status) {
  return inspect(s, read_capture, status);
}

/* ==} */

/* {== queueing ======================================================== */

/* The implicit order between the legacy stream and blocking ones. */
bool host_dependimplicitly (CUstream s, Job *job) {
  CUcontext ctx = s->ctx;
  if (s->flags & CU_STREAM_NON_BLOCKING)
    return true;
  if (!s->legacy)
    return host_depend(job, ctx->null, ctx->null->issued);
  for (CUstream p = ctx->pending; p != NULL; p = p->next_pending)
    if (!host_depend(job, p, p->issued))
      return false;
  return true;
}

static CUresult queue (CUstream s, const Task *what, const Dep *after) {
  Job *job = host_newjob(TASK_NONE);
  if (job == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if ((after != NULL && !host_depend(job, after->s, after->seq)) ||
      !host_dependimplicitly(s, job)) {
    host_dropjob(job);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  job->task = *what;
  if (what->kind == TASK_RECORD)
    job->task.u.record.at->refs++;
  host_enqueue(s, job);
  return CUDA_SUCCESS;
}

CUresult host_submit (CUcontext ctx, CUstream handle, const Task *what) {
  CUstream s = host_stream(ctx, handle);
  if (s == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != NULL)
    return host_capture(s, what);
  CUresult r = host_legacy(ctx, s);
  return (r != CUDA_SUCCESS) ? r : queue(s, what, NULL);
}

static CUresult submit (CUstream handle, const Task *what) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = host_submit(ctx, handle, what);
  host_leave();
  return r;
}

CUresult host_cuLaunchHostFunc (CUstream s, CUhostFn fn, void *ud) {
  Task t = {.kind = TASK_HOSTFN};
  if (fn == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  t.u.hostfn.fn = fn;
  t.u.hostfn.ud = ud;
  return submit(s, &t);
}

static CUresult value (TaskKind kind, CUstream s, CUdeviceptr addr,
                       cuuint32_t value, unsigned flags) {
  Task t = {.kind = kind};
  if (addr == 0 || addr % sizeof(uint32_t) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  t.u.value.addr = (uint32_t *)(uintptr_t)addr;
  t.u.value.value = value;
  t.u.value.flags = flags;
  return submit(s, &t);
}

CUresult host_cuStreamWaitValue32 (CUstream s, CUdeviceptr addr,
                                   cuuint32_t v, unsigned flags) {
  if (flags > CU_STREAM_WAIT_VALUE_EQ)
    return CUDA_ERROR_NOT_SUPPORTED;
  return value(TASK_WAITVALUE, s, addr, v, flags);
}

CUresult host_cuStreamWriteValue32 (CUstream s, CUdeviceptr addr,
                                    cuuint32_t v, unsigned flags) {
  return value(TASK_WRITEVALUE, s, addr, v, flags);
}

CUresult host_cuMemcpyAsync (CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                             CUstream s) {
  Task t = {.kind = TASK_COPY};
  if (dst == 0 || src == 0)
    return CUDA_ERROR_INVALID_VALUE;
  t.u.copy.dst = (void *)(uintptr_t)dst;
  t.u.copy.src = (const void *)(uintptr_t)src;
  t.u.copy.bytes = bytes;
  return submit(s, &t);
}

CUresult host_cuMemsetD8Async (CUdeviceptr dst, unsigned char v, size_t bytes,
                               CUstream s) {
  Task t = {.kind = TASK_SET};
  if (dst == 0)
    return CUDA_ERROR_INVALID_VALUE;
  t.u.set.dst = (void *)(uintptr_t)dst;
  t.u.set.bytes = bytes;
  t.u.set.value = v;
  return submit(s, &t);
}

CUresult host_cuLaunchKernel (CUfunction f, unsigned gx, unsigned gy,
                              unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, CUstream s,
                              void **params, void **extra) {
  Task t = {.kind = TASK_KERNEL};
  (void)shared;
  if (f == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (extra != NULL || gx == 0 || gy == 0 || gz == 0 || bx == 0 || by == 0 ||
      bz == 0 || (uint64_t)bx * by * bz > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  t.u.kernel.twin = &f->twin;
  memcpy(t.u.kernel.grid, (unsigned[3]){gx, gy, gz}, sizeof t.u.kernel.grid);
  memcpy(t.u.kernel.block, (unsigned[3]){bx, by, bz},
         sizeof t.u.kernel.block);
  for (int i = 0; f->twin.args[i] != '\0'; i++)
    memcpy(&t.u.kernel.args[i], params[i], sizeof(uint64_t));
  return submit(s, &t);
}

/* ==} */

/* {== events ========================================================== */

void host_releaserecording (Recording *at) {
  if (--at->refs > 0)
    return;
  host_releasestream(at->s);
  free(at);
}

static void forget (CUevent e) {
  if (e->at != NULL)
    host_releaserecording(e->at);
  e->at = NULL;
  e->capture = 0;
  e->frontier.n = 0;
}

CUresult host_cuEventCreate (CUevent *out, unsigned flags) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (flags > 7 || ((flags & CU_EVENT_INTERPROCESS) &&
                    !(flags & CU_EVENT_DISABLE_TIMING))) {
    r = CUDA_ERROR_INVALID_VALUE;
  } else if ((*out = calloc(1, sizeof **out)) == NULL) {
    r = CUDA_ERROR_OUT_OF_MEMORY;
  } else {
    (*out)->flags = flags;
  }
  host_leave();
  return r;
}

CUresult host_cuEventDestroy (CUevent e) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  forget(e);
  host_freeset(&e->frontier);
  free(e);
  host_leave();
  return r;
}

/* A captured recording is a set of nodes, nothing runs. */
static CUresult record_captured (CUevent e, CUstream s) {
  if (s->capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  forget(e);
  e->capture = s->capture->id;
  return host_joinset(&e->frontier, &s->frontier) ? CUDA_SUCCESS
                                                  : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult record (CUevent e, CUstream s) {
  Task t = {.kind = TASK_RECORD};
  Recording *at = malloc(sizeof *at);
  if (at == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *at = (Recording){1, s, 0, 0};
  host_retainstream(s);
  t.u.record.at = at;
  CUresult r = queue(s, &t, NULL);
  at->seq = s->issued;
  if (r != CUDA_SUCCESS) {
    host_releaserecording(at);
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
  if (s == NULL)
    r = CUDA_ERROR_INVALID_HANDLE;
  else if (s->capture != NULL)
    r = record_captured(e, s);
  else if ((r = host_legacy(ctx, s)) == CUDA_SUCCESS)
    r = record(e, s);
  host_leave();
  return r;
}

static bool reached (const Recording *at) {
  return at == NULL || at->s->completed >= at->seq;
}

CUresult host_cuEventQuery (CUevent e) {
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (host.polls != NULL)
    host_pollvalues();
  if (e->capture != 0)
    r = CUDA_ERROR_CAPTURED_EVENT;
  else
    r = reached(e->at) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
  host_leave();
  return r;
}

CUresult host_cuEventElapsedTime (float *ms, CUevent from, CUevent to) {
  CUcontext ctx;
  if (from == NULL || to == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if (from->capture != 0 || to->capture != 0)
    r = CUDA_ERROR_CAPTURED_EVENT;
  else if (((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING) ||
           from->at == NULL || to->at == NULL)
    r = CUDA_ERROR_INVALID_HANDLE;
  else if (!reached(from->at) || !reached(to->at))
    r = CUDA_ERROR_NOT_READY;
  else
    *ms = (float)((double)(to->at->ns - from->at->ns) * 1e-6);
  host_leave();
  return r;
}

/* A capturing stream waits for captured events only, and joins a stream that
** is not capturing to theirs. */
static CUresult wait_captured (CUstream s, CUevent e) {
  CUgraph g = s->capture;
  if (g != NULL && g->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (e->capture == 0) {
    host_invalidate(g);
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  return host_joincapture(s, e);
}

CUresult host_cuStreamWaitEvent (CUstream handle, CUevent e, unsigned flags) {
  static const Task nothing = {.kind = TASK_NONE};
  CUcontext ctx;
  if (e == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (s == NULL)
    r = CUDA_ERROR_INVALID_HANDLE;
  else if (s->capture != NULL || e->capture != 0)
    r = wait_captured(s, e);
  else if ((r = host_legacy(ctx, s)) == CUDA_SUCCESS && !reached(e->at)) {
    Dep after = {e->at->s, e->at->seq};
    r = queue(s, &nothing, &after);
  }
  host_leave();
  return r;
}

/* ==} */

/*
** cusolver.c - jobs for LAPACK by cuSOLVER, loaded for the first of them. It is
** never linked.
**
** DESIGN. As cuBLAS (cublas.c), it loads kernels when it first needs them, so
** it is called under the shared lock, and one handle for each device is enough
** for all threads. A handle is not created while the stream captures, because
** that allocates memory. Each job has workspace of its own from tide's pool.
** The matrices of a batch are separate calls.
**
** Decompositions that iterate read results on the host inside of cuSOLVER,
** which a capture does not allow.
*/
#include "cusolver.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "rt/driver/status.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"

/* cublas_api.h's, cusolver_common.h's and library_types.h's constants */
enum {
  OP_N = 0,
  OP_T = 1,
  LOWER = 0,
  UPPER = 1,
  ALLOC_FAILED = 2,
  COMPLEX_32F = 4,
  COMPLEX_64F = 5
};

/* {== the library ===================================================== */

typedef void Routine (void);
typedef void *H; /* a handle */
typedef void *P; /* an address on the device */

enum { TYPES = 4 };

static const char letters[TYPES] = {'S', 'D', 'C', 'Z'};

static struct {
  pthread_once_t once;
  const char *name; /* of the library; NULL: there is none */
  int (*create)(H *handle);
  int (*destroy)(H handle);
  int (*set_stream)(H handle, CUstream s);
  int (*create_params)(void **params);
  int (*destroy_params)(void *params);
  Routine *run[TYPES][LAPACK_ROUTINES];
  Routine *size[TYPES][LAPACK_ROUTINES]; /* getrs has none */
  Routine *geev, *geev_size;             /* or NULL: since CUDA 12.8 */
} cusolver = {.once = PTHREAD_ONCE_INIT};

/* Finds a routine of the type with that index and the function for the length
** of its workspace. */
static bool find_routine (void *lib, int type, int i) {
  char name[64];
  const char *own = lapack_names[i][type >= 2];
  if (i == LAPACK_gesdd)
    own = "gesvd";
  snprintf(name, sizeof name, "cusolverDn%c%s", letters[type], own);
  if (!library_entry(lib, name, &cusolver.run[type][i]))
    return false;
  snprintf(name, sizeof name, "cusolverDn%c%s_bufferSize", letters[type], own);
  return i == LAPACK_getrs || library_entry(lib, name, &cusolver.size[type][i]);
}

static bool find_routines (void *lib) {
  for (int type = 0; type < TYPES; type++)
    for (int i = 0; i < LAPACK_ROUTINES; i++)
      if (i != LAPACK_geev && !find_routine(lib, type, i))
        return false;
  if (!library_entry(lib, "cusolverDnXgeev", &cusolver.geev) ||
      !library_entry(lib, "cusolverDnXgeev_bufferSize", &cusolver.geev_size))
    cusolver.geev = NULL;
  return true;
}

static bool load (const char *name) {
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    return false;
  if (library_entry(lib, "cusolverDnCreate", &cusolver.create) &&
      library_entry(lib, "cusolverDnDestroy", &cusolver.destroy) &&
      library_entry(lib, "cusolverDnSetStream", &cusolver.set_stream) &&
      library_entry(lib, "cusolverDnCreateParams", &cusolver.create_params) &&
      library_entry(lib, "cusolverDnDestroyParams", &cusolver.destroy_params) &&
      find_routines(lib)) {
    cusolver.name = name;
    return true;
  }
  dlclose(lib);
  return false;
}

static void load_any (void) {
  static const char *const names[] = {"libcusolver.so.12", "libcusolver.so.11",
                                      "/usr/local/cuda/lib64/libcusolver.so",
                                      NULL};
  (void)library_choose("TIDE_LIBCUSOLVER", names, load);
}

const char *cusolver_name (void) {
  pthread_once(&cusolver.once, load_any);
  return cusolver.name;
}

void cusolver_free (RtShared *sh) {
  if (sh->solver != NULL)
    cusolver.destroy(sh->solver);
  sh->solver = NULL;
}

/* ==} */

/* {== calls =========================================================== */

static P at (CUdeviceptr p) { return (P)(uintptr_t)p; }

static int type_of (DType t) {
  return t == DTYPE_FLOAT32     ? 0
         : t == DTYPE_FLOAT64   ? 1
         : t == DTYPE_COMPLEX64 ? 2
                                : 3;
}

/* The arguments of geev, which finds eigenvalues of complex matrices. */
typedef struct Geev {
  int type; /* of all its operands */
  void *params;
  size_t device, host; /* bytes of workspace */
} Geev;

static int measure_geev (H h, const RtSolver *v, Geev *g) {
  const int64_t n = (int64_t)v->job.n;
  g->type = (v->job.t == DTYPE_COMPLEX64) ? COMPLEX_32F : COMPLEX_64F;
  return ((int (*)(H, void *, int, int, int64_t, int, P, int64_t, int, P, int,
                   P, int64_t, int, P, int64_t, int, size_t *, size_t *))
            cusolver.geev_size)(h, g->params, 0, v->job.flag != 0, n, g->type,
                                at(v->at[0]), n, g->type, at(v->at[1]), g->type,
                                NULL, n, g->type, at(v->at[2]), n, g->type,
                                &g->device, &g->host);
}

/* Runs it on one matrix. It is done with its workspace on the host when it
** returns. */
static int call_geev (H h, const RtSolver *v, const Geev *g) {
  const int64_t n = (int64_t)v->job.n;
  void *host = malloc(g->host > 0 ? g->host : 1);
  if (host == NULL)
    return ALLOC_FAILED;
  int r = ((int (*)(H, void *, int, int, int64_t, int, P, int64_t, int, P, int,
                    P, int64_t, int, P, int64_t, int, P, size_t, void *, size_t,
                    P))cusolver.geev)(h, g->params, 0, v->job.flag != 0, n,
                                      g->type, at(v->at[0]), n, g->type,
                                      at(v->at[1]), g->type, NULL, n, g->type,
                                      at(v->at[2]), n, g->type, at(v->work),
                                      g->device, host, g->host, at(v->info));
  free(host);
  return r;
}

/* Runs geev, or with 'bytes' measures its workspace. */
static int geev (H h, const RtSolver *v, size_t *bytes) {
  Geev g;
  int r = cusolver.create_params(&g.params);
  if (r != 0)
    return r;
  r = measure_geev(h, v, &g);
  if (r == 0 && bytes != NULL)
    *bytes = g.device;
  else if (r == 0)
    r = call_geev(h, v, &g);
  cusolver.destroy_params(g.params);
  return r;
}

/* Returns the length of a routine's workspace in elements. */
static int measure (H h, const RtSolver *v, int *length) {
  const LapackJob *j = &v->job;
  Routine *f = cusolver.size[type_of(j->t)][j->routine];
  const int m = (int)j->m, n = (int)j->n, k = (int)j->k;
  P a = at(v->at[0]), b = at(v->at[1]);
  *length = 0;
  switch (j->routine) {
    case LAPACK_potrf:
      return ((int (*)(H, int, int, P, int, int *))f)(h, LOWER, n, a, n,
                                                      length);
    case LAPACK_getrf:
    case LAPACK_geqrf:
      return ((int (*)(H, int, int, P, int, int *))f)(h, m, n, a, m, length);
    case LAPACK_orgqr:
      return ((int (*)(H, int, int, int, P, int, P, int *))f)(h, m, n, k, a, m,
                                                              b, length);
    case LAPACK_gesdd: return ((int (*)(H, int, int, int *))f)(h, m, n, length);
    case LAPACK_syevd:
      return ((int (*)(H, int, int, int, P, int, P,
                       int *))f)(h, j->flag != 0, UPPER, n, a, n, b, length);
    default: return 0;
  }
}

/* Runs a routine on one matrix. */
static int call (H h, const RtSolver *v) {
  const LapackJob *j = &v->job;
  Routine *f = cusolver.run[type_of(j->t)][j->routine];
  const int m = (int)j->m, n = (int)j->n, k = (int)j->k;
  P a = at(v->at[0]), b = at(v->at[1]), c = at(v->at[2]), d = at(v->at[3]),
    work = at(v->work), info = at(v->info);
  const size_t length = v->bytes / dtype_size(j->t);
  const int room = length > INT_MAX ? INT_MAX : (int)length;
  const signed char job = j->flag == 0 ? 'N' : j->flag == 1 ? 'S' : 'A';
  switch (j->routine) {
    case LAPACK_potrf:
      return ((int (*)(H, int, int, P, int, P, int, P))f)(h, LOWER, n, a, n,
                                                          work, room, info);
    case LAPACK_getrf:
      return ((int (*)(H, int, int, P, int, P, P, P))f)(h, m, n, a, m, work, b,
                                                        info);
    case LAPACK_getrs:
      return ((int (*)(H, int, int, int, P, int, P, P, int,
                       P))f)(h, j->flag != 0 ? OP_T : OP_N, n, k, a, n, b, c, n,
                             info);
    case LAPACK_geqrf:
      return ((int (*)(H, int, int, P, int, P, P, int, P))f)(h, m, n, a, m, b,
                                                             work, room, info);
    case LAPACK_orgqr:
      return ((int (*)(H, int, int, int, P, int, P, P, int,
                       P))f)(h, m, n, k, a, m, b, work, room, info);
    case LAPACK_gesdd:
      return ((int (*)(H, signed char, signed char, int, int, P, int, P, P, int,
                       P, int, P, int, P, P))f)(h, job, job, m, n, a, m, b, c,
                                                m, d, n, work, room, NULL,
                                                info);
    case LAPACK_syevd:
      return ((int (*)(H, int, int, int, P, int, P, P, int,
                       P))f)(h, j->flag != 0, UPPER, n, a, n, b, work, room,
                             info);
    case LAPACK_geev: return geev(h, v, NULL);
    case LAPACK_ROUTINES: break;
  }
  return 0;
}

/* ==} */

static Status fail (const RtDevice *dev, const LapackJob *j, int error) {
  Status st = (error == ALLOC_FAILED) ? CUDA_ERROR_OUT_OF_MEMORY
                                      : CUDA_ERROR_UNKNOWN;
  return status_explain(dev->rt, st, "cuSOLVER", "%s failed with status %d",
                        lapack_names[j->routine][type_of(j->t) >= 2], error);
}

/* Tells whether a routine waits for the device. */
static bool iterates (LapackRoutine r) {
  return r == LAPACK_gesdd || r == LAPACK_syevd || r == LAPACK_geev;
}

static Status check (const RtStream *s, const LapackJob *j) {
  Runtime *rt = s->dev->rt;
  if (cusolver_name() == NULL)
    return status_explain(rt, RT_MISUSE, NULL,
                          "cuSOLVER is missing: install libcusolver.so.12, of "
                          "the CUDA toolkit, or name it in TIDE_LIBCUSOLVER");
  if (j->routine == LAPACK_geev && cusolver.geev == NULL)
    return status_explain(rt, RT_MISUSE, NULL,
                          "%s has no cusolverDnXgeev; CUDA 12.8 has it",
                          cusolver.name);
  if (s->capture != NULL && iterates(j->routine))
    return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "cuSOLVER",
                          "%s waits for the device, which a capture cannot "
                          "record",
                          lapack_names[j->routine][type_of(j->t) >= 2]);
  return 0;
}

/* The lock is held. */
static Status make_handle (const RtStream *s, const LapackJob *j) {
  RtShared *sh = s->dev->shared;
  if (sh->solver != NULL)
    return 0;
  if (s->capture != NULL)
    return status_explain(s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                          "cuSOLVER",
                          "its handle cannot be created in a capture; call "
                          "a function of tide.linalg before");
  int r = cusolver.create(&sh->solver);
  if (r == 0) {
    library_note(s->dev);
    return 0;
  }
  sh->solver = NULL;
  return fail(s->dev, j, r);
}

Status cusolver_plan (RtStream *s, RtSolver *v) {
  RtDevice *dev = s->dev;
  int length = 0;
  Status st = check(s, &v->job);
  if (st == 0)
    st = device_lock_take(dev, "tide.linalg");
  if (st != 0)
    return st;
  st = make_handle(s, &v->job);
  if (st == 0) {
    H h = dev->shared->solver;
    bool eigenvalues = (v->job.routine == LAPACK_geev);
    int r = eigenvalues ? geev(h, v, &v->bytes) : measure(h, v, &length);
    if (!eigenvalues)
      v->bytes = (size_t)length * dtype_size(v->job.t);
    if (r != 0)
      st = fail(dev, &v->job, r);
  }
  device_lock_release(dev);
  return st;
}

/* Goes on to the next matrix of the batch. */
static void advance (RtSolver *v) {
  for (int i = 0; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(&v->job, i);
    v->at[i] += o.elements * dtype_size(o.t);
  }
  v->info += sizeof(int32_t);
}

Status cusolver_run (RtStream *s, const RtSolver *v) {
  RtDevice *dev = s->dev;
  RtSolver one = *v;
  Status st = device_lock_take(dev, "tide.linalg");
  if (st != 0)
    return st;
  H h = dev->shared->solver;
  library_order(s);
  int r = cusolver.set_stream(h, s->handle);
  for (size_t b = 0; b < v->job.batches && r == 0; b++) {
    r = call(h, &one);
    advance(&one);
  }
  device_lock_release(dev);
  return r != 0 ? fail(dev, &v->job, r) : 0;
}

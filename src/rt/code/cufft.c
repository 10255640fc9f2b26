/*
** cufft.c - Fourier transforms on GPUs by cuFFT, which is loaded for the first
** one. It is never linked.
**
** DESIGN. All Runtimes share the plans of a device, under its shared lock: a
** plan has one stream and one workspace at a time. Every transform has a
** workspace of its own, which hazards order like any other operand, so limits
** and statistics count it. A plan also has tables in device memory, which
** cuFFT allocates. So the plans that were used longest ago are destroyed once
** there are more than PLANS, but only while no stream is held, because that
** waits for the device (device_lock.c). Graphs use the tables as well: a plan
** that a capture has used is kept as long as the device.
*/
#include "cufft.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/kernels/fft.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"

/* Overridable: plans of a device that are kept besides those of graphs. */
#if !defined(CUFFT_PLANS)
#define CUFFT_PLANS 64
#endif

/* cufft.h's constants */
enum {
  R2C = 0x2a,
  C2R = 0x2c,
  C2C = 0x29,
  D2Z = 0x6a,
  Z2D = 0x6c,
  Z2Z = 0x69,
  FORWARD = -1,
  INVERSE = 1,
  ALLOC_FAILED = 2
};

typedef struct RtFftPlan {
  struct RtFftPlan *next; /* used longer ago */
  FftKey key;
  int handle;
  size_t bytes;  /* of a workspace */
  bool captured; /* a graph may use it */
} RtFftPlan;

static struct {
  pthread_once_t once;
  bool usable;
  const char *name; /* of the library */
  char why[200];    /* the loader's error */
  int (*create)(int *plan);
  int (*destroy)(int plan);
  int (*set_auto)(int plan, int on);
  int (*make)(int plan, int rank, long long *n, long long *inembed,
              long long istride, long long idist, long long *onembed,
              long long ostride, long long odist, int type, long long batch,
              size_t *bytes);
  int (*set_stream)(int plan, CUstream s);
  int (*set_work)(int plan, void *work);
  int (*exec)(int plan, void *in, void *out, int direction);
} cufft = {.once = PTHREAD_ONCE_INIT};

/* {== the library ===================================================== */

static bool load (const char *name) {
  void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) {
    snprintf(cufft.why, sizeof cufft.why, "%s", dlerror());
    return false;
  }
  if (library_entry(lib, "cufftCreate", &cufft.create) &&
      library_entry(lib, "cufftDestroy", &cufft.destroy) &&
      library_entry(lib, "cufftSetAutoAllocation", &cufft.set_auto) &&
      library_entry(lib, "cufftMakePlanMany64", &cufft.make) &&
      library_entry(lib, "cufftSetStream", &cufft.set_stream) &&
      library_entry(lib, "cufftSetWorkArea", &cufft.set_work) &&
      library_entry(lib, "cufftXtExec", &cufft.exec)) {
    cufft.name = name;
    return true;
  }
  snprintf(cufft.why, sizeof cufft.why, "%s does not have all entries of cuFFT",
           name);
  dlclose(lib);
  return false;
}

static void load_any (void) {
  static const char *const names[] = {"libcufft.so.12", "libcufft.so.11",
                                      "/usr/local/cuda/lib64/libcufft.so",
                                      NULL};
  strcpy(cufft.why, "TIDE_LIBCUFFT is none"); /* unless one is tried */
  cufft.usable = library_choose("TIDE_LIBCUFFT", names, load);
}

const char *cufft_name (void) {
  pthread_once(&cufft.once, load_any);
  return cufft.usable ? cufft.name : NULL;
}

/* ==} */

/* {== plans =========================================================== */

static int type_of (const FftKey *k) {
  return (k->kind & FFT_REAL_OUT) != 0  ? (k->wide ? Z2D : C2R)
         : (k->kind & FFT_REAL_IN) != 0 ? (k->wide ? D2Z : R2C)
                                        : (k->wide ? Z2Z : C2C);
}

static bool is_same (const FftKey *a, const FftKey *b) {
  return a->n == b->n && a->batches == b->batches && a->inner == b->inner &&
         a->wide == b->wide && type_of(a) == type_of(b);
}

/* Elements of a line are 'inner' apart; with inner > 1 there is one group of
** lines, which begin side by side. */
static int make (RtFftPlan *p) {
  const FftKey *k = &p->key;
  const long long half = (long long)(k->n / 2 + 1), whole = (long long)k->n;
  long long n = whole, apart = (long long)k->inner;
  long long in = (k->kind & FFT_REAL_OUT) != 0 ? half : whole;
  long long out = (k->kind & FFT_REAL_IN) != 0 ? half : whole;
  int wrong = cufft.create(&p->handle);
  if (wrong != 0)
    return wrong;
  wrong = cufft.set_auto(p->handle, 0);
  if (wrong == 0)
    wrong = cufft.make(p->handle, 1, &n, &in, apart, apart > 1 ? 1 : in, &out,
                       apart, apart > 1 ? 1 : out, type_of(k),
                       (long long)k->batches, &p->bytes);
  if (wrong != 0)
    cufft.destroy(p->handle);
  return wrong;
}

static void destroy (RtFftPlan **at) {
  RtFftPlan *p = *at;
  *at = p->next;
  cufft.destroy(p->handle);
  free(p);
}

/* Destroys the oldest plans that are too many, but not the first one. */
static void trim (RtShared *sh) {
  int count = 0;
  if (sh->held > 0)
    return;
  for (RtFftPlan **at = &sh->ffts; *at != NULL;)
    if (!(*at)->captured && ++count > CUFFT_PLANS)
      destroy(at);
    else
      at = &(*at)->next;
}

static Status explain (RtDevice *dev, int wrong, const char *call) {
  Status st = (wrong == ALLOC_FAILED) ? CUDA_ERROR_OUT_OF_MEMORY
                                      : CUDA_ERROR_UNKNOWN;
  return status_explain(dev->rt, st, call, "cuFFT's error %d", wrong);
}

/* Finds or makes a plan, the first in the list then. The lock is held. */
static Status get (RtDevice *dev, const FftKey *key, RtFftPlan **out) {
  RtShared *sh = dev->shared;
  for (RtFftPlan **at = &sh->ffts, *p; (p = *at) != NULL; at = &p->next)
    if (is_same(&p->key, key)) {
      *at = p->next;
      p->next = sh->ffts;
      sh->ffts = *out = p;
      return 0;
    }
  RtFftPlan *p = calloc(1, sizeof *p);
  if (p == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  p->key = *key;
  int wrong = make(p);
  if (wrong != 0) {
    free(p);
    return explain(dev, wrong, "cufftMakePlanMany64");
  }
  library_note(dev);
  p->next = sh->ffts;
  sh->ffts = *out = p;
  trim(sh);
  return 0;
}

void cufft_free (RtShared *sh) {
  while (sh->ffts != NULL)
    destroy(&sh->ffts);
}

void cufft_forget (RtShared *sh) {
  for (RtFftPlan *p; (p = sh->ffts) != NULL;) {
    sh->ffts = p->next;
    free(p);
  }
}

/* ==} */

Status cufft_prepare (RtDevice *dev, RtFft *fft) {
  RtFftPlan *p;
  if (cufft_name() == NULL)
    return status_explain(dev->rt, RT_MISUSE, NULL,
                          "Fourier transforms on a GPU need cuFFT, which "
                          "TIDE_LIBCUFFT can name: %s",
                          cufft.why);
  Status st = context_enter(dev);
  if (st == 0)
    st = device_lock_take(dev, "fft");
  if (st != 0)
    return st;
  st = get(dev, &fft->key, &p);
  if (st == 0)
    fft->bytes = p->bytes;
  device_lock_release(dev);
  return st;
}

static void *at (CUdeviceptr p) { return (void *)(uintptr_t)p; }

static int run (RtStream *s, RtFftPlan *p, const RtFft *fft) {
  bool inverse = (fft->key.kind & FFT_INVERSE) != 0;
  int wrong = cufft.set_stream(p->handle, s->handle);
  if (wrong == 0)
    wrong = cufft.set_work(p->handle, at(fft->work));
  return (wrong != 0) ? wrong
                      : cufft.exec(p->handle, at(fft->in), at(fft->out),
                                   inverse ? INVERSE : FORWARD);
}

/* The plan may have been destroyed since it was prepared. */
Status cufft_run (RtStream *s, const RtFft *fft) {
  RtDevice *dev = s->dev;
  RtFftPlan *p;
  int wrong = 0;
  pthread_mutex_lock(&dev->shared->lock);
  Status st = get(dev, &fft->key, &p);
  if (st == 0) {
    p->captured |= (s->capture != NULL);
    library_order(s);
    wrong = run(s, p, fft);
  }
  device_lock_release(dev);
  return (wrong != 0) ? explain(dev, wrong, "cufftXtExec") : st;
}

/*
** driver_table.c - the host device's table, its devices and their contexts.
** Exports driver_host().
*/
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks.h"
#include "host.h"
#include "kernels/blas.h"
#include "rt/os/cores.h"
#include "settings.h"

#if defined(PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP)
#define LOCK_INITIALIZER PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#endif

Host host = {
  .lock = LOCK_INITIALIZER, /* held for less than a sleep takes, so spin
                                first */
  .work = PTHREAD_COND_INITIALIZER,
  .passed = PTHREAD_COND_INITIALIZER,
  .room = PTHREAD_COND_INITIALIZER,
  .seed = 1,
};

static _Thread_local CUcontext current;

/* {== entering ======================================================== */

/* Tells whether this is between cuInit and a fork. Needs no lock: a fork's
** child has one thread, and the lock may be held for ever there. */
CUresult host_usable (void) {
  Phase phase = __atomic_load_n(&host.phase, __ATOMIC_ACQUIRE);
  return (phase == PHASE_USABLE) ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult host_enter_faulty (CUcontext *ctx) {
  if (host_usable() != CUDA_SUCCESS)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (host_worker > 0) /* a host function must not call the driver */
    return CUDA_ERROR_NOT_PERMITTED;
  if (current == NULL)
    return CUDA_ERROR_INVALID_CONTEXT;
  host_lock();
  *ctx = current;
  if (current->retains > 0)
    return CUDA_SUCCESS;
  host_unlock();
  return CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult host_enter (CUcontext *ctx) {
  CUresult r = host_enter_faulty(ctx);
  if (r != CUDA_SUCCESS)
    return r;
  if ((r = (*ctx)->fault) != CUDA_SUCCESS)
    host_unlock();
  return r;
}

static CUresult check_device (CUdevice dev) {
  CUresult r = host_usable();
  if (r == CUDA_SUCCESS && (dev < 0 || dev >= host.ndevices))
    r = CUDA_ERROR_INVALID_DEVICE;
  return r;
}

/* ==} */

/* {== start =========================================================== */

static void note_fork (void) {
  __atomic_store_n(&host.phase, PHASE_FORKED, __ATOMIC_RELAXED);
}

static void start (void) {
  Settings settings;
  settings_read(&settings);
  host.ndevices = settings.devices;
  for (int i = 0; i < host.ndevices; i++) {
    host.devices[i].ordinal = i;
    host.devices[i].limit = settings.memory;
  }
  for (int p = 0; p < PRIORITIES; p++)
    host.ready_tail[p] = &host.ready[p];
  host.polls_tail = &host.polls;
  host_init_workers(settings.threads);
  if (settings.threads > 0)
    blas_limit_threads(settings.threads);
  host.sticky = settings.sticky;
  hook_delays(settings.seed, settings.max_delay_us, 0);
  if (pthread_atfork(NULL, NULL, note_fork) == 0)
    __atomic_store_n(&host.phase, PHASE_USABLE, __ATOMIC_RELEASE);
}

CUresult host_cuInit (unsigned flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (__atomic_load_n(&host.phase, __ATOMIC_ACQUIRE) == PHASE_NEW)
    pthread_once(&once, start);
  return host_usable();
}

/* ==} */

/* {== the driver and its devices ====================================== */

CUresult host_cuDriverGetVersion (int *version) {
  if (version == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 12000;
  return CUDA_SUCCESS;
}

CUresult host_cuGetErrorName (CUresult code, const char **name) {
  switch (code) {
    case CUDA_SUCCESS: *name = "CUDA_SUCCESS"; return CUDA_SUCCESS;
#define E(id, code, text) \
  case code: \
    *name = #id; \
    return CUDA_SUCCESS;
#include "rt/driver/errors.def"
#undef E
  }
  *name = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuGetErrorString (CUresult code, const char **out) {
  switch (code) {
    case CUDA_SUCCESS: *out = "no error"; return CUDA_SUCCESS;
#define E(id, code, text) \
  case code: \
    *out = text; \
    return CUDA_SUCCESS;
#include "rt/driver/errors.def"
#undef E
  }
  *out = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult host_cuDeviceGetCount (int *count) {
  CUresult r = host_usable();
  if (r == CUDA_SUCCESS)
    *count = host.ndevices;
  return r;
}

CUresult host_cuDeviceGet (CUdevice *dev, int ordinal) {
  CUresult r = check_device(ordinal);
  if (r == CUDA_SUCCESS)
    *dev = ordinal;
  return r;
}

/* Returns the value of a line "model name : value"; NULL for other lines. */
static const char *model_name (char *line) {
  char *value = strchr(line, ':');
  if (value == NULL || strncmp(line, "model name", 10) != 0)
    return NULL;
  value += 1 + strspn(value + 1, " \t");
  value[strcspn(value, "\n")] = '\0';
  return value;
}

CUresult host_cuDeviceGetName (char *name, int len, CUdevice dev) {
  char line[256];
  const char *model = NULL;
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (name == NULL || len <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f != NULL && model == NULL && fgets(line, sizeof line, f) != NULL)
    model = model_name(line);
  snprintf(name, (size_t)len, "%s", model != NULL ? model : "host CPU");
  if (f != NULL)
    fclose(f);
  return CUDA_SUCCESS;
}

/* All processes of the machine have this device, so all get the same id. */
CUresult host_cuDeviceGetUuid (CUuuid *uuid, CUdevice dev) {
  CUresult r = check_device(dev);
  if (r == CUDA_SUCCESS && uuid == NULL)
    r = CUDA_ERROR_INVALID_VALUE;
  if (r == CUDA_SUCCESS) {
    memset(uuid, 0, sizeof *uuid);
    memcpy(uuid->bytes, "tide host ", 10);
    memcpy(uuid->bytes + 10, &dev, sizeof dev);
  }
  return r;
}

CUresult host_cuDeviceCanAccessPeer (int *can, CUdevice dev, CUdevice peer) {
  CUresult r = check_device(dev);
  if (r == CUDA_SUCCESS)
    r = check_device(peer);
  if (r == CUDA_SUCCESS && can == NULL)
    r = CUDA_ERROR_INVALID_VALUE;
  if (r == CUDA_SUCCESS)
    *can = (dev != peer);
  return r;
}

CUresult host_cuDeviceTotalMem (size_t *bytes, CUdevice dev) {
  CUresult r = check_device(dev);
  if (r == CUDA_SUCCESS)
    *bytes = host.devices[dev].limit;
  return r;
}

CUresult host_cuDeviceGetAttribute (int *value, CUdevice_attribute attr,
                                    CUdevice dev) {
  static const struct {
    CUdevice_attribute attr;
    int value;
  } known[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, MAX_BLOCK},
    {2, MAX_BLOCK},
    {3, MAX_BLOCK},
    {4, 64}, /* block dimensions */
    {5, INT32_MAX},
    {6, 65535},
    {7, 65535}, /* grid dimensions */
    {8, 0},
    {9, 0},  /* shared, constant memory */
    {10, 1}, /* warp size */
    {18, 1},
    {19, 1}, /* integrated, maps memory */
    {31, 1},
    {41, 1},
    {78, 1}, /* concurrent kernels, one address space,
                                   stream priorities */
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
  };
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (attr == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) {
    *value = core_count();
    return CUDA_SUCCESS;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (known[i].attr == attr) {
      *value = known[i].value;
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/* ==} */

/* {== contexts ======================================================== */

/* The lock is held. The first owner starts the workers. */
static CUresult retain (CUcontext ctx) {
  while (host.stopping)
    host_wait();
  if (ctx->null == NULL) {
    ctx->null = host_new_stream(ctx, CU_STREAM_DEFAULT, LEAST);
    if (ctx->null == NULL)
      return CUDA_ERROR_OUT_OF_MEMORY;
    ctx->null->legacy = true;
  }
  if (host.nworkers == 0 && !host_start_worker())
    return CUDA_ERROR_OPERATING_SYSTEM;
  ctx->retains++;
  host.retained++;
  return CUDA_SUCCESS;
}

/* The lock is held. The last owner of a context waits for its work, but for no
** other process. The last owner of all contexts waits for the workers. */
static CUresult release (CUcontext ctx) {
  if (ctx->retains == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (--ctx->retains == 0)
    host_cut_away(ctx);
  while (ctx->retains == 0 && (ctx->busy[0] != NULL || ctx->busy[1] != NULL))
    host_wait();
  if (ctx->retains == 0) {
    host_quit_captures(ctx);
    host_drop_owned(ctx);
    ctx->fault = CUDA_SUCCESS;
    ctx->why[0] = '\0';
  }
  if (--host.retained == 0)
    host_stop_workers();
  return CUDA_SUCCESS;
}

CUresult host_cuDevicePrimaryCtxRetain (CUcontext *ctx, CUdevice dev) {
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (host_worker > 0)
    return CUDA_ERROR_NOT_PERMITTED;
  host_lock();
  r = retain(&host.devices[dev]);
  host_unlock();
  if (r == CUDA_SUCCESS)
    *ctx = &host.devices[dev];
  return r;
}

CUresult host_cuDevicePrimaryCtxRelease (CUdevice dev) {
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (host_worker > 0)
    return CUDA_ERROR_NOT_PERMITTED;
  host_lock();
  r = release(&host.devices[dev]);
  host_unlock();
  return r;
}

CUresult host_cuDevicePrimaryCtxReset (CUdevice dev) {
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (host_worker > 0)
    return CUDA_ERROR_NOT_PERMITTED;
  host_lock();
  if (host.devices[dev].retains > 0)
    host_reset_context(&host.devices[dev]);
  host_unlock();
  return CUDA_SUCCESS;
}

CUresult host_cuCtxSetCurrent (CUcontext ctx) {
  CUresult r = host_usable();
  if (r == CUDA_SUCCESS)
    current = ctx;
  return r;
}

CUresult host_cuCtxGetCurrent (CUcontext *ctx) {
  CUresult r = host_usable();
  if (r == CUDA_SUCCESS)
    *ctx = current;
  return r;
}

CUresult host_cuCtxGetStreamPriorityRange (int *least, int *greatest) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_leave();
  if (least != NULL)
    *least = LEAST;
  if (greatest != NULL)
    *greatest = GREATEST;
  return CUDA_SUCCESS;
}

/* Ends the context's waits for others, which may never come. */
void hook_fault (CUcontext ctx, CUresult code) {
  host_lock();
  ctx->fault = code;
  ctx->why[0] = '\0';
  if (code != CUDA_SUCCESS)
    host_stop_all(ctx);
  host_recheck(INT_MAX);
  host_unlock();
}

static void describe_fault (CUcontext ctx, char text[DRIVER_WHY]) {
  host_lock();
  memcpy(text, ctx->why, sizeof ctx->why);
  host_unlock();
}

static void look (void) {
  host_lock();
  host_recheck(INT_MAX);
  host_unlock();
}

/* ==} */

const Driver *driver_host (void) {
  static const Driver table = {.kind = "host",
                               .image = host_kernel_table,
                               .complaint = settings_complaint,
#define X(kind, live, since, name, params, args) .name = host_##name,
#include "rt/driver/driver.def"
#undef X
                               .stop = host_stop,
                               .why = describe_fault,
                               .look = look,
                               .listen = host_listen};
  return &table;
}

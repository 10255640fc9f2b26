/*
** driver.c - the host device's table, its devices and contexts.
** Exports rt_host_driver().
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hooks.h"
#include "host.h"

Host host = {
  .lock = PTHREAD_MUTEX_INITIALIZER,
  .work = PTHREAD_COND_INITIALIZER,
  .idle = PTHREAD_COND_INITIALIZER,
  .seed = 88172645463325252u
};

static _Thread_local CUcontext current;

/* {== entering ======================================================== */

CUresult host_enter (CUcontext *ctx) {
  if (host.forked || !host.inited)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (current == NULL || current->retains == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  pthread_mutex_lock(&host.lock);
  *ctx = current;
  if (current->fault == CUDA_SUCCESS)
    return CUDA_SUCCESS;
  pthread_mutex_unlock(&host.lock);
  return current->fault;
}

void host_leave (void) { pthread_mutex_unlock(&host.lock); }

static CUresult check_device (CUdevice dev) {
  if (host.forked || !host.inited)
    return CUDA_ERROR_NOT_INITIALIZED;
  return (dev >= 0 && dev < host.ndevices) ? CUDA_SUCCESS
                                           : CUDA_ERROR_INVALID_DEVICE;
}

/* ==} */

/* {== start =========================================================== */

static void forked (void) { host.forked = true; }

/* Bytes with an optional K, M or G; 0 if it cannot be read. */
static size_t parse_bytes (const char *text) {
  char *end;
  double n = strtod(text, &end);
  if (*end == 'K' || *end == 'k') n *= 1024.0;
  if (*end == 'M' || *end == 'm') n *= 1048576.0;
  if (*end == 'G' || *end == 'g') n *= 1073741824.0;
  return (n >= 1 && n < 1e18) ? (size_t)n : 0;
}

static size_t memory_limit (void) {
  const char *text = getenv("TIDE_HOST_MEMORY");
  size_t bytes = (text != NULL) ? parse_bytes(text) : 0;
  if (bytes == 0)
    bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  return bytes;
}

static int count_devices (void) {
  const char *text = getenv("TIDE_HOST_DEVICES");
  int n = (text != NULL) ? atoi(text) : 1;
  return n < 1 ? 1 : n > MAX_DEVICES ? MAX_DEVICES : n;
}

/* TIDE_HOST_DELAYS=seed:max_us */
static void read_delays (void) {
  unsigned long long seed;
  unsigned max_us;
  const char *text = getenv("TIDE_HOST_DELAYS");
  if (text != NULL && sscanf(text, "%llu:%u", &seed, &max_us) == 2) {
    host.seed = (seed != 0) ? seed : 1;
    host.max_delay_us = max_us;
  }
}

static void start (void) {
  host.ndevices = count_devices();
  size_t limit = memory_limit();
  for (int i = 0; i < host.ndevices; i++) {
    host.devices[i].ordinal = i;
    host.devices[i].limit = limit;
  }
  for (int p = 0; p < PRIORITIES; p++)
    host.ready_tail[p] = &host.ready[p];
  read_delays();
  pthread_atfork(NULL, NULL, forked);
  host.inited = true;
}

static CUresult init (void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (host.forked)
    return CUDA_ERROR_NOT_INITIALIZED;
  pthread_once(&once, start);
  return CUDA_SUCCESS;
}

CUresult host_cuInit (unsigned flags) {
  return (flags == 0) ? init() : CUDA_ERROR_INVALID_VALUE;
}

/* ==} */

/* {== the driver and its devices ====================================== */

CUresult host_cuDriverGetVersion (int *version) {
  *version = 12000;
  return CUDA_SUCCESS;
}

CUresult host_cuGetErrorName (CUresult code, const char **name) {
  switch (code) {
    case CUDA_SUCCESS: *name = "CUDA_SUCCESS"; break;
#define E(n, code, text) case code: *name = #n; break;
#include "../errors.def"
#undef E
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult host_cuGetErrorString (CUresult code, const char **out) {
  switch (code) {
    case CUDA_SUCCESS: *out = "no error"; break;
#define E(n, code, text) case code: *out = text; break;
#include "../errors.def"
#undef E
    default: return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGetCount (int *count) {
  if (host.forked || !host.inited)
    return CUDA_ERROR_NOT_INITIALIZED;
  *count = host.ndevices;
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceGet (CUdevice *dev, int ordinal) {
  *dev = ordinal;
  return check_device(ordinal);
}

/* The processor's own name, from /proc/cpuinfo. */
CUresult host_cuDeviceGetName (char *name, int len, CUdevice dev) {
  char line[256], *colon;
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  snprintf(name, (size_t)len, "host CPU");
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    if (strncmp(line, "model name", 10) != 0 ||
        (colon = strchr(line, ':')) == NULL)
      continue;
    colon[strcspn(colon, "\n")] = '\0';
    snprintf(name, (size_t)len, "%s", colon + 2);
    break;
  }
  if (f != NULL)
    fclose(f);
  return CUDA_SUCCESS;
}

CUresult host_cuDeviceTotalMem (size_t *bytes, CUdevice dev) {
  CUresult r = check_device(dev);
  if (r == CUDA_SUCCESS)
    *bytes = host.devices[dev].limit;
  return r;
}

CUresult host_cuDeviceGetAttribute (int *value, CUdevice_attribute attr,
                                    CUdevice dev) {
  static const struct { int attr, value; } known[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {2, 1024}, {3, 1024}, {4, 64},             /* block dimensions */
    {5, 2147483647}, {6, 65535}, {7, 65535},   /* grid dimensions */
    {8, 0}, {9, 0},                            /* shared, constant memory */
    {10, 1},                                   /* warp size */
    {18, 1}, {19, 1}, {31, 1},  /* integrated, maps host memory, concurrent */
    {41, 1}, {78, 1},           /* unified addressing, stream priorities */
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1}
  };
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  if (attr == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) {
    *value = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return CUDA_SUCCESS;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].attr == attr) {
      *value = known[i].value;
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/* ==} */

/* {== contexts ======================================================== */

CUresult host_cuDevicePrimaryCtxRetain (CUcontext *ctx, CUdevice dev) {
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  CUcontext c = &host.devices[dev];
  pthread_mutex_lock(&host.lock);
  if (c->null == NULL && (c->null = host_newstream(c, 0, 0)) == NULL)
    r = CUDA_ERROR_OUT_OF_MEMORY;
  if (r == CUDA_SUCCESS) {
    c->null->legacy = true;
    c->retains++;
    if (host.retained++ == 0)
      host_startworkers();
    *ctx = c;
  }
  pthread_mutex_unlock(&host.lock);
  return r;
}

CUresult host_cuDevicePrimaryCtxRelease (CUdevice dev) {
  CUresult r = check_device(dev);
  if (r != CUDA_SUCCESS)
    return r;
  pthread_mutex_lock(&host.lock);
  if (host.devices[dev].retains == 0) {
    r = CUDA_ERROR_INVALID_CONTEXT;
  } else {
    host.devices[dev].retains--;
    if (--host.retained == 0)
      host_stopworkers();
  }
  pthread_mutex_unlock(&host.lock);
  return r;
}

CUresult host_cuCtxSetCurrent (CUcontext ctx) {
  if (host.forked || !host.inited)
    return CUDA_ERROR_NOT_INITIALIZED;
  current = ctx;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetCurrent (CUcontext *ctx) {
  if (host.forked || !host.inited)
    return CUDA_ERROR_NOT_INITIALIZED;
  *ctx = current;
  return CUDA_SUCCESS;
}

CUresult host_cuCtxGetStreamPriorityRange (int *least, int *greatest) {
  *least = LEAST;
  *greatest = GREATEST;
  return CUDA_SUCCESS;
}

void host_fault (int ordinal, CUresult code) {
  pthread_mutex_lock(&host.lock);
  host.devices[ordinal].fault = code;
  pthread_mutex_unlock(&host.lock);
}

/* ==} */

const Driver *rt_host_driver (void) {
  static const Driver table = {
    .kind = "host",
    .image = host_twins,
#define X(kind, live, since, name, params, args) .name = host_##name,
#include "../driver.def"
#undef X
  };
  return &table;
}

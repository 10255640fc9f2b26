/*
** cuda.c - the CUDA driver's table: libcuda, by dlopen.
**
** Loaded once per process and never unloaded, because the driver keeps threads.
** The reason why it cannot be used is remembered as a sentence for the user.
** Every entry is requested by the version whose signature driver.def gives, so
** a newer driver still returns the one that is meant.
*/
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_data.h"

/* The oldest driver API that has every entry, because of cuGraphExecUpdate. */
#define OLDEST 12000

#define DEFAULT_LIBRARY "libcuda.so.1"

/* CU_GET_PROC_ADDRESS_LEGACY_STREAM: stream 0 is the legacy default stream. */
#define LEGACY_STREAM 1

typedef CUresult (*GetVersion)(int *version);
typedef CUresult (*GetProcAddress)(const char *name, void **fn, int since,
                                   uint64_t flags, int *status);

typedef struct Entry {
  const char *name;
  int since;
  size_t slot; /* offset of the entry in struct Driver */
  bool newer;  /* older drivers may lack it */
} Entry;

enum { CALL = 0, BLOCKS = 0, ENQUEUE = 0, NEWER = 1 };

static const Entry entries[] = {
#define X(kind, live, since, name, params, args) \
  {#name, since, offsetof(Driver, name), kind},
#include "driver.def"
#undef X
};

enum { NENTRIES = sizeof entries / sizeof entries[0] };

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static Driver driver;
static bool usable;      /* 'driver' is complete and has a device */
static char reason[240]; /* why not */
static int version;      /* of CUDA, from the driver; 0: unknown */

/* POSIX lets dlsym's pointer be a function pointer; C has no cast for it. */
static bool find (void *lib, const char *name, void *fn) {
  void *address = dlsym(lib, name);
  memcpy(fn, &address, sizeof address);
  return address != NULL;
}

static bool fail (const char *call, CUresult code) {
  const char *name = NULL, *text = NULL;
  if (driver.cuGetErrorName != NULL && driver.cuGetErrorString != NULL) {
    driver.cuGetErrorName(code, &name);
    driver.cuGetErrorString(code, &text);
  }
  snprintf(reason, sizeof reason, "%s: %s (%d): %s", call,
           name != NULL ? name : "CUDA driver error", code,
           text != NULL ? text : "the driver does not say more");
  return false;
}

static bool open_library (const char *path, void **lib) {
  *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (*lib == NULL)
    snprintf(reason, sizeof reason,
             "the CUDA driver library cannot be loaded (%s)", dlerror());
  return *lib != NULL;
}

/* Runs before any entry is required, so that an old driver is named as the
** reason. */
static bool check_version (void *lib, const char *path) {
  GetVersion get_version;
  if (!find(lib, "cuDriverGetVersion", &get_version)) {
    snprintf(reason, sizeof reason,
             "%s is not a CUDA driver (it has no cuDriverGetVersion)", path);
    return false;
  }
  CUresult code = get_version(&version);
  if (code == CUDA_ERROR_STUB_LIBRARY) {
    snprintf(reason, sizeof reason,
             "%s is a stub library for linking, not a CUDA driver", path);
    return false;
  }
  if (code != CUDA_SUCCESS)
    return fail("cuDriverGetVersion", code);
  if (version < OLDEST)
    snprintf(reason, sizeof reason,
             "the CUDA driver is for CUDA %d.%d; tide needs %d.%d or newer",
             version / 1000, version % 1000 / 10, OLDEST / 1000,
             OLDEST % 1000 / 10);
  return version >= OLDEST;
}

static bool load_entry (GetProcAddress get, const Entry *e) {
  void *address = NULL;
  int status = 0;
  CUresult code = get(e->name, &address, e->since, LEGACY_STREAM, &status);
  if (e->newer && (code != CUDA_SUCCESS || address == NULL))
    return true;
  if (code != CUDA_SUCCESS || address == NULL) {
    snprintf(reason, sizeof reason, "the CUDA driver has no %s (of CUDA %d.%d)",
             e->name, e->since / 1000, e->since % 1000 / 10);
    return false;
  }
  memcpy((char *)&driver + e->slot, &address, sizeof address);
  return true;
}

static bool load_entries (void *lib, const char *path) {
  GetProcAddress get;
  if (!find(lib, "cuGetProcAddress_v2", &get)) {
    snprintf(reason, sizeof reason,
             "%s is not a CUDA driver (it has no cuGetProcAddress_v2)", path);
    return false;
  }
  for (int i = 0; i < NENTRIES; i++)
    if (!load_entry(get, &entries[i]))
      return false;
  return true;
}

static bool find_device (void) {
  int count = 0;
  CUresult code = driver.cuInit(0);
  if (code == CUDA_SUCCESS) {
    code = driver.cuDeviceGetCount(&count);
    if (code != CUDA_SUCCESS)
      return fail("cuDeviceGetCount", code);
  }
  if (code != CUDA_SUCCESS && code != CUDA_ERROR_NO_DEVICE)
    return fail("cuInit", code);
  if (count == 0)
    snprintf(reason, sizeof reason,
             "the CUDA driver is installed, but finds no device");
  return count > 0;
}

static void load (void) {
  void *lib;
  const char *path = getenv("TIDE_LIBCUDA");
  if (path == NULL || *path == '\0')
    path = DEFAULT_LIBRARY;
  driver.kind = "cuda";
  driver.image = image_data_bytes();
  driver.ptx = image_data_ptx();
  usable = open_library(path, &lib) && check_version(lib, path) &&
           load_entries(lib, path) && find_device();
}

const Driver *driver_cuda (const char **why) {
  pthread_once(&loaded, load);
  *why = usable ? NULL : reason;
  return usable ? &driver : NULL;
}

int driver_cuda_version (void) {
  pthread_once(&loaded, load);
  return version;
}

/*
** nccl.c - NCCL's table: libnccl, by dlopen, when the first communicator of
** GPUs is made.
**
** Loaded once per process and never unloaded, because it keeps threads. The
** reason why it cannot be used is remembered as a sentence for the user.
*/
#include "nccl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LIBRARY "libnccl.so.2"

/* The oldest version that has every entry, because of ncclCommSplit. */
enum { OLDEST = 21800 };

typedef struct Entry {
  const char *name;
  size_t slot; /* offset of the entry in struct Nccl */
} Entry;

static const Entry entries[] = {
#define X(kind, name, params, args) {#name, offsetof(Nccl, name)},
#include "nccl.def"
#undef X
  {"ncclGetErrorString", offsetof(Nccl, ncclGetErrorString)},
};

enum { NENTRIES = sizeof entries / sizeof entries[0] };

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static Nccl nccl;
static bool usable;      /* 'nccl' is complete */
static char reason[240]; /* why not */

/* Older versions were not numbered by five digits: they are below OLDEST as
** well. */
static bool check_version (const char *path) {
  int version = 0;
  if (nccl.ncclGetVersion(&version) == ncclSuccess && version >= OLDEST)
    return true;
  snprintf(reason, sizeof reason, "%s is NCCL %d.%d; tide needs %d.%d or newer",
           path, version / 10000, version / 100 % 100, OLDEST / 10000,
           OLDEST / 100 % 100);
  return false;
}

static bool load_entries (void *lib, const char *path) {
  for (int i = 0; i < NENTRIES; i++) {
    void *address = dlsym(lib, entries[i].name);
    if (address == NULL) {
      snprintf(reason, sizeof reason, "%s has no %s", path, entries[i].name);
      return false;
    }
    memcpy((char *)&nccl + entries[i].slot, &address, sizeof address);
  }
  return check_version(path);
}

static void load (void) {
  const char *path = getenv("TIDE_LIBNCCL");
  if (path == NULL || *path == '\0')
    path = DEFAULT_LIBRARY;
  nccl.name = path;
  nccl.subcomms = true;
  void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL)
    snprintf(reason, sizeof reason,
             "NCCL cannot be loaded (%s): install libnccl2, or name its "
             "library in TIDE_LIBNCCL",
             dlerror());
  else
    usable = load_entries(lib, path);
}

const Nccl *nccl_cuda (const char **why) {
  pthread_once(&loaded, load);
  *why = usable ? NULL : reason;
  return usable ? &nccl : NULL;
}

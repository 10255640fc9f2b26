/* libz.c - finds zlib: TIDE_LIBZ names the library. */
#include "libz.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY(name) \
  { #name, offsetof(Libz, name) }

static const struct {
  const char *name;
  size_t slot;
} entries[] = {ENTRY(zlibVersion),  ENTRY(inflateInit2_), ENTRY(inflate),
               ENTRY(inflateReset), ENTRY(inflateEnd),    ENTRY(deflateInit2_),
               ENTRY(deflate),      ENTRY(deflateEnd)};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static Libz library;
static char reason[200]; /* why there is no library; empty: it is loaded */

static void load (void) {
  const char *name = getenv("TIDE_LIBZ");
  void *lib = dlopen((name != NULL && *name != '\0') ? name : "libz.so.1",
                     RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) {
    snprintf(reason, sizeof reason,
             "zlib cannot be loaded (Debian has it as zlib1g): %s", dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    void *address = dlsym(lib, entries[i].name);
    if (address == NULL) {
      snprintf(reason, sizeof reason, "the library zlib has no %s",
               entries[i].name);
      return;
    }
    memcpy((char *)&library + entries[i].slot, &address, sizeof address);
  }
}

const Libz *libz_find (const char **why) {
  pthread_once(&loaded, load);
  *why = reason;
  return (reason[0] == '\0') ? &library : NULL;
}

/* zlib.h's constants; negative bits stand for data without a header. */
enum { LEVEL = -1, METHOD = 8, BITS = -15, MEMORY = 8, STRATEGY = 0 };

bool libz_begin_inflate (const Libz *lib, LibzStream *z) {
  memset(z, 0, sizeof *z);
  return lib->inflateInit2_(z, BITS, lib->zlibVersion(), sizeof *z) == LIBZ_OK;
}

bool libz_begin_deflate (const Libz *lib, LibzStream *z) {
  memset(z, 0, sizeof *z);
  return lib->deflateInit2_(z, LEVEL, METHOD, BITS, MEMORY, STRATEGY,
                            lib->zlibVersion(), sizeof *z) == LIBZ_OK;
}

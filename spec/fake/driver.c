/*
** driver.c - CUDA drivers that cannot be used, for loader_spec.lua: built into
** one library for each way of being wrong. The Makefile has the switches:
**
**   FAKE_EMPTY          no driver at all
**   FAKE_BARE           no cuGetProcAddress_v2
**   FAKE_VERSION=13000  what cuDriverGetVersion says
**   FAKE_CODE=0         what every call returns; 34 makes a stub library
**   FAKE_INIT=0         what cuInit returns
**   FAKE_LACKS="cuX"    an entry that is missing
**
** Without any it is a driver that finds no device: a count of 0.
*/
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(FAKE_VERSION)
#define FAKE_VERSION 13000
#endif
#if !defined(FAKE_CODE)
#define FAKE_CODE 0
#endif
#if !defined(FAKE_INIT)
#define FAKE_INIT 0
#endif
#if !defined(FAKE_LACKS)
#define FAKE_LACKS ""
#endif

#define PUBLIC __attribute__((visibility("default")))

typedef int (*Entry)(void);

#if defined(FAKE_EMPTY)

PUBLIC int not_a_driver (void) { return 0; }

#else

PUBLIC int cuDriverGetVersion (int *version) {
  *version = FAKE_VERSION;
  return FAKE_CODE;
}

static int init (unsigned flags) {
  (void)flags;
  return FAKE_INIT;
}

static int count_devices (int *count) {
  *count = 0;
  return 0;
}

static int error_name (int code, const char **name) {
  (void)code;
  *name = "CUDA_ERROR_FAKE";
  return 0;
}

static int error_text (int code, const char **text) {
  (void)code;
  *text = "made up by the tests";
  return 0;
}

/* No other entry is ever reached. */
static int unexpected (void) { return 999; }

static Entry find (const char *name) {
  static const struct {
    const char *name;
    Entry entry;
  } known[] = {
    {"cuInit", (Entry)(void (*)(void))init},
    {"cuDeviceGetCount", (Entry)(void (*)(void))count_devices},
    {"cuGetErrorName", (Entry)(void (*)(void))error_name},
    {"cuGetErrorString", (Entry)(void (*)(void))error_text},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0)
      return known[i].entry;
  return unexpected;
}

static int look_up (const char *name, void **fn) {
  Entry entry = strcmp(name, FAKE_LACKS) != 0 ? find(name) : NULL;
  memcpy(fn, &entry, sizeof entry);
  return entry != NULL ? FAKE_CODE : 500;
}

/* Drivers before 12.0 have the first of the two only. */
PUBLIC int cuGetProcAddress (const char *name, void **fn, int since,
                             uint64_t flags) {
  (void)since;
  (void)flags;
  return look_up(name, fn);
}

#if FAKE_VERSION >= 12000 && !defined(FAKE_BARE)
PUBLIC int cuGetProcAddress_v2 (const char *name, void **fn, int since,
                                uint64_t flags, int *status) {
  *status = 0;
  return cuGetProcAddress(name, fn, since, flags);
}
#endif

#endif

/*
** library.c - which file a library is loaded from: the one that an environment
** variable names, or the first of those that are tried. And waits for its own
** work.
*/
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "rt/os/nap.h"
#include "rt/wait/event_pool.h"

enum { NAP_NS = 20 * 1000 };

bool library_entry (void *lib, const char *name, void *fn) {
  void *address = dlsym(lib, name);
  memcpy(fn, &address, sizeof address);
  return address != NULL;
}

bool library_choose (const char *variable, const char *const *names,
                     bool (*load)(const char *name)) {
  const char *chosen = getenv(variable);
  if (chosen != NULL && *chosen != '\0')
    return strcmp(chosen, "none") != 0 && load(chosen);
  for (; *names != NULL; names++)
    if (load(*names))
      return true;
  return false;
}

bool library_settle (RtDevice *dev) {
  CUevent event;
  CUresult r;
  if (event_pool_record(dev, CU_STREAM_LEGACY, &event) != 0)
    return false;
  while ((r = dev->D->cuEventQuery(event)) == CUDA_ERROR_NOT_READY)
    nap_for(NAP_NS);
  event_pool_return(dev, event);
  return r == CUDA_SUCCESS;
}

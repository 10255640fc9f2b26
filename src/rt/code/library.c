/*
** library.c - which file a library is loaded from: the one that an environment
** variable names, or the first of those that are tried; and the order of its
** own work with that of streams.
*/
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "rt/driver/shared.h"
#include "rt/queue/stream_types.h"

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

void library_note (const RtDevice *dev) {
  RtShared *sh = dev->shared;
  if (sh->filled == NULL &&
      dev->D->cuEventCreate(&sh->filled, CU_EVENT_DISABLE_TIMING) != 0)
    sh->filled = NULL;
  else
    dev->D->cuEventRecord(sh->filled, CU_STREAM_LEGACY);
}

/* A capture cannot wait for it, and its graph is launched later. */
void library_order (const RtStream *s) {
  RtShared *sh = s->dev->shared;
  if (sh->filled == NULL || s->capture != NULL)
    return;
  CUresult r = s->dev->D->cuEventQuery(sh->filled);
  if (r == CUDA_SUCCESS)
    library_free(sh);
  else if (r == CUDA_ERROR_NOT_READY)
    s->dev->D->cuStreamWaitEvent(s->handle, sh->filled, 0);
}

void library_free (RtShared *sh) {
  if (sh->filled != NULL)
    sh->D->cuEventDestroy(sh->filled);
  sh->filled = NULL;
}

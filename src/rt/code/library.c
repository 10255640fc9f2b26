/*
** library.c - which file a library is loaded from: the one that an environment
** variable names, or the first of those that are tried.
*/
#include "library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

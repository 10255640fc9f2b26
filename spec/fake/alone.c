/*
** alone.c - is loaded after a sanitizer's runtime, by LD_PRELOAD, and takes
** that out of the environment: the runtime is for this process, not for shells
** that a spec needs, and their programs. Each of them would take as long to
** begin as many a spec does.
*/
#include <stdlib.h>

__attribute__((constructor)) static void stay_alone (void) {
  unsetenv("LD_PRELOAD");
}

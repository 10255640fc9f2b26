/* names.h - names of kernels and chunks that programs give. See names.c. */
#ifndef TIDE_RT_CODE_NAMES_H
#define TIDE_RT_CODE_NAMES_H

#include "rt/rt.h"

/* Returns the name with this text, with one more reference; NULL: no memory. */
RtName *rt_keepname (Runtime *rt, const char *text);

static inline RtName *rt_retainname (RtName *name) {
  if (name != NULL)
    name->refs++;
  return name;
}

/* Gives a reference back; NULL does nothing. */
void rt_dropname (Runtime *rt, RtName *name);

/* Frees all names at close, even those with references. */
void rt_freenames (Runtime *rt);

#endif

/* names.h - names that programs give: of kernels, of chunks. See names.c. */
#ifndef TIDE_RT_CODE_NAMES_H
#define TIDE_RT_CODE_NAMES_H

#include "rt/rt.h"

/* The name with this text and one reference more; NULL: there is no memory. */
RtName *rt_keepname (Runtime *rt, const char *text);

static inline RtName *rt_retainname (RtName *name) {
  if (name != NULL)
    name->refs++;
  return name;
}

/* Gives a reference back; NULL is no name. */
void rt_dropname (Runtime *rt, RtName *name);

/* At close: all, whoever refers to them. */
void rt_freenames (Runtime *rt);

#endif

/* names.h - names of kernels and chunks that programs give. See names.c. */
#ifndef TIDE_RT_CODE_NAMES_H
#define TIDE_RT_CODE_NAMES_H

#include "rt/rt.h"

/* A name that a program gives, with a count of references: names.c. */
struct RtName {
  struct RtName *next; /* in its bin */
  unsigned hash;
  int refs;
  char text[];
};

/* Returns the name with this text, with one more reference; NULL: no memory. */
RtName *name_intern (Runtime *rt, const char *text);

static inline RtName *name_retain (RtName *name) {
  if (name != NULL)
    name->refs++;
  return name;
}

/* Gives a reference back; NULL does nothing. */
void name_drop (Runtime *rt, RtName *name);

/* Frees all names at close, even those with references. */
void name_free_all (Runtime *rt);

#endif

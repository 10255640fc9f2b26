/* index_error.h - what kernels find wrong with their arguments, and threads
** with files. See index_error.c. */
#ifndef TIDE_DEVICE_INDEX_ERROR_H
#define TIDE_DEVICE_INDEX_ERROR_H

#include "base/state.h"

struct RtTransfer;

/* Puts in the place of the string on the top the message for a word that a
** kernel has set. */
typedef void Explain (lua_State *L, int64_t word);

/* A word of page-locked memory that a kernel sets if it finds an error; or
** transfers of a file, which say themselves what went wrong. */
typedef struct Check {
  State *state;
  int64_t *word;        /* NULL: given back, or */
  struct RtTransfer *transfers;  /* of one call, by 'sibling' */
  struct RtTransfer *next;  /* or NULL: it is not queued yet */
  Explain *explain;     /* NULL: the message is there */
  DriverReport *report; /* of a program on the host device, or NULL */
  RtDevice *dev;
  unsigned generation;  /* of the device */
  RtStream *s;          /* the operation; NULL: not queued, or looked at */
  uint64_t seq;
} Check;

/* Pushes one for an operation to come on 's'. The message of its error is on
** the top (popped), or what 'explain' makes it of. Graphs have one check for
** the same string, so all that matters to 'explain' is part of that. */
Check *tide_pushcheck (lua_State *L, const RtStream *s, Explain *explain);

/* What a kernel is launched with. */
static inline int64_t *tide_checkword (const Check *c) {
  return (c != NULL) ? c->word : NULL;
}

/* The same for transfers, of which there are none yet: in the message stands
** who wants them, of which file. */
Check *tide_pushfilecheck (lua_State *L, const RtStream *s);

/* The same for a kernel that may go outside of an array, where the device can
** report that: which array, index and line. Else the check is NULL, and only
** the message goes. */
Check *tide_pushreport (lua_State *L, const RtStream *s);

/* Where a check that has just been pushed is; NULL: 0. */
static inline int tide_checkidx (lua_State *L, const Check *c) {
  return (c != NULL) ? lua_gettop(L) : 0;
}

/* What a program is launched with. */
static inline uint64_t tide_reportaddress (const Check *c) {
  return (c != NULL) ? (uint64_t)(uintptr_t)c->report : 0;
}

/* An operation with a check is about to be queued: to set it cannot fail. */
void tide_reservecheck (lua_State *L, const State *st);

/* The operation has just been queued on 's', and nobody has come in between.
** The check is at 'idx', and may have earlier ones of the same call. */
void tide_setcheck (lua_State *L, int idx, RtStream *s);

/*
** At a wait on 'dev', NULL: any. The errors of operations that are done are
** kept as those of host functions are; what graphs have found is raised.
*/
void tide_lookatchecks (lua_State *L, const RtDevice *dev);

/* The error of the check at the top, if nobody has asked for it; else NULL. */
const char *tide_unaskedcheck (lua_State *L);

#endif

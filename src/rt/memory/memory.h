/* memory.h - the accounts of one kind of memory. */
#ifndef TIDE_RT_MEMORY_MEMORY_H
#define TIDE_RT_MEMORY_MEMORY_H

#include "cache.h"

/*
** The accounts of one kind of memory. live + cache.bytes + staging == reserved
** <= peak, live <= peak_live; 'live' and 'reserved' grow in one place only, and
** 'reserved' never beyond 'limit'.
*/
struct Memory {
  Cache cache;
  size_t live;         /* bytes in blocks that are held */
  size_t imported;     /* bytes of foreign memory, in no other figure */
  size_t staging;      /* bytes in staging slots */
  size_t reserved;     /* bytes got from the driver: held, cached, in slots */
  size_t peak;         /* the most 'reserved' has been under this limit, */
  size_t peak_live;    /* and 'live'; since reclaim_restart_peaks, if later */
  size_t limit;        /* NO_LIMIT: what the driver has */
  size_t cap;          /* the host program's maximum for 'limit' */
  size_t shared;       /* bytes of 'cap' that other processes may have too */
  size_t threshold;    /* look for garbage once 'live' is more; 0: not set */
  size_t base, step;   /* for the threshold: see gc.c */
  size_t nlive;        /* how many blocks are held */
  size_t nmost, nstep; /* as threshold and step, for their number */
  int streak;          /* > 0: steps in a row that freed some; < 0: that freed
                           none */
  size_t floor, room;  /* for full collections; beyond both: */
  size_t left;         /* so much was held, if that is why one runs; or 0 */
};

#define NO_LIMIT SIZE_MAX

/* Returns the most that 'reserved' may be. */
static inline size_t memory_limit (const Memory *m) {
  size_t left = (m->shared < m->cap) ? m->cap - m->shared : 0;
  return (left < m->limit && m->cap != NO_LIMIT) ? left : m->limit;
}

#endif

/* block_types.h - a block of memory, and the uses of it. */
#ifndef TIDE_RT_MEMORY_BLOCK_TYPES_H
#define TIDE_RT_MEMORY_BLOCK_TYPES_H

#include "rt/driver/life.h"
#include "rt/rt.h"

/* One use of a byte range of a block by the operation at (s, seq). */
struct Mark {
  RtStream *s;
  uint64_t seq;
  size_t lo, hi; /* bytes [lo, hi) of the block */
  bool write;
};

/* The uses of a block that may still be under way. */
struct MarkSet {
  Mark *at; /* 'room', or malloc'ed once that is too small */
  int n, cap;
  int writes;     /* how many of them are writes */
  bool exact;     /* of page-locked memory: host functions ask for elements */
  uint64_t since; /* uses up to here are of the memory's last owner */
  Mark room[2];
};

/* Operations of ranks that write bytes [lo, hi) of a block: poison.c. */
typedef struct Taint {
  uint64_t since, seq;     /* the earliest and the latest; 0: none */
  struct RtPoison *poison; /* why it was not done; NULL: not known */
  size_t lo, hi;
} Taint;

/* One allocation: device memory, or page-locked host memory. */
struct RtBlock {
  LIFE; /* in its device's list; referenced by arrays, captures, graphs */
  CUdeviceptr ptr; /* page-locked: the host address as well */
  size_t size;     /* the size asked for, rounded up to its size class or,
                          where that is too much, to 512 bytes */
  int ncaptures;   /* open captures that use it */
  bool pinned;
  bool own;            /* tide's own, in no account */
  bool foreign;        /* not allocated by tide, in no account: import.c */
  bool placed;         /* found by its address: address.c */
  bool kept;           /* dropped, but kept operations use it: counted in
                          rt->kept_bytes */
  bool registered;     /* page-locked by tide */
  int graphs, imports; /* references by graphs, by imports */
  uint64_t born;       /* the call that it was made for: see entry.h */
  uint64_t made_in;    /* the only capture that has used it; 0: none */
  MarkSet marks;
  struct Shelf *shelf;         /* in the cache, or NULL */
  struct RtBlock *next, *prev; /* on the shelf: newer, older block */
  Taint taint;
};

#endif

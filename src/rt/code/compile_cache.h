/*
** compile_cache.h - what was compiled, on disk by content. See compile_cache.c.
*/
#ifndef TIDE_RT_CODE_COMPILE_CACHE_H
#define TIDE_RT_CODE_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct RtImage;
struct RtSource;

/* SHA-256, for the names of entries and to know a damaged one: see sha256.c. */
enum { CACHE_KEY = 32 };

typedef struct CacheHash {
  uint32_t state[8];
  uint64_t bytes;
  unsigned char block[64];
} CacheHash;

void rt_hashbegin (CacheHash *h);
void rt_hashadd (CacheHash *h, const void *p, size_t n);
void rt_hashend (CacheHash *h, unsigned char key[CACHE_KEY]);

/* A text with its length, so that two of them are never another two. */
void rt_hashtext (CacheHash *h, const char *text);

/* Reads the entry of a source into *image, which is empty; false: there is none
** that is sound, with its names, and can be believed. */
bool rt_cacheget (const unsigned char key[CACHE_KEY],
                  const struct RtSource *source, struct RtImage *image);

/* Writes one. That it cannot be written is nobody's business. */
void rt_cacheput (const unsigned char key[CACHE_KEY],
                  const struct RtImage *image);

/* What can be said of the folder: where it is (empty: nowhere), what it holds,
** and why nothing is kept there (NULL: it is). Changes nothing. */
typedef struct RtCacheAbout {
  char path[4096];
  uint64_t files, bytes, limit;
  const char *why;
} RtCacheAbout;

void rt_cacheabout (RtCacheAbout *about);

#endif

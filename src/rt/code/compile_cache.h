/*
** compile_cache.h - compiled code on disk, by content. See compile_cache.c.
*/
#ifndef TIDE_RT_CODE_COMPILE_CACHE_H
#define TIDE_RT_CODE_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct RtImage;
struct RtSource;

/* SHA-256, for the names of entries and to detect damaged ones: see
** sha256.c. */
enum { CACHE_KEY = 32 };

typedef struct CacheHash {
  uint32_t state[8];
  uint64_t bytes;
  unsigned char block[64];
} CacheHash;

void rt_hashbegin (CacheHash *h);
void rt_hashadd (CacheHash *h, const void *p, size_t n);
void rt_hashend (CacheHash *h, unsigned char key[CACHE_KEY]);

/* Adds a text with its length, so that different lists of texts have different
** hashes. */
void rt_hashtext (CacheHash *h, const char *text);

/* Reads the entry of a source into *image, which is empty; false: there is none
** that is undamaged, has the source's names and can be trusted. */
bool rt_cacheget (const unsigned char key[CACHE_KEY],
                  const struct RtSource *source, struct RtImage *image);

/* Writes an entry. Failures are ignored. */
void rt_cacheput (const unsigned char key[CACHE_KEY],
                  const struct RtImage *image);

/* The state of the cache: its folder (empty: none), its contents, and why
** nothing is kept there (NULL: it is). rt_cacheabout changes nothing. */
typedef struct RtCacheAbout {
  char path[4096];
  uint64_t files, bytes, limit;
  const char *why;
} RtCacheAbout;

void rt_cacheabout (RtCacheAbout *about);

#endif

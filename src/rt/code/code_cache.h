/*
** code_cache.h - compiled code on disk, by content. See code_cache.c.
*/
#ifndef TIDE_RT_CODE_CODE_CACHE_H
#define TIDE_RT_CODE_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sha256.h"

struct RtImage;
struct RtSource;

/* Reads the entry of a source into *image, which is empty; false: there is none
** that is undamaged, has the source's names and can be trusted. */
bool code_cache_get (const unsigned char key[SHA256_BYTES],
                     const struct RtSource *source, struct RtImage *image);

/* Writes an entry. Failures are ignored. */
void code_cache_put (const unsigned char key[SHA256_BYTES],
                     const struct RtImage *image);

/* The state of the cache: its folder (empty: none), its contents, and why
** nothing is kept there (NULL: it is). code_cache_describe changes nothing. */
typedef struct RtCacheAbout {
  char path[4096];
  uint64_t files, bytes, limit;
  const char *why;
} RtCacheAbout;

void code_cache_describe (RtCacheAbout *about);

#endif

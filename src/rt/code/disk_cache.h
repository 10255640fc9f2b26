/*
** disk_cache.h - the limit of the disk cache. See disk_cache.c.
*/
#ifndef TIDE_RT_CODE_DISK_CACHE_H
#define TIDE_RT_CODE_DISK_CACHE_H

#include <stdint.h>

enum { CACHE_NAME = 72 }; /* room for an entry's name: 64 digits and ".bin" */

/* Returns the limit in bytes: TIDE_CACHE_SIZE MiB, or 256 MiB. */
uint64_t disk_cache_limit (void);

/* Counts the files and bytes in the open folder. */
void disk_cache_sum (int folder, uint64_t *files, uint64_t *bytes);

/* Removes entries from the open folder, oldest use first, until the limit
** holds. */
void disk_cache_trim (int folder);

#endif

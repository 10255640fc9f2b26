/*
** cache_trim.h - the limit of the disk cache. See cache_trim.c.
*/
#ifndef TIDE_RT_CODE_CACHE_TRIM_H
#define TIDE_RT_CODE_CACHE_TRIM_H

#include <stdint.h>

enum { CACHE_NAME = 72 }; /* room for an entry's name: 64 digits and ".bin" */

/* Returns the limit in bytes: TIDE_CACHE_SIZE MiB, or 256 MiB. */
uint64_t rt_cachelimit (void);

/* Counts the files and bytes in the open folder. */
void rt_cachesum (int folder, uint64_t *files, uint64_t *bytes);

/* Removes entries from the open folder, oldest use first, until the limit
** holds. */
void rt_cachetrim (int folder);

#endif

/*
** cache_trim.h - how much the disk cache may hold. See cache_trim.c.
*/
#ifndef TIDE_RT_CODE_CACHE_TRIM_H
#define TIDE_RT_CODE_CACHE_TRIM_H

#include <stdint.h>

enum { CACHE_NAME = 72 };  /* room for an entry's name: 64 digits and ".bin" */

/* Bytes: TIDE_CACHE_SIZE MiB, or 256 MiB. */
uint64_t rt_cachelimit (void);

/* How much the open folder holds. */
void rt_cachesum (int folder, uint64_t *files, uint64_t *bytes);

/* Removes from the open folder what goes over the limit, oldest use first. */
void rt_cachetrim (int folder);

#endif

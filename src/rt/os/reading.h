/* reading.h - reads parts of files. See reading.c. */
#ifndef TIDE_RT_OS_READING_H
#define TIDE_RT_OS_READING_H

#include <stddef.h>
#include <sys/types.h>

enum { READING_ENDED = -2 }; /* the file is shorter than it was */

/* Reads n bytes at 'off'. Returns 0, an errno or READING_ENDED. Any thread may
** call it. */
int reading_at (int fd, void *to, size_t n, off_t off);

/* Returns what that error is. */
const char *reading_why (int error);

#endif

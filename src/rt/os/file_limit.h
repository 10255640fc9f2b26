/* file_limit.h - writes that make files longer, on the program's own threads.
** See file_limit.c. */
#ifndef TIDE_RT_OS_FILE_LIMIT_H
#define TIDE_RT_OS_FILE_LIMIT_H

#include <stdio.h>
#include <sys/types.h>

/* As write, ftruncate and fwrite, but beyond the limit they fail with EFBIG. */
ssize_t file_limit_write (int fd, const void *from, size_t n);
int file_limit_truncate (int fd, off_t size);
size_t file_limit_fwrite (const void *from, size_t n, FILE *f);

#endif

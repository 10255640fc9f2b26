/*
** bytes.h - copies bytes on the host device.
*/
#ifndef TIDE_RT_HOST_BYTES_H
#define TIDE_RT_HOST_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  BYTES_PAGE = 1 << 12,
  BYTES_AHEAD = 64,
  BYTES_SHORT = 1 << 10 /* glibc has a loop of vectors up to 2 KiB */
};

/*
** Like memmove. The instruction that the C library takes for long copies is ten
** times slower on some processors (AMD Zen 3) where the target is a little
** ahead of the source, but for whole pages, as where elements move by one
** place. Short copies are made by vectors.
*/
static inline void bytes_copy (void *to, const void *from, size_t n) {
  char *z = to;
  const char *x = from;
  const size_t ahead = (uintptr_t)to - (uintptr_t)from;
  const size_t little = ahead % BYTES_PAGE;
  if (little > 0 && little < BYTES_AHEAD && ahead >= n)
    for (; n > BYTES_SHORT; n -= BYTES_SHORT) {
      memcpy(z, x, BYTES_SHORT);
      z += BYTES_SHORT;
      x += BYTES_SHORT;
    }
  memmove(z, x, n);
}

#endif

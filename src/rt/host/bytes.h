/*
** bytes.h - copies bytes on the host device, and looks for them.
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

/* Return the place of the first byte that is not 0, or is; n: there is none. */
static inline size_t bytes_find_set (const void *bytes, size_t n) {
  enum { STEP = 8 * sizeof(uint64_t) };
  const uint8_t *x = bytes;
  uint64_t word[8], any = 0;
  size_t i = 0;
  for (; i + STEP <= n && any == 0; i += STEP) {
    memcpy(word, x + i, STEP);
    for (int k = 0; k < 8; k++)
      any |= word[k];
  }
  i -= (any != 0) ? STEP : 0;
  for (; i + sizeof any <= n; i += sizeof any) {
    memcpy(&any, x + i, sizeof any);
    if (any != 0)
      break;
  }
  while (i < n && x[i] == 0)
    i++;
  return i;
}

static inline size_t bytes_find_zero (const void *bytes, size_t n) {
  const char *x = bytes, *zero = memchr(bytes, 0, n);
  return (zero != NULL) ? (size_t)(zero - x) : n;
}

#endif

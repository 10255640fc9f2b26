/* powers.h - the first 128 bits of powers of five. See powers.c. */
#ifndef TIDE_RT_TEXT_POWERS_H
#define TIDE_RT_TEXT_POWERS_H

#include <stdint.h>

typedef struct Power {
  uint64_t high, low;
} Power;

enum { POWERS_LEAST = -342, POWERS_MOST = 324 };

/* The power of POWERS_LEAST + i is at i. Positive ones are rounded down,
** negative ones up. */
extern const Power powers_of_five[POWERS_MOST - POWERS_LEAST + 1];

/* Returns the upper half of a product. */
static inline uint64_t powers_multiply (uint64_t a, uint64_t b, uint64_t *low) {
  unsigned __int128 product = (unsigned __int128)a * b;
  *low = (uint64_t)product;
  return (uint64_t)(product >> 64);
}

#endif

/*
** feistel.h - the numbers below n in an order that looks random, each computed
** from its place alone. Nothing is sorted, and the first few of many numbers
** cost no more than a few. The same bits in C and in CUDA C++.
**
** A Feistel network (M. Luby and C. Rackoff, "How to construct pseudorandom
** permutations from pseudorandom functions", 1988) for any number of elements:
** J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA
** 2002. For shuffling: R. Mitchell, D. Stokes, E. Frank and G. Holmes,
** "Bandwidth-optimal random shuffling for GPUs", ACM TOPC 9, 2022.
*/
#ifndef TIDE_FEISTEL_H
#define TIDE_FEISTEL_H

#include "philox.h"

enum {
  FEISTEL_ROUNDS = 12,
  FEISTEL_VALUES = FEISTEL_ROUNDS / 2  /* of the counter: 2 words a round */
};

/* Places are those of a table, row by row. Its width is even, because rows of
** odd length could only be turned by an even number of exchanges, so all orders
** would have the same parity. */
typedef struct Feistel {
  uint32_t key[FEISTEL_ROUNDS][2];
  uint32_t width, height;
  uint64_t n;  /* at most width * height, and less by a row at most */
} Feistel;

RANDOM_FN void feistel_table (Feistel *f, int64_t n, int64_t width) {
  f->width = (uint32_t)width;
  f->height = (uint32_t)((n + width - 1) / width);
  f->n = (uint64_t)n;
}

/* Puts value k of the counter's words into the keys of its rounds. */
RANDOM_FN void feistel_key (uint32_t key[][2], const uint32_t x[4], int k) {
  key[2 * k][0] = x[0];
  key[2 * k][1] = x[1];
  key[2 * k + 1][0] = x[2];
  key[2 * k + 1][1] = x[3];
}

/* Returns a number below 'range' from x and the key: lowbias32 of C. Wellons,
** "Prospecting for hash functions", 2018, with a key in each half. */
RANDOM_FN uint32_t feistel_hash (const uint32_t key[2], uint32_t x,
                                 uint32_t range) {
  x ^= key[0];
  x = (x ^ x >> 16) * 0x7FEB352Du + key[1];
  x = (x ^ x >> 15) * 0x846CA68Bu;
  x ^= x >> 16;
  return (uint32_t)((uint64_t)x * range >> 32);
}

/* Returns x + y modulo 'range'; both are below 'range', which is below 2^31. */
RANDOM_FN uint32_t feistel_add (uint32_t x, uint32_t y, uint32_t range) {
  uint32_t sum = x + y;
  return sum < range ? sum : sum - range;
}

/* Two rounds: each half moves by a hash of the other one. */
RANDOM_FN void feistel_rounds (const Feistel *f, int round, uint32_t *row,
                               uint32_t *column) {
  *column = feistel_add(*column, feistel_hash(f->key[round], *row, f->width),
                        f->width);
  *row = feistel_add(*row, feistel_hash(f->key[round + 1], *column, f->height),
                     f->height);
}

/* Places beyond n go on until they are below n. A walk that began below n comes
** back below n. */
RANDOM_FN uint64_t feistel_walk (const Feistel *f, uint32_t row,
                                 uint32_t column) {
  uint64_t at = (uint64_t)row * f->width + column;
  while (at >= f->n) {
    for (int round = 0; round < FEISTEL_ROUNDS; round += 2)
      feistel_rounds(f, round, &row, &column);
    at = (uint64_t)row * f->width + column;
  }
  return at;
}

#endif

/*
** philox.h - random words: Philox4x32-10, a function of a key and a counter.
** The same bits in C and in CUDA C++.
**
** By J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
** numbers: as easy as 1, 2, 3", SC 2011.
*/
#ifndef TIDE_PHILOX_H
#define TIDE_PHILOX_H

#include <stdint.h>

#if defined(__CUDACC__)
#define RANDOM_FN static __device__ __forceinline__
#define RANDOM_TABLE static __constant__ double
#else
#define RANDOM_FN static inline
#define RANDOM_TABLE static const double
#endif

/* A device's generator, in the memory of the device. Each kernel that draws
** numbers reads the counter and moves it past the last number it took. */
typedef struct RandomState {
  uint64_t key;      /* the seed */
  uint64_t counter;  /* the next value of the low half */
  uint64_t epoch;    /* the high half: how often the state was lost */
  uint32_t tickets;  /* blocks of a launch that have read the above */
} RandomState;

enum { PHILOX_ROUNDS = 10 };

/* The keys of all rounds: the same for all counters. */
typedef struct PhiloxKeys {
  uint32_t at[PHILOX_ROUNDS][2];
} PhiloxKeys;

RANDOM_FN PhiloxKeys philox_keys (uint64_t key) {
  PhiloxKeys k;
  for (uint32_t i = 0; i < PHILOX_ROUNDS; i++) {
    k.at[i][0] = (uint32_t)key + i * 0x9E3779B9u;
    k.at[i][1] = (uint32_t)(key >> 32) + i * 0xBB67AE85u;
  }
  return k;
}

/* A round on the words c. */
RANDOM_FN void philox_round (const uint32_t key[2], uint32_t c[4]) {
  uint64_t p0 = (uint64_t)0xD2511F53u * c[0];
  uint64_t p1 = (uint64_t)0xCD9E8D57u * c[2];
  c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ key[0];
  c[1] = (uint32_t)p1;
  c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ key[1];
  c[3] = (uint32_t)p0;
}

/* Computes four random words for counter (low, high). */
RANDOM_FN void philox (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                       uint32_t out[4]) {
  out[0] = (uint32_t)low;
  out[1] = (uint32_t)(low >> 32);
  out[2] = (uint32_t)high;
  out[3] = (uint32_t)(high >> 32);
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    philox_round(keys->at[i], out);
}

#endif

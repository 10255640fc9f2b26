/*
** random.h - words of many values of the counter side by side, and the
** generator's state in the parts of a launch, for the host kernels that draw
** random numbers.
*/
#ifndef TIDE_HOST_RANDOM_H
#define TIDE_HOST_RANDOM_H

#include "host_kernels.h"
#include "kernels/random.h"

enum { GROUP = 64 }; /* values of the counter, side by side */

/* Computes the words x[..][j] of counter low + j: one round for all, then the
** next one, so that vectors have several. */
static inline __attribute__((always_inline)) void
random_draw_words (const PhiloxKeys *keys, uint64_t low, uint64_t high,
                   uint32_t x[4][GROUP]) {
  for (int j = 0; j < GROUP; j++) {
    x[0][j] = (uint32_t)(low + (uint64_t)j);
    x[1][j] = (uint32_t)((low + (uint64_t)j) >> 32);
    x[2][j] = (uint32_t)high;
    x[3][j] = (uint32_t)(high >> 32);
  }
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    for (int j = 0; j < GROUP; j++) {
      uint32_t c[4] = {x[0][j], x[1][j], x[2][j], x[3][j]};
      philox_round(keys->at[i], c);
      for (int k = 0; k < 4; k++)
        x[k][j] = c[k];
    }
}

/*
** Each part of a launch reads the state, then takes a ticket. The holder of the
** last ticket knows that all others have read it, and moves the counter on, as
** on CUDA.
*/
static inline RandomState random_begin (RandomState *state, size_t values,
                                        const unsigned block[3]) {
  const RandomState own = {.key = state->key,
                           .counter = state->counter,
                           .epoch = state->epoch}; /* leaves out the tickets */
  uint32_t before = __atomic_fetch_add(&state->tickets, 1, __ATOMIC_ACQ_REL);
  if (before + 1 == block[2]) {
    __atomic_store_n(&state->tickets, 0, __ATOMIC_RELAXED);
    state->counter = own.counter + values;
  }
  return own;
}

#endif

/*
** random.cuh - the generator's state in kernels that draw random numbers.
*/
#ifndef TIDE_RANDOM_CUH
#define TIDE_RANDOM_CUH

#include "common.cuh"
#include "philox.h"
#include "types.h"

/*
** All blocks read the state before they take a ticket. So the block with the
** last ticket knows that all others have read it. It moves the counter on for
** the next kernel, on any stream or in any replay of a graph.
*/
static __device__ __forceinline__ void move_on (RandomState *state,
                                                uint64_t counter) {
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  __threadfence();
  if (atomicAdd(&state->tickets, 1) + 1 == gridDim.x) {
    state->tickets = 0;
    state->counter = counter;
  }
}

/* Keeps the keys in registers. Otherwise the compiler computes them anew for
** each value: 20 additions, as many as there are products. */
static __device__ __forceinline__ PhiloxKeys held_keys (uint64_t key) {
  PhiloxKeys keys = philox_keys(key);
#pragma unroll
  for (int i = 0; i < PHILOX_ROUNDS; i++)
    asm volatile ("" : "+r"(keys.at[i][0]), "+r"(keys.at[i][1]));
  return keys;
}

#endif

/*
** lapack.cu - reports the first matrix of a batch whose job failed: see
** src/rt/kernels/lapack.h. Args: r, word, n. 'info' is LAPACK's, 0 for a job
** that did not fail; *word becomes the number of the matrix, from 1, in the
** high half and its info in the low half. Host kernel:
** src/rt/host/kernels/lapack.c. Moves 4 bytes for each matrix. Blocks of
** MAP_BLOCK threads, as elementwise kernels have; the word is written for the
** matrix that comes last to it, unless there is one thread.
*/
#include <stdint.h>

#include "common.cuh"
#include "ops.h"
#include "types.h"

extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
  lapack_info (const int32_t *info, int64_t *word, size_t n) {
  after_previous();
  for (size_t i = first(); i < n; i += stride())
    if (info[i] != 0)
      report_index(word, (int64_t)((i + 1) << 32 | (uint32_t)info[i]));
}

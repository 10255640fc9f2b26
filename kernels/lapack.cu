/*
** lapack.cu - jobs for LAPACK: see src/rt/kernels/lapack.h.
**
** lapack_each: a batch of small matrices, for which cuSOLVER would need a call
** each. A thread has a matrix at a time and runs the loops of lapack_loops.h.
** Args: a to d, info, work, routine, flag, m, n, k, batches, the elements of
** an operand of one matrix, and those of workspace, which each thread has.
** Blocks of LAPACK_BLOCK threads: few, because each thread waits for its own
** memory.
**
** lapack_info: reports the first matrix of a batch whose job failed. Args: r,
** word, n. 'info' is LAPACK's, 0 for a job that did not fail; *word becomes
** the number of the matrix, from 1, in the high half and its info in the low
** half. Moves 4 bytes for each matrix. Blocks of MAP_BLOCK threads, as
** elementwise kernels have; the word is written for the matrix that comes last
** to it, unless there is one thread.
**
** Host kernels: src/rt/host/kernels/lapack.c.
*/
#include <cfloat>
#include <cstdint>
#include <cuda/std/complex>

#include "common.cuh"
#include "ops.h"
#include "types.h"

enum {
#define ROUTINE(name, complex, a, b, c, d) LAPACK_##name,
#include "src/rt/kernels/lapack.def"
#undef ROUTINE
};

typedef cuda::std::complex<float> Complex64;
typedef cuda::std::complex<double> Complex128;

#undef FN
#undef NAME
#define FN static __device__

#define W float
#define R float
#define EPSILON FLT_EPSILON
#define NAME(f) f##_f32
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) 0.0f
#define ABS(x) fabsf(x)
#define PHASE(x, size) ((x) < 0 ? -1.0f : 1.0f)
#include "lapack_loops.h"

#define W double
#define R double
#define EPSILON DBL_EPSILON
#define NAME(f) f##_f64
#define CONJ(x) (x)
#define REAL(x) (x)
#define IMAG(x) 0.0
#define ABS(x) fabs(x)
#define PHASE(x, size) ((x) < 0 ? -1.0 : 1.0)
#include "lapack_loops.h"

#define W Complex64
#define R float
#define EPSILON FLT_EPSILON
#define NAME(f) f##_c64
#define CONJ(x) cuda::std::conj(x)
#define REAL(x) (x).real()
#define IMAG(x) (x).imag()
#define ABS(x) cuda::std::abs(x)
#define PHASE(x, size) ((x) / (size))
#include "lapack_loops.h"

#define W Complex128
#define R double
#define EPSILON DBL_EPSILON
#define NAME(f) f##_c128
#define CONJ(x) cuda::std::conj(x)
#define REAL(x) (x).real()
#define IMAG(x) (x).imag()
#define ABS(x) cuda::std::abs(x)
#define PHASE(x, size) ((x) / (size))
#include "lapack_loops.h"

#define EACH(s, T, R) \
  extern "C" __global__ void __launch_bounds__(LAPACK_BLOCK) lapack_each_##s( \
    T *a, void *b, T *c, T *d, int32_t *info, T *work, size_t routine, \
    size_t flag, size_t m, size_t n, size_t k, size_t batches, \
    size_t a_elements, size_t b_elements, size_t c_elements, \
    size_t d_elements, size_t work_elements) { \
    after_previous(); \
    work += first() * work_elements; \
    for (size_t i = first(); i < batches; i += stride()) { \
      const Job_##s o = {m,    n, \
                         k,    flag, \
                         static_cast<int32_t *>(b) + i * b_elements, \
                         static_cast<R *>(b) + i * b_elements}; \
      info[i] = run_##s((int)routine, &o, a + i * a_elements, \
                        static_cast<T *>(b) + i * b_elements, \
                        c + i * c_elements, d + i * d_elements, work); \
    } \
  }
EACH(f32, float, float)
EACH(f64, double, double)
EACH(c64, Complex64, float)
EACH(c128, Complex128, double)

extern "C" __global__ void __launch_bounds__(MAP_BLOCK)
  lapack_info (const int32_t *info, int64_t *word, size_t n) {
  after_previous();
  for (size_t i = first(); i < n; i += stride())
    if (info[i] != 0)
      report_index(word, (int64_t)((i + 1) << 32 | (uint32_t)info[i]));
}

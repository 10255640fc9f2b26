/*
** host_kernels.h - the host device's kernels: for every CUDA kernel a C
** function of the same name with the same results, bit for bit except for
** mathematical functions and the order of float sums. Most are made from
** kernels/table.lua, a file for an operation; so is host_kernels.c, the table
** of all.
*/
#ifndef TIDE_RT_HOST_KERNELS_HOST_KERNELS_H
#define TIDE_RT_HOST_KERNELS_HOST_KERNELS_H

#include <stddef.h>
#include <string.h>

#define HOST_KERNEL(name) \
  void name(void **params, const unsigned grid[3], const unsigned block[3])

/*
** A long launch may be done in parts, side by side: part block[1] of block[2],
** or all of it as part 1 of 1. Units 'first' up to 'last' of n belong to it.
*/
#define SPAN(n) \
  const size_t first = host_kernel_cut(n, block[1] - 1, block[2]), \
               last = host_kernel_cut(n, block[1], block[2])

static inline size_t host_kernel_cut (size_t n, unsigned part, unsigned parts) {
  size_t each = n / parts;
  if (each >= 1024)
    each &= ~(size_t)63; /* whole lines of the cache */
  return (part == parts) ? n : each * part;
}

/*
** Compiled twice, for vectors of 16 bytes and of 32, and WIDEST for 64 bytes as
** well, where computing takes longer than memory does. The loader chooses by
** the processor. (It uses an indirect function of ELF, which glibc's loader
** supports, and which is resolved before a sanitizer is ready.)
*/
#if defined(__x86_64__) && defined(__GLIBC__) && \
  !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
  !defined(__clang__)
#define WIDE __attribute__((target_clones("default", "avx2")))
#if __GNUC__ >= 12
#define WIDEST \
  __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else /* lacks 16-bit integers in such vectors */
#define WIDEST __attribute__((target_clones("default", "avx2", "avx512f")))
#endif
#else
#define WIDE
#define WIDEST
#endif

/*
** Iterations are independent of each other even if z is x or y itself, which
** 'restrict' could not express.
*/
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#pragma GCC diagnostic ignored "-Wpass-failed" /* not every loop can be */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Parameter i as a local variable of type T called 'name'. */
#define PARAM(i, T, name) \
  T name; \
  memcpy(&name, params[i], sizeof(T))

/*
** params[i] points to 8 bytes: a pointer, a size_t, an int64_t, a double; to 16
** of a scalar, the first sizeof(T) of which are an element of type T; or to a
** Geometry.
*/
typedef struct HostKernel {
  const char *name;
  const char *args; /* as in KernelInfo */
  int each;         /* as in KernelInfo */
  void (*run)(void **params, const unsigned grid[3], const unsigned block[3]);
  /* NULL: a kernel for CUDA alone */

  /* Sets the work of a launch and its number of independent units, if these are
  ** not elements or blocks: see kernels/parts.lua. 'params' are the launch's
  ** from number 'first' on. NULL: launches are not divided. */
  int first;
  void (*measure)(void **params, size_t *work, size_t *units);
} HostKernel;

/* The error of the host kernel that has just run on this thread, or
** CUDA_SUCCESS. */
extern _Thread_local int host_kernel_error;

extern const HostKernel host_kernel_table[];
extern const int host_kernel_count;

#endif

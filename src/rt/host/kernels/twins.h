/*
** twins.h - the host device's kernels: a C function of the same name for every
** CUDA kernel of kernels/kernels.def.
*/
#ifndef TIDE_RT_HOST_KERNELS_TWINS_H
#define TIDE_RT_HOST_KERNELS_TWINS_H

#include <string.h>

#define TWIN(name) \
  void name (void **params, const unsigned grid[3], const unsigned block[3])

/* All twins, whichever file they are in. */
#define KERNEL(name, args, block, each) TWIN(name);
#include "kernels/list.h"

/*
** A long launch may be done in parts, side by side: part block[1] of block[2],
** or all of it as part 1 of 1. Units 'first' up to 'last' of n belong to it.
*/
#define SPAN(n) \
  const size_t first = host_cut(n, block[1] - 1, block[2]), \
               last = host_cut(n, block[1], block[2])

static inline size_t host_cut (size_t n, unsigned part, unsigned parts) {
  size_t each = n / parts;
  if (each >= 1024)
    each &= ~(size_t)63;  /* whole lines of the cache */
  return (part == parts) ? n : each * part;
}

/*
** Compiled twice, for vectors of 16 bytes and of 32: the loader takes what the
** processor has. (By an indirect function of ELF, which is resolved before a
** sanitizer is ready.)
*/
#if defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang__)
#define WIDE __attribute__((target_clones("default", "avx2")))
#else
#define WIDE
#endif

/* Parameter i as a local variable of type T called 'name'. */
#define PARAM(i, T, name) \
  T name; \
  memcpy(&name, params[i], sizeof(T))

/*
** What the elements of a type are read as. Memory that nobody has written yet
** may hold any byte, which for C's bool is no value at all.
*/
#define STORED(s) STORED_OF(s)
#define STORED_OF(s) stored_##s
typedef uint8_t stored_b8;
typedef t_i8 stored_i8;
typedef t_i16 stored_i16;
typedef t_i32 stored_i32;
typedef t_i64 stored_i64;
typedef t_u8 stored_u8;
typedef t_u16 stored_u16;
typedef t_u32 stored_u32;
typedef t_u64 stored_u64;
typedef t_f16 stored_f16;
typedef t_bf16 stored_bf16;
typedef t_f32 stored_f32;
typedef t_f64 stored_f64;
typedef t_c64 stored_c64;
typedef t_c128 stored_c128;

/* Is an s computed with as a float? */
#define IN_FLOAT(s) _Generic((CALC(s)){0}, float: true, default: false)

/*
** params[i] points to 8 bytes: a pointer, a size_t, an int64_t, a double; to 16
** of a scalar, the first sizeof(T) of which are an element of type T; or to a
** Geometry.
*/
typedef struct HostTwin {
  const char *name;
  const char *args;  /* as KernelInfo's */
  int each;          /* likewise */
  void (*run) (void **params, const unsigned grid[3], const unsigned block[3]);
} HostTwin;

/* What the twin that has just run on this thread did wrong; CUDA_SUCCESS. */
extern _Thread_local int host_wrong;

extern const HostTwin host_twins[];
extern const int host_twin_count;

#endif

/*
** rank_reduce.c - reduces the elements of all ranks to one, in the order of the
** ranks, by dtype. Integers wrap; NaN wins, as in tide's own max and min;
** 16-bit floats are accumulated in float32 and rounded once.
*/
#include "kernels/half.h"

#include "ranks.h"

enum { BLOCK = 512 /* elements, so that sums stay in the nearest cache */ };

/* X(NCCL's, name, element, accumulator, type for comparing and dividing, from
** element to accumulator, and back) */
#define SAME(x) (x)
#define TYPES(X) \
  X(Int8, int8, int8_t, uint8_t, int8_t, SAME, SAME) \
  X(Uint8, uint8, uint8_t, uint8_t, uint8_t, SAME, SAME) \
  X(Int32, int32, int32_t, uint32_t, int32_t, SAME, SAME) \
  X(Uint32, uint32, uint32_t, uint32_t, uint32_t, SAME, SAME) \
  X(Int64, int64, int64_t, uint64_t, int64_t, SAME, SAME) \
  X(Uint64, uint64, uint64_t, uint64_t, uint64_t, SAME, SAME) \
  X(Float16, float16, t_f16, float, float, load_f16, f16_of_float) \
  X(Float32, float32, float, float, float, SAME, SAME) \
  X(Float64, float64, double, double, double, SAME, SAME) \
  X(Bfloat16, bfloat16, t_bf16, float, float, load_bf16, bf16_of_float)

/* {== names =========================================================== */

static const struct {
  const char *name;
  size_t bytes;
} types[] = {
#define X(slot, name, E, A, S, load, store) [nccl##slot] = {#name, sizeof(E)},
  TYPES(X)
#undef X
};

size_t rank_type_size (ncclDataType_t t) { return types[t].bytes; }

const char *rank_type_name (ncclDataType_t t) { return types[t].name; }

const char *rank_op_name (ncclRedOp_t op) {
  static const char *const names[] = {"sum", "prod", "max", "min", "avg"};
  return names[op];
}

/* ==} */

/* {== loops =========================================================== */

/* T: the type of a and b in the expression. */
#define FOLD(T, E, A, load, expression) \
  for (int r = 1; r < nfrom; r++) { \
    const E *x = (const E *)from[r] + at; \
    for (size_t i = 0; i < n; i++) { \
      T a = (T)sum[i], b = (T)load(x[i]); \
      sum[i] = (A)(expression); \
    } \
  }

/* Reduces elements at .. at + n, at most BLOCK of them. */
#define X(slot, name, E, A, S, load, store) \
  static void reduce_##name(void *to, const void *const *from, int nfrom, \
                            size_t at, size_t n, ncclRedOp_t op) { \
    A sum[BLOCK]; \
    const E *first = (const E *)from[0] + at; \
    E *z = (E *)to + at; \
    for (size_t i = 0; i < n; i++) \
      sum[i] = (A)load(first[i]); \
    switch (op) { \
      case ncclSum: \
      case ncclAvg: FOLD(A, E, A, load, a + b) break; \
      case ncclProd: FOLD(A, E, A, load, a *b) break; \
      case ncclMax: FOLD(S, E, A, load, a != a ? a : a > b ? a : b) break; \
      case ncclMin: FOLD(S, E, A, load, a != a ? a : a < b ? a : b) break; \
    } \
    for (size_t i = 0; op == ncclAvg && i < n; i++) \
      sum[i] = (A)((S)sum[i] / nfrom); \
    for (size_t i = 0; i < n; i++) \
      z[i] = store((S)sum[i]); \
  }
TYPES(X)
#undef X

/* ==} */

/* 'to' may be one of 'from'. */
void rank_reduce (void *to, const void *const *from, int nfrom, size_t n,
                  ncclDataType_t t, ncclRedOp_t op) {
  static void (*const reduce[])(void *, const void *const *, int, size_t,
                                size_t, ncclRedOp_t) = {
#define X(slot, name, E, A, S, load, store) [nccl##slot] = reduce_##name,
    TYPES(X)
#undef X
  };
  for (size_t at = 0; at < n; at += BLOCK)
    reduce[t](to, from, nfrom, at, n - at < BLOCK ? n - at : BLOCK, op);
}

/*
** lapack.c - the table of LAPACK's routines.
*/
#include "lapack.h"

const char *const lapack_names[LAPACK_ROUTINES][2] = {
#define ROUTINE(name, complex, a, b, c, d) {#name, #complex},
#include "lapack.def"
#undef ROUTINE
};

static DType type_of (DType t, char type) {
  bool wide = (t == DTYPE_FLOAT64 || t == DTYPE_COMPLEX128);
  switch (type) {
    case 'r': return wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    case 'c': return wide ? DTYPE_COMPLEX128 : DTYPE_COMPLEX64;
    case 'i': return DTYPE_INT32;
    default: return t;
  }
}

typedef struct Row {
  char access, type;
  size_t elements;
} Row;

LapackOperand lapack_operand (const LapackJob *j, int i) {
  const size_t m = j->m, n = j->n, k = j->k, flag = j->flag;
#define OPERAND(access, type, elements) \
  { #access[0], #type[0], elements }
#define NONE \
  { 0, 't', 0 }
  const Row rows[LAPACK_ROUTINES][LAPACK_OPERANDS] = {
#define ROUTINE(name, complex, a, b, c, d) {a, b, c, d},
#include "lapack.def"
#undef ROUTINE
  };
  const Row *r = &rows[j->routine][i];
  return (LapackOperand){r->access, type_of(j->t, r->type), r->elements};
}

size_t lapack_work (const LapackJob *j) {
  const size_t m = j->m, n = j->n;
  switch (j->routine) {
    case LAPACK_gesdd: return m * n + n * n + 2 * m;
    case LAPACK_syevd: return n * n;
    case LAPACK_geev: return n * (n + 2);
    default: return 0;
  }
}

/*
** strided.c - host twins of kernels/strided.cu: elementwise operations and
** copies between operands of any strides. See kernels.c for the dense ones,
** which do the rows wherever a row is a run or one number.
*/
#include "twins.h"

#include <string.h>

#include "../../../kernels/geometry.h"
#include "../../../kernels/ops.h"

/* For bools, x * y is meant to end as a bool. */
#pragma GCC diagnostic ignored "-Wint-in-bool-context"

/* One row of the operands: addresses, and strides in elements. */
typedef struct Row {
  uintptr_t at[GEOMETRY_SIDES];  /* of z, x, y */
  int64_t step[GEOMETRY_SIDES];
  size_t n;
} Row;

/* What an operation does to a row, and on what elements. */
typedef struct Rows {
  void (*any) (const Row *r);
  void (*run[3]) (void **params, const unsigned grid[3],
                  const unsigned block[3]);  /* dense twins: vv, vs, sv */
  int sides;   /* 2: there is no y, and run[0] is all */
  bool truth;  /* x and y are bools, of which any byte may be found */
  size_t size[GEOMETRY_SIDES];
} Rows;

/* The dense twin for such a row, and which operand is a number in it. */
static int form_of (const Rows *f, const Row *r, int *number) {
  int64_t x = r->step[1], y = (f->sides == 2) ? x : r->step[2];
  *number = (y == 0) ? 2 : 1;
  if (r->step[0] != 1)
    return -1;
  return (x == 1 && y == 1) ? 0 : (x == 1 && y == 0) ? 1 :
         (x == 0 && y == 1) ? 2 : -1;
}

static void do_row (const Rows *f, Row *r) {
  static const unsigned one[3] = {1, 1, 1};
  uint64_t value = 0;
  int side, form = form_of(f, r, &side);
  if (form < 0 || f->run[form] == NULL) {
    f->any(r);
    return;
  }
  void *params[] = {&r->at[0], &r->at[1], f->sides == 2 ? (void *)&r->n :
                    &r->at[2], &r->n};
  if (form > 0) {
    memcpy(&value, (void *)r->at[side], f->size[side]);
    value = f->truth ? (value != 0) : value;
    params[side] = &value;
  }
  f->run[form](params, one, one);
}

/* Visits the rows, the outermost axis last. */
static void each_row (const Geometry *g, const Rows *f, Row *r) {
  int64_t at[GEOMETRY_DIMS] = {0};
  int last = g->ndim - 1, d;
  r->n = (size_t)g->shape[last];
  for (int k = 0; k < GEOMETRY_SIDES; k++)
    r->step[k] = g->stride[k][last];
  do {
    do_row(f, r);
    for (d = last - 1; d >= 0; d--) {
      int64_t by = (++at[d] < g->shape[d]) ? 1 : 1 - g->shape[d];
      for (int k = 0; k < GEOMETRY_SIDES; k++)
        r->at[k] += (uintptr_t)(by * g->stride[k][d] * (int64_t)f->size[k]);
      if (by == 1)
        break;
      at[d] = 0;
    }
  } while (d >= 0);
}

/*
** The parameters are the sides, the number that those without address are, if
** that may be, and the geometry.
*/
static void run (void **params, bool number, const Rows *f) {
  Row r = {0};
  for (int k = 0; k < f->sides; k++) {
    PARAM(k, uintptr_t, at);
    r.at[k] = (at != 0) ? at : (uintptr_t)params[f->sides];
  }
  each_row(params[f->sides + number], f, &r);
}

/* Element i of side k of the row, as a T. */
#define SIDE(k, T) ((T *)r->at[k])[(int64_t)i * r->step[k]]

#define IS_TRUTH(T) _Generic((T){0}, bool: true, default: false)

/* Unary ones do not look at y. */
#define STRIDED(s, op, sides, Z, Y, vv, vs, sv, ...) \
  static void op##_row_##s (const Row *r) { \
    for (size_t i = 0; i < r->n; i++) { \
      const t_##s x = (t_##s)SIDE(1, const STORED(t_##s)); \
      Y \
      SIDE(0, Z) = (Z)(__VA_ARGS__); \
    } \
  } \
  TWIN(op##_nd_##s) { \
    static const Rows f = { \
      op##_row_##s, {vv, vs, sv}, sides, IS_TRUTH(t_##s), \
      {sizeof(Z), sizeof(t_##s), sizeof(t_##s)} \
    }; \
    (void)grid, (void)block; \
    run(params, sides == 3, &f); \
  }

#define STRIDED2(s, op, R, ...) \
  STRIDED(s, op, 3, TYPE(RESULT_##R(s)), \
          const t_##s y = (t_##s)SIDE(2, const STORED(t_##s));, \
          op##_vv_##s, op##_vs_##s, op##_sv_##s, __VA_ARGS__)
#define STRIDED1(s, op, R, ...) \
  STRIDED(s, op, 2, TYPE(RESULT_##R(s)), , op##_##s, NULL, NULL, __VA_ARGS__)

#define BINARY(op, set, R, expr) SET_##set(STRIDED2, op, R, expr)
#define UNARY(op, set, R, expr) SET_##set(STRIDED1, op, R, expr)
#include "../../../kernels/kernels.def"

/* {== copies =========================================================== */

/* A row of a copy: a run, one element for all, or any strides. */
#define STRIDED_COPY(b) \
  static void copy_row_##b (const Row *r) { \
    typedef t_##b T; \
    const T one = *(const T *)r->at[1]; \
    if (r->step[0] == 1 && r->step[1] == 1) \
      memmove((T *)r->at[0], (const T *)r->at[1], r->n * sizeof(T)); \
    else if (r->step[0] == 1 && r->step[1] == 0) \
      for (size_t i = 0; i < r->n; i++) \
        ((T *)r->at[0])[i] = one; \
    else \
      for (size_t i = 0; i < r->n; i++) \
        SIDE(0, T) = SIDE(1, const T); \
  } \
  TWIN(copy_nd_##b) { \
    static const Rows f = { \
      copy_row_##b, {NULL, NULL, NULL}, 2, false, \
      {sizeof(t_##b), sizeof(t_##b), 0} \
    }; \
    (void)grid, (void)block; \
    run(params, true, &f); \
  }
SET_WIDTH(STRIDED_COPY)

/* ==} */

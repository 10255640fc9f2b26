/*
** fft.c - Fourier transforms along an axis: kernels of the host device alone.
** See src/rt/kernels/fft.c for the stages.
**
** A launch does all stages of its lines, a few lines at a time that fit into
** the processor's cache, or one stage of all lines.
*/
#include "fft_place.h"

#include <stdint.h>
#include <stdlib.h>

#include "host_kernels.h"
#include "rt/driver/driver.h"

/* {== places ========================================================== */

/* Complex numbers: lines of n, 'inner' side by side. */
static FftPlace complex_place (size_t n, size_t inner, size_t count) {
  return (FftPlace){.line = 2 * n * inner,
                    .axis = 2 * inner,
                    .column = 2,
                    .imag = 1,
                    .count = count};
}

/* Real numbers, or pairs of neighbours along the axis. */
static FftPlace real_place (size_t n, size_t inner, size_t count, bool pairs) {
  return (FftPlace){.line = n * inner,
                    .axis = pairs ? 2 * inner : inner,
                    .column = 1,
                    .imag = pairs ? inner : 0,
                    .count = pairs ? (count + 1) / 2 : count,
                    .cut = pairs && count % 2 != 0};
}

/* Returns the place of the numbers between two stages. */
static FftPlace fft_between (const FftRun *run, const FftPlan *p) {
  return complex_place(p->shape.m, run->columns, p->shape.inner);
}

static size_t least (size_t a, size_t b) { return a < b ? a : b; }

/* Describes lines with 'given' elements, of which the transform reads as many
** as it has. */
static FftRun describe (const FftShape *s, int kind, size_t inner, size_t given,
                        double scale) {
  const bool real_out = (kind & FFT_REAL_OUT) != 0;
  const bool half = real_out || (kind & FFT_HALF) != 0;
  const size_t bins = half ? s->n / 2 + 1 : s->n;
  FftRun run = {.n = s->inner,
                .columns = inner,
                .turned = (kind & FFT_INVERSE) != 0,
                .mirrored = real_out && !s->halved,
                .scale = scale};
  run.in = (kind & FFT_REAL_IN) != 0
             ? real_place(given, inner, least(given, s->n), s->halved)
             : complex_place(given, inner,
                             least(given, real_out ? bins : s->n));
  run.out = real_out ? real_place(s->n, inner, s->n, s->halved)
                     : complex_place(bins, inner, bins);
  return run;
}

/* ==} */

/* The numbers of two vectors of four with even or odd places, and the lower or
** upper halves. */
#define EVEN(a, b) \
  { (a)[0], (b)[0], (a)[2], (b)[2] }
#define ODD(a, b) \
  { (a)[1], (b)[1], (a)[3], (b)[3] }
#define LOWER(a, b) \
  { (a)[0], (a)[1], (b)[0], (b)[1] }
#define UPPER(a, b) \
  { (a)[2], (a)[3], (b)[2], (b)[3] }

#define REAL float
#define NAME(name) name##_f32
#include "fft_lanes.h"
#include "fft_passes.h"
#include "fft_stages.h"
#undef NAME
#undef REAL

#define REAL double
#define NAME(name) name##_f64
#include "fft_lanes.h"
#include "fft_passes.h"
#include "fft_stages.h"
#undef NAME
#undef REAL

/* Returns memory, aligned at 'room', which free() takes; NULL: none. */
static void *take_room (size_t bytes, void **room) {
  char *p = (bytes < SIZE_MAX - 64) ? malloc(bytes + 64) : NULL;
  if (p != NULL)
    *room = (void *)(((uintptr_t)p + 63) & ~(uintptr_t)63);
  return p;
}

bool fft_plan_transform (const FftPlan *p, double *x) {
  void *room = NULL;
  const FftRun run = describe(&p->shape, 0, 1, p->shape.n, 1);
  void *memory = take_room((tiles_f64(p) + 4 * p->shape.m) * sizeof(double),
                           &room);
  if (memory != NULL)
    whole_f64(&run, p, x, x, 1, room);
  free(memory);
  return memory != NULL;
}

/* {== units =========================================================== */

/* A unit of lines: neighbours of a few lines. */
typedef struct Unit {
  size_t line, column; /* the first ones */
  size_t lines, columns;
} Unit;

static Unit find_unit (const FftShape *s, size_t inner, size_t outer,
                       size_t u) {
  const size_t cols = fft_columns(s, inner), group = fft_group(s, cols),
               across = (inner + cols - 1) / cols;
  Unit unit = {.line = u / across * group, .column = u % across * cols};
  unit.lines = least(group, outer - unit.line);
  unit.columns = least(cols, inner - unit.column);
  return unit;
}

static size_t offset (const FftPlace *at, const Unit *u) {
  return u->line * at->line + u->column * at->column;
}

/* Prefetches a unit, because passes take strides that processors do not
** foresee. */
static void prefetch (const void *x, size_t size, const FftPlace *at,
                      const Unit *u) {
  const bool dense = (at->axis <= 2);
  const size_t rows = dense ? 1 : at->count, row = at->axis * size,
               bytes = dense ? at->count * row : u->columns * at->column * size;
  for (size_t o = 0; o < u->lines; o++) {
    const char *line = (const char *)x + (offset(at, u) + o * at->line) * size;
    for (size_t a = 0; a < rows; a++)
      for (size_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(line + a * row + b);
  }
}

/* ==} */

#define FFT(s, T) \
  static bool units_##s(FftRun run, const FftPlan *p, T *z, const T *x, \
                        size_t outer, size_t first, size_t last) { \
    void *room = NULL; \
    const size_t inner = run.columns; \
    Unit next = find_unit(&p->shape, inner, outer, first); \
    void *memory = take_room((tiles_##s(p) + \
                              4 * next.lines * p->shape.m * \
                                fft_columns(&p->shape, inner)) * \
                               sizeof(T), \
                             &room); \
    for (size_t u = first; u < last && memory != NULL; u++) { \
      const Unit unit = next; \
      if (u + 1 < last) { \
        next = find_unit(&p->shape, inner, outer, u + 1); \
        prefetch(x, sizeof(T), &run.in, &next); \
        prefetch(z, sizeof(T), &run.out, &next); \
      } \
      run.columns = unit.columns; \
      whole_##s(&run, p, z + offset(&run.out, &unit), \
                x + offset(&run.in, &unit), unit.lines, room); \
    } \
    free(memory); \
    return memory != NULL; \
  } \
  static bool parts_of_##s(const FftRun *run, const FftPlan *p, T *z, \
                           const T *x, int i, size_t first, size_t last) { \
    void *room = NULL; \
    void *memory = take_room(tiles_##s(p) * sizeof(T), &room); \
    if (memory != NULL) \
      stage_##s(run, p, i, z, x, first, last, room); \
    free(memory); \
    return memory != NULL; \
  } \
  HOST_KERNEL(fft_##s) { \
    PARAM(0, T *, z); \
    PARAM(1, const T *, x); \
    PARAM(2, size_t, n); \
    PARAM(3, size_t, inner); \
    PARAM(4, size_t, outer); \
    PARAM(5, size_t, given); \
    PARAM(6, size_t, stage); \
    PARAM(7, size_t, kind); \
    PARAM(8, double, scale); \
    (void)grid; \
    if (given == 0) \
      x = z; /* nothing is read of NULL, but addresses are computed */ \
    const FftPlan *p = fft_plan_open(n, (int)kind, sizeof(T)); \
    bool done = (p != NULL); \
    if (done) { \
      const FftRun run = describe(&p->shape, (int)kind, inner, given, scale); \
      if (stage == FFT_WHOLE) { \
        SPAN(fft_units(n, inner, outer, stage, kind)); \
        done = units_##s(run, p, z, x, outer, first, last); \
      } else { \
        const int i = (int)stage - 1; \
        SPAN(parts_##s(&run, p, &p->stage[i], outer)); \
        done = parts_of_##s(&run, p, z, x, i, first, last); \
      } \
      fft_plan_close(p); \
    } \
    if (!done) \
      host_kernel_error = CUDA_ERROR_OUT_OF_MEMORY; \
  }

FFT(f32, float)
FFT(f64, double)

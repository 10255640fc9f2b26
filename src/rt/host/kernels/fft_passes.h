/*
** fft_passes.h - the stages of a Fourier transform: moves elements into tiles,
** transforms them, and moves them out, with the factors of the stage. fft.c
** includes it for each type, after fft_lanes.h.
*/

/* {== lanes of a tile ================================================= */

/* Where the lanes of a tile are, and their place p: see fft_plan.h. */
typedef struct NAME(Lanes) {
  size_t count;
  size_t read[LANES], write[LANES]; /* the first element, in real numbers */
  size_t p[LANES], to[LANES]; /* column of twists; element that is written */
  size_t reads, writes;       /* from an element to the next of the lane */
  bool reads_run, writes_run; /* lanes are neighbours */
  FftOrder p_order, to_order;
} NAME(Lanes);

/* Tells whether these are 'apart' from each other. */
INLINE bool NAME (is_run)(const size_t at[], size_t n, size_t apart) {
  bool run = (n == LANES);
  for (size_t t = 1; t < n; t++)
    run &= (at[t] == at[t - 1] + apart);
  return run;
}

static FftOrder NAME (order)(const size_t at[], size_t n) {
  return NAME(is_run)(at, n, 0)   ? FFT_SAME
         : NAME(is_run)(at, n, 1) ? FFT_RUN
                                  : FFT_APART;
}

/* Finds lanes from 'first' on. The lanes of a line are q + s p in order, where
** q counts the columns as well. */
static void NAME (place)(NAME(Lanes) * at, const FftRun *run, const FftStage *g,
                         const FftPlace *in, const FftPlace *out, size_t first,
                         size_t count) {
  const size_t s = g->s * run->columns, all = s * g->l, cols = run->columns;
  size_t o = first / all, i = first % all;
  at->count = count;
  at->reads = g->s * g->l * in->axis;
  at->writes = g->s * out->axis;
  for (size_t t = 0; t < count; t++) {
    const size_t p = i / s, q = i % s, a = q / cols, c = q % cols;
    at->p[t] = p;
    at->to[t] = a + g->s * g->r * p;
    at->read[t] = o * in->line + (a + g->s * p) * in->axis + c * in->column;
    at->write[t] = o * out->line + at->to[t] * out->axis + c * out->column;
    if (++i == all)
      i = 0, o++;
  }
  at->reads_run = NAME(is_run)(at->read, count, in->imag == 1 ? 2 : 1);
  at->writes_run = NAME(is_run)(at->write, count, out->imag == 1 ? 2 : 1);
  at->p_order = NAME(order)(at->p, count);
  at->to_order = NAME(order)(at->to, count);
}

/* ==} */

/* {== moving in ======================================================= */

/* Reads element 'a' of a lane that begins at x; those behind 'count' are 0, or
** the conjugates of those in front. */
INLINE NAME (Root) NAME(fetch)(const FftRun *run, const FftPlace *in,
                               const REAL *x, size_t a, bool mirrored) {
  const bool behind = (mirrored && a > run->n - a);
  const size_t b = behind ? run->n - a : a;
  NAME(Root) e = {0, 0};
  if ((mirrored && a >= run->n) || b >= in->count)
    return e;
  e.re = x[b * in->axis];
  if (in->imag != 0 && !(in->cut && b + 1 == in->count))
    e.im = x[b * in->axis + in->imag];
  if (behind)
    e.im = -e.im;
  if (mirrored && b == 0)
    e.im = 0;
  return e;
}

/* Neighbours that are all there, 'apart' and with the imaginary part behind:
** constants for the compiler. */
INLINE void NAME (read_row)(REAL *restrict re, REAL *restrict im,
                            const REAL *restrict x, size_t apart, size_t imag) {
  INDEPENDENT
  for (size_t t = 0; t < LANES; t++) {
    re[t] = x[t * apart];
    im[t] = (imag == 0) ? 0 : x[t * apart + imag];
  }
}

/* Reads 'rows' rows of one lane; 'imag' is a constant for the compiler. */
INLINE void NAME (read_lane)(REAL *restrict re, REAL *restrict im,
                             const REAL *restrict x, size_t apart, size_t rows,
                             size_t imag) {
  for (size_t j = 0; j < rows; j++) {
    re[j * LANES] = x[j * apart];
    im[j * LANES] = (imag == 0) ? 0 : x[j * apart + imag];
  }
}

/* Reads lane t of lines that are mirrored, or of which elements are missing. */
INLINE void NAME (fetch_lane)(const FftRun *run, const FftStage *g,
                              const FftPlace *in, const NAME(Lanes) * at,
                              const REAL *x, size_t t, REAL *re, REAL *im) {
  const REAL *line = x + at->read[t] - at->p[t] * in->axis;
  for (size_t j = 0; j < g->r; j++) {
    const NAME(Root)
      e = NAME(fetch)(run, in, line, at->p[t] + g->l * j, run->mirrored);
    re[j * LANES + t] = e.re;
    im[j * LANES + t] = e.im;
  }
}

/* Reads lanes that are neighbours, row by row. */
INLINE void NAME (read_rows)(const FftStage *g, const FftPlace *in,
                             const NAME(Lanes) * at, const REAL *x, REAL *re,
                             REAL *im) {
  for (size_t j = 0; j < g->r; j++, re += LANES, im += LANES) {
    const REAL *row = x + at->read[0] + j * at->reads;
    if (in->imag == 1)
      NAME(read_row)(re, im, row, 2, 1);
    else if (in->imag == 0)
      NAME(read_row)(re, im, row, 1, 0);
    else
      NAME(read_row)(re, im, row, 1, in->imag);
  }
}

/* Reads all lanes; those that are not in use are 0. */
INLINE void NAME (read)(const FftRun *run, const FftStage *g,
                        const FftPlace *in, const NAME(Lanes) * at,
                        const REAL *x, REAL *re, REAL *im) {
  const bool whole = !g->opens ||
                     (run->n == g->r * g->l && in->count == run->n && !in->cut);
  if (at->reads_run && whole) {
    NAME(read_rows)(g, in, at, x, re, im);
    return;
  }
  if (at->count < LANES) {
    memset(re, 0, g->r * LANES * sizeof *re);
    memset(im, 0, g->r * LANES * sizeof *im);
  }
  for (size_t t = 0; t < at->count; t++) {
    const REAL *lane = x + at->read[t];
    if (!whole)
      NAME(fetch_lane)(run, g, in, at, x, t, re, im);
    else if (in->imag == 1)
      NAME(read_lane)(re + t, im + t, lane, at->reads, g->r, 1);
    else
      NAME(read_lane)(re + t, im + t, lane, at->reads, g->r, in->imag);
  }
}

/* Multiplies a row by the elements of a table, from 'first' on, that the lanes
** have. */
INLINE void NAME (multiply)(REAL *restrict re, REAL *restrict im,
                            const FftTable *w, size_t first, const size_t i[],
                            FftOrder order, size_t count) {
  const REAL *wr = (const REAL *)w->re + first,
             *wi = (const REAL *)w->im + first;
  if (order == FFT_SAME) {
    const NAME(Root) one = {wr[i[0]], wi[i[0]]};
    INDEPENDENT
    for (size_t t = 0; t < LANES; t++)
      NAME(put)(&re[t], &im[t], re[t], im[t], one);
  } else if (order == FFT_RUN) {
    const REAL *restrict ur = wr + i[0], *restrict ui = wi + i[0];
    INDEPENDENT
    for (size_t t = 0; t < LANES; t++)
      NAME(put)(&re[t], &im[t], re[t], im[t], ((NAME(Root)){ur[t], ui[t]}));
  } else {
    for (size_t t = 0; t < count; t++)
      NAME(put)
    (&re[t], &im[t], re[t], im[t], ((NAME(Root)){wr[i[t]], wi[i[t]]}));
  }
}

/* ==} */

/* {== moving out ====================================================== */

INLINE void NAME (swap)(REAL **re, REAL **im) {
  REAL *other = *re;
  *re = *im;
  *im = other;
}

/* Multiplies row k of what is written by its factors. */
INLINE void NAME (finish)(const FftRun *run, const FftStage *g,
                          const NAME(Lanes) * at, size_t k, REAL *re,
                          REAL *im) {
  if (g->l > 1)
    NAME(multiply)(re, im, &g->twists, k * g->l, at->p, at->p_order, at->count);
  if (g->after.re != NULL)
    NAME(multiply)
  (re, im, &g->after, k * g->s, at->to, at->to_order, at->count);
  if (g->closes && run->scale != 1) {
    const REAL scale = (REAL)run->scale;
    INDEPENDENT
    for (size_t t = 0; t < LANES; t++)
      re[t] *= scale, im[t] *= scale;
  }
}

INLINE void NAME (write_row)(REAL *restrict z, const REAL *restrict re,
                             const REAL *restrict im, size_t apart,
                             size_t imag) {
  INDEPENDENT
  for (size_t t = 0; t < LANES; t++) {
    z[t * apart] = re[t];
    if (imag != 0)
      z[t * apart + imag] = im[t];
  }
}

/* Writes row k of lanes that are neighbours. */
INLINE void NAME (write_run)(const FftPlace *out, const NAME(Lanes) * at,
                             REAL *z, size_t k, const REAL *re,
                             const REAL *im) {
  REAL *row = z + at->write[0] + k * at->writes;
  if (out->imag == 1)
    NAME(write_row)(row, re, im, 2, 1);
  else if (out->imag == 0)
    NAME(write_row)(row, re, im, 1, 0);
  else
    NAME(write_row)(row, re, im, 1, out->imag);
}

INLINE void NAME (write_lane)(REAL *restrict z, const REAL *restrict re,
                              const REAL *restrict im, size_t apart,
                              size_t rows, size_t imag) {
  for (size_t k = 0; k < rows; k++) {
    z[k * apart] = re[k * LANES];
    if (imag != 0)
      z[k * apart + imag] = im[k * LANES];
  }
}

/* Writes all rows of other lanes, one lane after the other. */
INLINE void NAME (scatter)(const FftStage *g, const FftPlace *out,
                           const NAME(Lanes) * at, REAL *z, const REAL *re,
                           const REAL *im) {
  for (size_t t = 0; t < at->count; t++) {
    REAL *lane = z + at->write[t];
    size_t rows = g->r;
    if (g->closes && at->to[t] + g->s * (g->r - 1) >= out->count)
      rows = (at->to[t] >= out->count)
               ? 0
               : (out->count - at->to[t] + g->s - 1) / g->s;
    if (out->imag == 1 && at->writes == 2)
      NAME(write_lane)(lane, re + t, im + t, 2, rows, 1);
    else if (out->imag == 1)
      NAME(write_lane)(lane, re + t, im + t, at->writes, rows, 1);
    else
      NAME(write_lane)(lane, re + t, im + t, at->writes, rows, out->imag);
  }
}

/* ==} */

/* {== stages ========================================================== */

/* Returns the real numbers of two tiles of a plan. */
static size_t NAME (tiles)(const FftPlan *p) {
  size_t most = 1;
  for (int i = 0; i < p->shape.npasses; i++)
    if (p->shape.radix[i] > most)
      most = p->shape.radix[i];
  return 4 * most * LANES;
}

/* Does lanes 'from' up to 'to' of a pass. 'room' is for two tiles of r rows. */
WIDE static void NAME (pass)(const FftRun *run, const FftStage *g,
                             const FftPlace *in, const FftPlace *out, REAL *z,
                             const REAL *x, size_t from, size_t to,
                             REAL *room) {
  const size_t size = g->r * LANES;
  for (size_t first = from; first < to; first += LANES) {
    NAME(Lanes) at;
    NAME(Tile) a = {room, room + size}, b = {room + 2 * size, room + 3 * size};
    NAME(place)
    (&at, run, g, in, out, first, to - first < LANES ? to - first : LANES);
    if (g->opens && run->turned)
      NAME(swap)(&a.re, &a.im);
    NAME(read)(run, g, in, &at, x, a.re, a.im);
    if (g->opens && run->turned)
      NAME(swap)(&a.re, &a.im);
    for (size_t j = 0; j < g->r && g->before.re != NULL; j++)
      NAME(multiply)
    (a.re + j * LANES, a.im + j * LANES, &g->before, g->l * j, at.p, at.p_order,
     at.count);
    a = NAME(lanes)(g, a, b);
    if (g->turned)
      NAME(swap)(&a.re, &a.im);
    const bool turned = g->turned_after != (g->closes && run->turned);
    const size_t end = at.to[at.count - 1] + g->s * (g->r - 1);
    const bool row = at.writes_run && (!g->closes || end < out->count);
    for (size_t k = 0; k < g->r; k++) {
      REAL *re = a.re + k * LANES, *im = a.im + k * LANES;
      NAME(finish)(run, g, &at, k, re, im);
      if (turned)
        NAME(swap)(&re, &im);
      if (row)
        NAME(write_run)(out, &at, z, k, re, im);
    }
    if (turned)
      NAME(swap)(&a.re, &a.im);
    if (!row)
      NAME(scatter)(g, out, &at, z, a.re, a.im);
  }
}

INLINE NAME (Root) NAME(sum)(NAME(Root) a, NAME(Root) b) {
  return (NAME(Root)){a.re + b.re, a.im + b.im};
}

INLINE NAME (Root) NAME(difference)(NAME(Root) a, NAME(Root) b) {
  return (NAME(Root)){a.re - b.re, a.im - b.im};
}

INLINE NAME (Root) NAME(conjugate)(NAME(Root) a) {
  return (NAME(Root)){a.re, -a.im};
}

INLINE NAME (Root) NAME(product)(NAME(Root) a, NAME(Root) b) {
  NAME(put)(&a.re, &a.im, a.re, a.im, b);
  return a;
}

INLINE NAME (Root) NAME(get)(const REAL *x) { return (NAME(Root)){x[0], x[1]}; }

INLINE void NAME (set)(REAL *z, NAME(Root) e) { z[0] = e.re, z[1] = e.im; }

/* Sets elements k and m - k of a real line's transform, from the complex one of
** its pairs: the sum of those of even and odd elements. */
INLINE void NAME (split)(const FftPlace *out, const FftPlace *in, REAL *z,
                         const REAL *x, size_t m, size_t k, NAME(Root) w) {
  const NAME(Root) a = NAME(get)(x + k * in->axis);
  const NAME(Root)
    b = NAME(conjugate)(NAME(get)(x + (k == 0 ? 0 : m - k) * in->axis));
  NAME(Root) even = NAME(sum)(a, b), odd = NAME(difference)(a, b);
  even = (NAME(Root)){even.re / 2, even.im / 2};
  odd = NAME(product)(w, (NAME(Root)){odd.im / 2, -odd.re / 2});
  NAME(set)(z + k * out->axis, NAME(sum)(even, odd));
  NAME(set)
  (z + (m - k) * out->axis, NAME(conjugate)(NAME(difference)(even, odd)));
}

/* The inverse: elements k and m - k of the transform of pairs. */
INLINE void NAME (join)(const FftRun *run, const FftPlace *out,
                        const FftPlace *in, REAL *z, const REAL *x, size_t m,
                        size_t k, NAME(Root) w) {
  NAME(Root) a = NAME(fetch)(run, in, x, k, false);
  NAME(Root) b = NAME(conjugate)(NAME(fetch)(run, in, x, m - k, false));
  if (k == 0)
    a.im = b.im = 0;
  const NAME(Root) even = NAME(sum)(a, b), d = NAME(difference)(a, b);
  const NAME(Root)
    odd = NAME(product)((NAME(Root)){w.re, -w.im}, (NAME(Root)){-d.im, d.re});
  NAME(set)(z + k * out->axis, NAME(sum)(even, odd));
  if (k > 0)
    NAME(set)
  (z + (m - k) * out->axis, NAME(conjugate)(NAME(difference)(even, odd)));
}

/* Does pairs 'from' up to 'to' of all lines, of m / 2 + 1 each. */
WIDE static void NAME (halves)(const FftRun *run, const FftStage *g,
                               const FftPlace *in, const FftPlace *out, REAL *z,
                               const REAL *x, size_t m, size_t from,
                               size_t to) {
  const REAL *wr = g->roots.re, *wi = g->roots.im;
  const size_t pairs = m / 2 + 1;
  size_t o = from / pairs, k = from % pairs;
  for (size_t i = from; i < to; i++) {
    const NAME(Root) w = {wr[k], wi[k]};
    for (size_t q = 0; q < run->columns; q++) {
      REAL *to_line = z + o * out->line + q * out->column;
      const REAL *line = x + o * in->line + q * in->column;
      if (g->what == FFT_SPLIT)
        NAME(split)(out, in, to_line, line, m, k, w);
      else
        NAME(join)(run, out, in, to_line, line, m, k, w);
    }
    if (++k == pairs)
      k = 0, o++;
  }
}

/* Returns the number of parts of a stage, for some lines. */
static size_t NAME (parts)(const FftRun *run, const FftPlan *p,
                           const FftStage *g, size_t lines) {
  return lines * (g->what == FFT_PASS ? g->s * g->l * run->columns
                                      : p->shape.inner / 2 + 1);
}

/* Does parts 'from' up to 'to' of stage 'i'. */
static void NAME (stage)(const FftRun *run, const FftPlan *p, int i, REAL *z,
                         const REAL *x, size_t from, size_t to, REAL *room) {
  const FftStage *g = &p->stage[i];
  const FftPlace between = fft_between(run, p);
  const FftPlace *in = (i == 0) ? &run->in : &between;
  const FftPlace *out = (i == p->shape.nstages - 1) ? &run->out : &between;
  if (g->what == FFT_PASS)
    NAME(pass)(run, g, in, out, z, x, from, to, room);
  else
    NAME(halves)(run, g, in, out, z, x, p->shape.inner, from, to);
}

/* Does all stages of some lines, by way of two buffers. */
static void NAME (whole)(const FftRun *run, const FftPlan *p, REAL *z,
                         const REAL *x, size_t lines, REAL *room) {
  REAL *buffer[2];
  buffer[0] = room + NAME(tiles)(p);
  buffer[1] = buffer[0] + 2 * lines * p->shape.m * run->columns;
  const REAL *from = x;
  for (int i = 0; i < p->shape.nstages; i++) {
    REAL *to = (i == p->shape.nstages - 1) ? z : buffer[i % 2];
    NAME(stage)
    (run, p, i, to, from, 0, NAME(parts)(run, p, &p->stage[i], lines), room);
    from = to;
  }
}

/* ==} */

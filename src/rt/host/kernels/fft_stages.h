/*
** fft_stages.h - the stages of a Fourier transform: passes, and the one that
** joins or splits real lines of even length. fft.c includes it for each type,
** after fft_passes.h.
*/

/* {== real lines ====================================================== */

/* Some of the pairs of elements k and m - k of a real line's transform. */
typedef struct NAME(Pairs) {
  NAME(Four) re, im;   /* elements k */
  NAME(Four) re2, im2; /* elements m - k */
  NAME(Four) cos, sin; /* roots of unity k */
} NAME(Pairs);

/* Turns elements of the complex transform of a real line's neighbours into
** those of the line's, the sum of those of even and odd elements; or, if it
** 'joins', a constant for the compiler, does the inverse. */
INLINE void NAME (combine)(NAME(Pairs) * p, const bool joins) {
  const REAL half = joins ? 1 : (REAL)0.5;
  const NAME(Four) cos = joins ? p->cos : -p->cos, sin = p->sin;
  const NAME(Four) er = (p->re + p->re2) * half, ei = (p->im - p->im2) * half,
                   dr = (p->re - p->re2) * half, di = (p->im + p->im2) * half,
                   re = dr * sin - di * cos, im = di * sin + dr * cos;
  p->re = er + re;
  p->im = ei + im;
  p->re2 = er - re;
  p->im2 = -(ei - im);
}

INLINE void NAME (reverse)(NAME(Four) * v) {
  *v = (NAME(Four)){(*v)[3], (*v)[2], (*v)[1], (*v)[0]};
}

/* Does pairs k to k + 3 of a line of neighbours. */
INLINE void NAME (combine_along)(REAL *z, const REAL *x, const FftTable *w,
                                 size_t m, size_t k, const bool joins) {
  NAME(Pairs) p;
  NAME(load)(&p.cos, (const REAL *)w->re + k);
  NAME(load)(&p.sin, (const REAL *)w->im + k);
  NAME(read_pairs)((REAL *)&p.re, (REAL *)&p.im, x + 2 * k);
  NAME(read_pairs)((REAL *)&p.re2, (REAL *)&p.im2, x + 2 * (m - k - 3));
  NAME(reverse)(&p.re2);
  NAME(reverse)(&p.im2);
  NAME(combine)(&p, joins);
  NAME(reverse)(&p.re2);
  NAME(reverse)(&p.im2);
  NAME(write_pairs)(z + 2 * k, (REAL *)&p.re, (REAL *)&p.im);
  NAME(write_pairs)(z + 2 * (m - k - 3), (REAL *)&p.re2, (REAL *)&p.im2);
}

/* Does pair k of up to four lines. */
INLINE void NAME (combine_across)(const FftRun *run, const FftPlace *out,
                                  const FftPlace *in, REAL *z, const REAL *x,
                                  const FftTable *w, size_t m, size_t k,
                                  size_t n, const bool joins) {
  const REAL c = ((const REAL *)w->re)[k], s = ((const REAL *)w->im)[k];
  const size_t other = (k == 0 && !joins) ? 0 : m - k;
  NAME(Pairs) p = {.cos = {c, c, c, c}, .sin = {s, s, s, s}};
  const bool four = (n == 4 && k > 0 && in->count > other);
  if (four) {
    NAME(read_pairs)((REAL *)&p.re, (REAL *)&p.im, x + k * in->axis);
    NAME(read_pairs)((REAL *)&p.re2, (REAL *)&p.im2, x + other * in->axis);
  }
  for (size_t t = 0; t < n && !four; t++) {
    const REAL *line = x + t * in->column;
    const NAME(Root) a = NAME(fetch)(run, in, line, k, false),
                     b = NAME(fetch)(run, in, line, other, false);
    p.re[t] = a.re, p.re2[t] = b.re;
    if (k > 0 || !joins)
      p.im[t] = a.im, p.im2[t] = b.im;
  }
  NAME(combine)(&p, joins);
  if (four) {
    NAME(write_pairs)(z + k * out->axis, (REAL *)&p.re, (REAL *)&p.im);
    NAME(write_pairs)(z + other * out->axis, (REAL *)&p.re2, (REAL *)&p.im2);
  }
  for (size_t t = 0; t < n && !four; t++) {
    REAL *e = z + t * out->column + k * out->axis;
    e[0] = p.re[t], e[1] = p.im[t];
    e += (m - k - k) * out->axis;
    if (k > 0 || !joins)
      e[0] = p.re2[t], e[1] = p.im2[t];
  }
}

/* Does pairs 'from' up to 'to' of all lines, of m / 2 + 1 each. */
INLINE void NAME (combine_all)(const FftRun *run, const FftStage *g,
                               const FftPlace *in, const FftPlace *out, REAL *z,
                               const REAL *x, size_t m, size_t from, size_t to,
                               const bool joins) {
  const size_t pairs = m / 2 + 1;
  const bool along = (in->axis == 2 && out->axis == 2 &&
                      in->count >= m + (joins ? 1 : 0));
  size_t o = from / pairs, k = from % pairs, n;
  for (size_t i = from; i < to; i += n) {
    REAL *to_line = z + o * out->line;
    const REAL *line = x + o * in->line;
    n = (along && k > 0 && to - i >= 4 && pairs - k >= 4) ? 4 : 1;
    if (n == 4)
      NAME(combine_along)(to_line, line, &g->roots, m, k, joins);
    for (size_t q = 0; q < run->columns && n == 1; q += 4)
      NAME(combine_across)
    (run, out, in, to_line + q * out->column, line + q * in->column, &g->roots,
     m, k, NAME(least_four)(run->columns - q), joins);
    k += n;
    if (k == pairs)
      k = 0, o++;
  }
}

WIDEST static void NAME (halves)(const FftRun *run, const FftStage *g,
                                 const FftPlace *in, const FftPlace *out,
                                 REAL *z, const REAL *x, size_t m, size_t from,
                                 size_t to) {
  if (g->what == FFT_JOIN)
    NAME(combine_all)(run, g, in, out, z, x, m, from, to, true);
  else
    NAME(combine_all)(run, g, in, out, z, x, m, from, to, false);
}

/* ==} */

/* {== stages ========================================================== */

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

/*
** fft_passes.h - a pass of a Fourier transform: moves elements into tiles,
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
} NAME(Lanes);

/* Finds lanes from 'first' on. The lanes of a line are q + s p in order, where
** q counts the columns as well. */
static void NAME (place)(NAME(Lanes) * at, const FftRun *run, const FftStage *g,
                         const FftPlace *in, const FftPlace *out, size_t first,
                         size_t count) {
  const size_t cols = run->columns, all = g->s * g->l * cols, i = first % all;
  size_t o = first / all, p = i / (g->s * cols), a = i / cols % g->s,
         c = i % cols;
  at->count = count;
  at->reads = g->s * g->l * in->axis;
  at->writes = g->s * out->axis;
  for (size_t t = 0; t < count; t++) {
    at->p[t] = p;
    at->to[t] = a + g->s * g->r * p;
    at->read[t] = o * in->line + (a + g->s * p) * in->axis + c * in->column;
    at->write[t] = o * out->line + at->to[t] * out->axis + c * out->column;
    if (++c == cols)
      c = 0, a++;
    if (a == g->s)
      a = 0, p++;
    if (p == g->l)
      p = 0, o++;
  }
}

/* ==} */

/* {== four lanes ====================================================== */

/*
** Lanes are moved four at a time: as vectors if their elements are neighbours,
** or if each lane is a run of memory, which is a transpose. The index lists
** below are one instruction each where vectors have four numbers.
*/
typedef REAL NAME(Four) __attribute__((vector_size(4 * sizeof(REAL))));

INLINE void NAME (load)(NAME(Four) * v, const REAL *x) {
  memcpy(v, x, sizeof *v);
}

INLINE void NAME (store)(REAL *z, const NAME(Four) * v) {
  memcpy(z, v, sizeof *v);
}

/* Transposes four rows. */
INLINE void NAME (transpose)(NAME(Four) v[4]) {
  const NAME(Four) a = EVEN(v[0], v[1]), b = ODD(v[0], v[1]),
                   c = EVEN(v[2], v[3]), d = ODD(v[2], v[3]);
  v[0] = (NAME(Four))LOWER(a, c);
  v[1] = (NAME(Four))LOWER(b, d);
  v[2] = (NAME(Four))UPPER(a, c);
  v[3] = (NAME(Four))UPPER(b, d);
}

/* Reads four complex numbers, or writes them. */
INLINE void NAME (read_pairs)(REAL *re, REAL *im, const REAL *x) {
  NAME(Four) a, b;
  NAME(load)(&a, x);
  NAME(load)(&b, x + 4);
  const NAME(Four) c = LOWER(a, b), d = UPPER(a, b);
  a = (NAME(Four))EVEN(c, d);
  b = (NAME(Four))ODD(c, d);
  NAME(store)(re, &a);
  NAME(store)(im, &b);
}

INLINE void NAME (write_pairs)(REAL *z, const REAL *re, const REAL *im) {
  NAME(Four) a, b;
  NAME(load)(&a, re);
  NAME(load)(&b, im);
  const NAME(Four) c = EVEN(a, b), d = ODD(a, b);
  a = (NAME(Four))LOWER(c, d);
  b = (NAME(Four))UPPER(c, d);
  NAME(store)(z, &a);
  NAME(store)(z + 4, &b);
}

/* Tells whether there are four, 'apart' from each other. */
INLINE bool NAME (is_run)(const size_t at[], size_t n, size_t apart) {
  bool run = (n == 4);
  for (size_t t = 1; t < n; t++)
    run &= (at[t] == at[t - 1] + apart);
  return run;
}

/* Multiplies rows of up to four lanes by elements of a table that are 'apart',
** from element i[t] on. */
INLINE void NAME (multiply)(REAL *re, REAL *im, const FftTable *w, size_t apart,
                            const size_t i[], size_t n, size_t rows) {
  const REAL *wr = w->re, *wi = w->im;
  const bool run = NAME(is_run)(i, n, 1);
  for (size_t k = 0; k < rows; k++, wr += apart, wi += apart) {
    NAME(Four) x, y, c = {0}, s = {0};
    if (run) {
      NAME(load)(&c, wr + i[0]);
      NAME(load)(&s, wi + i[0]);
    } else {
      for (size_t t = 0; t < n; t++)
        c[t] = wr[i[t]], s[t] = wi[i[t]];
    }
    NAME(load)(&x, re + k * LANES);
    NAME(load)(&y, im + k * LANES);
    const NAME(Four) u = x * c - y * s, v = x * s + y * c;
    NAME(store)(re + k * LANES, &u);
    NAME(store)(im + k * LANES, &v);
  }
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

/* Reads rows of four lanes that are neighbours. */
INLINE void NAME (read_rows)(REAL *re, REAL *im, const REAL *x, size_t apart,
                             size_t rows, size_t imag) {
  for (size_t j = 0; j < rows; j++, re += LANES, im += LANES, x += apart)
    if (imag == 1) {
      NAME(read_pairs)(re, im, x);
    } else {
      memcpy(re, x, 4 * sizeof *re);
      if (imag != 0)
        memcpy(im, x + imag, 4 * sizeof *im);
      else
        memset(im, 0, 4 * sizeof *im);
    }
}

/* Reads two rows of four lanes, each of which is a run of complex numbers. */
INLINE void NAME (read_turned)(REAL *re, REAL *im, const REAL *x,
                               const size_t at[]) {
  NAME(Four) v[4];
  for (int t = 0; t < 4; t++)
    NAME(load)(&v[t], x + at[t]);
  NAME(transpose)(v);
  NAME(store)(re, &v[0]);
  NAME(store)(im, &v[1]);
  NAME(store)(re + LANES, &v[2]);
  NAME(store)(im + LANES, &v[3]);
}

/* Reads up to four lanes from 'at' on. */
INLINE void NAME (read_four)(const FftPlace *in, REAL *re, REAL *im,
                             const REAL *x, const size_t at[], size_t n,
                             size_t apart, size_t rows) {
  size_t j = 0;
  if (NAME(is_run)(at, n, in->imag == 1 ? 2 : 1)) {
    NAME(read_rows)(re, im, x + at[0], apart, rows, in->imag);
    return;
  }
  if (n == 4 && in->imag == 1 && apart == 2)
    for (; j + 2 <= rows; j += 2)
      NAME(read_turned)(re + j * LANES, im + j * LANES, x + j * 2, at);
  for (; j < rows; j++)
    for (size_t t = 0; t < n; t++) {
      const REAL *e = x + at[t] + j * apart;
      re[j * LANES + t] = *e;
      im[j * LANES + t] = (in->imag == 0) ? 0 : e[in->imag];
    }
}

static size_t NAME (least_four)(size_t n) { return n < 4 ? n : 4; }

/* Reads all lanes; those that are not in use are 0. */
INLINE void NAME (read)(const FftRun *run, const FftStage *g,
                        const FftPlace *in, const NAME(Lanes) * at,
                        const REAL *x, REAL *re, REAL *im) {
  const bool whole = !g->opens ||
                     (run->n == g->r * g->l && in->count == run->n && !in->cut);
  if (at->count < LANES) {
    memset(re, 0, g->r * LANES * sizeof *re);
    memset(im, 0, g->r * LANES * sizeof *im);
  }
  for (size_t t = 0; t < at->count && whole; t += 4)
    NAME(read_four)
  (in, re + t, im + t, x, at->read + t, NAME(least_four)(at->count - t),
   at->reads, g->r);
  for (size_t t = 0; t < at->count && !whole; t++)
    NAME(fetch_lane)(run, g, in, at, x, t, re, im);
}

/* ==} */

/* {== moving out ====================================================== */

INLINE void NAME (swap)(REAL **re, REAL **im) {
  REAL *other = *re;
  *re = *im;
  *im = other;
}

/* Writes rows of four lanes that are neighbours. */
INLINE void NAME (write_rows)(REAL *z, const REAL *re, const REAL *im,
                              size_t apart, size_t rows, size_t imag) {
  for (size_t k = 0; k < rows; k++, re += LANES, im += LANES, z += apart)
    if (imag == 1) {
      NAME(write_pairs)(z, re, im);
    } else {
      memcpy(z, re, 4 * sizeof *re);
      if (imag != 0)
        memcpy(z + imag, im, 4 * sizeof *im);
    }
}

/* Writes two rows of four lanes, each of which is a run of complex numbers. */
INLINE void NAME (write_turned)(REAL *z, const size_t at[], const REAL *re,
                                const REAL *im) {
  NAME(Four) v[4];
  NAME(load)(&v[0], re);
  NAME(load)(&v[1], im);
  NAME(load)(&v[2], re + LANES);
  NAME(load)(&v[3], im + LANES);
  NAME(transpose)(v);
  for (int t = 0; t < 4; t++)
    NAME(store)(z + at[t], &v[t]);
}

/* Writes the elements of a lane that exist, from row k on. 'to' is the element
** of row 0. */
INLINE void NAME (write_lane)(const FftStage *g, const FftPlace *out, REAL *z,
                              size_t apart, size_t to, const REAL *re,
                              const REAL *im, size_t k) {
  size_t rows = g->r;
  if (g->closes && to + g->s * (g->r - 1) >= out->count)
    rows = (to >= out->count) ? 0 : (out->count - to + g->s - 1) / g->s;
  for (; k < rows; k++) {
    z[k * apart] = re[k * LANES];
    if (out->imag != 0)
      z[k * apart + out->imag] = im[k * LANES];
  }
}

/* Writes up to four lanes from t on. */
INLINE void NAME (write_four)(const FftStage *g, const FftPlace *out,
                              const NAME(Lanes) * at, size_t t, REAL *z,
                              const REAL *re, const REAL *im) {
  const size_t n = NAME(least_four)(at->count - t), *to = at->write + t;
  const size_t end = at->to[t + n - 1] + g->s * (g->r - 1);
  const bool whole = (n == 4 && (!g->closes || end < out->count));
  size_t k = 0;
  if (whole && NAME(is_run)(to, n, out->imag == 1 ? 2 : 1)) {
    NAME(write_rows)(z + to[0], re, im, at->writes, g->r, out->imag);
    return;
  }
  if (whole && out->imag == 1 && at->writes == 2)
    for (; k + 2 <= g->r; k += 2)
      NAME(write_turned)(z + k * 2, to, re + k * LANES, im + k * LANES);
  for (size_t i = 0; i < n; i++)
    NAME(write_lane)
  (g, out, z + to[i], at->writes, at->to[t + i], re + i, im + i, k);
}

/* Multiplies what is written by the factors of the stage. */
INLINE void NAME (finish)(const FftRun *run, const FftStage *g,
                          const NAME(Lanes) * at, REAL *re, REAL *im) {
  for (size_t t = 0; t < at->count; t += 4) {
    const size_t n = NAME(least_four)(at->count - t);
    if (g->l > 1)
      NAME(multiply)(re + t, im + t, &g->twists, g->l, at->p + t, n, g->r);
    if (g->after.re != NULL)
      NAME(multiply)(re + t, im + t, &g->after, g->s, at->to + t, n, g->r);
  }
  if (g->closes && run->scale != 1) {
    const REAL scale = (REAL)run->scale;
    INDEPENDENT
    for (size_t t = 0; t < g->r * LANES; t++)
      re[t] *= scale, im[t] *= scale;
  }
}

/* ==} */

/* {== passes ========================================================== */

/* Returns the real numbers of two tiles of a plan. */
static size_t NAME (tiles)(const FftPlan *p) {
  size_t most = 1;
  for (int i = 0; i < p->shape.npasses; i++)
    if (p->shape.radix[i] > most)
      most = p->shape.radix[i];
  return 4 * most * LANES;
}

/* Does lanes 'from' up to 'to' of a pass. 'room' is for two tiles of r rows. */
WIDEST static void NAME (pass)(const FftRun *run, const FftStage *g,
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
    for (size_t t = 0; t < at.count && g->before.re != NULL; t += 4)
      NAME(multiply)
    (a.re + t, a.im + t, &g->before, g->l, at.p + t,
     NAME(least_four)(at.count - t), g->r);
    a = NAME(lanes)(g, a, b);
    if (g->turned)
      NAME(swap)(&a.re, &a.im);
    NAME(finish)(run, g, &at, a.re, a.im);
    if (g->turned_after != (g->closes && run->turned))
      NAME(swap)(&a.re, &a.im);
    for (size_t t = 0; t < at.count; t += 4)
      NAME(write_four)(g, out, &at, t, z, a.re + t, a.im + t);
  }
}

/* ==} */

/*
** fft_lanes.h - the transform of r elements in each lane of a tile, by small
** factors of r. fft.c includes it for each type: REAL, and NAME for its
** functions.
**
** A tile has r rows of LANES real parts, and as many of imaginary parts. A step
** reads rows of one tile, writes rows of the other, and is the pass of
** fft_plan.h once more, with lanes for columns. Its loops over neighbours are
** those that the compiler vectorises.
*/
#define LANES ((size_t)FFT_LANE_BYTES / sizeof(REAL))
#define INLINE static inline __attribute__((always_inline))

/* A tile; and the rows of a step: so many numbers that are 'apart'. */
typedef struct NAME(Tile) {
  REAL *re, *im;
} NAME(Tile);

/* The factor of what a step writes. */
typedef struct NAME(Root) {
  REAL re, im;
} NAME(Root);

INLINE void NAME (put)(REAL *re, REAL *im, REAL x, REAL y, NAME(Root) w) {
  *re = x * w.re - y * w.im;
  *im = x * w.im + y * w.re;
}

/* As put; 'plain', a constant for the compiler: w is 1. */
INLINE void NAME (write)(REAL *re, REAL *im, REAL x, REAL y, NAME(Root) w,
                         const bool plain) {
  if (plain)
    *re = x, *im = y;
  else
    NAME(put)(re, im, x, y, w);
}

#define ROWS \
  const REAL *restrict xr = x.re, *restrict xi = x.im; \
  REAL *restrict zr = z.re, *restrict zi = z.im

INLINE void NAME (by2)(NAME(Tile) z, NAME(Tile) x, size_t from, size_t n,
                       const NAME(Root) * w, const bool plain) {
  ROWS;
  const NAME(Root) w1 = w[1];
  INDEPENDENT
  for (size_t i = 0; i < n; i++) {
    const REAL ar = xr[i], ai = xi[i], br = xr[i + from], bi = xi[i + from];
    zr[i] = ar + br;
    zi[i] = ai + bi;
    NAME(write)(&zr[i + n], &zi[i + n], ar - br, ai - bi, w1, plain);
  }
}

INLINE void NAME (by3)(NAME(Tile) z, NAME(Tile) x, size_t from, size_t n,
                       const NAME(Root) * w, const bool plain) {
  ROWS;
  const REAL sine = (REAL)0.86602540378443864676;
  const NAME(Root) w1 = w[1], w2 = w[2];
  INDEPENDENT
  for (size_t i = 0; i < n; i++) {
    const REAL *br = xr + from, *bi = xi + from, *cr = br + from,
               *ci = bi + from;
    const REAL sr = br[i] + cr[i], si = bi[i] + ci[i];
    const REAL dr = sine * (bi[i] - ci[i]), di = sine * (cr[i] - br[i]);
    const REAL mr = xr[i] - sr / 2, mi = xi[i] - si / 2;
    zr[i] = xr[i] + sr;
    zi[i] = xi[i] + si;
    NAME(write)(&zr[i + n], &zi[i + n], mr + dr, mi + di, w1, plain);
    NAME(write)(&zr[i + 2 * n], &zi[i + 2 * n], mr - dr, mi - di, w2, plain);
  }
}

INLINE void NAME (by4)(NAME(Tile) z, NAME(Tile) x, size_t from, size_t n,
                       const NAME(Root) * w, const bool plain) {
  ROWS;
  const NAME(Root) w1 = w[1], w2 = w[2], w3 = w[3];
  INDEPENDENT
  for (size_t i = 0; i < n; i++) {
    const size_t b = i + from, c = b + from, d = c + from;
    const REAL sr = xr[i] + xr[c], si = xi[i] + xi[c];
    const REAL tr = xr[i] - xr[c], ti = xi[i] - xi[c];
    const REAL ur = xr[b] + xr[d], ui = xi[b] + xi[d];
    const REAL vr = xi[b] - xi[d], vi = xr[d] - xr[b];
    zr[i] = sr + ur;
    zi[i] = si + ui;
    NAME(write)(&zr[i + n], &zi[i + n], tr + vr, ti + vi, w1, plain);
    NAME(write)(&zr[i + 2 * n], &zi[i + 2 * n], sr - ur, si - ui, w2, plain);
    NAME(write)(&zr[i + 3 * n], &zi[i + 3 * n], tr - vr, ti - vi, w3, plain);
  }
}

/* An odd factor: sums and differences of rows j and f - j, times cosines and
** sines of the angles of 'v', the roots of order f. */
INLINE void NAME (by_odd)(NAME(Tile) z, NAME(Tile) x, size_t from, size_t n,
                          const NAME(Root) * w, size_t f,
                          const NAME(Root) * v) {
  ROWS;
  enum { HALF = FFT_PRIME / 2 };
  REAL sr[HALF][LANES], si[HALF][LANES], dr[HALF][LANES], di[HALF][LANES];
  const size_t h = f / 2;
  for (size_t at = 0; at < n; at += LANES) {
    REAL ar[LANES], ai[LANES], br[LANES], bi[LANES];
    INDEPENDENT
    for (size_t t = 0; t < LANES; t++)
      ar[t] = xr[at + t], ai[t] = xi[at + t];
    for (size_t j = 0; j < h; j++) {
      const size_t one = at + (j + 1) * from, other = at + (f - 1 - j) * from;
      INDEPENDENT
      for (size_t t = 0; t < LANES; t++) {
        sr[j][t] = xr[one + t] + xr[other + t];
        si[j][t] = xi[one + t] + xi[other + t];
        dr[j][t] = xr[one + t] - xr[other + t];
        di[j][t] = xi[one + t] - xi[other + t];
        ar[t] += sr[j][t], ai[t] += si[j][t];
      }
    }
    INDEPENDENT
    for (size_t t = 0; t < LANES; t++)
      zr[at + t] = ar[t], zi[at + t] = ai[t];
    for (size_t k = 1; k <= h; k++) {
      INDEPENDENT
      for (size_t t = 0; t < LANES; t++)
        ar[t] = xr[at + t], ai[t] = xi[at + t], br[t] = bi[t] = 0;
      for (size_t j = 0, e = k; j < h; j++, e = (e + k) % f) {
        const REAL c = v[e].re, s = v[e].im;
        INDEPENDENT
        for (size_t t = 0; t < LANES; t++) {
          ar[t] += c * sr[j][t], ai[t] += c * si[j][t];
          br[t] -= s * di[j][t], bi[t] += s * dr[j][t];
        }
      }
      const size_t one = at + k * n, other = at + (f - k) * n;
      INDEPENDENT
      for (size_t t = 0; t < LANES; t++) {
        NAME(put)
        (&zr[one + t], &zi[one + t], ar[t] + br[t], ai[t] + bi[t], w[k]);
        NAME(put)
        (&zr[other + t], &zi[other + t], ar[t] - br[t], ai[t] - bi[t],
         w[f - k]);
      }
    }
  }
}

/* Sets the roots of order f and, for column p of a step with s * f * l = r, its
** factors. */
INLINE void NAME (find_roots)(const FftStage *g, size_t f, size_t step,
                              NAME(Root) * w) {
  const REAL *re = g->roots.re, *im = g->roots.im;
  for (size_t k = 0; k < f; k++)
    w[k] = (NAME(Root)){re[k * step], im[k * step]};
}

/* Transforms the tile x, which is overwritten, as is 'other'. Returns the one
** that has the result. */
INLINE NAME (Tile)
  NAME(lanes)(const FftStage *g, NAME(Tile) x, NAME(Tile) other) {
  NAME(Root) w[FFT_PRIME + 1], v[FFT_PRIME + 1];
  size_t s = 1;
  for (const unsigned char *factor = g->factor; *factor != 0; factor++) {
    const size_t f = *factor, l = g->r / s / f, n = s * LANES, from = l * n;
    NAME(find_roots)(g, f, g->r / f, v);
    for (size_t p = 0; p < l; p++) {
      const NAME(Tile) a = {x.re + p * n, x.im + p * n},
                       b = {other.re + p * f * n, other.im + p * f * n};
      NAME(find_roots)(g, f, s * p, w);
      if (f == 4 && p == 0)
        NAME(by4)(b, a, from, n, w, true);
      else if (f == 4)
        NAME(by4)(b, a, from, n, w, false);
      else if (f == 2)
        NAME(by2)(b, a, from, n, w, false);
      else if (f == 3)
        NAME(by3)(b, a, from, n, w, false);
      else
        NAME(by_odd)(b, a, from, n, w, f, v);
    }
    const NAME(Tile) read = x;
    x = other;
    other = read;
    s *= f;
  }
  return x;
}

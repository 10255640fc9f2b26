/*
** fft.c - the stages of Fourier transforms on the host device.
**
** DESIGN. Stockham's form of the algorithm of Cooley and Tukey ("An algorithm
** for the machine calculation of complex Fourier series", 1965), with few
** passes of large radices: the parts of a pass are independent and read and
** write runs of memory, so vectors and workers share them. A length with a
** large prime factor is a convolution (L. Bluestein, "A linear filtering
** approach to the computation of discrete Fourier transform", 1970) of a length
** without one. The stages do not depend on the number of lines or workers, so
** results do not either.
*/
#include "fft.h"

#include <stdint.h>

enum {
  SINGLE = 64,      /* longest line of a single pass */
  COLUMNS = 16,     /* columns of a unit */
  GROUPED = 8192,   /* elements of a unit, of which the next is prefetched */
  ALONE = 1 << 14,  /* longest line that one worker does alone, */
  SHARED = 1 << 17, /* and if there are many lines */
  MANY = 16,        /* lines */
  TILE = 64,        /* lanes of a unit of one stage */
  WORK = 16         /* see fft_work */
};

/* Divides n by all its prime factors up to FFT_PRIME. Returns their number. */
static int factors_of (size_t *n, unsigned char factor[64]) {
  int count = 0;
  for (unsigned char f = 2; f <= FFT_PRIME && *n > 1; f++)
    for (; *n % f == 0; *n /= f)
      factor[count++] = f;
  return count;
}

/* Multiplies the smallest of k radices by each factor, the largest first.
** Returns false if one becomes too large. */
static bool deal (FftShape *s, const unsigned char factor[], int count, int k) {
  for (int i = 0; i < k; i++)
    s->radix[i] = 1;
  for (int i = count - 1; i >= 0; i--) {
    int least = 0;
    for (int j = 1; j < k; j++)
      if (s->radix[j] < s->radix[least])
        least = j;
    if (s->radix[least] * factor[i] > FFT_RADIX)
      return false;
    s->radix[least] = (unsigned short)(s->radix[least] * factor[i]);
  }
  s->npasses = k;
  return true;
}

/* Finds radices whose product is m. */
static bool find_radices (FftShape *s, size_t m) {
  unsigned char factor[64];
  size_t rest = m;
  int count = factors_of(&rest, factor);
  if (rest != 1)
    return false;
  for (int k = (m <= SINGLE) ? 1 : 2; k <= FFT_PASSES; k++)
    if (deal(s, factor, count, k))
      return true;
  return false;
}

size_t fft_good_length (size_t n) {
  size_t best = 0;
  for (size_t odd = 1; odd <= 5; odd += 2) {
    size_t m = odd;
    while (m < n && m <= SIZE_MAX / 2)
      m *= 2;
    if (m >= n && (best == 0 || m < best))
      best = m;
  }
  return best;
}

bool fft_shape (FftShape *s, size_t n, int kind) {
  s->n = n;
  s->halved = (kind & (FFT_HALF | FFT_REAL_OUT)) != 0 && n % 2 == 0;
  s->inner = s->m = s->halved ? n / 2 : n;
  s->convolved = !find_radices(s, s->m);
  if (s->convolved) {
    if (s->m > SIZE_MAX / 64)
      return false;
    s->m = fft_good_length(2 * s->inner - 1);
    if (s->m == 0 || !find_radices(s, s->m))
      return false;
  }
  s->nstages = s->npasses * (s->convolved ? 2 : 1) + s->halved;
  return true;
}

size_t fft_columns (const FftShape *s, size_t inner) {
  size_t most = (s->m <= SHARED / COLUMNS) ? COLUMNS : COLUMNS / 2;
  return (inner < most) ? inner : most;
}

size_t fft_group (const FftShape *s, size_t columns) {
  size_t group = GROUPED / (s->m * columns);
  return (group > 0) ? group : 1;
}

static size_t divide_up (size_t n, size_t by) { return n / by + (n % by != 0); }

bool fft_is_fused (const FftShape *s, FftLines lines) {
  size_t many = divide_up(lines.inner, fft_columns(s, lines.inner));
  return s->m <= ALONE ||
         (s->m <= SHARED && (lines.outer >= MANY || many >= MANY));
}

size_t fft_units (size_t n, size_t inner, size_t outer, size_t stage,
                  size_t kind) {
  FftShape s;
  if (n == 0 || !fft_shape(&s, n, (int)kind))
    return 1;
  if (stage != FFT_WHOLE)
    return divide_up(s.m, TILE) * outer * inner;
  size_t columns = fft_columns(&s, inner);
  return divide_up(outer, fft_group(&s, columns)) * divide_up(inner, columns);
}

size_t fft_work (size_t n, size_t inner, size_t outer) {
  return WORK * n * inner * outer;
}

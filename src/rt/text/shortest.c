/*
** shortest.c - floats as the shortest decimals that are read back as the same.
**
** DESIGN. A float is m * 2^q. Decimals between the middles to its neighbours
** are read back as it. One product each with a power of ten gives both middles
** and the float in units of 10^k, as quarters that tell whether something is
** left; then the decimal is chosen by comparing integers (R. Giulietti, The
** Schubfach way to render doubles, 2020).
*/
#include "shortest.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "powers.h"

/* A float as m * 2^q, or a decimal as m * 10^q. */
typedef struct Scaled {
  uint64_t m;
  int q;
} Scaled;

/* Splits a positive float of a type with 'bits' bits and no exponent below
** 'least'. */
static Scaled split (double x, int bits, int least) {
  uint64_t c;
  memcpy(&c, &x, sizeof c);
  int e = (int)(c >> 52), drop = 53 - bits;
  c &= ((uint64_t)1 << 52) - 1;
  if (e == 0)
    return (Scaled){c, least};
  c |= (uint64_t)1 << 52;
  if (e - 1075 + drop < least)
    drop = least - (e - 1075);
  return (Scaled){c >> drop, e - 1075 + drop};
}

/* Multiplies by a power of ten. The last bit is set if anything is left over.
*/
static uint64_t round_to_odd (Power g, uint64_t c) {
  uint64_t unused, low;
  uint64_t carry = powers_multiply(g.low, c, &unused);
  uint64_t high = powers_multiply(g.high, c, &low);
  low += carry;
  high += (low < carry);
  return high | (low > 1);
}

/* Returns 10^q, rounded up. 5^55 is the last that has 128 bits. */
static Power ten (int q) {
  Power g = powers_of_five[q - POWERS_LEAST];
  if (q > 55)
    g.high += (++g.low == 0);
  return g;
}

/* Returns the shortest decimal. 'closer': the float below is nearer than the
** one above. */
static Scaled shorten (Scaled x, bool closer) {
  bool odd = x.m & 1;
  int k = (x.q * 1262611 - (closer ? 524031 : 0)) >> 22; /* log10 of the gap */
  int h = x.q + ((-k * 1741647) >> 19) + 1;
  Power g = ten(-k);
  uint64_t below = round_to_odd(g, (4 * x.m - 2 + closer) << h) + odd;
  uint64_t above = round_to_odd(g, (4 * x.m + 2) << h) - odd;
  uint64_t at = round_to_odd(g, (4 * x.m) << h), s = at / 4;
  uint64_t tens = s / 10;
  bool down = below <= 40 * tens, up = 40 * tens + 40 <= above;
  if (s >= 10 && down != up)
    return (Scaled){tens + up, k + 1};
  down = below <= 4 * s;
  up = 4 * s + 4 <= above;
  if (down == up)
    up = at > 4 * s + 2 || (at == 4 * s + 2 && (s & 1));
  return (Scaled){s + up, k};
}

/* Writes the digits without zeros at the end. Returns their number, and adds
** those zeros to the exponent. */
static int write_digits (char digits[20], Scaled *d) {
  char text[20];
  int n = 0;
  for (; d->m % 10 == 0; d->m /= 10)
    d->q++;
  for (; d->m > 0; d->m /= 10)
    text[n++] = (char)('0' + d->m % 10);
  for (int i = 0; i < n; i++)
    digits[i] = text[n - 1 - i];
  return n;
}

static int write_exponent (char *to, int e) {
  char *p = to;
  *p++ = 'e';
  *p++ = (e < 0) ? '-' : '+';
  e = (e < 0) ? -e : e;
  if (e >= 100)
    *p++ = (char)('0' + e / 100);
  *p++ = (char)('0' + e / 10 % 10);
  *p++ = (char)('0' + e % 10);
  return (int)(p - to);
}

/* Writes n digits, of which the first is that of 10^e. */
static int layout (char *to, const char *digits, int n, int e) {
  bool plain = e >= -5 && e < 16;
  int before = plain ? e + 1 : 1; /* digits before the point */
  char *p = to;
  if (before <= 0) {
    memcpy(p, "0.0000", 6);
    p += 2 - before;
    before = n;
  }
  for (int i = 0; i < n || i < before; i++) {
    if (i == before && p > to)
      *p++ = '.';
    *p++ = (i < n) ? digits[i] : '0';
  }
  return (int)(p - to) + (plain ? 0 : write_exponent(p, e));
}

int shortest_write (char to[SHORTEST], double x, DType t) {
  static const struct {
    int bits, least;
  } types[] = {[DTYPE_FLOAT16] = {11, -24},
               [DTYPE_BFLOAT16] = {8, -133},
               [DTYPE_FLOAT32] = {24, -149},
               [DTYPE_FLOAT64] = {53, -1074}};
  char digits[20];
  bool minus = signbit(x) && !isnan(x);
  to[0] = '-';
  to += minus;
  if (x == 0 || !isfinite(x)) {
    const char *word = (x == 0) ? "0" : isnan(x) ? "nan" : "inf";
    memcpy(to, word, strlen(word));
    return minus + (int)strlen(word);
  }
  int bits = types[t].bits, least = types[t].least;
  Scaled f = split(fabs(x), bits, least);
  bool closer = f.m == (uint64_t)1 << (bits - 1) && f.q > least;
  Scaled d = shorten(f, closer);
  int n = write_digits(digits, &d);
  return minus + layout(to, digits, n, d.q + n - 1);
}

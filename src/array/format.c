/*
** format.c - elements of arrays as text, formatted as by NumPy. A float has
** the fewest digits that identify it in its dtype, but at most 'precision'
** behind the point, and always a point. All points are in one column, and there
** are exponents if the numbers are far apart. Calls no Lua.
*/
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtype.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/numeral.h"

/* {== one float ======================================================= */

/* Writes x with the fewest digits that identify it, 'most' at most, and with an
** exponent. */
static void shortest (double x, DType t, int most, char text[FIGURE]) {
  const char *end;
  for (int places = 0; places < most; places++) {
    numeral_scientific(text, places, x);
    if (dtype_round(numeral_read(text, &end), t) == x)
      break;
  }
}

/* Removes zeros at the end of the fraction; the point stays. */
static void trim (char *text) {
  size_t n = strlen(text);
  if (strchr(text, '.') == NULL) {
    strcpy(text + n, ".");
    return;
  }
  while (text[n - 1] == '0')
    text[--n] = '\0';
}

enum { DIGITS = 17 }; /* enough to identify any float64 */

/* Digits in front of the point are exact even if fewer identify x. */
static void write_plain (const Column *c, double x, char text[FIGURE]) {
  shortest(x, c->t, DIGITS, text);
  const char *e = strchr(text, 'e');
  const char *point = strchr(text, '.');
  int digits = (point != NULL) ? (int)(e - point) - 1 : 0;
  int places = digits - atoi(e + 1);
  if (places > c->precision)
    places = c->precision;
  numeral_plain(text, places > 0 ? places : 0, x);
  trim(text);
}

/* Moves the exponent from 'text' to 'e', as in "+05". */
static void split (char text[FIGURE], char e[8]) {
  char *at = strchr(text, 'e');
  snprintf(e, 8, "%s", at + 1);
  *at = '\0';
}

/* ==} */

/* {== columns ========================================================= */

static double part_at (const char *p, DType t, int part) {
  if (dtype_kind(t) != KIND_COMPLEX)
    return dtype_float_at(p, t);
  DType half = (t == DTYPE_COMPLEX64) ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
  return dtype_float_at(p + (size_t)part * dtype_size(half), half);
}

/* Facts about all numbers of a column. */
typedef struct FloatRange {
  double least, greatest; /* of the finite, nonzero ones, without signs */
  bool finite;            /* there is a finite number */
  bool other, below;      /* there is inf or nan; -inf */
} FloatRange;

static void widen (FloatRange *r, double x) {
  if (!isfinite(x)) {
    r->other = true;
    r->below = r->below || (isinf(x) && x < 0);
    return;
  }
  r->finite = true;
  x = fabs(x);
  if (x == 0)
    return;
  r->least = (r->least == 0 || x < r->least) ? x : r->least;
  r->greatest = (x > r->greatest) ? x : r->greatest;
}

static bool has_exponent (const FloatRange *r, bool suppress) {
  return r->greatest >= 1e8 ||
         (!suppress && r->least > 0 &&
          (r->least < 1e-4 || r->greatest / r->least > 1000));
}

static int larger (int a, int b) { return a > b ? a : b; }

/* Widens the column for a finite number. */
static void measure (Column *c, double x) {
  char text[FIGURE], e[8];
  if (c->exponent > 0) {
    shortest(x, c->t, c->precision < DIGITS ? c->precision + 1 : DIGITS, text);
    split(text, e);
    trim(text);
    c->exponent = larger(c->exponent, (int)strlen(e) - 1);
  } else {
    write_plain(c, x, text);
  }
  int point = (int)(strchr(text, '.') - text);
  c->before = larger(c->before, point + (c->plus && text[0] != '-'));
  c->digits = larger(c->digits, (int)strlen(text) - point - 1);
}

static void start_column (Column *c, const PrintOptions *o, const char *p,
                          size_t n, DType t, int part) {
  FloatRange r = {0};
  size_t size = dtype_size(t);
  *c = (Column){.t = t, .precision = o->precision, .plus = (part == 1)};
  if (dtype_kind(t) == KIND_COMPLEX)
    c->t = (t == DTYPE_COMPLEX64) ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
  for (size_t i = 0; i < n; i++)
    widen(&r, part_at(p + i * size, t, part));
  c->exponent = has_exponent(&r, o->suppress) ? 1 : 0;
  for (size_t i = 0; i < n; i++) {
    double x = part_at(p + i * size, t, part);
    if (isfinite(x))
      measure(c, x);
  }
  c->behind = c->digits + (c->exponent > 0 ? c->exponent + 2 : 0);
  if (r.other) /* "nan" and "inf" use all columns, including the point's */
    c->before = larger(c->before, 3 + (c->plus || r.below) - c->behind - 1);
}

/* Writes a number, padded before and behind the point. With exponents all have
** as many digits behind the point, which are exact. */
static int write_column (const Column *c, double x, char *to) {
  char text[FIGURE], e[8] = "";
  const char *sign = (c->plus && (isnan(x) || !signbit(x))) ? "+" : "";
  if (!isfinite(x)) {
    snprintf(text, sizeof text, "%s%s", sign,
             isnan(x) ? "nan"
             : x < 0  ? "-inf"
                      : "inf");
    return sprintf(to, "%*s", c->before + 1 + c->behind, text);
  }
  if (c->exponent > 0) {
    numeral_scientific(text, c->digits, x);
    split(text, e);
    if (c->digits == 0)
      trim(text);
  } else {
    write_plain(c, x, text);
  }
  int point = (int)(strchr(text, '.') - text) + (int)strlen(sign);
  int n = sprintf(to, "%*s%s%s", c->before - point, "", sign, text);
  int digits = (int)strlen(strchr(text, '.') + 1);
  if (c->exponent == 0)
    return n + sprintf(to + n, "%*s", c->behind - digits, "");
  return n + sprintf(to + n, "e%c%0*d", e[0], c->exponent, atoi(e + 1));
}

/* ==} */

/* {== elements ======================================================== */

/* Writes it as wide as the widest one. */
static int write_exact (const Figures *f, const char *p, char *to) {
  int64_t x = dtype_integer_at(p, f->t);
  if (f->t == DTYPE_BOOL)
    return sprintf(to, "%*s", f->width, x != 0 ? "true" : "false");
  if (f->t == DTYPE_UINT64)
    return sprintf(to, "%*llu", f->width, (unsigned long long)x);
  return sprintf(to, "%*lld", f->width, (long long)x);
}

void format_start (Figures *f, const PrintOptions *o, const char *p, size_t n,
                   DType t) {
  char text[FIGURES_ROOM];
  int width = 0;
  *f = (Figures){.t = t};
  if (dtype_kind(t) >= KIND_FLOAT) {
    start_column(&f->part[0], o, p, n, t, 0);
    if (dtype_kind(t) == KIND_COMPLEX)
      start_column(&f->part[1], o, p, n, t, 1);
    return;
  }
  for (size_t i = 0; i < n; i++)
    width = larger(width, write_exact(f, p + i * dtype_size(t), text));
  f->width = width;
}

/* Writes the j right behind the number, before the padding. */
static int write_imaginary (const Column *c, double x, char *to) {
  int n = write_column(c, x, to), end = n;
  while (end > 0 && to[end - 1] == ' ')
    end--;
  memmove(to + end + 1, to + end, (size_t)(n - end) + 1);
  to[end] = 'j';
  return n + 1;
}

int format_write (const Figures *f, const char *p, char text[FIGURES_ROOM]) {
  if (dtype_kind(f->t) < KIND_FLOAT)
    return write_exact(f, p, text);
  int n = write_column(&f->part[0], part_at(p, f->t, 0), text);
  if (dtype_kind(f->t) == KIND_COMPLEX)
    n += write_imaginary(&f->part[1], part_at(p, f->t, 1), text + n);
  return n;
}

/* ==} */

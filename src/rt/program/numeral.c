/*
** numeral.c - floats as text and back, the same in every locale. Kernels,
** constants and printed numbers are for other programs to read, and a program
** that calls setlocale may have made the decimal point a comma. No other file
** here reads or writes floats as text.
**
** A thread may have a locale of its own for a while (POSIX 2008), which no
** other thread sees. The "C" locale always exists, and asking for it allocates
** nothing where that matters (glibc, musl).
*/
#include "numeral.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* Switches to the C locale. Returns the thread's locale before; 0: nothing
** changed. */
static locale_t enter_c (locale_t *c) {
  *c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return (*c != (locale_t)0) ? uselocale(*c) : (locale_t)0;
}

static void leave_c (locale_t c, locale_t before) {
  if (before != (locale_t)0)
    uselocale(before);
  if (c != (locale_t)0)
    freelocale(c);
}

double numeral_read (const char *text, const char **end) {
  locale_t c, before = enter_c(&c);
  char *stop;
  double x = strtod(text, &stop);
  leave_c(c, before);
  *end = stop;
  return x;
}

float numeral_read_single (const char *text) {
  locale_t c, before = enter_c(&c);
  float x = strtof(text, NULL);
  leave_c(c, before);
  return x;
}

int numeral_write (char to[NUMERAL], int digits, double x) {
  locale_t c, before = enter_c(&c);
  int n = (x != x) ? snprintf(to, NUMERAL, "nan")
                   : snprintf(to, NUMERAL, "%.*g", digits, x);
  leave_c(c, before);
  return n;
}

int numeral_format (char *to, size_t n, const char *how, double x) {
  locale_t c, before = enter_c(&c);
  int length = snprintf(to, n, how, x);
  leave_c(c, before);
  return length;
}

static void write_figure (char to[FIGURE], const char *how, int places,
                          double x) {
  locale_t c, before = enter_c(&c);
  snprintf(to, FIGURE, how, places, x);
  leave_c(c, before);
}

void numeral_scientific (char to[FIGURE], int places, double x) {
  write_figure(to, "%.*e", places, x);
}

void numeral_plain (char to[FIGURE], int places, double x) {
  write_figure(to, "%.*f", places, x);
}

/*
** numeral.h - floats as text and back, the same in every locale. See numeral.c.
*/
#ifndef TIDE_RT_PROGRAM_NUMERAL_H
#define TIDE_RT_PROGRAM_NUMERAL_H

#include <stddef.h>

/* Room for all results of numeral_write with up to 17 digits. */
enum { NUMERAL = 28 };

/* Reads the float at the beginning of 'text', as strtod does in the C locale;
** *end: behind it. */
double numeral_read (const char *text, const char **end);

/* numeral_read for the nearest float, by strtof. */
float numeral_read_single (const char *text);

/* Writes x with so many significant digits, like "%.*g" in the C locale;
** returns the length. NaN is written without its sign. */
int numeral_write (char to[NUMERAL], int digits, double x);

/* Writes x as snprintf does in the C locale, by a format for one double. */
int numeral_format (char *to, size_t n, const char *how, double x);

/*
** Writes x like "%.*e", with up to PLACES digits behind the point; and like
** "%.*f", with 15 digits at most before the point.
*/
enum { PLACES = 40, FIGURE = PLACES + 24 };
void numeral_scientific (char to[FIGURE], int places, double x);
void numeral_plain (char to[FIGURE], int places, double x);

#endif

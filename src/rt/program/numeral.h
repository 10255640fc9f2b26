/*
** numeral.h - floats as text and back, the same in every locale. See numeral.c.
*/
#ifndef TIDE_RT_PROGRAM_NUMERAL_H
#define TIDE_RT_PROGRAM_NUMERAL_H

#include <stddef.h>

/* Room for all results of rt_writefloat with up to 17 digits. */
enum { NUMERAL = 28 };

/* Reads the float at the beginning of 'text', as strtod does in the C locale;
** *end: behind it. */
double rt_readfloat (const char *text, const char **end);

/* Writes x with so many significant digits, like "%.*g" in the C locale;
** returns the length. NaN is written without its sign. */
int rt_writefloat (char to[NUMERAL], int digits, double x);

/*
** Writes x like "%.*e", with up to PLACES digits behind the point; and like
** "%.*f", with 15 digits at most before the point.
*/
enum { PLACES = 40, FIGURE = PLACES + 24 };
void rt_writescientific (char to[FIGURE], int places, double x);
void rt_writeplain (char to[FIGURE], int places, double x);

#endif

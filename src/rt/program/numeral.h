/*
** numeral.h - floats as text and back, the same in every locale. See numeral.c.
*/
#ifndef TIDE_RT_PROGRAM_NUMERAL_H
#define TIDE_RT_PROGRAM_NUMERAL_H

#include <stddef.h>

/* Room for any that rt_writefloat makes of up to 17 digits. */
enum { NUMERAL = 28 };

/* The float that 'text' begins with, as strtod has it in C; *end: behind it. */
double rt_readfloat (const char *text, const char **end);

/* x with so many significant digits, as "%.*g" has it in C; returns its length.
** NaN is written without its sign. */
int rt_writefloat (char to[NUMERAL], int digits, double x);

/*
** x as "%.*e" has it, with so many digits behind the point, of which there may
** be PLACES; and as "%.*f", whose digits before the point are 15 at most.
*/
enum { PLACES = 40, FIGURE = PLACES + 24 };
void rt_writescientific (char to[FIGURE], int places, double x);
void rt_writeplain (char to[FIGURE], int places, double x);

#endif

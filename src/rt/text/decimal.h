/* decimal.h - floats from decimal text, rounded to the nearest. See
** decimal.c. */
#ifndef TIDE_RT_TEXT_DECIMAL_H
#define TIDE_RT_TEXT_DECIMAL_H

/*
** Reads the number that begins at 'p': digits with a point, an exponent, a
** sign, or inf, infinity and nan in any case. Returns the place behind it; NULL
** if no number begins there. The text ends in a line feed, with DECIMAL_PAD
** zero bytes behind it.
*/
enum { DECIMAL_PAD = 8 };
const char *decimal_read (const char *p, double *x);
const char *decimal_read_single (const char *p, float *x);

#endif

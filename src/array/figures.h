/* figures.h - elements of arrays as text of one width. See figures.c. */
#ifndef TIDE_ARRAY_FIGURES_H
#define TIDE_ARRAY_FIGURES_H

#include "dtype.h"
#include "rt/program/numeral.h"

/* How floats, or one part of complex numbers, are written: all with as many
** columns before the point and behind it. */
typedef struct Column {
  DType t;
  int precision;    /* digits behind the point at most, */
  int before;       /* columns, with a sign's */
  int behind;       /* without the point's */
  int digits;       /* with an exponent: of the fraction, */
  int exponent;     /* and of the exponent; 0: written without one */
  bool plus;        /* positive ones have a sign, too */
} Column;

/* How all elements that are shown are written. */
typedef struct Figures {
  DType t;
  int width;         /* of bools and integers */
  Column part[2];    /* of floats; of complex numbers both */
} Figures;

/* Room for one element with its two parts. */
enum { FIGURES_ROOM = 2 * FIGURE + 32 };

/* Finds that for the 'n' elements at 'p'. */
void tide_startfigures (Figures *f, const PrintOptions *o, const char *p,
                        size_t n, DType t);

/* Writes the element at 'p'; returns its length. */
int tide_writefigure (const Figures *f, const char *p,
                      char text[FIGURES_ROOM]);

#endif

/* format.h - elements of arrays as text of one width. See format.c. */
#ifndef TIDE_ARRAY_FORMAT_H
#define TIDE_ARRAY_FORMAT_H

#include "dtype.h"
#include "rt/program/numeral.h"

/* The format of floats, or of one part of complex numbers: all have the same
** number of columns before and behind the point. */
typedef struct Column {
  DType t;
  int precision; /* digits behind the point at most, */
  int before;    /* columns, including the sign's */
  int behind;    /* excluding the point's */
  int digits;    /* with an exponent: of the fraction, */
  int exponent;  /* and of the exponent; 0: written without one */
  bool plus;     /* positive numbers have a sign, too */
} Column;

/* The format of all elements that are shown. */
typedef struct Figures {
  DType t;
  int width;      /* of bools and integers */
  Column part[2]; /* of floats; both of complex numbers */
} Figures;

/* Room for one element with its two parts. */
enum { FIGURES_ROOM = 2 * FIGURE + 32 };

/* Finds the format for the 'n' elements at 'p'. */
void format_start (Figures *f, const PrintOptions *o, const char *p, size_t n,
                   DType t);

/* Writes the element at 'p'. Returns its length. */
int format_write (const Figures *f, const char *p, char text[FIGURES_ROOM]);

#endif

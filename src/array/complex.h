/* complex.h - complex numbers as values of Lua. See complex.c. */
#ifndef TIDE_ARRAY_COMPLEX_H
#define TIDE_ARRAY_COMPLEX_H

#include "base/class.h"

extern const Class complex_class;

void complex_push (lua_State *L, double re, double im);

/* Tells whether the value at 'idx' is a Complex, or a table {re=, im=}. */
bool complex_test (lua_State *L, int idx);

/* Reads a value that may stand for a complex number: a Complex, {re=, im=},
** {re, im}, a number, a boolean. */
bool complex_read (lua_State *L, int idx, double part[2]);

#endif

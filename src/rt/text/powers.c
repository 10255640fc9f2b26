/*
** powers.c - the first 128 bits of powers of five: 10^q is 5^q times a power of
** two, so floats are read and written with them.
*/
#include "powers.h"

const Power powers_of_five[] = {
#define P(high, low) {high, low},
#include "powers.def"
#undef P
};

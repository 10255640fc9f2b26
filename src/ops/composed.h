/*
** composed.h - functions that are made of others, of arrays and of Symbols
** alike: both have the methods that are called. See composed.c, isclose.c.
*/
#ifndef TIDE_OPS_COMPOSED_H
#define TIDE_OPS_COMPOSED_H

#include "base/state.h"

/* Pushes x:name(), x:name(y) or x:name(number); returns where it is. */
int tide_apply (lua_State *L, const char *name, int x);
int tide_applyto (lua_State *L, const char *name, int x, int y);
int tide_applynumber (lua_State *L, const char *name, int x, lua_Number y);

/* Calls x:name(...) with the n values on the top, of which the result takes the
** place; returns where that is. */
int tide_applywith (lua_State *L, const char *name, int x, int n);

/* round(x, decimals [, { out= }]), x:round_(decimals). */
int tide_roundto (lua_State *L, bool in_place);

/* How far apart elements may be; 'nan': is NaN equal to NaN? */
typedef struct Tolerance {
  lua_Number rtol, atol;
  bool nan;
} Tolerance;

/* [rtol [, atol]] [, { rtol=, atol=, equal_nan=, ... }] from argument 3 on;
** 'names': the options that there may be. Returns where these are, or nil. */
int tide_readtolerance (lua_State *L, const char *const names[], Tolerance *t);

/* Pushes which elements of x are near those of y, two Arrays or Symbols on the
** stack; returns where that is. */
int tide_near (lua_State *L, int x, int y, const Tolerance *t);

/* compare.c: pushes the operand at 'arg', whatever tide.asarray takes, as an
** Array; returns where it is. */
int tide_pushoperand (lua_State *L, int arg, RtDevice *dev, RtStream *s);

/* The device of the arrays among the arguments 1 and 2, or the current one. */
RtDevice *tide_operanddevice (lua_State *L);

/* Of Symbols as well as of arrays. */
int tide_isclose (lua_State *L);
int tide_nan_to_num (lua_State *L);
int tide_modf (lua_State *L);
int tide_frexp (lua_State *L);

#endif

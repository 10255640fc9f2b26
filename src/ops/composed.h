/*
** composed.h - functions that are made of others, of arrays and of Symbols
** alike: both have the methods that are called. See composed.c, isclose.c.
*/
#ifndef TIDE_OPS_COMPOSED_H
#define TIDE_OPS_COMPOSED_H

#include "base/state.h"
#include "reduce.h"
#include "rt/kernels/dtypes.h"

/* Pushes x:name(), x:name(y) or x:name(number); returns where it is. */
int tide_apply (lua_State *L, const char *name, int x);
int tide_applyto (lua_State *L, const char *name, int x, int y);
int tide_applynumber (lua_State *L, const char *name, int x, lua_Number y);

/* x:name(...) with the n values on the top, which it takes away. */
int tide_applywith (lua_State *L, const char *name, int x, int n);

/* x:take(places), all of which there are. */
int tide_applytake (lua_State *L, int x, int places);

/* x:astype(t). */
int tide_applyastype (lua_State *L, int x, DType t);

/* Pushes an option, nil where there is none; returns where it is. What is the
** user's has to stand among the arguments, or tide_return closes it: so it is
** pushed before anything is made, and the options once more behind it. */
int tide_keepoption (lua_State *L, int options, const char *name);

/* Pushes the options of the table at 'options', or nil, without 'out' and
** without 'name' (NULL: nothing else); returns where they are. */
int tide_pushothers (lua_State *L, int options, const char *name);

/* Pushes what a reduction was called with, but for 'out' and 'name'; returns
** where: two values. */
int tide_pushaxes (lua_State *L, const Reduction *r, const char *name);

/* Pushes a reduction of x that is called with those two values. */
int tide_foldlike (lua_State *L, const char *name, int x, int axes);

/* decimals.c: round(x, decimals [, { out= }]), x:round_(decimals). */
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
** Array; returns where it is. 'beside': the array of the other one, or NULL. */
int tide_pushoperand (lua_State *L, int arg, const Array *beside, RtDevice *dev,
                      RtStream *s);

/* The device of the arrays among the arguments 1 and 2, or the current one. */
RtDevice *tide_operanddevice (lua_State *L);

/* Of Symbols as well as of arrays. */
int tide_isclose (lua_State *L);
int tide_nan_to_num (lua_State *L);
int tide_modf (lua_State *L);
int tide_frexp (lua_State *L);

#endif

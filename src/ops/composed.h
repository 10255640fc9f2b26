/*
** composed.h - functions made of other functions, for arrays and Symbols alike,
** because both have the methods that are called. See composed.c, isclose.c.
*/
#ifndef TIDE_OPS_COMPOSED_H
#define TIDE_OPS_COMPOSED_H

#include "base/state.h"
#include "reduce.h"
#include "rt/kernels/dtypes.h"

/* Push x:name(), x:name(y) or x:name(number) and return its index. */
int composed_unary (lua_State *L, const char *name, int x);
int composed_binary (lua_State *L, const char *name, int x, int y);
int composed_scalar (lua_State *L, const char *name, int x, lua_Number y);

/* Calls x:name(...) with the n values on the top, which it pops. */
int composed_call (lua_State *L, const char *name, int x, int n);

/* Calls x:take(places), which must all exist. */
int composed_take (lua_State *L, int x, int places);

/* Calls x:astype(t). */
int composed_astype (lua_State *L, int x, DType t);

/* Pushes an option, or nil if there is none; returns its index. The user's
** arrays have to stand among the arguments, or array_return closes them. So
** push options before any array is made, and then the table of options once
** more. */
int composed_option (lua_State *L, int options, const char *name);

/* Pushes the options of the table at 'options', or nil, without 'out' and
** without 'name' (unless NULL). Returns the index. */
int composed_filter_options (lua_State *L, int options, const char *name);

/* Pushes the arguments of a reduction, without 'out' and 'name': two values.
** Returns the index of the first. */
int composed_axes (lua_State *L, const Reduction *r, const char *name);

/* Pushes the axes of a reduction, and keepdims, as two values likewise. */
int composed_kept_axes (lua_State *L, const Reduction *r);

/* Pushes a reduction of x, called with those two values. */
int composed_reduce (lua_State *L, const char *name, int x, int axes);

/* decimals.c: round(x, decimals [, { out= }]), x:round_(decimals). */
int composed_round (lua_State *L, bool in_place);

/* How far apart elements may be; 'nan': NaN is equal to NaN. */
typedef struct Tolerance {
  lua_Number rtol, atol;
  bool nan;
} Tolerance;

/* Reads [rtol [, atol]] [, { rtol=, atol=, equal_nan=, ... }] from argument 3
** on; 'names' are the allowed options. Returns their index, maybe of nil. */
int composed_tolerance (lua_State *L, const char *const names[], Tolerance *t);

/* Pushes whether elements of x and y are near each other, two Arrays or Symbols
** on the stack. Returns the index. */
int composed_near (lua_State *L, int x, int y, const Tolerance *t);

/* compare.c: pushes the operand at 'arg', any value that tide.asarray takes, as
** an Array; returns its index. 'beside' is the dtype of the array that it is
** beside, as composed_beside finds it: DTYPE_BOOL if there is none. */
DType composed_beside (lua_State *L, int arg);
int composed_operand (lua_State *L, int arg, DType beside, RtDevice *dev,
                      RtStream *s);

/* Returns the device of the arrays among the arguments 1 and 2, or the current
** one. */
RtDevice *composed_device (lua_State *L);

/* isclose for Symbols as well as arrays. */
int composed_isclose (lua_State *L);
int composed_nan_to_num (lua_State *L);
int composed_modf (lua_State *L);
int composed_frexp (lua_State *L);

#endif

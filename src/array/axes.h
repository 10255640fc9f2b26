/* axes.h - axes as arguments: from 1, negative from the end. See axes.c. */
#ifndef TIDE_ARRAY_AXES_H
#define TIDE_ARRAY_AXES_H

#include "array.h"

/* From 0, of i counted from 1 or from the end; -1 if out of range. */
static inline int64_t tide_resolve (lua_Integer i, int64_t n) {
  if (i < 0)
    i += n + 1;
  return (i >= 1 && i <= n) ? i - 1 : -1;
}

/* How many axes there are may be said of the array, or of what it will be:
** added, so that errors say it too. */
enum { OF_RESULT = 256 };

/* The axis, from 0, of 'ndim' that the integer at 'arg' means; raises. */
int tide_checkaxis (lua_State *L, int arg, int ndim);

/* The axes that an integer or a table of integers at 'arg' means, in that
** order; returns how many. Raises if one is out of range or there twice. */
int tide_checkaxes (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]);

/* The same of the value at 'idx', where the argument 'arg' is to blame. */
int tide_checkaxesat (lua_State *L, int arg, int idx, int ndim,
                      int axes[MAX_DIMS]);

/* The axes, likewise, of option 'axis' of the table of options at 'arg'; -1: it
** has none. 'given': there is an axis besides, which then is an error. */
int tide_optionaxes (lua_State *L, int arg, bool given, int ndim,
                     int axes[MAX_DIMS]);

/* The same where it can be but one axis; -1: it has none. */
int tide_optionaxis (lua_State *L, int arg, bool given, int ndim);

/*
** A list that is a table at 'arg', or what comes from there on, one after the
** other: how many values it has. Raises if something follows the table.
*/
int tide_listlength (lua_State *L, int arg);

/* Pushes value 'i' of it, from 0. */
void tide_pushlisted (lua_State *L, int arg, int i);

/* How many axes there are in such a list, or in options { axis= } at 'arg'; -1:
** there is neither. */
int tide_countaxes (lua_State *L, int arg);

/* The axes that such a list means, or options { axis= } at 'arg'; -1: there is
** neither. */
int tide_listaxes (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]);

#endif

/* axes.h - axes as arguments: from 1, negative from the end. See axes.c. */
#ifndef TIDE_ARRAY_AXES_H
#define TIDE_ARRAY_AXES_H

#include "array.h"

/* Returns an index from 0, of i counted from 1 or from the end; -1 if it is out
** of range. */
static inline int64_t axes_resolve (lua_Integer i, int64_t n) {
  if (i < 0)
    i += n + 1;
  return (i >= 1 && i <= n) ? i - 1 : -1;
}

/* Added to a number of axes if it is the result's rather than the array's, so
** that errors say so. */
enum { OF_RESULT = 256 };

/* Returns the axis, from 0, that the integer at 'arg' names, of 'ndim'.
** Raises. */
int axes_check_one (lua_State *L, int arg, int ndim);

/* Reads the axes that an integer or a table of integers at 'arg' names, in that
** order; returns how many. Raises if one is out of range or repeated. */
int axes_check (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]);

/* axes_check for the value at 'idx'; errors name argument 'arg'. */
int axes_check_at (lua_State *L, int arg, int idx, int ndim,
                   int axes[MAX_DIMS]);

/* Reads the axes of option 'axis' of the table of options at 'arg'; -1 without
** that option. 'given': there is an axis argument too, so that the option is an
** error. */
int axes_option (lua_State *L, int arg, bool given, int ndim,
                 int axes[MAX_DIMS]);

/* axes_option for a single axis, which is returned; -1 without it. */
int axes_option_one (lua_State *L, int arg, bool given, int ndim);

/*
** Returns the number of values in a list: a table at 'arg', or the arguments
** from there on. Raises if something follows the table.
*/
int axes_list_length (lua_State *L, int arg);

/* Pushes value 'i' of the list, from 0. */
void axes_push_listed (lua_State *L, int arg, int i);

/* Returns the number of axes in such a list, or in options { axis= } at 'arg';
** -1 if there is neither. */
int axes_count (lua_State *L, int arg);

/* Reads the axes of such a list, or of options { axis= } at 'arg'; -1 if there
** is neither. */
int axes_read (lua_State *L, int arg, int ndim, int axes[MAX_DIMS]);

#endif

/*
** operands.c - operands and results of functions whose kernels need dense
** arrays.
*/
#include "operands.h"

#include "array/array.h"
#include "array/axes.h"
#include "array/layout.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/option.h"
#include "result.h"

Array *operand_push_dense (lua_State *L, int arg, DType t) {
  Array *a = array_push_cast(L, arg, t);
  if (!a->dense) { /* the operand itself: a cast one is dense */
    a = array_push_dense(L, -1);
    lua_remove(L, -2);
  }
  return a;
}

static bool is_apart (const Array *z, const Array *x) {
  return x == NULL || !layout_overlaps(z, x);
}

/* Sets 'out', on the top, as the array to return. */
static void aim (lua_State *L, Target *to, int options, Array *out,
                 const Like *like, RtStream *s, const Array *x,
                 const Array *y) {
  DType t = (DType)out->dtype;
  to->args = options;
  to->at = lua_gettop(L);
  to->out = to->z = out;
  if (!to->z->dense || !is_apart(to->z, x) || !is_apart(to->z, y))
    to->z = array_new(L, like->of->dev, t, like->ndim, like->shape, s);
}

void operand_push_target (lua_State *L, Target *to, int options,
                          const Like *like, DType t, RtStream *s,
                          const Array *x, const Array *y) {
  Array *out = result_push(L, options, like, t, s);
  aim(L, to, options, out, like, s, x, y);
}

void operand_push_out (lua_State *L, Target *to, int options, const Like *like,
                       DType t, RtStream *s, const Array *x, const Array *y) {
  Array *out = result_push_out(L, options, like, t, s);
  aim(L, to, options, out, like, s, x, y);
}

int operand_return (lua_State *L, const Target *to, RtStream *s) {
  if (to->z != to->out)
    array_copyto(L, s, to->out, to->z);
  array_drop(L, to->at);
  return array_return(L, to->args);
}

Lines operand_lines (const Array *a, int axis) {
  Lines lines = {1, (size_t)a->shape[axis], 1};
  for (int i = 0; i < axis; i++)
    lines.outer *= (size_t)a->shape[i];
  for (int i = axis + 1; i < a->ndim; i++)
    lines.inner *= (size_t)a->shape[i];
  return lines;
}

const char *const operand_axis_out[] = {"axis", "out", NULL};

int operand_opt_axes (lua_State *L, int arg, int ndim,
                      const char *const names[], int axes[MAX_DIMS], int *n) {
  bool list = lua_istable(L, arg) && lua_rawlen(L, arg) > 0;
  int options = (lua_istable(L, arg) && !list) ? arg : arg + 1;
  bool given = (options > arg && !lua_isnoneornil(L, arg));
  *n = given ? axes_check(L, arg, ndim, axes) : -1;
  if (options == arg)
    argerror_check(L, lua_isnoneornil(L, arg + 1), arg + 1,
                   "nothing comes after the options");
  if (option_check(L, options, names)) {
    int option = axes_option(L, options, given, ndim, axes);
    *n = given ? *n : option;
  }
  return options;
}

int operand_opt_axis (lua_State *L, int arg, int ndim,
                      const char *const names[], int *axis) {
  int axes[MAX_DIMS], n;
  int options = operand_opt_axes(L, arg, ndim, names, axes, &n);
  argerror_check(L, n <= 1 && n != 0, lua_isnil(L, arg) ? options : arg,
                 "one axis expected");
  *axis = (n < 0) ? -1 : axes[0];
  return options;
}

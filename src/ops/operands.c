/*
** operands.c - operands and results of functions whose kernels need dense
** arrays.
*/
#include "operands.h"

#include "array/array.h"
#include "array/axes.h"
#include "array/geometry.h"
#include "base/blame.h"
#include "base/class.h"
#include "result.h"

Array *tide_pushplain (lua_State *L, int arg, DType t) {
  Array *a = tide_pushcast(L, arg, t);
  if (!a->dense) { /* the operand itself: a cast one is dense */
    a = tide_pushdense(L, -1);
    lua_remove(L, -2);
  }
  return a;
}

static bool is_apart (const Array *z, const Array *x) {
  return x == NULL || !tide_overlaps(z, x);
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
    to->z = tide_newarray(L, like->of->dev, t, like->ndim, like->shape, s);
}

void tide_pushtarget (lua_State *L, Target *to, int options, const Like *like,
                      DType t, RtStream *s, const Array *x, const Array *y) {
  Array *out = tide_pushresult(L, options, like, t, s);
  aim(L, to, options, out, like, s, x, y);
}

void tide_pushtargetout (lua_State *L, Target *to, int options,
                         const Like *like, DType t, RtStream *s, const Array *x,
                         const Array *y) {
  Array *out = tide_pushout(L, options, like, t, s);
  aim(L, to, options, out, like, s, x, y);
}

int tide_reach (lua_State *L, const Target *to, RtStream *s) {
  if (to->z != to->out)
    tide_copy(L, s, to->out, to->z);
  tide_drop(L, to->at);
  return tide_return(L, to->args);
}

Lines tide_lines (const Array *a, int axis) {
  Lines lines = {1, (size_t)a->shape[axis], 1};
  for (int i = 0; i < axis; i++)
    lines.outer *= (size_t)a->shape[i];
  for (int i = axis + 1; i < a->ndim; i++)
    lines.inner *= (size_t)a->shape[i];
  return lines;
}

const char *const tide_axisout[] = {"axis", "out", NULL};

int tide_optaxes (lua_State *L, int arg, int ndim, const char *const names[],
                  int axes[MAX_DIMS], int *n) {
  bool list = lua_istable(L, arg) && lua_rawlen(L, arg) > 0;
  int options = (lua_istable(L, arg) && !list) ? arg : arg + 1;
  bool given = (options > arg && !lua_isnoneornil(L, arg));
  *n = given ? tide_checkaxes(L, arg, ndim, axes) : -1;
  if (options == arg)
    tide_argcheck(L, lua_isnoneornil(L, arg + 1), arg + 1,
                  "nothing comes after the options");
  if (tide_checkoptions(L, options, names)) {
    int option = tide_optionaxes(L, options, given, ndim, axes);
    *n = given ? *n : option;
  }
  return options;
}

int tide_optaxis (lua_State *L, int arg, int ndim, const char *const names[],
                  int *axis) {
  int axes[MAX_DIMS], n;
  int options = tide_optaxes(L, arg, ndim, names, axes, &n);
  tide_argcheck(L, n <= 1 && n != 0, lua_isnil(L, arg) ? options : arg,
                "one axis expected");
  *axis = (n < 0) ? -1 : axes[0];
  return options;
}

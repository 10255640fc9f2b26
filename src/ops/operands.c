/*
** operands.c - what functions with kernels for dense arrays ask of their
** arguments: dense operands, results to write to.
*/
#include "operands.h"

#include "array/array.h"
#include "array/axes.h"
#include "array/geometry.h"
#include "result.h"

Array *tide_pushplain (lua_State *L, int arg, DType t) {
  Array *a = tide_pushcast(L, arg, t);
  if (!a->dense) {  /* the operand itself: what is cast is dense */
    a = tide_pushdense(L, -1);
    lua_remove(L, -2);
  }
  return a;
}

static bool is_apart (const Array *z, const Array *x) {
  return x == NULL || !tide_overlaps(z, x);
}

/* What is returned, on the top, is 'out'. */
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
                         const Like *like, DType t, RtStream *s,
                         const Array *x, const Array *y) {
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

int tide_optaxis (lua_State *L, int arg, int ndim, int *axis) {
  *axis = -1;
  if (lua_istable(L, arg)) {
    luaL_argcheck(L, lua_isnoneornil(L, arg + 1), arg + 1,
                  "nothing comes after the options");
    return arg;
  }
  if (!lua_isnoneornil(L, arg))
    *axis = tide_checkaxis(L, arg, ndim);
  return arg + 1;
}

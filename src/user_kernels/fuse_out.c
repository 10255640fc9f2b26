/*
** fuse_out.c - the targets of a fused function's results: new arrays, or those
** of the option 'out', one or a list.
*/
#include "array/array.h"
#include "array/layout.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "fuse.h"
#include "ops/result.h"
#include "params.h"

/* Pushes array i of the option's n. Returns NULL and pushes nothing if none is
** given. */
static Array *push_out (lua_State *L, const Binding *b, int options, int i,
                        int n) {
  int type = (options > 0) ? option_get(L, options, "out") : LUA_TNONE;
  if (type == LUA_TNIL)
    lua_pop(L, 1);
  if (type == LUA_TNIL || type == LUA_TNONE)
    return NULL;
  int given = (type == LUA_TTABLE) ? (int)lua_rawlen(L, -1) : 1;
  if (given != n)
    error_raise(L, "%s: option 'out' must have %d array%s, has %d", b->what, n,
                n == 1 ? "" : "s", given);
  if (type == LUA_TTABLE) {
    list_check_of(L, b->what, -1, (lua_Unsigned)n, "option 'out', a list");
    lua_rawgeti(L, -1, i + 1);
    lua_remove(L, -2);
  }
  Array *out = array_test(L, -1);
  if (out == NULL || out->closed)
    error_raise(L, "%s: option 'out' must be an open tide.Array, got %s",
                b->what, array_push_got(L, -1));
  return out;
}

/* Describes a result: of the binding's shape, on the device of its arrays. */
static Like result_like (const Binding *b) {
  Like like = {.ndim = b->ndim, .shape = b->shape};
  for (int i = 0; i < b->n && like.of == NULL; i++)
    like.of = b->args[i].array;
  return like;
}

static DType result_dtype (const Generated *g, int i) {
  const Fused *f = g->made;
  return g->text.params[g->text.nparams - f->nresults + i].t;
}

void fuse_check_outs (lua_State *L, const Binding *b, const Generated *g,
                      int options) {
  const Fused *f = g->made;
  const Array *outs[MAX_FUSED];
  const Like like = result_like(b);
  int top = lua_gettop(L);
  for (int i = 0; i < f->nresults; i++) {
    outs[i] = push_out(L, b, options, i, f->nresults);
    if (outs[i] == NULL)
      return;
    if (f->reduces)
      error_raise(L, "%s: option 'out' is not for reductions", b->what);
    array_check_open(L, options, outs[i]);
    result_check(L, options, "option 'out'", outs[i], &like,
                 result_dtype(g, i));
    for (int k = 0; k < i; k++)
      if (layout_overlaps(outs[i], outs[k]))
        error_raise(L, "%s: option 'out': array %d overlaps array %d", b->what,
                    i + 1, k + 1);
  }
  lua_settop(L, top);
}

/*
** Tells whether the kernel may write there. It may read the same elements only
** if it has one result: with more it could read again what it has written, and
** with a copy still to come the call may begin again.
*/
static bool is_fit (const Binding *b, const Array *z, int n) {
  for (int i = 0; i < b->n; i++) {
    const Array *x = b->args[i].array;
    if (x != NULL && layout_overlaps(x, z) &&
        (n > 1 || !param_is_alias_safe(b, i, z)))
      return false;
  }
  return z->dense;
}

Array *fuse_push_result (lua_State *L, const Binding *b, const Generated *g,
                         RtStream *s, int options, int i, Later *later) {
  const Fused *f = g->made;
  Array *out = push_out(L, b, options, i, f->nresults);
  if (out != NULL && is_fit(b, out, f->nresults))
    return out;
  if (out != NULL)
    lua_pop(L, 1);
  Array *z = array_new(L, b->dev, result_dtype(g, i), b->ndim, b->shape, s);
  if (out != NULL) {
    later->from[later->n] = z;
    later->to[later->n++] = out;
  }
  return z;
}

void fuse_put_outs (lua_State *L, const Binding *b, int options, int first,
                    int n) {
  for (int i = 0; i < n; i++) {
    Array *z = lua_touserdata(L, first + i);
    Array *out = push_out(L, b, options, i, n);
    if (out == NULL)
      return;
    if (out != z)
      array_release(z);
    lua_replace(L, first + i);
  }
}

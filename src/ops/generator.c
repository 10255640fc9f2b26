/*
** generator.c - the Generator type: random numbers with a separate state. The
** numbers are in rt/random.c; the methods that draw are in random.c,
** distributions.c and lua/tide/draws.lua.
*/
#include "generator.h"

#include "array/array.h"
#include "base/blame.h"
#include "base/error.h"
#include "base/slip.h"
#include "openers.h"
#include "rt/memory/block.h"

static Generator *check_open (lua_State *L, int arg) {
  Generator *g = tide_checkobject(L, arg, &tide_generatorclass);
  tide_argcheck(L, !g->closed, arg, "generator is closed");
  return g;
}

RtGenerator *tide_checkgenerator (lua_State *L, int arg) {
  RtGenerator *common;
  Runtime *rt = tide_rt(L);
  if (arg > 0) {
    Generator *g = check_open(L, arg);
    if (!g->common)
      return g->own;
  }
  tide_check(L, rt_commongenerator(rt, &common));
  State *st = tide_state(L);
  if (st->seeded)
    tide_check(L, rt_seed(common, st->seed, "tide.random.seed"));
  st->seeded = false;
  return common;
}

/* Allocates memory as for any array, so that limits and figures include it.
** Meanwhile others may do the same, or close the generator. */
void tide_ensurerandom (lua_State *L, int arg, RtDevice *dev, RtStream *s) {
  int64_t bytes = (int64_t)rt_randombytes();
  if (!rt_wantsrandom(tide_checkgenerator(L, arg), dev))
    return;
  Array *a = tide_newarray(L, dev, DTYPE_UINT8, 1, &bytes, s);
  RtGenerator *g = tide_checkgenerator(L, arg);
  if (rt_wantsrandom(g, dev)) {
    rt_retainblock(a->block);
    rt_giverandom(g, a->block);
  }
  tide_drop(L, lua_gettop(L) - 1);
}

/* {== life ============================================================ */

void tide_newgenerator (lua_State *L, uint64_t seed) {
  Runtime *rt = tide_rt(L);
  Generator *g = tide_newobject(L, sizeof *g + rt_generatorsize(rt),
                                &tide_generatorclass, 0);
  rt_startgenerator(rt, g->own);
  tide_check(L, rt_seed(g->own, seed, "tide.random.Generator"));
}

void tide_pushcommon (lua_State *L) {
  Generator *g = tide_newobject(L, sizeof *g, &tide_generatorclass, 0);
  g->common = true;
}

/* Drops the generator. Idempotent, calls no driver. The Runtime does not know a
** generator that a finalizer made while the State closed. */
static void drop (Generator *g) {
  bool had = !g->closed && !g->common && g->own->rt != NULL;
  g->closed = true;
  if (had && g->object.state->rt != NULL)
    rt_endgenerator(g->own);
}

/* Shared by __gc and __close: silent. */
static int generator__gc (lua_State *L) {
  drop(tide_endobject(L, &tide_generatorclass, NULL));
  return 0;
}

/* g:close(): graphs that draw from it go on to do so. */
static int generator_close (lua_State *L) {
  drop(check_open(L, 1));
  return 0;
}

static int generator__tostring (lua_State *L) {
  Generator *g = tide_checkobject(L, 1, &tide_generatorclass);
  if (g->closed)
    return lua_pushliteral(L, "tide.Generator (closed)"), 1;
  lua_pushfstring(L, "tide.Generator (seed %I)",
                  (LUAI_UACINT)(lua_Integer)tide_checkgenerator(L, 1)->seed);
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"close", generator_close, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", generator__gc, 1},
  {"__close", generator__gc, 2},
  {"__tostring", generator__tostring, 1},
  {NULL, NULL, 0},
};

const Class tide_generatorclass = {
  .name = "tide.Generator",
  .methods = methods,
  .metamethods = metamethods,
};

void tide_opengenerator (lua_State *L) {
  tide_newclass(L, &tide_generatorclass);
}

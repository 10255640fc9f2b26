/*
** generator.c - the Generator type: random numbers with a separate state. The
** numbers are in rt/rng.c; the methods that draw are in random.c,
** distributions.c and lua/tide/draws.lua.
*/
#include "generator.h"

#include "array/array.h"
#include "base/argerror.h"
#include "base/error.h"
#include "base/type.h"
#include "openers.h"
#include "rt/memory/block.h"

static Generator *check_open (lua_State *L, int arg) {
  Generator *g = class_check(L, arg, &generator_class);
  argerror_check(L, !g->closed, arg, "generator is closed");
  return g;
}

RtGenerator *generator_check (lua_State *L, int arg) {
  RtGenerator *common;
  Runtime *rt = state_rt(L);
  if (arg > 0) {
    Generator *g = check_open(L, arg);
    if (!g->common)
      return g->own;
  }
  error_check(L, rng_default(rt, &common));
  State *st = state_get(L);
  if (st->seeded)
    error_check(L, rng_seed(common, st->seed, "tide.random.seed"));
  st->seeded = false;
  return common;
}

/* Allocates memory as for any array, so that limits and figures include it.
** Meanwhile others may do the same, or close the generator. */
void generator_prepare (lua_State *L, int arg, RtDevice *dev, RtStream *s) {
  int64_t bytes = (int64_t)rng_state_bytes();
  if (!rng_needs_state(generator_check(L, arg), dev))
    return;
  Array *a = array_new(L, dev, DTYPE_UINT8, 1, &bytes, s);
  RtGenerator *g = generator_check(L, arg);
  if (rng_needs_state(g, dev)) {
    block_retain(a->block);
    rng_set_state(g, a->block);
  }
  array_drop(L, lua_gettop(L) - 1);
}

/* {== life ============================================================ */

void generator_push (lua_State *L, uint64_t seed) {
  Runtime *rt = state_rt(L);
  Generator *g = class_new_object(L, sizeof *g + rng_size(rt), &generator_class,
                                  0);
  rng_start(rt, g->own);
  error_check(L, rng_seed(g->own, seed, "tide.random.Generator"));
}

void generator_common (lua_State *L) {
  Generator *g = class_new_object(L, sizeof *g, &generator_class, 0);
  g->common = true;
}

/* Drops the generator. Idempotent, calls no driver. The Runtime does not know a
** generator that a finalizer made while the State closed. */
static void drop (Generator *g) {
  bool had = !g->closed && !g->common && g->own->rt != NULL;
  g->closed = true;
  if (had && g->object.state->rt != NULL)
    rng_end(g->own);
}

/* Shared by __gc and __close: silent. */
static int generator__gc (lua_State *L) {
  drop(class_check_gc(L, &generator_class, NULL));
  return 0;
}

/* g:close(): graphs that draw from it go on to do so. */
static int generator_close (lua_State *L) {
  drop(check_open(L, 1));
  return 0;
}

static int generator__tostring (lua_State *L) {
  Generator *g = class_check(L, 1, &generator_class);
  if (g->closed)
    return lua_pushliteral(L, "tide.Generator (closed)"), 1;
  lua_pushfstring(L, "tide.Generator (seed %I)",
                  (LUAI_UACINT)(lua_Integer)generator_check(L, 1)->seed);
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

const Class generator_class = {
  .name = "tide.Generator",
  .methods = methods,
  .metamethods = metamethods,
};

void open_generator (lua_State *L) { class_define(L, &generator_class); }

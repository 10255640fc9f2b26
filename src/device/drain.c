/*
** drain.c - frees what was dropped, once its work has passed; and finds memory
** and file descriptors when a limit was reached.
*/
#include "drain.h"

#include <errno.h>

#include "base/blocking.h"
#include "base/error.h"
#include "hostfunc.h"
#include "rt/file/transfer.h"
#include "rt/graph/graph_exec.h"
#include "rt/graph/graph_types.h"
#include "rt/memory/reclaim.h"
#include "rt/queue/kept.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "service.h"

/* Drops functions of abandoned captures, which can never run. */
static void drop_unref (lua_State *L, Runtime *rt) {
  for (const RtKept *k = rt->unref; k != NULL; k = k->next)
    hostfunc_forget(L, k->op.u.hostfn.ref);
  kept_free_functions(rt);
}

/* Drops the functions of graphs whose launches have passed. */
static void drop_inflight (lua_State *L, State *st) {
  state_push_uv(L, UV_INFLIGHT);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    lua_pop(L, 1);
    RtBody *body = lua_touserdata(L, -1);
    if (!graph_exec_body_done(body))
      continue;
    body->anchored = false;
    st->ninflight--;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
}

static void drain (lua_State *L, bool all) {
  State *st = state_get(L);
  if (st->rt->finalizing)
    return;
  if (st->ninflight > 0)
    drop_inflight(L, st);
  runtime_drain(st->rt, all);
  if (st->rt->unref != NULL)
    drop_unref(L, st->rt);
}

void drain_dropped (lua_State *L) { drain(L, false); }

void drain_all (lua_State *L) { drain(L, true); }

Status drain_for_memory (lua_State *L, RtDevice *dev, bool pinned, size_t bytes,
                         bool graphs) {
  RtSearch x = {.serves = blocking_serves(L, state_get(L))};
  Status st = reclaim_start_search(&x, dev, pinned, bytes, graphs);
  if (st == CUDA_ERROR_NOT_READY)
    st = service_wait_quiet(L, dev, reclaim_search, &x, x.serves,
                            "out of memory");
  if (st == 0)
    drain_all(L);
  return st;
}

bool drain_make_room (lua_State *L, Status st) {
  if (st != RT_LIMIT || state_get(L)->pressure.left)
    return false;
  lua_gc(L, LUA_GCCOLLECT);
  drain_all(L);
  return true;
}

bool drain_find_fd (lua_State *L, Descriptors *d, int error) {
  State *st = state_get(L);
  if ((error != EMFILE && error != ENFILE) || st->rt == NULL)
    return false;
  Status status = transfer_wait_closed(st->rt, d->what);
  if (status != 0 && blocking_serves(L, st))
    error_check(L, status);
  switch (d->tries++) {
    case 0: return true;
    case 1: return drain_make_room(L, RT_LIMIT);
    default: return false;
  }
}

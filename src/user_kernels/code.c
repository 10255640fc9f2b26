/*
** code.c - the Code type, which scripts never see. A kernel has a Code for each
** device that it is used on, in a user value. If a finalizer calls a kernel
** whose Code was collected, it gets a new one.
*/
#include "code.h"

#include "base/class.h"
#include "base/error.h"
#include "base/lua_versions.h"
#include "base/state.h"
#include "device/host_function.h"
#include "openers.h"
#include "rt/code/codes.h"

static int code__gc (lua_State *L);

static const Function metamethods[] = {
  {"__gc", code__gc, 1},
  {NULL, NULL, 0},
};

static const Class code_class = {
  .name = "tide.Code",
  .metamethods = metamethods,
};

Code *tide_newcode (lua_State *L, RtDevice *dev, const char *name) {
  tide_drain(L);
  Code *c = tide_newobject(L, sizeof *c, &code_class, 0);
  tide_check(L, rt_newcode(dev, name, &c->rc));
  return c;
}

/* Counts the bytes as if Lua had allocated them, so that the collector runs as
** early. */
void tide_weighcode (lua_State *L, size_t bytes) {
  if (bytes > 0 && !tide_state(L)->pressure.left &&
      lua_gc(L, LUA_GCISRUNNING) > 0)
    tide_addtodebt(L, bytes);
}

static int code__gc (lua_State *L) {
  State *st = tide_state(L);
  Code *c = tide_endobject(L, &code_class, NULL);
  RtCode *rc = c->rc;
  c->fn = NULL;
  c->rc = NULL;
  if (st->rt != NULL)
    rt_dropcode(rc);
  return 0;
}

void tide_opencode (lua_State *L) { tide_newclass(L, &code_class); }

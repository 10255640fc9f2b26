/*
** kernel_code.c - the Code type, which scripts never see. A kernel has a Code
** for each device that it is used on, in a user value. If a finalizer calls a
** kernel whose Code was collected, it gets a new one.
*/
#include "kernel_code.h"

#include "base/class.h"
#include "base/compat.h"
#include "base/error.h"
#include "base/state.h"
#include "device/drain.h"
#include "device/hostfunc.h"
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

Code *kernel_code_new (lua_State *L, RtDevice *dev, const char *name) {
  drain_dropped(L);
  Code *c = class_new_object(L, sizeof *c, &code_class, 0);
  error_check(L, code_new(dev, name, &c->rc));
  return c;
}

/* Counts the bytes as if Lua had allocated them, so that the collector runs as
** early. */
void kernel_code_charge (lua_State *L, size_t bytes) {
  if (bytes > 0 && !state_get(L)->pressure.left &&
      lua_gc(L, LUA_GCISRUNNING) > 0)
    compat_add_debt(L, bytes);
}

static int code__gc (lua_State *L) {
  State *st = state_get(L);
  Code *c = class_check_gc(L, &code_class, NULL);
  RtCode *rc = c->rc;
  c->fn = NULL;
  c->rc = NULL;
  if (st->rt != NULL)
    code_drop(rc);
  return 0;
}

void open_kernel_code (lua_State *L) { class_define(L, &code_class); }

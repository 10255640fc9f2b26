/*
** compile.c - compiles kernels for Lua. If NVRTC refuses a source, raises an
** error with its log, whose line numbers are those of the user's text.
*/
#include "compile.h"

#include <string.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/state.h"
#include "code.h"
#include "device/device.h"
#include "include/tide.h"
#include "rt/code/codes.h"
#include "rt/code/nvrtc.h"

static int image__gc (lua_State *L);

static const Guard guard = {"image", image__gc, NULL};

static int image__gc (lua_State *L) {
  rt_freeimage(tide_checkguard(L, &guard));
  return 0;
}

RtImage *tide_pushimage (lua_State *L) {
  return tide_newguard(L, sizeof(RtImage), 0, &guard);
}

void tide_checkcompiled (lua_State *L, Status st, const RtImage *image,
                         const char *what) {
  if (st == 0)
    return;
  if (st == RT_MISUSE && image->log != NULL)
    tide_raise(L, "%s cannot be compiled:\n%s", what, image->log);
  if (st == RT_MISUSE)
    tide_raise(L, "%s cannot be compiled: %s", what, tide_state(L)->rt->detail);
  tide_fail(L, st);
}

void tide_permitsource (lua_State *L, RtSource *source) {
  source->no_files = tide_leavesout(L, TIDE_FILES);
}

void tide_compilecode (lua_State *L, Code *c, RtSource *source,
                       const char *what) {
  tide_permitsource(L, source);
  RtImage *image = tide_pushimage(L);
  Status st = rt_compilecode(c->rc, source, image);
  tide_checkcompiled(L, st, image, what);
  size_t size = image->size;
  rt_freeimage(image);
  lua_pop(L, 1);
  tide_weighcode(L, size);
}

void tide_checkcuda (lua_State *L, const RtDevice *dev, const char *what) {
  char name[DEVICE_NAME];
  if (strcmp(dev->D->kind, "cuda") != 0)
    tide_raise(L,
               "%s is CUDA C and cannot run on device %s; "
               "tide.ElementwiseKernel, tide.ReductionKernel and tide.fuse "
               "run on every device",
               what, tide_devicename(dev, name));
}

/* Accepts strings only, because a converted number would have no owner. */
static const char *check_text (lua_State *L, int idx, const char *what) {
  if (lua_type(L, idx) != LUA_TSTRING)
    tide_raise(L, "%s must be a string or a list of strings, got %s", what,
               luaL_typename(L, idx));
  return lua_tostring(L, idx);
}

int tide_readtexts (lua_State *L, int idx, const char *what, int max,
                    const char **at) {
  if (lua_isnil(L, idx))
    return 0;
  if (!lua_istable(L, idx)) {
    at[0] = check_text(L, idx, what);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, idx);
  if (n > (lua_Unsigned)max)
    tide_raise(L, "%s are more than %d", what, max);
  tide_checklistof(L, what, idx, n, "a list of strings");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, idx, i + 1);
    at[i] = check_text(L, -1, what);
    lua_pop(L, 1);
  }
  return (int)n;
}

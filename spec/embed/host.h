/*
** host.h - what host programs that use tide by tide.h share, besides embed.h.
** Each runs on the host device, one part of itself at a time, after which
** nothing may live.
*/
#ifndef HOST_H
#define HOST_H

#include <stdint.h>

#include "../../include/tide.h"
#include "embed.h"

static const tide_Api *api;

#define CHECK(x) \
  do { \
    if (!(x)) { \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); \
      exit(1); \
    } \
  } while (0)

/* Runs a piece of Lua, whose arguments are the values on the stack from
** 'first' on; leaves its one result. */
static inline void lua (lua_State *L, int first, const char *code) {
  int n = lua_gettop(L) - first + 1;
  if (luaL_loadstring(L, code) != LUA_OK ||
      (lua_insert(L, first), lua_pcall(L, n, 1, 0)) != LUA_OK)
    exit(bad(code, lua_tostring(L, -1)));
}

static inline lua_Integer number (lua_State *L, int arg, const char *code) {
  int top = lua_gettop(L);
  lua_pushvalue(L, arg);
  lua(L, top + 1, code);
  lua_Integer n = lua_tointeger(L, -1);
  lua_settop(L, top);
  return n;
}

/* A call that must fail, with that in its message. */
static inline void fails (lua_State *L, lua_CFunction f, const char *why) {
  int top = lua_gettop(L);
  lua_pushcfunction(L, f);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK)
    exit(bad(why, "no error"));
  if (strstr(lua_tostring(L, -1), why) == NULL)
    exit(bad(why, lua_tostring(L, -1)));
  lua_settop(L, top);
}

static inline lua_State *open_tide (void) {
  lua_State *L = open_state();
  if (run(L, "tide = require 'tide'\n"
             "function sync () tide.Device('host'):synchronize() end") != 0)
    exit(1);
  api = tide_checkapi(L);
  return L;
}

static inline void collect (lua_State *L) {
  lua_settop(L, 0);
  CHECK(run(L, "for _ = 1, 3 do collectgarbage() tide.poll() end") == 0);
}

static inline int finish (lua_State *L) {
  collect(L);
  lua_close(L);
  return 0;
}

/* int32 tensors over memory of ours. */
static inline tide_Tensor tensor (void *data, int32_t ndim, int64_t *shape) {
  tide_Tensor t;
  memset(&t, 0, sizeof t);
  t.data = data;
  t.device.type = TIDE_CPU;
  t.ndim = ndim;
  t.dtype = (tide_DType){TIDE_INT, 32, 1};
  t.shape = shape;
  return t;
}

typedef struct Part {
  const char *name; /* NULL: the end of a list */
  int (*run)(void);
} Part;

static inline int run_part (const Part *part, const char *name) {
  while (part->name != NULL && strcmp(part->name, name) != 0)
    part++;
  if (part->name == NULL)
    return bad(name, "no such part");
  if (part->run() != 0)
    return 1;
  lua_State *L = open_state();
  if (run(L, nothing_lives) != 0)
    return 1;
  lua_close(L);
  puts("ok");
  return 0;
}

#endif

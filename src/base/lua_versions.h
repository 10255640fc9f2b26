/*
** lua_versions.h - what one version of Lua does otherwise than another. No
** other file asks which Lua it is compiled for. What all have under the same
** name may be used anywhere; what only one of them has comes here.
*/
#ifndef TIDE_BASE_LUA_VERSIONS_H
#define TIDE_BASE_LUA_VERSIONS_H

#include <stddef.h>

#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM < 504 || LUA_VERSION_NUM > 505
#error "tide needs the headers of Lua 5.4 or 5.5"
#endif

/* A state of one's own. Its strings are hashed in the same way each time. */
static inline lua_State *tide_newluastate (lua_Alloc f, void *ud) {
#if LUA_VERSION_NUM >= 505
  return lua_newstate(f, ud, 0);
#else
  return lua_newstate(f, ud);
#endif
}

/*
** A step of the collector, as if Lua had allocated so many KiB; 0: the least
** one. Lua 5.4 counts them in KiB, an int; 5.5 in bytes, a size_t. In
** generational mode a young collection.
*/
static inline void tide_stepcollector (lua_State *L, size_t kib) {
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, kib << 10);
#else
  lua_gc(L, LUA_GCSTEP, (int)kib);
#endif
}

/*
** Closes the slot at 'idx', which lua_toclose has marked and nothing above it.
** What pops such a slot comes here first: in Lua 5.4.3 and 5.4.4 lua_settop
** leaves the stack's top in memory that is free, where the stack moves while it
** closes something.
*/
static inline void tide_closeslot (lua_State *L, int idx) {
#if LUA_VERSION_RELEASE_NUM >= 50403
  lua_closeslot(L, idx);
#else
  lua_settop(L, idx - 1);
  lua_pushnil(L);
#endif
}

#endif

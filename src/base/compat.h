/*
** compat.h - the differences between versions of Lua. No other file asks
** which Lua it is compiled for. Functions that all versions have under the same
** name may be used anywhere; functions that only one version has come here.
*/
#ifndef TIDE_BASE_COMPAT_H
#define TIDE_BASE_COMPAT_H

#include <stddef.h>

#include <lauxlib.h>
#include <lua.h>

#if LUA_VERSION_NUM < 504 || LUA_VERSION_NUM > 505
#error "tide needs the headers of Lua 5.4 or 5.5"
#endif

/* Makes a separate state. Its strings are hashed in the same way each time. */
static inline lua_State *compat_newstate (lua_Alloc f, void *ud) {
#if LUA_VERSION_NUM >= 505
  return lua_newstate(f, ud, 0);
#else
  return lua_newstate(f, ud);
#endif
}

/* Adds so many bytes to Lua's count of allocations since the last step of its
** collector. Makes a step if it is due. */
static inline void compat_add_debt (lua_State *L, size_t bytes) {
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, bytes + 1);
#else
  lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024) + 1);
#endif
}

/*
** Makes one step of the collector, the smallest that Lua itself makes: a part
** of a cycle or, in generational mode, a young collection or the major one that
** is due. Lua 5.4 decides on a major one only in a step that has a debt. After
** a step of size 0 there is none, so garbage that has become old would stay for
** ever. So this sets the debt to 0, which is all that LUA_GCRESTART does while
** the collector runs, and then to 1 KiB. A stopped collector stays stopped.
*/
static inline void compat_step_gc (lua_State *L) {
#if LUA_VERSION_NUM < 505
  if (lua_gc(L, LUA_GCISRUNNING) > 0) {
    lua_gc(L, LUA_GCRESTART);
    compat_add_debt(L, 0);
    return;
  }
#endif
  lua_gc(L, LUA_GCSTEP, 0);
}

/* Makes a coroutine that has ended in an error resumable again. */
static inline void compat_reset_thread (lua_State *co, lua_State *from) {
#if LUA_VERSION_RELEASE_NUM >= 50406
  lua_closethread(co, from);
#else
  (void)from;
  lua_resetthread(co);
#endif
  lua_settop(co, 0);
}

/*
** Closes the slot at 'idx', which lua_toclose has marked, with no marked slot
** above it. Call this before you pop such a slot: in Lua 5.4.3 and 5.4.4
** lua_settop leaves the stack's top in freed memory if the stack moves while it
** closes something.
*/
static inline void compat_close_slot (lua_State *L, int idx) {
#if LUA_VERSION_RELEASE_NUM >= 50403
  lua_closeslot(L, idx);
#else
  lua_settop(L, idx - 1);
  lua_pushnil(L);
#endif
}

#endif

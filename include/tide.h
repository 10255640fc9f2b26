/*
** tide.h - for host programs: what the scripts of a lua_State may use of
** tide. Installed as <tide.h>. There is nothing to link; the functions here
** only leave a table in the registry, where tide.core finds it when it is
** opened (docs/embedding.md says what is in it).
**
**   #include <tide.h>
**   tide_Limits limits = {.device_bytes = 1u << 30, .streams = 16,
**                         .leave_out = TIDE_POINTERS | TIDE_FILES};
**   tide_setlimits(L, &limits);          before the module is loaded
**   luaL_dostring(L, "tide = require 'tide'");
*/
#ifndef TIDEOPEN_H
#define TIDEOPEN_H

#include <stddef.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lua.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Groups of functions that can be left out. */
#define TIDE_POINTERS 1u  /* raw addresses: s.ptr, a.ptr, tide.ExternalStream */
#define TIDE_KERNELS 2u   /* device code: tide.RawKernel and its like */
#define TIDE_FILES 4u     /* tide.save, tide.load, h:readfrom, h:writeto */
#define TIDE_RESET 8u     /* dev:reset(), which other states feel */

/* For one lua_State. 0: no limit. */
typedef struct tide_Limits {
  size_t device_bytes;  /* memory of each device, with what is kept for reuse */
  size_t pinned_bytes;  /* page-locked memory of each device: HostArrays */
  size_t streams;       /* until their work is done, also those dropped */
  size_t events;
  unsigned leave_out;   /* groups */
} tide_Limits;

/* Where the limits are in the registry: a table, and false once they hold. */
#define TIDE_LIMITS_KEY "tide.limits"

/* Opens tide.core: for programs that link it; others require "tide". */
int luaopen_tide_core (lua_State *L);

static inline void tide_setlimit (lua_State *L, const char *name, size_t n) {
  lua_pushinteger(L, n < (size_t)INT64_MAX ? (lua_Integer)n
                                           : (lua_Integer)INT64_MAX);
  lua_setfield(L, -2, name);
}

/* Before the module is first loaded into L, else it raises an error. */
static inline void tide_setlimits (lua_State *L, const tide_Limits *limits) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY) == LUA_TBOOLEAN)
    luaL_error(L, "tide is open in this lua_State: its limits hold");
  lua_pop(L, 1);
  lua_createtable(L, 0, 5);
  tide_setlimit(L, "device_bytes", limits->device_bytes);
  tide_setlimit(L, "pinned_bytes", limits->pinned_bytes);
  tide_setlimit(L, "streams", limits->streams);
  tide_setlimit(L, "events", limits->events);
  tide_setlimit(L, "leave_out", limits->leave_out);
  lua_setfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY);
}

#if defined(__cplusplus)
}
#endif

#endif

/* guard.h - userdata that hold something until Lua ends them. See guard.c. */
#ifndef TIDE_BASE_GUARD_H
#define TIDE_BASE_GUARD_H

#include <lua.h>
#include <stdbool.h>

/* A kind of guard: its name in errors, and its finalizers. Each of these begins
** with guard_check. */
typedef struct Guard {
  const char *name;
  lua_CFunction gc;
  lua_CFunction close; /* NULL: as gc */
} Guard;

/* Pushes a new guard of 'size' bytes, all zero, with 'nuv' user values. Nothing
** runs between setting its metatable and the return: the caller fills it
** first. */
void *guard_new (lua_State *L, size_t size, int nuv, const Guard *guard);

/* Returns the guard at 'arg', or NULL if another value is there. */
void *guard_test (lua_State *L, int arg, const Guard *guard);

/* Closes the guard at 'idx' and returns true, if such a one is there. It was
** marked to be closed, and what was marked above it is closed. */
bool guard_close (lua_State *L, int idx, const Guard *guard);

/* Returns the guard at 1. Raises if another value is there. */
void *guard_check (lua_State *L, const Guard *guard);

#endif

/* error.h - the only place that turns a Status into a Lua error, and finds the
** running Lua function. */
#ifndef TIDE_BASE_ERROR_H
#define TIDE_BASE_ERROR_H

#include "state.h"

/*
** Returns if the status is 0. Else raises: a driver error as "cuLaunchKernel:
** CUDA_ERROR_X (700): text", with the position of the calling Lua function
** in front.
*/
void error_check (lua_State *L, Status st);

/* Raises; 'return error_fail(L, st);' where nothing is left to free. */
int error_fail (lua_State *L, Status st) __attribute__((cold));

/* Pushes the message of a failed driver call, without a place. */
void error_push_failure (lua_State *L, const char *call, Status st,
                         const char *detail);

/* Like luaL_error, which finds no place if C called: pcall(s.record, s). Where
** tide's own Lua calls for the program, the place is the program's. */
int error_raise (lua_State *L, const char *format, ...) __attribute__((cold));

/* Returns the program's name for the function that it has called, if that is
** tide's own Lua, which has called this; else NULL. *ar or values left on the
** stack keep the name. */
const char *error_own_function (lua_State *L, lua_Debug *ar);

/* Returns that name, or NULL, and leaves nothing on the stack. It lasts until
** Lua runs. */
const char *error_own_name (lua_State *L);

/* Returns that name; or 'what', if there is none or 'what' ends with it behind
** a dot. */
const char *error_called (lua_State *L, const char *what);

/* Finds the innermost Lua function inside the running call. Returns true and
** puts its name and line in *ar. */
bool error_find_caller (lua_State *L, lua_Debug *ar);

/* Pushes the place of the innermost Lua function that is not tide's own, as
** "file:line". */
void error_push_caller (lua_State *L);

/* If the function at 'idx' is a C function or tide's own, so that its place
** says nothing: returns true, and pushes the place where the program calls. */
bool error_push_origin (lua_State *L, int idx);

/* Notes that place for the next operation that is queued: fault_set_line. */
void error_note_place (lua_State *L, Runtime *rt);

/* error_note_place that skips tide's own Lua: its work counts as its caller's.
*/
void error_note_outer (lua_State *L, Runtime *rt);

#endif

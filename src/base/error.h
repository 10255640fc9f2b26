/* error.h - the only place that turns a Status into a Lua error, and where Lua
** is. */
#ifndef TIDE_BASE_ERROR_H
#define TIDE_BASE_ERROR_H

#include "state.h"

/*
** 0: returns. Else raises: a driver error as "cuLaunchKernel:
** CUDA_ERROR_X (700): text", with the position of the Lua call before it.
*/
void tide_check (lua_State *L, Status st);

/* Raises; 'return tide_fail(L, st);' where nothing is left to free. */
int tide_fail (lua_State *L, Status st) __attribute__((cold));

/* Pushes what a driver call that failed says, without a place. */
void tide_pushfailure (lua_State *L, const char *call, Status st,
                       const char *detail);

/* As luaL_error, which knows no place if C called: pcall(s.record, s). Of what
** tide's own Lua calls for the program it is the program's. */
int tide_raise (lua_State *L, const char *format, ...) __attribute__((cold));

/* If tide's own Lua has called for the program: what the program calls the
** function that it has called. Else NULL. *ar keeps it. */
const char *tide_ownfunction (lua_State *L, lua_Debug *ar);

/* The innermost Lua function that is inside the running call: true, and its
** name and line are in *ar. */
bool tide_findcaller (lua_State *L, lua_Debug *ar);

/* Pushes where the innermost Lua function is, as "file:line". */
void tide_pushcaller (lua_State *L);

/* If the function at 'idx' is C's or tide's own, whose place says nothing:
** true, and pushes where the program is that calls. */
bool tide_pushorigin (lua_State *L, int idx);

/* Notes that place for what is queued next: rt_setplace. */
void tide_noteplace (lua_State *L, Runtime *rt);

/* What tide's own Lua does, its caller does: notes the place of that. */
void tide_noteoutside (lua_State *L, Runtime *rt);

#endif

/* unhandled.h - what becomes of errors that were never reported. See
** unhandled.c. */
#ifndef TIDE_DEVICE_UNHANDLED_H
#define TIDE_DEVICE_UNHANDLED_H

#include "base/state.h"

/* Reads TIDE_UNHANDLED_ERRORS into the State; raises if it is wrong. */
void unhandled_read (lua_State *L, State *st);

/* Reports 'text' and the string on the top (popped), as the State is set to. */
void unhandled_report (lua_State *L, State *st, const char *text);

/* Reports a scope that was collected open, or only counts it after many. The
** string on the top (popped) is the place where it was opened. */
void unhandled_report_scope (lua_State *L, State *st);

/* For the State's finalizer, which passes the State: reports the errors that
** were never reported, and the host functions that never ran. */
int unhandled_report_all (lua_State *L);

#endif

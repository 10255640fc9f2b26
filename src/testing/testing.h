/* testing.h - what tests may ask of tide: tide.T. See testing.c. */
#ifndef TIDE_TESTING_TESTING_H
#define TIDE_TESTING_TESTING_H

#include "base/state.h"

void open_testing (lua_State *L);

/* Each adds its functions to the table on the top of the stack. */
void testing_add_counts (lua_State *L);
void testing_add_faults (lua_State *L);
void testing_add_code (lua_State *L);
void testing_add_messages (lua_State *L);

#endif

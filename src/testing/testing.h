/* testing.h - what tests may ask of tide: tide.T. See testing.c. */
#ifndef TIDE_TESTING_TESTING_H
#define TIDE_TESTING_TESTING_H

#include "base/state.h"

void open_testing (lua_State *L);

#endif

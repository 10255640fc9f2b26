/* complex_math.h - arithmetic of complex numbers in Lua. See complex_math.c. */
#ifndef TIDE_OPS_COMPLEX_MATH_H
#define TIDE_OPS_COMPLEX_MATH_H

#include "base/state.h"
#include "rt/kernels/kernels.h"

/* Pushes x op y, if 1 and 2 are numbers or Complex, and op is an operator of
** complex numbers. Otherwise returns false. */
bool complex_math_binary (lua_State *L, BinaryOp op);

#endif

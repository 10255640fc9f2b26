/* power.h - powers that are products, roots or inverses. See power.c. */
#ifndef TIDE_OPS_POWER_H
#define TIDE_OPS_POWER_H

#include "elementwise.h"
#include "op_dtypes.h"

typedef enum Power {
  POWER_OTHER,
  POWER_SQUARE,
  POWER_CUBE,
  POWER_ROOT,
  POWER_INVERSE
} Power;

/* Returns the kind of x ^ y, for an x of dtype 't' and the value at 'arg'. */
Power power_kind (lua_State *L, int arg, DType t);

/* Returns the dtypes of that kind; 't' are those of the general power. */
BinaryTypes power_dtypes (lua_State *L, Power p, BinaryTypes t);

/* Queues z = x ^ y, computed in 't'; not for POWER_OTHER. */
void power_launch (lua_State *L, RtStream *s, Power p, DType t, Array *z,
                   Operand *x);

#endif

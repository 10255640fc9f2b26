/*
** power.c - powers by products: x ^ 2 is x * x, x ^ 3 is x * x * x and, for
** floats and complex numbers, x ^ 0.5 is sqrt(x) and x ^ -1 is 1 / x, if the
** exponent is a number. This is NumPy's rule for its operator, plus the cube.
** These take a tenth of the time of other powers, and integers wrap around in
** the same way.
*/
#include "power.h"

#include "array/array.h"
#include "strides.h"

Power power_kind (lua_State *L, int arg, DType t) {
  bool whole = (dtype_kind(t) < KIND_FLOAT);
  if (lua_type(L, arg) != LUA_TNUMBER)
    return POWER_OTHER;
  lua_Number y = lua_tonumber(L, arg);
  return (y == 2)               ? POWER_SQUARE
         : (y == 3)             ? POWER_CUBE
         : (y == 0.5 && !whole) ? POWER_ROOT
         : (y == -1 && !whole)  ? POWER_INVERSE
                                : POWER_OTHER;
}

/*
** complex64 has products, while its powers are computed as complex128. With 16
** bits, only powers that round once avoid the wider dtype.
*/
BinaryTypes power_dtypes (lua_State *L, Power p, BinaryTypes t) {
  if (p == POWER_OTHER || p == POWER_ROOT ||
      (p == POWER_CUBE && dtype_is_half(t.own)))
    return t;
  return op_dtype_binary(L, p == POWER_INVERSE ? BINARY_div : BINARY_mul,
                         t.own);
}

/* z = x * x * x. The square is stored in z, unless x is there. */
static void launch_cube (lua_State *L, RtStream *s, DType t, Array *z,
                         Operand *x) {
  int top = lua_gettop(L);
  Operand square = {z, {0}};
  if (z->block == x->array->block || !stride_is_scratch(L, z))
    square.array = array_new(L, z->dev, t, z->ndim, z->shape, s);
  square.value.bits = array_pointer(square.array);
  elementwise_binary(L, s, BINARY_mul, t, square.array, x, x);
  elementwise_binary(L, s, BINARY_mul, t, z, &square, x);
  array_drop(L, top);
}

static void launch_inverse (lua_State *L, RtStream *s, DType t, Array *z,
                            Operand *x) {
  Operand one = {NULL, {0}};
  lua_pushinteger(L, 1);
  dtype_read_element(L, -1, t, &one.value);
  lua_pop(L, 1);
  elementwise_binary(L, s, BINARY_div, t, z, &one, x);
}

void power_launch (lua_State *L, RtStream *s, Power p, DType t, Array *z,
                   Operand *x) {
  switch (p) {
    case POWER_SQUARE: elementwise_binary(L, s, BINARY_mul, t, z, x, x); break;
    case POWER_CUBE: launch_cube(L, s, t, z, x); break;
    case POWER_ROOT: elementwise_unary(L, s, UNARY_sqrt, z, x->array); break;
    case POWER_INVERSE: launch_inverse(L, s, t, z, x); break;
    case POWER_OTHER: break;
  }
}

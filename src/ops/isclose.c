/*
** isclose.c - which elements of two arrays are near each other, by NumPy's
** rule: |x - y| <= atol + rtol |y| if y is finite, else x and y are equal.
** There is a kernel for floats. Symbols, complex numbers and an x that is wider
** than y are computed in steps, each rounded as in the kernel.
*/
#include "array/array.h"
#include "array/dtype.h"
#include "array/geometry.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/slip.h"
#include "composed.h"
#include "device/current.h"
#include "openers.h"
#include "result.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "symbol.h"

int tide_readtolerance (lua_State *L, const char *const names[], Tolerance *t) {
  int options = 3;
  *t = (Tolerance){1e-5, 1e-8, false};
  if (!lua_istable(L, options))
    t->rtol = tide_optnumber(L, options++, t->rtol);
  if (options == 4 && !lua_istable(L, options))
    t->atol = tide_optnumber(L, options++, t->atol);
  if (tide_checkoptions(L, options, names)) {
    t->rtol = tide_optnum(L, options, "rtol", t->rtol);
    t->atol = tide_optnum(L, options, "atol", t->atol);
    t->nan = tide_optflag(L, options, "equal_nan", false);
  }
  tide_checkend(L, options + 1);
  return options;
}

/* {== steps =========================================================== */

static DType dtype_of (lua_State *L, int x) {
  tide_pushfield(L, x, "dtype");
  DType t = tide_checkdtype(L, lua_gettop(L));
  lua_pop(L, 1);
  return t;
}

/* Converts y, to which the tolerance is relative, to floats. */
static int as_floats (lua_State *L, int y) {
  if (tide_kind(dtype_of(L, y)) >= KIND_FLOAT)
    return y;
  lua_pushliteral(L, "float64");
  return tide_applyto(L, "astype", y, lua_gettop(L));
}

/* isfinite of complex numbers: only finite ones give 0 when they are subtracted
** from themselves. */
static int finite (lua_State *L, int x) {
  if (tide_kind(dtype_of(L, x)) != KIND_COMPLEX)
    return tide_apply(L, "isfinite", x);
  return tide_applynumber(L, "eq", tide_applyto(L, "sub", x, x), 0);
}

static int both (lua_State *L, const char *name, int x, int y) {
  int a = tide_apply(L, name, x);
  return tide_applyto(L, "band", a, tide_apply(L, name, y));
}

static int near_in_steps (lua_State *L, int x, int y, const Tolerance *t) {
  int far = tide_apply(L, "abs", tide_applyto(L, "sub", x, y));
  int most = tide_applynumber(L, "mul", tide_apply(L, "abs", y), t->rtol);
  most = tide_applynumber(L, "add", most, t->atol);
  int z = tide_applyto(L, "le", far, most);
  z = tide_applyto(L, "band", z, finite(L, y));
  z = tide_applyto(L, "bor", z, tide_applyto(L, "eq", x, y));
  return t->nan ? tide_applyto(L, "bor", z, both(L, "isnan", x, y)) : z;
}

/* ==} */

/* {== in one launch =================================================== */

/* Tells whether x can be compared in the dtype of y, a float. */
static bool has_kernel (const Array *x, const Array *y) {
  return tide_kind(y->dtype) == KIND_FLOAT &&
         tide_promote(x->dtype, y->dtype) == (DType)y->dtype;
}

/* Pushes the array at 'arg' in the shape of z, dense, in dtype 't'. */
static Array *push_side (lua_State *L, int arg, DType t, const Array *z) {
  Array *a = tide_pushcast(L, arg, t);
  if (!tide_sameshape(a, z))
    tide_pushbroadcast(L, lua_gettop(L), a, z->ndim, z->shape);
  return tide_pushdense(L, -1);
}

static void launch (lua_State *L, RtStream *s, Array *z, const Array *x,
                    const Array *y, const Tolerance *t) {
  Element rtol = {0}, atol = {0};
  int64_t nan = t->nan;
  lua_pushnumber(L, t->rtol);
  tide_readelement(L, -1, y->dtype, &rtol);
  lua_pushnumber(L, t->atol);
  tide_readelement(L, -1, y->dtype, &atol);
  lua_pop(L, 2);
  Op op;
  rt_startop(&op, OP_LAUNCH, NULL);
  CUdeviceptr px = tide_reads(&op, x), py = tide_reads(&op, y),
              pz = tide_writes(&op, z);
  void *params[] = {&pz, &px, &py, &rtol, &atol, &nan, &z->size};
  KernelId id = rt_kernel_isclose((DType)y->dtype);
  tide_launch(L, s, &op, id, rt_elementwise_grid(id, z->size), params);
}

static int near_at_once (lua_State *L, int x, int y, const Tolerance *t) {
  int64_t shape[MAX_DIMS];
  Array *a = tide_checkarray(L, x), *b = tide_checkarray(L, y);
  int ndim = tide_commonshape(L, a, b, shape);
  RtStream *s = tide_currentstream(L, a->dev);
  Array *z = tide_newarray(L, a->dev, DTYPE_BOOL, ndim, shape, s);
  int top = lua_gettop(L);
  DType in = (DType)b->dtype;
  a = push_side(L, x, in, z);
  b = push_side(L, y, in, z);
  if (z->size > 0)
    launch(L, s, z, a, b, t);
  tide_drop(L, top);
  return top;
}

/* ==} */

int tide_near (lua_State *L, int x, int y, const Tolerance *t) {
  x = lua_absindex(L, x);
  y = as_floats(L, lua_absindex(L, y));
  const Array *a = tide_testarray(L, x), *b = tide_testarray(L, y);
  return (a != NULL && b != NULL && has_kernel(a, b))
           ? near_at_once(L, x, y, t)
           : near_in_steps(L, x, y, t);
}

static const char *const names[] = {"rtol", "atol", "equal_nan", "out", NULL};

/* Pushes a Symbol for the operand. A number has its own dtype, or that of the
** other operand's integers. */
static int push_symbol (lua_State *L, int arg, int other) {
  Trace *t = tide_currenttrace(L);
  int node = tide_operandnode(L, arg), beside = tide_operandnode(L, other);
  node = tide_nodebeside(L, node, beside);
  tide_pushsymbol(L, t, tide_typednode(L, node, t->at[node].t));
  return lua_gettop(L);
}

static int trace_near (lua_State *L) {
  Tolerance t;
  int options = tide_readtolerance(L, names, &t);
  if (tide_getout(L, options))
    return tide_raise(L, "in a fused function there is no option 'out'");
  int x = push_symbol(L, 1, 2);
  tide_near(L, x, push_symbol(L, 2, 1), &t);
  return 1;
}

/*
** isclose(a, b [, rtol [, atol]] [, { rtol=, atol=, equal_nan=, out= }]) ->
** which elements are near; operands are any values that tide.asarray takes.
*/
int tide_isclose (lua_State *L) {
  Tolerance t;
  Runtime *rt = tide_rt(L);
  lua_settop(L, 5);
  if (tide_istraced(L, rt, 2))
    return trace_near(L);
  int options = tide_readtolerance(L, names, &t);
  RtDevice *dev = tide_operanddevice(L);
  RtStream *s = tide_currentstream(L, dev);
  int x = tide_pushoperand(L, 1, tide_testany(L, 2), dev, s);
  int y = tide_pushoperand(L, 2, tide_testany(L, 1), dev, s);
  tide_checkdevices(L, tide_checkarray(L, x), tide_checkarray(L, y));
  tide_near(L, x, y, &t);
  return tide_deliverout(L, options, s);
}

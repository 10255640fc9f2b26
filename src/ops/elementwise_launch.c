/*
** elementwise_launch.c - chooses the kernel of an elementwise operation: one
** for dense operands if all are dense, else one for any strides.
*/
#include "elementwise_launch.h"

#include "array/launch.h"
#include "rt/kernels/kernels.h"
#include "rt/submit.h"
#include "strided.h"

/* Tells whether it is dense and has the result's elements in the same order. */
static bool is_flat (const Array *z, const Operand *x) {
  return x->array == NULL || (x->array->dense && x->array->size == z->size);
}

/* Returns the kernel for dense operands, or for any strides if there is none.
** Swaps the operands if the kernel needs that. */
static KernelId find_kernel (BinaryOp op, DType t, bool *flat, Operand **x,
                             Operand **y) {
  Form form = !*flat                ? FORM_ND
              : (*x)->array == NULL ? FORM_SV
              : (*y)->array == NULL ? FORM_VS
                                    : FORM_VV;
  KernelId id = rt_kernel_binary(op, form, t);
  if (id < 0 && (id = rt_kernel_turned(op, form, t)) >= 0) {
    Operand *first = *x;
    *x = *y;
    *y = first;
  }
  if (id >= 0)
    return id;
  *flat = false;
  return find_kernel(op, t, flat, x, y);
}

void tide_launchbinary (lua_State *L, RtStream *s, BinaryOp op, DType t,
                        Array *z, Operand *x, Operand *y) {
  bool flat = z->dense && is_flat(z, x) && is_flat(z, y);
  KernelId id = find_kernel(op, t, &flat, &x, &y);
  if (!flat) {
    tide_stridedbinary(L, s, id, (Sides){z, x->array, y->array},
                       x->array == NULL ? &x->value : &y->value);
    return;
  }
  CUdeviceptr p = tide_pointer(z);
  void *params[] = {&p, &x->value, &y->value, &z->size};
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  if (x->array != NULL)
    tide_access(&o, x->array, false);
  if (y->array != NULL && y->array != x->array)
    tide_access(&o, y->array, false);
  tide_access(&o, z, true);
  tide_launch(L, s, &o, id, rt_elementwise_grid(id, z->size), params);
}

void tide_launchunary (lua_State *L, RtStream *s, UnaryOp op, Array *z,
                       Array *x) {
  if (!z->dense || !x->dense) {
    tide_stridedunary(L, s, rt_kernel_strided_unary(op, x->dtype), z, x);
    return;
  }
  KernelId id = rt_kernel_unary(op, x->dtype);
  CUdeviceptr pz = tide_pointer(z), px = tide_pointer(x);
  void *params[] = {&pz, &px, &z->size};
  Op o;
  rt_startop(&o, OP_LAUNCH, NULL);
  tide_access(&o, x, false);
  tide_access(&o, z, true);
  tide_launch(L, s, &o, id, rt_elementwise_grid(id, z->size), params);
}

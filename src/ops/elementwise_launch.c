/*
** elementwise_launch.c - chooses the kernel of an elementwise operation: one
** for dense operands if all are dense, else one for any strides.
*/
#include "elementwise.h"

#include "array/launch.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "strides.h"

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
  KernelId id = kernel_binary(op, form, t);
  if (id < 0 && (id = kernel_turned(op, form, t)) >= 0) {
    Operand *first = *x;
    *x = *y;
    *y = first;
  }
  if (id >= 0)
    return id;
  *flat = false;
  return find_kernel(op, t, flat, x, y);
}

void elementwise_binary (lua_State *L, RtStream *s, BinaryOp op, DType t,
                         Array *z, Operand *x, Operand *y) {
  bool flat = z->dense && is_flat(z, x) && is_flat(z, y);
  KernelId id = find_kernel(op, t, &flat, &x, &y);
  if (!flat) {
    stride_binary(L, s, id, (Sides){z, x->array, y->array},
                  x->array == NULL ? &x->value : &y->value);
    return;
  }
  CUdeviceptr p = array_pointer(z);
  void *params[] = {&p, &x->value, &y->value, &z->size};
  Op o;
  op_start(&o, OP_LAUNCH, NULL);
  if (x->array != NULL)
    array_access(&o, x->array, false);
  if (y->array != NULL && y->array != x->array)
    array_access(&o, y->array, false);
  array_access(&o, z, true);
  launch_kernel(L, s, &o, id, kernel_elementwise_grid(id, z->size), params);
}

void elementwise_unary (lua_State *L, RtStream *s, UnaryOp op, Array *z,
                        Array *x) {
  if (!z->dense || !x->dense) {
    stride_unary(L, s, kernel_strided_unary(op, x->dtype), z, x);
    return;
  }
  KernelId id = kernel_unary(op, x->dtype);
  CUdeviceptr pz = array_pointer(z), px = array_pointer(x);
  void *params[] = {&pz, &px, &z->size};
  Op o;
  op_start(&o, OP_LAUNCH, NULL);
  array_access(&o, x, false);
  array_access(&o, z, true);
  launch_kernel(L, s, &o, id, kernel_elementwise_grid(id, z->size), params);
}

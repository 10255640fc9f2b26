/* tensor.h - memory as tide.h and DLPack describe it. See tensor.c. */
#ifndef TIDE_INTEROP_TENSOR_H
#define TIDE_INTEROP_TENSOR_H

#include "array/array.h"
#include "include/tide.h"
#include "rt/memory/import.h"

/* The array that a tensor will be: its type, device, dtype. */
typedef struct TensorSpec {
  const Class *class;
  RtDevice *dev;
  RtForeign kind;
  DType dtype;
} TensorSpec;

/* Returns the device that a tensor names. Raises. */
RtDevice *tensor_find_device (lua_State *L, tide_Device d);

/* Raises if there can be no such array. */
TensorSpec tensor_resolve (lua_State *L, const tide_Tensor *t, unsigned flags);

tide_DType tensor_dtype (DType t);
tide_Device tensor_device (const RtDevice *dev);

/* Describes the elements of an open array. */
void tensor_describe (Array *a, tide_Tensor *t);

#endif

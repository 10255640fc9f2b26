/* tensor.h - memory as tide.h and DLPack describe it. See tensor.c. */
#ifndef TIDE_INTEROP_TENSOR_H
#define TIDE_INTEROP_TENSOR_H

#include "array/array.h"
#include "include/tide.h"
#include "rt/memory/foreign.h"

/* The array that a tensor will be: its type, device, dtype. */
typedef struct Place {
  const Class *class;
  RtDevice *dev;
  RtForeign kind;
  DType dtype;
} Place;

/* Returns the device that a tensor names. Raises. */
RtDevice *tide_finddevice (lua_State *L, tide_Device d);

/* Raises if there can be no such array. */
Place tide_placetensor (lua_State *L, const tide_Tensor *t, unsigned flags);

tide_DType tide_dtypecode (DType t);
tide_Device tide_devicecode (const RtDevice *dev);

/* Describes the elements of an open array. */
void tide_filltensor (Array *a, tide_Tensor *t);

#endif

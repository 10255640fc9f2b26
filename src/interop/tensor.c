/*
** tensor.c - translates between tide's arrays and memory as tide.h and DLPack
** describe it: devices, dtypes.
*/
#include "tensor.h"

#include "array/dtype.h"
#include "base/error.h"
#include "device/current.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"

/* {== dtypes ========================================================== */

static const tide_DType codes[DTYPE_COUNT] = {
  [DTYPE_BOOL] = {TIDE_BOOL, 8, 1},
  [DTYPE_INT8] = {TIDE_INT, 8, 1},
  [DTYPE_INT16] = {TIDE_INT, 16, 1},
  [DTYPE_INT32] = {TIDE_INT, 32, 1},
  [DTYPE_INT64] = {TIDE_INT, 64, 1},
  [DTYPE_UINT8] = {TIDE_UINT, 8, 1},
  [DTYPE_UINT16] = {TIDE_UINT, 16, 1},
  [DTYPE_UINT32] = {TIDE_UINT, 32, 1},
  [DTYPE_UINT64] = {TIDE_UINT, 64, 1},
  [DTYPE_FLOAT16] = {TIDE_FLOAT, 16, 1},
  [DTYPE_BFLOAT16] = {TIDE_BFLOAT, 16, 1},
  [DTYPE_FLOAT32] = {TIDE_FLOAT, 32, 1},
  [DTYPE_FLOAT64] = {TIDE_FLOAT, 64, 1},
  [DTYPE_COMPLEX64] = {TIDE_COMPLEX, 64, 1},
  [DTYPE_COMPLEX128] = {TIDE_COMPLEX, 128, 1},
};

tide_DType tensor_dtype (DType t) { return codes[t]; }

static int refuse (lua_State *L, Runtime *rt, const char *what, int a, int b) {
  return error_fail(L, status_explain(rt, RT_MISUSE, NULL, what, a, b));
}

static DType find_dtype (lua_State *L, Runtime *rt, tide_DType d) {
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (codes[t].code == d.code && codes[t].bits == d.bits &&
        codes[t].lanes == d.lanes)
      return (DType)t;
  if (d.lanes != 1)
    refuse(L, rt,
           "a tensor of type code %d in lanes, of %d: an element here has one; "
           "it may be the last axis",
           d.code, d.lanes);
  refuse(L, rt,
         "a tensor of type code %d with %d bits: there is no such dtype here",
         d.code, d.bits);
  return DTYPE_COUNT;
}

/* ==} */

/* {== devices ========================================================= */

tide_Device tensor_device (const RtDevice *dev) {
  return (tide_Device){context_is_host(dev) ? TIDE_CPU : TIDE_CUDA,
                       dev->ordinal};
}

RtDevice *tensor_find_device (lua_State *L, tide_Device d) {
  Runtime *rt = state_rt(L);
  for (int i = 0; i < rt->ndevices; i++) {
    RtDevice *dev = &rt->devices[i];
    tide_Device own = tensor_device(dev);
    if (own.type == d.type && own.id == d.id)
      return dev;
  }
  if (d.type == TIDE_CUDA && rt->ncuda == 0)
    error_fail(L, status_explain(rt, RT_MISUSE, NULL,
                                 "memory of CUDA device %d: %s", d.id,
                                 rt->no_cuda));
  refuse(L, rt, "device type %d, number %d: there is no such device here",
         d.type, d.id);
  return NULL;
}

/* Returns the device of page-locked memory, which has no number in DLPack. */
static RtDevice *find_pinned (lua_State *L, tide_Device d) {
  RtDevice *dev = current_get_device(L);
  if (!context_is_host(dev))
    return dev;
  return tensor_find_device(L, (tide_Device){TIDE_CUDA, d.id});
}

/* ==} */

static void check_shape (lua_State *L, Runtime *rt, const tide_Tensor *t) {
  if (t->ndim < 0 || t->ndim > MAX_DIMS)
    refuse(L, rt, "a tensor of %d axes; 0 to %d are possible", t->ndim,
           MAX_DIMS);
  if (t->ndim > 0 && t->shape == NULL)
    refuse(L, rt, "a tensor of %d axes whose shape is NULL", t->ndim, 0);
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] < 0)
      refuse(L, rt, "axis %d of the tensor has a negative length", i + 1, 0);
}

/* Refuses unknown flags, because a later tide.h may use them for anything. */
static void check_flags (lua_State *L, Runtime *rt, unsigned flags) {
  unsigned known = TIDE_READ_ONLY | TIDE_AS_HOSTARRAY;
  if ((flags & ~known) != 0)
    refuse(L, rt, "flags 0x%x: this tide knows none of these",
           (int)(flags & ~known), 0);
}

TensorSpec tensor_resolve (lua_State *L, const tide_Tensor *t, unsigned flags) {
  TensorSpec p;
  Runtime *rt = state_rt(L);
  check_flags(L, rt, flags);
  check_shape(L, rt, t);
  p.dtype = find_dtype(L, rt, t->dtype);
  bool plain = (t->device.type == TIDE_CPU && (flags & TIDE_AS_HOSTARRAY));
  bool pinned = (t->device.type == TIDE_CUDAHOST);
  p.class = (plain || pinned) ? &array_host_class : &array_class;
  p.kind = plain ? FOREIGN_PLAIN : pinned ? FOREIGN_PINNED : FOREIGN_DEVICE;
  p.dev = plain    ? current_get_device(L)
          : pinned ? find_pinned(L, t->device)
                   : tensor_find_device(L, t->device);
  return p;
}

void tensor_describe (Array *a, tide_Tensor *t) {
  bool pinned = (a->object.class == &array_host_class);
  t->data = (void *)(uintptr_t)array_pointer(a);
  t->device = tensor_device(a->dev);
  if (pinned && t->device.type == TIDE_CUDA)
    t->device.type = TIDE_CUDAHOST;
  t->ndim = a->ndim;
  t->dtype = codes[a->dtype];
  t->shape = a->shape;
  t->strides = a->shape + a->ndim;
  t->byte_offset = 0;
}

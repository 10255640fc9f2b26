/*
** upload.c - copies bytes of strings, tables and files into arrays. Much data
** goes through the ring of rt/upload.c. Small data goes through a cached
** page-locked block of its own. So does all data during a capture, since a
** graph has to keep its source.
*/
#include "upload.h"

#include <string.h>

#include "allocate.h"
#include "array.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/state.h"
#include "device/current.h"
#include "device/service.h"
#include "dtype.h"
#include "geometry.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/block.h"
#include "rt/submit.h"
#include "rt/upload.h"
#include "rt/wait/behind.h"
#include "rt/wait/wait.h"

static int fill_bytes (const void *ud, char *to, size_t off, size_t n) {
  memcpy(to, (const char *)ud + off, n);
  return 0;
}

static int fill_truth (const void *ud, char *to, size_t off, size_t n) {
  const char *from = (const char *)ud + off;
  for (size_t i = 0; i < n; i++)
    to[i] = (from[i] != 0);
  return 0;
}

static Status fill (const RtBlock *b, const RtBytes *src, const char *what) {
  int error = src->fill(src->ud, (char *)(uintptr_t)b->ptr, 0, src->bytes);
  return (error == 0) ? 0
                      : rt_explain(b->dev->rt, RT_MISUSE, NULL, "%s: %s", what,
                                   strerror(error));
}

/* Copies through a block. Nothing may raise between getting the block and
** dropping it; getting it may have run finalizers. */
static void by_block (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                      const char *what) {
  RtBlock *b;
  Op op;
  rt_startop(&op, OP_COPY, "copy");
  tide_makeway(L, a->dev, src->bytes, true);
  tide_getblock(L, a->dev, src->bytes, true, NULL, false, &b);
  if (a->block == NULL || !tide_iscalm(tide_state(L))) {
    rt_dropblock(b);
    tide_again(L, tide_state(L));
  }
  Status st = fill(b, src, what);
  if (st == 0) {
    op.u.copy.dst = tide_pointer(a);
    op.u.copy.src = b->ptr;
    op.u.copy.bytes = src->bytes;
    rt_access(&op, b, 0, src->bytes, false);
    tide_access(&op, a, true);
    st = rt_submit(s, &op);
  }
  rt_dropblock(b);
  tide_check(L, st);
}

/* Collects garbage to make room for the ring's smallest slot. */
static void make_room (lua_State *L, Array *a) {
  RtBlock *b;
  tide_makeway(L, a->dev, RING_LEAST, true);
  tide_getblock(L, a->dev, RING_LEAST, true, NULL, false, &b);
  rt_dropblock(b);
  if (a->block == NULL)
    tide_again(L, tide_state(L));
}

static Status slot_ready (void *ud) { return rt_hasslot(ud); }

/* Copies through the ring. If the transfer has to wait, pending host functions
** run first, because they must not run while it is half done. */
static Status by_ring (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                       const char *what) {
  RtUpload u;
  RtDevice *dev = a->dev;
  tide_checkcalm(L, tide_state(L));
  Status st = rt_startupload(&u, s, a->block, a->off, src, what);
  if (st != 0)
    return st;
  if (u.waits)
    st = tide_announce(L, dev->rt, what);
  if (st == 0 && u.waits && dev->rt->nkept > 0 &&
      tide_mayserve(L, tide_state(L)))
    st = rt_block(dev, WANT_QUIET, NULL, 0, what);
  while (st == 0 && (st = rt_upload(&u)) == CUDA_ERROR_NOT_READY)
    st = tide_awaitquietly(L, dev, slot_ready, dev, false, NULL);
  return rt_endupload(&u, st);
}

/* Tells whether the copy would be kept, in which case it would fill the
** ring. */
static bool is_kept (const RtStream *s, const Array *a) {
  return s->kept != NULL || rt_findkept(&a->block->marks) != NULL;
}

void tide_upload (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                  const char *what) {
  if (src->bytes == 0)
    return;
  if (src->bytes <= RING_LEAST || a->dev->rt->ncaptures > 0 || is_kept(s, a)) {
    by_block(L, s, a, src, what);
    return;
  }
  Status st = 0;
  if (!rt_uploadstraight(s, a->block, a->off, src, what, &st))
    st = by_ring(L, s, a, src, what);
  if (st == CUDA_ERROR_OUT_OF_MEMORY) {
    make_room(L, a);
    st = by_ring(L, s, a, src, what);
  }
  tide_check(L, st);
}

void tide_uploadhost (lua_State *L, RtStream *s, Array *a, const Array *h,
                      const char *what) {
  RtBytes src = {fill_bytes, (const void *)(uintptr_t)tide_pointer(h),
                 tide_nbytes(a), NULL};
  tide_upload(L, s, a, &src, what);
}

void tide_uploadbytes (lua_State *L, RtStream *s, Array *a, const char *bytes,
                       const char *what) {
  RtBytes src = {a->dtype == DTYPE_BOOL ? fill_truth : fill_bytes, bytes,
                 tide_nbytes(a), NULL};
  tide_upload(L, s, a, &src, what);
}

/* {== tide.frombytes ================================================== */

/* Counts the bytes of such an array before it is made. Returns false if they
** cannot be counted. */
static bool count_bytes (DType t, int ndim, const int64_t *shape,
                         size_t *bytes) {
  bool empty = false;
  for (int i = 0; i < ndim; i++)
    empty = empty || shape[i] == 0;
  *bytes = empty ? 0 : rt_dtype_size(t);
  for (int i = 0; i < ndim && !empty; i++)
    if (__builtin_mul_overflow(*bytes, (size_t)shape[i], bytes))
      return false;
  return true;
}

/* Raises if an array like that has not the bytes of the string. Its shape was
** given, or follows from the whole elements in the string. */
static void check_length (lua_State *L, DType t, int ndim, const int64_t *shape,
                          size_t len) {
  size_t bytes;
  bool given = !lua_isnoneornil(L, 3);
  bool counted = count_bytes(t, ndim, shape, &bytes);
  if (counted && bytes == len)
    return;
  const char *most = lua_pushfstring(L, "%I",
                                     given ? (LUAI_UACINT)bytes
                                           : (LUAI_UACINT)rt_dtype_size(t));
  tide_pushdims(L, ndim, shape);
  tide_argerror(L, given ? 3 : 1,
                "the string's length does not fit dtype and shape: it has %I "
                "bytes, "
                "%s %s has %s",
                (LUAI_UACINT)len, given ? lua_tostring(L, -1) : "one",
                tide_dtypename(t), counted ? most : "more than there can be");
}

/* frombytes(str, dtype [, shape]): by default 1-d with the whole string. */
static int core_frombytes (lua_State *L) {
  int64_t shape[MAX_DIMS];
  size_t len;
  tide_rt(L);
  const char *bytes = tide_checklstring(L, 1, &len);
  DType t = tide_checkdtype(L, 2);
  int ndim = 1;
  shape[0] = (int64_t)(len / rt_dtype_size(t));
  if (!lua_isnoneornil(L, 3))
    ndim = tide_readshape(L, 3, shape);
  check_length(L, t, ndim, shape, len);
  RtDevice *dev = tide_currentdevice(L);
  RtStream *s = tide_currentstream(L, dev);
  Array *a = tide_newarray(L, dev, t, ndim, shape, s);
  tide_uploadbytes(L, s, a, bytes, "tide.frombytes");
  return 1;
}

/* ==} */

/* {== a:copy_from ===================================================== */

/* Copies to an array; with gaps, through an array without gaps. */
static void copy_bytes (lua_State *L, Array *a, const char *bytes) {
  RtStream *s = tide_currentstream(L, a->dev);
  Array *to = a;
  if (!a->dense)
    to = tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape, s);
  tide_uploadbytes(L, s, to, bytes, "array:copy_from");
  if (to != a)
    tide_copy(L, s, a, to);
}

static void copy_string (lua_State *L, Array *a) {
  size_t len, n = tide_nbytes(a);
  const char *bytes = lua_tolstring(L, 2, &len);
  tide_argcheck(L, len == n, 2, "string of %I bytes expected, got %I",
                (LUAI_UACINT)n, (LUAI_UACINT)len);
  tide_checkwritable(L, 1, a);
  if (a->object.class == &tide_arrayclass)
    copy_bytes(L, a, bytes);
  else
    tide_sethost(L, a, bytes, len, "hostarray:copy_from");
}

bool tide_copyvalue (lua_State *L, Array *a) {
  if (lua_type(L, 2) == LUA_TSTRING)
    copy_string(L, a);
  else if (lua_istable(L, 2))
    tide_assign(L, a, 2);
  else
    return false;
  return true;
}

/* ==} */

static const Function functions[] = {
  {"frombytes", core_frombytes, 3},
  {NULL, NULL, 0},
};

void tide_openupload (lua_State *L) { tide_setfuncs(L, functions); }

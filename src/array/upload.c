/*
** upload.c - copies bytes of strings, tables and files into arrays. Much data
** goes through the staging buffer of rt/staging.c. Small data goes through a
** cached page-locked block of its own. So does all data during a capture, since
** a graph has to keep its source.
*/
#include "upload.h"

#include <string.h>

#include "alloc.h"
#include "array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "device/service.h"
#include "dtype.h"
#include "layout.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/kernels/dtypes.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/memory/slots.h"
#include "rt/os/reading.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/submit/staging.h"
#include "rt/wait/deferral.h"
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
                      : status_explain(b->dev->rt, RT_MISUSE, NULL, "%s: %s",
                                       what, reading_why(error));
}

/* Copies through a block. Nothing may raise between getting the block and
** dropping it; getting it may have run finalizers. */
static void by_block (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                      const char *what) {
  RtBlock *b;
  Op op;
  op_start(&op, OP_COPY, "copy");
  alloc_prepare(L, a->dev, src->bytes, true);
  alloc_block(L, a->dev, src->bytes, true, NULL, false, &b);
  if (a->block == NULL || !entry_undisturbed(state_get(L))) {
    block_drop(b);
    entry_retry(L, state_get(L));
  }
  Status st = fill(b, src, what);
  if (st == 0) {
    op.u.copy.dst = array_pointer(a);
    op.u.copy.src = b->ptr;
    op.u.copy.bytes = src->bytes;
    op_access(&op, b, 0, src->bytes, false);
    array_access(&op, a, true);
    st = op_submit(s, &op);
  }
  block_drop(b);
  error_check(L, st);
}

/* Collects garbage to make room for the smallest staging slot. */
static void make_room (lua_State *L, Array *a) {
  RtBlock *b;
  alloc_prepare(L, a->dev, STAGING_LEAST, true);
  alloc_block(L, a->dev, STAGING_LEAST, true, NULL, false, &b);
  block_drop(b);
  if (a->block == NULL)
    entry_retry(L, state_get(L));
}

static Status slot_ready (void *ud) { return slot_query(ud); }

/* Copies through the staging buffer. If the transfer has to wait, pending host
** functions run first, because they must not run while it is half done. */
static Status by_ring (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                       const char *what) {
  RtUpload u;
  RtDevice *dev = a->dev;
  entry_check_calls(L, state_get(L));
  Status st = staging_start(&u, s, a->block, a->off, src, what);
  if (st != 0)
    return st;
  if (u.waits)
    st = service_announce(L, dev->rt, what);
  if (st == 0 && u.waits && dev->rt->nkept > 0 &&
      blocking_serves(L, state_get(L)))
    st = wait_block(dev, WAIT_QUIET, NULL, 0, what);
  while (st == 0 && (st = staging_continue(&u)) == CUDA_ERROR_NOT_READY)
    st = service_wait_quiet(L, dev, slot_ready, dev, false, NULL);
  return staging_end(&u, st);
}

/* Tells whether the copy would be kept, in which case it would fill the staging
** buffer. */
static bool is_kept (const RtStream *s, const Array *a) {
  return s->kept != NULL || deferral_find_use(&a->block->marks) != NULL;
}

void upload_source (lua_State *L, RtStream *s, Array *a, const RtBytes *src,
                    const char *what) {
  if (src->bytes == 0)
    return;
  if (src->bytes <= STAGING_LEAST || a->dev->rt->ncaptures > 0 ||
      is_kept(s, a)) {
    by_block(L, s, a, src, what);
    return;
  }
  Status st = 0;
  if (!staging_bypass(s, a->block, a->off, src, what, &st))
    st = by_ring(L, s, a, src, what);
  if (st == CUDA_ERROR_OUT_OF_MEMORY) {
    make_room(L, a);
    st = by_ring(L, s, a, src, what);
  }
  error_check(L, st);
}

void upload_host (lua_State *L, RtStream *s, Array *a, const Array *h,
                  const char *what) {
  RtBytes src = {fill_bytes, (const void *)(uintptr_t)array_pointer(h),
                 array_bytes(a), NULL};
  upload_source(L, s, a, &src, what);
}

void upload_bytes (lua_State *L, RtStream *s, Array *a, const char *bytes,
                   const char *what) {
  RtBytes src = {a->dtype == DTYPE_BOOL ? fill_truth : fill_bytes, bytes,
                 array_bytes(a), NULL};
  upload_source(L, s, a, &src, what);
}

/* {== tide.frombytes ================================================== */

/* Counts the bytes of such an array before it is made. Returns false if they
** cannot be counted. */
static bool count_bytes (DType t, int ndim, const int64_t *shape,
                         size_t *bytes) {
  bool empty = false;
  for (int i = 0; i < ndim; i++)
    empty = empty || shape[i] == 0;
  *bytes = empty ? 0 : dtype_size(t);
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
                                           : (LUAI_UACINT)dtype_size(t));
  array_push_dims(L, ndim, shape);
  argerror_raise(L, given ? 3 : 1,
                 "the string's length does not fit dtype and shape: it has %I "
                 "bytes, %s %s has %s",
                 (LUAI_UACINT)len, given ? lua_tostring(L, -1) : "one",
                 dtype_name(t), counted ? most : "more than there can be");
}

/* frombytes(str, dtype [, shape]): by default 1-d with the whole string. */
static int core_frombytes (lua_State *L) {
  int64_t shape[MAX_DIMS];
  size_t len;
  state_rt(L);
  const char *bytes = arg_check_lstring(L, 1, &len);
  DType t = dtype_check(L, 2);
  int ndim = 1;
  shape[0] = (int64_t)(len / dtype_size(t));
  if (!lua_isnoneornil(L, 3))
    ndim = array_read_shape(L, 3, shape);
  check_length(L, t, ndim, shape, len);
  RtDevice *dev = current_get_device(L);
  RtStream *s = current_get_stream(L, dev);
  Array *a = array_new(L, dev, t, ndim, shape, s);
  upload_bytes(L, s, a, bytes, "tide.frombytes");
  return 1;
}

/* ==} */

/* {== a:copy_from ===================================================== */

/* Copies to an array; with gaps, through an array without gaps. */
static void copy_bytes (lua_State *L, Array *a, const char *bytes) {
  RtStream *s = current_get_stream(L, a->dev);
  Array *to = a;
  if (!a->dense)
    to = array_new(L, a->dev, a->dtype, a->ndim, a->shape, s);
  upload_bytes(L, s, to, bytes, "array:copy_from");
  if (to != a)
    array_copyto(L, s, a, to);
}

static void copy_string (lua_State *L, Array *a) {
  size_t len, n = array_bytes(a);
  const char *bytes = lua_tolstring(L, 2, &len);
  argerror_check(L, len == n, 2, "string of %I bytes expected, got %I",
                 (LUAI_UACINT)n, (LUAI_UACINT)len);
  layout_check_writable(L, 1, a);
  if (a->object.class == &array_class)
    copy_bytes(L, a, bytes);
  else
    array_write_host(L, a, bytes, len, "hostarray:copy_from");
}

bool upload_value (lua_State *L, Array *a) {
  if (lua_type(L, 2) == LUA_TSTRING)
    copy_string(L, a);
  else if (lua_istable(L, 2))
    array_assign(L, a, 2);
  else
    return false;
  return true;
}

/* ==} */

static const Function functions[] = {
  {"frombytes", core_frombytes, 3},
  {NULL, NULL, 0},
};

void open_upload (lua_State *L) { class_set_funcs(L, functions); }

/*
** peercopy.c - copies of elements between devices.
**
** DESIGN. Between devices of one kind nothing waits. The copy is queued on the
** current stream of the device that gets the elements (or of the other one, if
** only that captures), after the other uses of the memory there. An array with
** gaps, or outside of a device's pool, is copied on its own device first, which
** is many times as fast. If devices cannot access each other's memory
** (rt/peer.c), the bytes go through page-locked memory in pieces: one device
** fills a few slots while the other empties them, each on its current stream.
*/
#include "peercopy.h"

#include <string.h>

#include "base/blocking.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "device/current.h"
#include "device/submit.h"
#include "layout.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/submit/peer.h"
#include "upload.h"

enum { SLOTS = 4, SLOT = 8 << 20 /* bytes */ };

static bool is_host (const Array *a) {
  return a->object.class == &array_host_class;
}

/* Tells whether the other device has access to it, or can be given that. */
static bool is_plain (const Array *a) { return a->dense && !a->block->foreign; }

/* Queues on 's' a copy of 'n' bytes between the given offsets. */
static void move (lua_State *L, RtStream *s, const Array *to, size_t to_off,
                  const Array *from, size_t from_off, size_t n) {
  Op op;
  op_start(&op, OP_COPY, "copy");
  op.u.copy.dst = array_pointer(to) + to_off;
  op.u.copy.src = array_pointer(from) + from_off;
  op.u.copy.bytes = n;
  op_access(&op, from->block, from->off + from_off, n, false);
  op_access(&op, to->block, to->off + to_off, n, true);
  submit_work(L, s, &op);
}

/* Copies through the host. */
static void move_staged (lua_State *L, Array *to, Array *from, size_t n) {
  Array *slots[SLOTS];
  size_t piece = (n < SLOT) ? n : SLOT;
  int64_t shape = (int64_t)piece;
  int nslots = 0;
  while (nslots < SLOTS && (size_t)nslots * piece < n)
    slots[nslots++] = array_new_host(L, from->dev, DTYPE_UINT8, 1, &shape);
  RtStream *out = current_get_stream(L, from->dev);
  RtStream *in = current_get_stream(L, to->dev);
  for (size_t off = 0, i = 0; off < n; off += piece, i++) {
    const Array *slot = slots[i % (size_t)nslots];
    size_t bytes = (n - off < piece) ? n - off : piece;
    move(L, out, slot, 0, from, off, bytes);
    move(L, in, to, off, slot, 0, bytes);
  }
}

static bool captures (lua_State *L, RtDevice *dev) {
  return current_get_stream(L, dev)->capture != NULL;
}

/* Returns the array whose device's stream copies: 'to', unless 'to' is
** page-locked, or only the device of 'from' captures. */
static const Array *copier (lua_State *L, const Array *to, const Array *from) {
  if (is_host(to) || is_host(from))
    return is_host(to) ? from : to;
  return (captures(L, from->dev) && !captures(L, to->dev)) ? from : to;
}

/* Copies between plain arrays on different devices of one kind. */
static void send (lua_State *L, Array *to, Array *from) {
  size_t n = array_bytes(from);
  bool direct = is_host(to) || is_host(from);
  const Array *by = copier(L, to, from), *other = (by == to) ? from : to;
  if (!direct)
    error_check(L, peer_is_direct(by->dev, other->dev,
                                  blocking_serves(L, state_get(L)), &direct));
  if (direct)
    move(L, current_get_stream(L, by->dev), to, 0, from, 0, n);
  else
    move_staged(L, to, from, n);
}

/* Pushes a plain array like 'a', on its device. */
static Array *push_like (lua_State *L, const Array *a) {
  return array_new(L, a->dev, a->dtype, a->ndim, a->shape,
                   current_get_stream(L, a->dev));
}

/* Begins the call again if one of them was closed, by finalizers that ran when
** an array was made. */
static void check_there (lua_State *L, const Array *to, const Array *from) {
  if (to->block == NULL || from->block == NULL)
    entry_retry(L, state_get(L));
}

/* Copies between devices of one kind. The arrays have one shape, and
** elements. */
static void copy_across (lua_State *L, Array *to, Array *from) {
  int top = lua_gettop(L);
  check_there(L, to, from);
  Array *source = from, *target = to;
  if (!is_plain(from)) {
    source = push_like(L, from);
    array_copyto(L, current_get_stream(L, from->dev), source, from);
    check_there(L, to, source);
  }
  if (!is_plain(to))
    target = push_like(L, to);
  send(L, target, source);
  if (target != to)
    array_copyto(L, current_get_stream(L, to->dev), to, target);
  array_drop(L, top);
}

/* Pushes private page-locked memory with the elements of 'a'. */
static Array *push_own (lua_State *L, Array *a, const char *what) {
  if (!is_host(a))
    return array_fetch(L, a, what);
  Array *h = array_new_host(L, a->dev, a->dtype, a->ndim, a->shape);
  array_wait_host(L, a, 0, 0, false, what);
  layout_gather(a, (char *)(uintptr_t)array_pointer(h));
  return h;
}

/* Pushes a copy and waits for the elements. A HostArray is read at this moment,
** and devices of different kinds share no events. */
static Array *push_awaited (lua_State *L, RtDevice *dev, Array *a,
                            const char *what) {
  Array *h = push_own(L, a, what);
  RtStream *s = current_get_stream(L, dev);
  Array *b = array_new(L, dev, h->dtype, h->ndim, h->shape, s);
  upload_host(L, s, b, h, what);
  array_release(h);
  lua_remove(L, -2);
  return b;
}

Array *peercopy_push (lua_State *L, RtDevice *dev, Array *a, const char *what) {
  if (is_host(a) || a->dev->D != dev->D)
    return push_awaited(L, dev, a, what);
  Array *b = array_new(L, dev, a->dtype, a->ndim, a->shape,
                       current_get_stream(L, dev));
  if (a->size > 0)
    copy_across(L, b, a);
  return b;
}

void peercopy_any (lua_State *L, Array *to, Array *from, const char *what) {
  RtStream *s = current_get_stream(L, to->dev);
  if (to->dev == from->dev) {
    array_copyto(L, s, to, from);
  } else if (to->dev->D == from->dev->D && array_same_shape(to, from)) {
    if (to->size > 0)
      copy_across(L, to, from);
  } else {
    Array *near = peercopy_push(L, to->dev, from, what);
    array_copyto(L, s, to, near);
    array_release(near);
    lua_pop(L, 1);
  }
}

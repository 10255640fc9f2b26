/*
** across.c - copies of elements between devices.
**
** DESIGN. Between devices of one kind nothing waits. The copy is queued on the
** current stream of the device that gets the elements (or of the other one, if
** only that captures), after the other uses of the memory there. An array with
** gaps, or outside of a device's pool, is copied on its own device first, which
** is many times as fast. If devices cannot access each other's memory
** (rt/peer.c), the bytes go through page-locked memory in pieces: one device
** fills a few slots while the other empties them, each on its current stream.
*/
#include "across.h"

#include <string.h>

#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/state.h"
#include "device/current.h"
#include "device/submit.h"
#include "geometry.h"
#include "rt/peer.h"
#include "rt/submit.h"
#include "upload.h"

enum { SLOTS = 4, SLOT = 8 << 20 /* bytes */ };

static bool is_host (const Array *a) {
  return a->object.class == &tide_hostarrayclass;
}

/* Tells whether the other device has access to it, or can be given that. */
static bool is_plain (const Array *a) { return a->dense && !a->block->foreign; }

/* Queues on 's' a copy of 'n' bytes between the given offsets. */
static void move (lua_State *L, RtStream *s, const Array *to, size_t to_off,
                  const Array *from, size_t from_off, size_t n) {
  Op op;
  rt_startop(&op, OP_COPY, "copy");
  op.u.copy.dst = tide_pointer(to) + to_off;
  op.u.copy.src = tide_pointer(from) + from_off;
  op.u.copy.bytes = n;
  rt_access(&op, from->block, from->off + from_off, n, false);
  rt_access(&op, to->block, to->off + to_off, n, true);
  tide_submit(L, s, &op);
}

/* Copies through the host. */
static void move_staged (lua_State *L, Array *to, Array *from, size_t n) {
  Array *slots[SLOTS];
  size_t piece = (n < SLOT) ? n : SLOT;
  int64_t shape = (int64_t)piece;
  int nslots = 0;
  while (nslots < SLOTS && (size_t)nslots * piece < n)
    slots[nslots++] = tide_newhostarray(L, from->dev, DTYPE_UINT8, 1, &shape);
  RtStream *out = tide_currentstream(L, from->dev);
  RtStream *in = tide_currentstream(L, to->dev);
  for (size_t off = 0, i = 0; off < n; off += piece, i++) {
    const Array *slot = slots[i % (size_t)nslots];
    size_t bytes = (n - off < piece) ? n - off : piece;
    move(L, out, slot, 0, from, off, bytes);
    move(L, in, to, off, slot, 0, bytes);
  }
}

static bool captures (lua_State *L, RtDevice *dev) {
  return tide_currentstream(L, dev)->capture != NULL;
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
  size_t n = tide_nbytes(from);
  bool direct = is_host(to) || is_host(from);
  const Array *by = copier(L, to, from), *other = (by == to) ? from : to;
  if (!direct)
    tide_check(L, rt_isdirect(by->dev, other->dev,
                              tide_mayserve(L, tide_state(L)), &direct));
  if (direct)
    move(L, tide_currentstream(L, by->dev), to, 0, from, 0, n);
  else
    move_staged(L, to, from, n);
}

/* Pushes a plain array like 'a', on its device. */
static Array *push_like (lua_State *L, const Array *a) {
  return tide_newarray(L, a->dev, a->dtype, a->ndim, a->shape,
                       tide_currentstream(L, a->dev));
}

/* Begins the call again if one of them was closed, by finalizers that ran when
** an array was made. */
static void check_there (lua_State *L, const Array *to, const Array *from) {
  if (to->block == NULL || from->block == NULL)
    tide_again(L, tide_state(L));
}

/* Copies between devices of one kind. The arrays have one shape, and
** elements. */
static void copy_across (lua_State *L, Array *to, Array *from) {
  int top = lua_gettop(L);
  check_there(L, to, from);
  Array *source = from, *target = to;
  if (!is_plain(from)) {
    source = push_like(L, from);
    tide_copy(L, tide_currentstream(L, from->dev), source, from);
    check_there(L, to, source);
  }
  if (!is_plain(to))
    target = push_like(L, to);
  send(L, target, source);
  if (target != to)
    tide_copy(L, tide_currentstream(L, to->dev), to, target);
  tide_drop(L, top);
}

/* Pushes private page-locked memory with the elements of 'a'. */
static Array *push_own (lua_State *L, Array *a, const char *what) {
  if (!is_host(a))
    return tide_fetch(L, a, what);
  Array *h = tide_newhostarray(L, a->dev, a->dtype, a->ndim, a->shape);
  tide_waithost(L, a, 0, 0, false, what);
  tide_hostgather(a, (char *)(uintptr_t)tide_pointer(h));
  return h;
}

/* Pushes a copy and waits for the elements. A HostArray is read at this moment,
** and devices of different kinds share no events. */
static Array *push_awaited (lua_State *L, RtDevice *dev, Array *a,
                            const char *what) {
  Array *h = push_own(L, a, what);
  RtStream *s = tide_currentstream(L, dev);
  Array *b = tide_newarray(L, dev, h->dtype, h->ndim, h->shape, s);
  tide_uploadhost(L, s, b, h, what);
  tide_closearray(h);
  lua_remove(L, -2);
  return b;
}

Array *tide_pushacross (lua_State *L, RtDevice *dev, Array *a,
                        const char *what) {
  if (is_host(a) || a->dev->D != dev->D)
    return push_awaited(L, dev, a, what);
  Array *b = tide_newarray(L, dev, a->dtype, a->ndim, a->shape,
                           tide_currentstream(L, dev));
  if (a->size > 0)
    copy_across(L, b, a);
  return b;
}

void tide_copyany (lua_State *L, Array *to, Array *from, const char *what) {
  RtStream *s = tide_currentstream(L, to->dev);
  if (to->dev == from->dev) {
    tide_copy(L, s, to, from);
  } else if (to->dev->D == from->dev->D && tide_sameshape(to, from)) {
    if (to->size > 0)
      copy_across(L, to, from);
  } else {
    Array *near = tide_pushacross(L, to->dev, from, what);
    tide_copy(L, s, to, near);
    tide_closearray(near);
    lua_pop(L, 1);
  }
}

/*
** received.c - reads the values of a received message. It checks each of them
** as if a stranger had sent it.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/error.h"
#include "device/current.h"
#include "device/event.h"
#include "mapping.h"
#include "message.h"
#include "message_form.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "rt/wait/event_pool.h"

/* The unread rest of a message. */
typedef struct MessageReader {
  lua_State *L;
  Connection *c;
  const Message *m;
  const char *p;
  size_t left;
} MessageReader;

/* Drops a message that cannot be taken, because it would block all later
** ones. */
static void give_up (lua_State *L) {
  lua_pushboolean(L, 0);
  lua_setiuservalue(L, 1, CONNECTION_MESSAGE);
}

static int refuse (lua_State *L, const char *why) {
  give_up(L);
  return error_raise(L, "connection:recv: %s", why);
}

/* Raises. A shortage may be over next time, so the message stays. Wrong files
** are hopeless; CUDA reports them as UNKNOWN (seen on an H200, driver 580). */
static void check (lua_State *L, Status st) {
  if (st == RT_MISUSE || st == CUDA_ERROR_INVALID_VALUE ||
      st == CUDA_ERROR_INVALID_HANDLE || st == CUDA_ERROR_NOT_SUPPORTED ||
      st == CUDA_ERROR_UNKNOWN)
    give_up(L);
  error_check(L, st);
}

static const char *take (MessageReader *r, size_t bytes) {
  const char *p = r->p;
  if (bytes > r->left)
    refuse(r->L, "a message that no tide of this version has sent");
  r->p += bytes;
  r->left -= bytes;
  return p;
}

static void take_into (MessageReader *r, void *x, size_t bytes) {
  memcpy(x, take(r, bytes), bytes);
}

static int file_of (const MessageReader *r, int i) {
  if (i < 0 || i >= r->m->nfiles)
    refuse(r->L, "a message without its files");
  return r->m->file[i];
}

static RtDevice *find_device (const MessageReader *r, const uint8_t *id) {
  Runtime *rt = r->c->object.state->rt;
  uint8_t known[DEVICE_ID];
  for (int i = 0; i < rt->ndevices; i++) {
    error_check(r->L, shareable_device_id(&rt->devices[i], known));
    if (memcmp(known, id, DEVICE_ID) == 0)
      return &rt->devices[i];
  }
  refuse(r->L, "memory or an event of a device that this process does not see");
  return NULL;
}

static void push_event (const MessageReader *r, const Named *n) {
  check(r->L,
        event_import(r->L, find_device(r, n->device), file_of(r, n->file)));
}

/* Returns the event that hands over arrays, which repeats in each message. */
static Event *ready_event (const MessageReader *r, const Named *n) {
  lua_State *L = r->L;
  lua_getiuservalue(L, 1, CONNECTION_EVENTS);
  lua_pushlstring(L, (const char *)n->id, sizeof n->id);
  lua_rawget(L, -2);
  if (!message_has_event(L, -1)) {
    lua_pop(L, 1);
    push_event(r, n);
    lua_pushlstring(L, (const char *)n->id, sizeof n->id);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  Event *e = event_check(L, -1);
  lua_pop(L, 2); /* the table holds it */
  return e;
}

static DType dtype_of (const MessageReader *r, const char *name) {
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (strncmp(dtype_name((DType)t), name, DTYPE_NAME) == 0)
      return (DType)t;
  return (DType)refuse(r->L, "an array of a dtype that is not known here");
}

/* Tells whether all elements lie in the memory. */
static bool is_inside (const Array *a, uint64_t off, uint64_t bytes) {
  size_t size = dtype_size(a->dtype);
  uint64_t lo = off, hi, reach;
  if (off % size != 0 || __builtin_add_overflow(off, size, &hi))
    return false;
  for (int i = 0; i < a->ndim; i++) {
    int64_t stride = array_stride(a)[i];
    uint64_t step = (stride < 0) ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (__builtin_mul_overflow(step, (uint64_t)(a->shape[i] - 1), &reach) ||
        __builtin_mul_overflow(reach, size, &reach))
      return false;
    if (stride < 0 ? reach > lo : __builtin_add_overflow(hi, reach, &hi))
      return false;
    lo -= (stride < 0) ? reach : 0;
  }
  return hi <= bytes;
}

static Array *push_view (MessageReader *r, const View *v, RtDevice *dev) {
  int64_t sizes[2 * MAX_DIMS], dense[MAX_DIMS];
  size_t size;
  if (v->ndim > MAX_DIMS)
    refuse(r->L, "an array of too many axes");
  take_into(r, sizes, 2 * v->ndim * sizeof *sizes);
  for (int i = 0; i < v->ndim; i++)
    if (sizes[i] < 0)
      refuse(r->L, "an array of a negative size");
  if (!array_measure(v->ndim, sizes, dense, &size))
    refuse(r->L, "an array of too many elements");
  Array *a = array_push_import(r->L, &array_class, dev, dtype_of(r, v->dtype),
                               v->ndim, sizes);
  array_set_strides(a, sizes + v->ndim);
  a->repeats = a->repeats || v->repeats != 0;
  a->readonly = (v->readonly != 0);
  if (a->size > 0 && !is_inside(a, v->off, v->bytes))
    refuse(r->L, "an array that is larger than its memory");
  return a;
}

/* Makes the array's next use, on any stream, come after the work that the
** sender had queued before. */
static void await_ready (const MessageReader *r, const View *v, Array *a) {
  Op op;
  Access access = {a->block, 0, a->block->size, true, true};
  Event *e = ready_event(r, &v->ready);
  if (!timeline_has(e->re->timeline, v->at))
    refuse(r->L, "an array whose event was never recorded so");
  op_start(&op, OP_WAIT, "connection:recv");
  op.access = &access;
  op.naccess = 1;
  event_queue_wait(r->L, current_get_stream(r->L, a->dev), e, v->at, &op);
}

static void push_array (MessageReader *r) {
  View v;
  take_into(r, &v, sizeof v);
  RtDevice *dev = find_device(r, v.ready.device);
  Array *a = push_view(r, &v, dev);
  if (a->size == 0)
    return;
  check(r->L, context_enter(dev));
  if (v.bytes > dev->total)
    refuse(r->L, "an array in more memory than the device has");
  Source source = {dev, v.bytes, v.memory, file_of(r, v.file)};
  check(r->L, mapping_attach(r->L, a, &source));
  a->off = v.off;
  await_ready(r, &v, a);
}

static void push_value (MessageReader *r) {
  lua_State *L = r->L;
  lua_Integer i;
  lua_Number x;
  uint32_t n;
  Named named;
  switch ((Tag)*take(r, 1)) {
    case TAG_NIL: lua_pushnil(L); return;
    case TAG_FALSE: lua_pushboolean(L, 0); return;
    case TAG_TRUE: lua_pushboolean(L, 1); return;
    case TAG_INTEGER:
      take_into(r, &i, sizeof i);
      lua_pushinteger(L, i);
      return;
    case TAG_FLOAT:
      take_into(r, &x, sizeof x);
      lua_pushnumber(L, x);
      return;
    case TAG_STRING:
      take_into(r, &n, sizeof n);
      lua_pushlstring(L, take(r, n), n);
      return;
    case TAG_ARRAY: push_array(r); return;
    case TAG_EVENT:
      take_into(r, &named, sizeof named);
      push_event(r, &named);
      return;
  }
  refuse(L, "a value that no tide of this version has sent");
}

int message_push_values (lua_State *L, Connection *c, const Message *m) {
  MessageReader r = {L, c, m, m->data, m->bytes};
  MessageHeader h;
  take_into(&r, &h, sizeof h);
  if (memcmp(h.magic, IPC_MAGIC, sizeof h.magic) != 0 || h.n > MESSAGE_BYTES)
    refuse(L, "a message that no tide has sent");
  luaL_checkstack(L, (int)h.n + LUA_MINSTACK, "too many values");
  for (uint32_t i = 0; i < h.n; i++)
    push_value(&r);
  return (int)h.n;
}

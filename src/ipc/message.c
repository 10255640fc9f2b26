/*
** message.c - writes messages: Lua values as they are, an array as the name of
** its memory and the place of its elements in it, an event as the file of its
** timeline.
**
** An array is handed over in order. Its message names a recording, made on the
** current stream after all uses of the memory, and the receiver's current
** stream waits for that. Neither process waits. received.c reads messages.
*/
#include "message.h"

#include <string.h>
#include <unistd.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/argerror.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/type.h"
#include "device/current.h"
#include "device/event.h"
#include "device/submit.h"
#include "message_form.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/queue/op_types.h"
#include "rt/submit/op.h"
#include "rt/wait/event_pool.h"
#include "rt/wait/wait.h"

/* {== messages ======================================================== */

void message_close_files (Message *m) {
  while (m->nfiles > 0)
    close(m->file[--m->nfiles]);
}

static int message__gc (lua_State *L);

static const Guard guard = {"message", message__gc, NULL};

static int message__gc (lua_State *L) {
  message_close_files(guard_check(L, &guard));
  return 0;
}

Message *message_push_empty (lua_State *L, size_t bytes) {
  Message *m = guard_new(L, sizeof *m + bytes, 0, &guard);
  m->bytes = bytes;
  return m;
}

Message *message_get (lua_State *L, int idx) { return lua_touserdata(L, idx); }

int message_send_end (int fd) {
  _Alignas(Message) char room[sizeof(Message) + sizeof(MessageHeader)];
  Message *m = (Message *)room;
  MessageHeader h = {.n = NO_MORE};
  memcpy(h.magic, IPC_MAGIC, sizeof h.magic);
  m->bytes = sizeof h;
  m->nfiles = 0;
  memcpy(m->data, &h, sizeof h);
  return socket_send(fd, m);
}

bool message_is_end (const Message *m) {
  MessageHeader h;
  if (m->bytes != sizeof h)
    return false;
  memcpy(&h, m->data, sizeof h);
  return h.n == NO_MORE && memcmp(h.magic, IPC_MAGIC, sizeof h.magic) == 0;
}

/* ==} */

/* {== to be sent ====================================================== */

static size_t size_of_array (lua_State *L, int arg, const Array *a) {
  array_check_open(L, arg, a);
  argerror_check(L, a->size == 0 || shareable_find(a->block) != NULL, arg,
                 "other processes cannot map the memory of this array: make a "
                 "copy that they can, by tide.ipc.array(a)");
  error_check(L, wait_check(current_get_stream(L, a->dev), "connection:send"));
  return sizeof(View) + 2 * a->ndim * sizeof(int64_t);
}

static size_t size_of_event (lua_State *L, int arg, const Event *e) {
  argerror_check(L, e->re->timeline != NULL, arg,
                 "event was made without 'interprocess': no other process can "
                 "have it");
  return sizeof(Named);
}

static size_t size_of_value (lua_State *L, int arg, int *files) {
  switch (lua_type(L, arg)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN: return 0;
    case LUA_TNUMBER: return sizeof(lua_Number);
    case LUA_TSTRING: return sizeof(uint32_t) + lua_rawlen(L, arg);
  }
  const Array *a = array_test(L, arg);
  if (a != NULL)
    return *files += 2, size_of_array(L, arg, a);
  if (class_test(L, arg, &event_class) != NULL)
    return *files += 1, size_of_event(L, arg, event_check(L, arg));
  const bool table = (lua_type(L, arg) == LUA_TTABLE);
  if (table || array_test_any(L, arg) != NULL)
    argerror_raise(L, arg,
                   "nil, boolean, number, string, Array or Event expected, got "
                   "%s: tide.ipc.array(x) makes an array of it",
                   table ? "table" : "tide.HostArray");
  type_error(L, arg, "nil, boolean, number, string, Array or Event");
  return 0;
}

Message *message_push (lua_State *L, int from, int to) {
  size_t bytes = sizeof(MessageHeader);
  int files = 0;
  for (int i = from; i <= to; i++) {
    bytes += 1 + size_of_value(L, i, &files);
    if (bytes > MESSAGE_BYTES || files > MESSAGE_FILES)
      argerror_raise(L, i,
                     "a message holds at most %d bytes and %d arrays: more "
                     "goes into several, or into an array",
                     MESSAGE_BYTES - 1024, MESSAGE_FILES / 2);
  }
  Message *m = lua_newuserdatauv(L, sizeof *m + bytes, 0);
  m->bytes = bytes;
  m->nfiles = m->readers = 0;
  return m;
}

bool message_has_event (lua_State *L, int idx) {
  const Event *e = lua_touserdata(L, idx);
  return e != NULL && !life_is_stale(&e->re->life);
}

/* Returns the event by which the connection hands over arrays of the device, in
** the table at 'events'. A reset ends it. */
static Event *our_event (lua_State *L, int events, RtDevice *dev) {
  lua_rawgeti(L, events, dev->index + 1);
  if (!message_has_event(L, -1)) {
    lua_pop(L, 1);
    event_create(L, dev, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
    lua_pushvalue(L, -1);
    lua_rawseti(L, events, dev->index + 1);
  }
  Event *e = lua_touserdata(L, -1);
  lua_pop(L, 1); /* the table holds it */
  return e;
}

/* Records, on the current stream of 'dev', that its arrays are ready. */
static void record_ready (lua_State *L, int events, RtDevice *dev, int from,
                          int to) {
  Op op;
  Event *e = our_event(L, events, dev);
  Access *list = class_new_memory(L, (size_t)(to - from + 1) * sizeof *list);
  op_start(&op, OP_RECORD, "connection:send");
  for (int i = from; i <= to; i++) {
    const Array *a = array_test(L, i);
    if (a == NULL || a->dev != dev || a->size == 0)
      continue;
    array_check_open(L, i, a);
    list[op.naccess++] = (Access){a->block, 0, a->block->size, true, false};
  }
  hazard_sort(list, op.naccess);
  op.access = list;
  op.u.event = e->re;
  submit_work(L, current_get_stream(L, dev), &op);
  lua_pop(L, 1);
}

static char *put (char *p, const void *x, size_t bytes) {
  memcpy(p, x, bytes);
  return p + bytes;
}

static Status name_event (Message *m, const RtEvent *re, Named *n) {
  memset(n, 0, sizeof *n);
  memcpy(n->id, timeline_id(re->timeline), TIMELINE_ID);
  n->file = m->nfiles;
  m->file[m->nfiles++] = timeline_fd(re->timeline);
  return shareable_device_id(re->dev, n->device);
}

static char *put_array (lua_State *L, Message *m, char *p, const Array *a,
                        const RtEvent *ready) {
  const RtShareable *memory = (a->size > 0) ? shareable_find(a->block) : NULL;
  View v;
  memset(&v, 0, sizeof v);
  strncpy(v.dtype, dtype_name((DType)a->dtype), DTYPE_NAME - 1);
  v.ndim = a->ndim;
  v.repeats = a->repeats;
  v.readonly = a->readonly;
  error_check(L, name_event(m, ready, &v.ready));
  v.at = ready->published;
  if (memory != NULL) {
    memcpy(v.memory, memory->id, SHAREABLE_ID);
    v.bytes = memory->size;
    v.off = a->off;
    v.file = m->nfiles;
    m->file[m->nfiles++] = memory->fd;
  }
  p = put(p, &v, sizeof v);
  p = put(p, a->shape, a->ndim * sizeof(int64_t));
  return put(p, array_stride(a), a->ndim * sizeof(int64_t));
}

static char *put_tagged (char *p, Tag tag, const void *x, size_t bytes) {
  *p = (char)tag;
  return put(p + 1, x, bytes);
}

static char *put_number (lua_State *L, char *p, int i) {
  if (lua_isinteger(L, i)) {
    lua_Integer x = lua_tointeger(L, i);
    return put_tagged(p, TAG_INTEGER, &x, sizeof x);
  }
  lua_Number x = lua_tonumber(L, i);
  return put_tagged(p, TAG_FLOAT, &x, sizeof x);
}

static char *put_string (lua_State *L, char *p, int i) {
  size_t n;
  const char *s = lua_tolstring(L, i, &n);
  uint32_t bytes = (uint32_t)n;
  return put(put_tagged(p, TAG_STRING, &bytes, sizeof bytes), s, n);
}

static char *put_value (lua_State *L, Message *m, char *p, int i, int events) {
  Named named;
  switch (lua_type(L, i)) {
    case LUA_TNIL: return put_tagged(p, TAG_NIL, "", 0);
    case LUA_TBOOLEAN:
      return put_tagged(p, lua_toboolean(L, i) ? TAG_TRUE : TAG_FALSE, "", 0);
    case LUA_TNUMBER: return put_number(L, p, i);
    case LUA_TSTRING: return put_string(L, p, i);
  }
  const Array *a = array_test(L, i);
  if (a != NULL) {
    *p = TAG_ARRAY;
    return put_array(L, m, p + 1, a, our_event(L, events, a->dev)->re);
  }
  error_check(L, name_event(m, event_check(L, i)->re, &named));
  return put_tagged(p, TAG_EVENT, &named, sizeof named);
}

/* Tells whether there is an array of the device among the values. */
static bool has_array (lua_State *L, const RtDevice *dev, int from, int to) {
  for (int i = from; i <= to; i++) {
    const Array *a = array_test(L, i);
    if (a != NULL && a->dev == dev)
      return true;
  }
  return false;
}

/* If an array was closed meanwhile, the call finds that when it begins
** again. */
void message_fill (lua_State *L, Connection *c, Message *m, int from, int to) {
  const Runtime *rt = c->object.state->rt;
  MessageHeader h = {.n = (uint32_t)(to - from + 1)};
  lua_getiuservalue(L, 1, CONNECTION_EVENTS);
  int events = lua_gettop(L);
  for (int i = 0; i < rt->ndevices; i++)
    if (has_array(L, &rt->devices[i], from, to))
      our_event(L, events, &rt->devices[i]);
  for (int i = 0; i < rt->ndevices; i++)
    if (has_array(L, &rt->devices[i], from, to))
      record_ready(L, events, &rt->devices[i], from, to);
  memcpy(h.magic, IPC_MAGIC, sizeof h.magic);
  char *p = put(m->data, &h, sizeof h);
  for (int i = from; i <= to; i++) {
    const Array *a = array_test(L, i);
    if (a != NULL && a->closed)
      entry_retry(L, c->object.state);
    p = put_value(L, m, p, i, events);
  }
  lua_pop(L, 1);
}

/* ==} */

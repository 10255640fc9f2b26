/*
** file_transfer.c - f:read and f:write: copy bytes of files into arrays and
** back, as operations of streams. The work of threads and devices is in
** rt/file/; the next wait raises their errors (index_error.c).
*/
#include <stdint.h>

#include "alloc.h"
#include "array.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "base/type.h"
#include "device/current.h"
#include "device/gc.h"
#include "device/index_error.h"
#include "device/service.h"
#include "device/submit.h"
#include "dtype.h"
#include "fileobj.h"
#include "layout.h"
#include "openers.h"
#include "rt/driver/grow.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/memory/reclaim.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/wait/wait.h"

/* One call, between an array and a file. */
typedef struct Transferred {
  File *o;
  Array *a;
  RtStream *s;
  bool write;
  uint64_t off;
  size_t bytes;
  const char *what;
} Transferred;

/* Raises what is known at once: that a file is too short. */
static void check_range (lua_State *L, const Transferred *r) {
  int error = 0;
  uint64_t size = r->write ? INT64_MAX : fileobj_size(r->o, &error);
  if (error != 0)
    fileobj_raise(L, r->what, fileobj_path(L, 1), error);
  if (r->off <= size && r->bytes <= size - r->off)
    return;
  bool endless = !r->write && file_is_endless(r->o->f);
  if (endless && r->bytes <= INT64_MAX - r->off)
    return;
  if (endless || r->write)
    error_raise(L, "%s: '%s': no file can be so long: %I bytes from byte %I on",
                r->what, fileobj_path(L, 1), (LUAI_UACINT)r->bytes,
                (LUAI_UACINT)r->off);
  error_raise(L,
              "%s: '%s': asked for %I bytes from byte %I on, the file has %I",
              r->what, fileobj_path(L, 1), (LUAI_UACINT)r->bytes,
              (LUAI_UACINT)r->off, (LUAI_UACINT)size);
}

/* Raises in a capture, because a graph has no nodes for files. */
static void check_capture (lua_State *L, const Transferred *r) {
  if (r->s->capture != NULL || r->a->block->ncaptures > 0)
    error_fail(L, status_fail(r->s->dev->rt,
                              CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, r->what));
}

/* Pushes the check of the call. Begins again if finalizers that ran meanwhile
** have closed the file or the array. */
static Check *push_check (lua_State *L, const Transferred *r) {
  State *st = r->o->object.state;
  const char *path = fileobj_path(L, 1);
  error_push_caller(L);
  lua_pushfstring(L, "%s: %s: '%s'", lua_tostring(L, -1), r->what, path);
  Check *c = index_error_push_file(L, r->s);
  if (r->o->f == NULL || r->a->block == NULL)
    entry_retry(L, st);
  return c;
}

/* Collects garbage to make room for the smallest slots. */
static void make_room (lua_State *L, const Transferred *r) {
  RtBlock *b;
  alloc_prepare(L, r->s->dev, 2 * SLOT_LEAST, true);
  alloc_block(L, r->s->dev, 2 * SLOT_LEAST, true, NULL, false, &b);
  block_drop(b);
  if (r->o->f == NULL || r->a->block == NULL)
    entry_retry(L, r->o->object.state);
}

static Status has_room (void *ud) {
  const WaitReason *reason = ud;
  return wait_is_ready(reason);
}

/*
** Waits for room, because a stream takes only so much at a time. A long
** transfer waits half way, without running host functions: those that were
** queued have run before.
*/
static Status wait_for_room (lua_State *L, const Transferred *r, bool begun) {
  RtDevice *dev = r->s->dev;
  WaitReason reason = dev->rt->wait_reason;
  if (!begun || dev->rt->nkept > 0)
    return RT_BLOCKED;
  return service_wait_quiet(L, dev, has_room, &reason, false, r->what);
}

/* The further blocks that an operation has to name. */
typedef struct Needs {
  RtBlock *slots, *scratch; /* or NULL */
} Needs;

static Status ready (lua_State *L, const Transferred *r, RtTransfer *t,
                     bool begun, bool less, Needs *n) {
  Status st;
  while ((st = transfer_prepare(r->s, t, less, r->what, &n->slots,
                                &n->scratch)) == RT_BLOCKED)
    if ((st = wait_for_room(L, r, begun)) != 0)
      break;
  return st;
}

/* Gets as much page-locked memory as is fast; failing that, as much as idle
** memory gives; failing that, a little. */
static void get_ready (lua_State *L, const Transferred *r, RtTransfer *t,
                       bool begun, Needs *n) {
  Status st = ready(L, r, t, begun, false, n);
  if (st == CUDA_ERROR_OUT_OF_MEMORY &&
      (st = reclaim_cached(r->s->dev, true, transfer_slot_bytes(t))) == 0)
    st = ready(L, r, t, begun, true, n);
  if (st == CUDA_ERROR_OUT_OF_MEMORY) {
    make_room(L, r);
    st = ready(L, r, t, begun, true, n);
  }
  error_check(L, st);
}

/* Makes the transfer of one operation, from byte 'at' of the array on. The
** check owns it from now on, and looks at it once it is queued. */
static RtTransfer *new_transfer (lua_State *L, const Transferred *r, Check *c,
                                 size_t at) {
  RtTransfer *t;
  const Array *a = r->a;
  error_check(L, transfer_new(r->o->f, r->write, r->off + at, r->s,
                              array_pointer(a) + at, r->bytes - at,
                              a->block->pinned, &t));
  c->next = t;
  t->truth = (a->dtype == DTYPE_BOOL && !r->write);
  return t;
}

static void fill_op (Op *op, const Transferred *r, RtTransfer *t, size_t at,
                     const Needs *need) {
  const Array *a = r->a;
  op_start(op, OP_FILE, r->what);
  op->u.file.transfer = t;
  op->u.file.result = 0; /* in case it is kept */
  op_access(op, a->block, a->off + at, t->bytes, !r->write);
  op_access(op, transfer_block(t, r->s), t->off, transfer_extent(t), r->write);
  if (need->slots != NULL)
    op_access(op, need->slots, 0, need->slots->size, true);
  if (need->scratch != NULL)
    op_access(op, need->scratch, 0, sizeof(uint32_t), true);
}

/* {== writes that close waits for ===================================== */

/* Makes room before a write is queued, so that noting it cannot fail. */
static void reserve_write (lua_State *L, File *o) {
  if (!grow_list(&o->writes, &o->room, o->nwrites + 1, sizeof *o->writes, 2))
    error_check(L, RT_NOMEM);
}

static void note_write (File *o, RtStream *s) {
  int i = 0;
  while (i < o->nwrites && o->writes[i].s != s)
    i++;
  o->writes[i] = (Point){s, s->seq};
  if (i == o->nwrites)
    o->nwrites++;
}

/* ==} */

/* Queues one operation; returns its bytes. The check is on the top. */
static size_t queue_some (lua_State *L, const Transferred *r, Check *c,
                          size_t at) {
  Needs need;
  Op op;
  RtTransfer *t = new_transfer(L, r, c, at);
  get_ready(L, r, t, at > 0, &need);
  fill_op(&op, r, t, at, &need);
  size_t n = t->bytes;
  if (r->write)
    reserve_write(L, r->o);
  submit_checked(L, r->s, &op, lua_gettop(L));
  if (r->write)
    note_write(r->o, r->s);
  error_check(L, op.u.file.result);
  return n;
}

static void queue (lua_State *L, const Transferred *r) {
  Runtime *rt = r->s->dev->rt;
  check_capture(L, r);
  Check *c = push_check(L, r);
  if (r->bytes > TRANSFER_MOST && rt->nkept > 0 &&
      blocking_serves(L, r->o->object.state))
    error_fail(L, wait_block(r->s->dev, WAIT_QUIET, NULL, 0, r->what));
  for (size_t at = 0; at < r->bytes;)
    at += queue_some(L, r, c, at);
}

/* Returns the array at 2, which must be one run of memory. */
static Array *check_operand (lua_State *L, bool write) {
  Array *a = array_test_any(L, 2);
  if (a == NULL)
    type_error(L, 2, "tide.Array or tide.HostArray");
  array_check_open(L, 2, a);
  if (!write)
    layout_check_writable(L, 2, a);
  argerror_check(L, a->dense || a->size == 0, 2,
                 "the array is not contiguous in the order of its elements, "
                 "and a file is one run of bytes: take a copy");
  return a;
}

static void transfer (lua_State *L, bool write, const char *what) {
  File *o = fileobj_check(L);
  argerror_check(L, o->mode != (write ? FILE_READ : FILE_WRITE), 1, "%s",
                 write ? "file is open for reading only"
                       : "file is open for writing only");
  Array *a = check_operand(L, write);
  lua_Integer off = arg_opt_integer(L, 3, (lua_Integer)o->at);
  argerror_check(L, off >= 0, 3, "offset must not be negative");
  lua_settop(L, 3);
  Transferred r = {
    o,   a, current_get_stream(L, a->dev), write, (uint64_t)off, array_bytes(a),
    what};
  check_range(L, &r);
  if (a->size > 0)
    queue(L, &r);
  o->at = r.off + r.bytes;
}

/* f:read(a [, offset]) -> a: fills it with bytes of the file from the offset
** on; queued on the current stream of the array's device. */
static int file_read (lua_State *L) {
  transfer(L, false, "file:read");
  lua_settop(L, 2);
  return 1;
}

/* f:write(a [, offset]) -> f: the other direction. */
static int file_write (lua_State *L) {
  transfer(L, true, "file:write");
  lua_settop(L, 1);
  return 1;
}

static const Function methods[] = {
  {"read", file_read, 3},
  {"write", file_write, 3},
  {NULL, NULL, 0},
};

void open_file_transfer (lua_State *L) {
  class_add_methods(L, &fileobj_class, methods);
}

/*
** file.c - tide.File: bytes of files into arrays and back, as operations of
** streams. What threads and the device do is in rt/file/; what they find wrong
** is raised by whoever waits for it (index_error.c).
*/
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "allocate.h"
#include "array.h"
#include "base/argument.h"
#include "base/blame.h"
#include "base/class.h"
#include "base/door.h"
#include "base/error.h"
#include "base/may_wait.h"
#include "base/slip.h"
#include "base/state.h"
#include "device/current.h"
#include "device/gc_pressure.h"
#include "device/host_function.h"
#include "device/index_error.h"
#include "device/service.h"
#include "device/submit.h"
#include "device/ticket.h"
#include "dtype.h"
#include "geometry.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/file/transfer.h"
#include "rt/memory/block.h"
#include "rt/reclaim.h"
#include "rt/submit.h"
#include "rt/wait/wait.h"

enum {
  FILE_PATH = 1,     /* its user value */
  CLOSED_MOST = 128  /* files that were closed and have work under way: they
                        have two descriptors each, and the program needs some */
};

typedef struct File {
  Object object;
  RtFile *f;    /* NULL: closed */
  FileMode mode;
  uint64_t at;  /* where the next one begins */
  bool closing;   /* close() waits, and f is NULL */
  Point *writes;  /* the latest of each stream, */
  int nwrites, room;  /* and for how many there is room */
} File;

static const Class fileclass;

static const char *const modes[] = {"r", "w", "r+", NULL};  /* a FileMode */

static File *check_file (lua_State *L) {
  File *o = tide_checkobject(L, 1, &fileclass);
  tide_argcheck(L, o->f != NULL, 1, "file is closed");
  return o;
}

static const char *push_path (lua_State *L, int idx) {
  lua_getiuservalue(L, idx, FILE_PATH);
  return lua_tostring(L, -1);
}

static int fail (lua_State *L, const char *what, const char *path,
                 int error) {
  return tide_raise(L, "%s: '%s'%s%s", what, path,
                    error == FILE_NOT_SEEKABLE ? "" : ": ",
                    error == FILE_NOT_SEEKABLE ? " is no file that can be "
                    "read or written at any place" : strerror(error));
}

/* What was written by now is known to have been. */
static uint64_t size_of (const File *o, int *error) {
  rt_reap(o->f->rt, false);
  return rt_filesize(o->f, error);
}

/* {== transfers ======================================================= */

/* One call: between an array and a file. */
typedef struct Transferred {
  File *o;
  Array *a;
  RtStream *s;
  bool write;
  uint64_t off;
  size_t bytes;
  const char *what;
} Transferred;

/* Raises what is known at once: a file that has not so many bytes. */
static void check_range (lua_State *L, const Transferred *r) {
  int error = 0;
  uint64_t size = r->write ? INT64_MAX : size_of(r->o, &error);
  if (error != 0)
    fail(L, r->what, push_path(L, 1), error);
  if (r->off <= size && r->bytes <= size - r->off)
    return;
  bool endless = !r->write && rt_isendless(r->o->f);
  if (endless && r->bytes <= INT64_MAX - r->off)
    return;
  if (endless || r->write)
    tide_raise(L, "%s: '%s': no file can be so long: %I bytes from byte %I on",
               r->what, push_path(L, 1), (LUAI_UACINT)r->bytes,
               (LUAI_UACINT)r->off);
  tide_raise(L, "%s: '%s' has %I bytes: %I from byte %I on are wanted",
             r->what, push_path(L, 1), (LUAI_UACINT)size,
             (LUAI_UACINT)r->bytes, (LUAI_UACINT)r->off);
}

/* In a capture nothing is read or written, and a graph has no nodes for it. */
static void check_capture (lua_State *L, const Transferred *r) {
  if (r->s->capture != NULL || r->a->block->ncaptures > 0)
    tide_fail(L, rt_fail(r->s->dev->rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         r->what));
}

/* Pushes the check of the call. To make it may have run finalizers. */
static Check *push_check (lua_State *L, const Transferred *r) {
  State *st = r->o->object.state;
  const char *path = push_path(L, 1);
  tide_pushcaller(L);
  lua_pushfstring(L, "%s: %s: '%s'", lua_tostring(L, -1), r->what, path);
  Check *c = tide_pushfilecheck(L, r->s);
  if (r->o->f == NULL || r->a->block == NULL)
    tide_again(L, st);
  return c;
}

/* Lets garbage make room for the smallest slots, which are then found. */
static void make_room (lua_State *L, const Transferred *r) {
  RtBlock *b;
  tide_makeway(L, r->s->dev, 2 * SLOT_LEAST, true);
  tide_getblock(L, r->s->dev, 2 * SLOT_LEAST, true, NULL, &b);
  rt_dropblock(b);
  if (r->o->f == NULL || r->a->block == NULL)
    tide_again(L, r->o->object.state);
}

static Status has_room (void *ud) {
  const RtWant *want = ud;
  return rt_isready(want);
}

/*
** A stream takes so much at a time. What is longer waits half way, and runs no
** host functions meanwhile: those that are on their way have run before.
*/
static Status wait_for_room (lua_State *L, const Transferred *r, bool begun) {
  RtDevice *dev = r->s->dev;
  RtWant want = dev->rt->want;
  if (!begun || dev->rt->shut > 0)
    return RT_BLOCKED;
  return tide_awaitquietly(L, dev, has_room, &want, false, r->what);
}

/* What an operation has to name besides. */
typedef struct Needs {
  RtBlock *slots, *scratch;  /* or NULL */
} Needs;

static Status ready (lua_State *L, const Transferred *r, RtTransfer *t,
                     bool begun, bool less, Needs *n) {
  Status st;
  while ((st = rt_readytransfer(r->s, t, less, r->what, &n->slots,
                                &n->scratch)) == RT_BLOCKED)
    if ((st = wait_for_room(L, r, begun)) != 0)
      break;
  return st;
}

/* As much page-locked memory as it is fast with; else what idle memory makes
** room for; else a bit of it. */
static void get_ready (lua_State *L, const Transferred *r, RtTransfer *t,
                       bool begun, Needs *n) {
  Status st = ready(L, r, t, begun, false, n);
  if (st == CUDA_ERROR_OUT_OF_MEMORY &&
      (st = rt_reclaim(r->s->dev, true, rt_slotbytes(t))) == 0)
    st = ready(L, r, t, begun, true, n);
  if (st == CUDA_ERROR_OUT_OF_MEMORY) {
    make_room(L, r);
    st = ready(L, r, t, begun, true, n);
  }
  tide_check(L, st);
}

/* What one operation takes of it, from byte 'at' of the array on: the check
** owns it from now on, and looks at it once it is queued. */
static RtTransfer *new_transfer (lua_State *L, const Transferred *r, Check *c,
                                 size_t at) {
  RtTransfer *t;
  const Array *a = r->a;
  tide_check(L, rt_newtransfer(r->o->f, r->write, r->off + at, r->s,
                               tide_pointer(a) + at, r->bytes - at,
                               a->block->pinned, &t));
  c->next = t;
  t->truth = (a->dtype == DTYPE_BOOL && !r->write);
  return t;
}

static void fill_op (Op *op, const Transferred *r, RtTransfer *t, size_t at,
                     const Needs *need) {
  const Array *a = r->a;
  rt_startop(op, OP_FILE, r->what);
  op->u.file.transfer = t;
  op->u.file.pieces = t->npieces;
  rt_access(op, a->block, a->off + at, t->bytes, !r->write);
  rt_access(op, rt_fileblock(t, r->s), t->off, rt_fileextent(t), r->write);
  if (need->slots != NULL)
    rt_access(op, need->slots, 0, need->slots->size, true);
  if (need->scratch != NULL)
    rt_access(op, need->scratch, 0, sizeof(uint32_t), true);
}

/* {== what close waits for ============================================ */

/* Before a write is queued: to note it cannot fail. */
static void reserve_write (lua_State *L, File *o) {
  if (o->nwrites < o->room)
    return;
  int room = (o->room > 0) ? 2 * o->room : 2;
  Point *list = realloc(o->writes, (size_t)room * sizeof *list);
  if (list == NULL)
    tide_check(L, RT_NOMEM);
  o->writes = list;
  o->room = room;
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

/* Queues that; returns how much it is. The check is on the top. */
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
  tide_submitchecked(L, r->s, &op, lua_gettop(L));
  if (r->write)
    note_write(r->o, r->s);
  tide_check(L, op.u.file.result);
  return n;
}

static void queue (lua_State *L, const Transferred *r) {
  Runtime *rt = r->s->dev->rt;
  check_capture(L, r);
  Check *c = push_check(L, r);
  if (r->bytes > TRANSFER_MOST && rt->shut > 0 &&
      tide_mayserve(L, r->o->object.state))
    tide_fail(L, rt_block(r->s->dev, WANT_QUIET, NULL, 0, r->what));
  for (size_t at = 0; at < r->bytes;)
    at += queue_some(L, r, c, at);
}

/* The array at 2, which must be one run of memory. */
static Array *check_operand (lua_State *L, bool write) {
  Array *a = tide_testany(L, 2);
  if (a == NULL)
    tide_typeerror(L, 2, "tide.Array or tide.HostArray");
  tide_checkopen(L, 2, a);
  if (!write)
    tide_checkwritable(L, 2, a);
  tide_argcheck(L, a->dense || a->size == 0, 2, "the array is not contiguous "
                "in the order of its elements, and a file is one run of "
                "bytes: take a copy");
  return a;
}

static void transfer (lua_State *L, bool write, const char *what) {
  File *o = check_file(L);
  tide_argcheck(L, o->mode != (write ? FILE_READ : FILE_WRITE), 1,
                write ? "file is open for reading only"
                      : "file is open for writing only");
  Array *a = check_operand(L, write);
  lua_Integer off = tide_optinteger(L, 3, (lua_Integer)o->at);
  tide_argcheck(L, off >= 0, 3, "offset must not be negative");
  lua_settop(L, 3);
  Transferred r = {o, a, tide_currentstream(L, a->dev), write, (uint64_t)off,
                   tide_nbytes(a), what};
  check_range(L, &r);
  if (a->size > 0)
    queue(L, &r);
  o->at = r.off + r.bytes;
}

/* f:read(a [, offset]) -> a: all its bytes, from that byte of the file on;
** queued on the current stream of the array's device. */
static int file_read (lua_State *L) {
  transfer(L, false, "file:read");
  lua_settop(L, 2);
  return 1;
}

/* f:write(a [, offset]) -> f: likewise. */
static int file_write (lua_State *L) {
  transfer(L, true, "file:write");
  lua_settop(L, 1);
  return 1;
}

/* ==} */

/* {== life ============================================================ */

static const char *check_path (lua_State *L, int arg) {
  size_t n;
  const char *path = tide_checklstring(L, arg, &n);
  tide_argcheck(L, strlen(path) == n && n > 0, arg, "path expected");
  return path;
}

/* open(path [, mode]) -> File. "w" empties a file, or makes one; that waits
** for what was queued for it. */
static int core_open (lua_State *L) {
  Runtime *rt = tide_rt(L);
  int error = 0;
  const char *path = check_path(L, 1);
  FileMode mode = (FileMode)tide_checkchoice(L, 2, FILE_READ, modes);
  if (mode == FILE_WRITE && rt->running != NULL && access(path, F_OK) == 0)
    tide_check(L, tide_refusewait(rt, "tide.open"));  /* in use or not */
  File *o = tide_newobject(L, sizeof *o, &fileclass, 1);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, FILE_PATH);
  tide_drain(L);
  rt_reap(rt, false);
  tide_relievehandles(L);
  if (rt->nclosed >= CLOSED_MOST && tide_mayserve(L, tide_state(L)))
    tide_check(L, rt_awaitclosed(rt, "tide.open"));
  o->mode = mode;
  Descriptors d = {.what = "tide.open"};
  do {
    tide_check(L, rt_openfile(rt, path, mode, &o->f, &error));
  } while (tide_finddescriptor(L, &d, error));
  return (error != 0) ? fail(L, "tide.open", path, error) : 1;
}

/* Idempotent, calls no driver. */
static void drop (File *o) {
  RtFile *f = o->f;
  o->f = NULL;
  if (f != NULL && o->object.state->rt != NULL)
    rt_closefile(f);
}

/* Silent. */
static int file__gc (lua_State *L) {
  File *o = tide_endobject(L, &fileclass, NULL);
  drop(o);
  free(o->writes);
  o->writes = NULL;
  o->nwrites = o->room = 0;
  return 0;
}

/* It has waited, and nothing has failed. */
static void end_close (lua_State *L) {
  File *o = lua_touserdata(L, 1);
  o->closing = false;
}

/* Others find the file closed while this waits. The argument alone is left. */
static int close_and_wait (lua_State *L, File *o) {
  static const char what[] = "file:close";
  if (o->nwrites > 0)
    tide_checkmaywait(L, o->writes[0].s->dev, what);
  o->closing = true;
  drop(o);
  lua_settop(L, 1);
  if (o->nwrites > 0) {
    Awaited w = {.dev = o->writes[0].s->dev, .what = what, .points = o->writes,
                 .n = o->nwrites, .mute = true, .check = end_close};
    return tide_awaitall(L, &w);
  }
  o->closing = false;
  tide_drain(L);
  return 0;
}

/* A call that has begun again finds that it has closed the file itself. */
static bool is_closing (const File *o) {
  const State *st = o->object.state;
  return o->closing && (st->gc_held || (st->door != NULL &&
                                        st->door->attempts > 0));
}

/* f:close([{ wait = true }]): waits until all that it was to write has been
** written; what was queued is done in any case. */
static int file_close (lua_State *L) {
  static const char *const options[] = {"wait", NULL};
  File *o = tide_checkobject(L, 1, &fileclass);
  tide_argcheck(L, o->f != NULL || is_closing(o), 1, "file is closed");
  tide_checkoptions(L, 2, options);
  if (tide_optflag(L, 2, "wait", true))
    return close_and_wait(L, o);
  drop(o);
  tide_drain(L);
  return 0;
}

/* The end of a block waits as close() does. It does not where an error ends the
** block, so that this error goes on at once, nor where no wait is allowed. */
static int file__close (lua_State *L) {
  File *o = tide_endobject(L, &fileclass, NULL);
  const Runtime *rt = o->object.state->rt;
  bool open = (o->f != NULL || is_closing(o));
  if (open && rt != NULL && lua_isnoneornil(L, 2) && rt->running == NULL &&
      !rt->finalizing && !rt_forked(rt))
    return close_and_wait(L, o);
  drop(o);
  return 0;
}

static int file__tostring (lua_State *L) {
  const File *o = tide_checkobject(L, 1, &fileclass);
  if (o->f == NULL)
    return lua_pushliteral(L, "tide.File (closed)"), 1;
  lua_pushfstring(L, "tide.File (%s, %s)", push_path(L, 1), modes[o->mode]);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

static int file_size (lua_State *L) {
  int error;
  uint64_t size = size_of(check_file(L), &error);
  if (error != 0)
    return fail(L, "file.size", push_path(L, 1), error);
  tide_uncount(tide_state(L));
  lua_pushinteger(L, (lua_Integer)size);
  return 1;
}

static int file_path (lua_State *L) {
  check_file(L);
  push_path(L, 1);
  return 1;
}

static int file_mode (lua_State *L) {
  lua_pushstring(L, modes[check_file(L)->mode]);
  return 1;
}

static int file_offset (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)check_file(L)->at);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "open", core_open, 2},
  {NULL, NULL, 0}
};

static const Function methods[] = {
  {"close", file_close, 2},
  {"read", file_read, 3},
  {"write", file_write, 3},
  {NULL, NULL, 0}
};

static const Function fields[] = {
  {"mode", file_mode, 1},
  {"offset", file_offset, 1},
  {"path", file_path, 1},
  {"size", file_size, 1},
  {NULL, NULL, 0}
};

static const Function metamethods[] = {
  {"__gc", file__gc, 1},
  {"__close", file__close, 2},
  {"__tostring", file__tostring, 1},
  {NULL, NULL, 0}
};

static const Class fileclass = {
  .name = "tide.File", .methods = methods, .fields = fields,
  .metamethods = metamethods
};

void tide_openfile (lua_State *L) {
  tide_newclass(L, &fileclass);
  tide_setfuncs(L, functions);
}

/*
** fileobj.c - tide.File: opening, closing and fields. Reads and writes are in
** file_transfer.c.
*/
#include "fileobj.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "device/await.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/memory/reclaim.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/wait.h"

enum {
  FILE_PATH = 1,    /* its user value */
  CLOSED_MOST = 128 /* closed files with work under way: they have two
                        descriptors each, and the program needs some */
};

static const char *const modes[] = {"r", "w", "r+", NULL}; /* a FileMode */

File *fileobj_check (lua_State *L) {
  File *o = class_check(L, 1, &fileobj_class);
  argerror_check(L, o->f != NULL, 1, "file is closed");
  return o;
}

const char *fileobj_path (lua_State *L, int idx) {
  lua_getiuservalue(L, idx, FILE_PATH);
  return lua_tostring(L, -1);
}

int fileobj_raise (lua_State *L, const char *what, const char *path,
                   int error) {
  return error_raise(L, "%s: '%s'%s%s", what, path,
                     error == FILE_NOT_SEEKABLE ? "" : ": ",
                     error == FILE_NOT_SEEKABLE
                       ? " is no file that can be read or written at any place"
                       : strerror(error));
}

uint64_t fileobj_size (const File *o, int *error) {
  transfer_reap(o->f->rt, false);
  return file_final_size(o->f, error);
}

/* {== life ============================================================ */

static const char *check_path (lua_State *L, int arg) {
  size_t n;
  const char *path = arg_check_lstring(L, arg, &n);
  argerror_check(L, strlen(path) == n && n > 0, arg, "path expected");
  return path;
}

/* Raises in a host function; 'instead' says what to do there. */
static int refuse_wait (lua_State *L, Runtime *rt, const char *what,
                        const char *instead) {
  return error_fail(L, status_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                                      "a host function must not wait: %s",
                                      instead));
}

/* open(path [, mode]) -> File. "w" empties a file, or makes one; that waits for
** operations that were queued on it. */
static int core_open (lua_State *L) {
  Runtime *rt = state_rt(L);
  int error = 0;
  const char *path = check_path(L, 1);
  FileMode mode = (FileMode)option_choice(L, 2, FILE_READ, modes);
  if (mode == FILE_WRITE && rt->running != NULL && access(path, F_OK) == 0)
    refuse_wait(L, rt, "tide.open",
                "\"w\" makes new files there, and empties none; \"r+\" opens "
                "one as it is"); /* in use or not */
  File *o = class_new_object(L, sizeof *o, &fileobj_class, 1);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, FILE_PATH);
  drain_dropped(L);
  transfer_reap(rt, false);
  gc_relieve_handles(L);
  if (rt->files != NULL && rt->files->nclosed >= CLOSED_MOST &&
      blocking_serves(L, state_get(L)))
    error_check(L, transfer_wait_closed(rt, "tide.open"));
  o->mode = mode;
  Descriptors d = {.what = "tide.open"};
  do {
    error_check(L, file_open(rt, path, mode, &o->f, &error));
  } while (drain_find_fd(L, &d, error));
  return (error != 0) ? fileobj_raise(L, "tide.open", path, error) : 1;
}

/* Idempotent, calls no driver. */
static void drop (File *o) {
  RtFile *f = o->f;
  o->f = NULL;
  if (f != NULL && o->object.state->rt != NULL)
    file_drop_object(f);
}

/* Silent. */
static int file__gc (lua_State *L) {
  File *o = class_check_gc(L, &fileobj_class, NULL);
  drop(o);
  free(o->writes);
  o->writes = NULL;
  o->nwrites = o->room = 0;
  return 0;
}

/* Ends a close that has waited without a failure. */
static void end_close (lua_State *L) {
  File *o = lua_touserdata(L, 1);
  o->closing = false;
}

/* Waits. Others find the file closed meanwhile. Only the argument stays. */
static int close_and_wait (lua_State *L, File *o) {
  static const char what[] = "file:close";
  Runtime *rt = o->object.state->rt;
  if (o->nwrites > 0 && rt->running != NULL)
    refuse_wait(L, rt, what, "f:close{ wait = false } does not");
  o->closing = true;
  drop(o);
  lua_settop(L, 1);
  if (o->nwrites > 0) {
    Awaited w = {.dev = o->writes[0].s->dev,
                 .what = what,
                 .points = o->writes,
                 .n = o->nwrites,
                 .mute = true,
                 .check = end_close};
    return await_all(L, &w);
  }
  o->closing = false;
  drain_dropped(L);
  return 0;
}

/* Tells a call that begins again that it has closed the file itself. */
static bool is_closing (const File *o) {
  const State *st = o->object.state;
  return o->closing &&
         (st->gc_held || (st->entry != NULL && st->entry->retries > 0));
}

/* f:close([{ wait = true }]): waits until all queued writes are done. Without
** that wait they are done later. */
static int file_close (lua_State *L) {
  static const char *const options[] = {"wait", NULL};
  File *o = class_check(L, 1, &fileobj_class);
  argerror_check(L, o->f != NULL || is_closing(o), 1, "file is closed");
  option_check(L, 2, options);
  if (option_flag(L, 2, "wait", true))
    return close_and_wait(L, o);
  drop(o);
  drain_dropped(L);
  return 0;
}

/* Waits at the end of a block, as close() does. It does not wait if an error
** ends the block, so that the error goes on at once, nor where no wait is
** allowed. */
static int file__close (lua_State *L) {
  File *o = class_check_gc(L, &fileobj_class, NULL);
  const Runtime *rt = o->object.state->rt;
  bool open = (o->f != NULL || is_closing(o));
  if (open && rt != NULL && lua_isnoneornil(L, 2) && rt->running == NULL &&
      !rt->finalizing && !context_is_forked(rt))
    return close_and_wait(L, o);
  drop(o);
  return 0;
}

static int file__tostring (lua_State *L) {
  const File *o = class_check(L, 1, &fileobj_class);
  if (o->f == NULL)
    return lua_pushliteral(L, "tide.File (closed)"), 1;
  lua_pushfstring(L, "tide.File (%s, %s)", fileobj_path(L, 1), modes[o->mode]);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

static int file_size (lua_State *L) {
  int error;
  uint64_t size = fileobj_size(fileobj_check(L), &error);
  if (error != 0)
    return fileobj_raise(L, "file.size", fileobj_path(L, 1), error);
  entry_uncount(state_get(L));
  lua_pushinteger(L, (lua_Integer)size);
  return 1;
}

static int file_path (lua_State *L) {
  fileobj_check(L);
  fileobj_path(L, 1);
  return 1;
}

static int file_mode (lua_State *L) {
  lua_pushstring(L, modes[fileobj_check(L)->mode]);
  return 1;
}

static int file_offset (lua_State *L) {
  lua_pushinteger(L, (lua_Integer)fileobj_check(L)->at);
  return 1;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "open", core_open, 2},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"close", file_close, 2},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"mode", file_mode, 1}, {"offset", file_offset, 1},
  {"path", file_path, 1}, {"size", file_size, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", file__gc, 1},
  {"__close", file__close, 2},
  {"__tostring", file__tostring, 1},
  {NULL, NULL, 0},
};

const Class fileobj_class = {
  .name = "tide.File",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

void open_file (lua_State *L) {
  class_define(L, &fileobj_class);
  class_set_funcs(L, functions);
}

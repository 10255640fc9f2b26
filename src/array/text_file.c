/*
** text_file.c - tide.loadtxt: tables of numbers in text files as arrays.
**
** The copy pool of threads reads the file into memory, counts its rows, and
** reads the values into page-locked memory, which is copied to the device.
** Between the stretches of that work the call looks whether it shall end.
*/
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/state.h"
#include "copy.h"
#include "device/current.h"
#include "device/service.h"
#include "dtype.h"
#include "openers.h"
#include "osfile.h"
#include "rt/memory/copy_pool.h"
#include "rt/os/reading.h"
#include "rt/text/cell.h"
#include "rt/text/text.h"
#include "text_options.h"

/* {== threads ========================================================= */

enum { STRETCH = 8 << 20 }; /* bytes of text between looks at interrupts */

/* The work on a file, for the threads that do it. */
typedef struct Work {
  RtFill fill;
  size_t bytes;
  Text *text;
  int fd;   /* to read from, */
  char *to; /* into this */
} Work;

static int fill_read (const void *ud, char *to, size_t off, size_t n) {
  return reading_at(((const Work *)ud)->fd, to, n, (off_t)off);
}

static int fill_count (const void *ud, char *to, size_t off, size_t n) {
  (void)to;
  text_count(((const Work *)ud)->text, off, n);
  return 0;
}

static int fill_parse (const void *ud, char *to, size_t off, size_t n) {
  (void)to;
  text_parse(((const Work *)ud)->text, off, n);
  return 0;
}

static size_t least (size_t a, size_t b) { return a < b ? a : b; }

static void post (struct CopyPool *pool, RtJob *job, const Work *w, size_t at) {
  *job = (RtJob){.fill = w->fill,
                 .ud = w,
                 .to = (w->to != NULL) ? w->to + at : NULL,
                 .off = at,
                 .n = least(w->bytes - at, STRETCH)};
  copy_pool_post(pool, job);
}

/* Does the work, two stretches at a time. Returns 0 or an errno. Raises, when
** no thread works any more, if the call shall end. */
static int run (lua_State *L, const Work *w) {
  RtJob jobs[2];
  Hooks hooks;
  int error = 0;
  Status st = 0;
  State *state = state_get(L);
  struct CopyPool *pool = (w->bytes > TEXT_CHUNK) ? copy_pool_get(state->rt)
                                                  : NULL;
  size_t posted = 0, done = 0, n = (w->bytes + STRETCH - 1) / STRETCH;
  luahook_start(L, state, &hooks);
  while (done < posted || (posted < n && error == 0 && st == 0)) {
    for (; posted < n && posted < done + 2 && error == 0 && st == 0; posted++)
      post(pool, &jobs[posted % 2], w, posted * STRETCH);
    int own = copy_pool_finish(pool, &jobs[done++ % 2]);
    error = (error != 0) ? error : own;
    if (st == 0)
      st = service_look_for_stop(L, &hooks);
  }
  error_check(L, st);
  return error;
}

/* ==} */

/* {== the file ======================================================== */

static _Noreturn void refuse (lua_State *L, const TextOptions *o,
                              const char *why) {
  error_raise(L, "tide.loadtxt: '%s': %s", o->path, why);
  abort();
}

/* Pushes the contents of the file, and begins the text behind the mark that
** some programs write in front of UTF-8. */
static void read_file (lua_State *L, TextOptions *o, Text *t) {
  WholeFile *f = osfile_push(L, 1, "tide.loadtxt");
  t->end = osfile_open(L, f);
  char *bytes = class_new_memory(L, t->end + TEXT_PAD);
  Work w = {fill_read, t->end, t, f->fd, bytes};
  int error = run(L, &w);
  if (error != 0)
    osfile_fail(L, f, error);
  text_open(t, bytes);
  t->begin = (t->end >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) ? 3 : 0;
  for (size_t i = 0; i < o->skiprows && t->begin < t->end; i++)
    t->begin = (size_t)(text_skip_line(t, bytes + t->begin) - bytes);
}

/* Returns the first line that is not blank, of the header, behind the mark of a
** comment if it has one. The rows begin behind it. */
static const char *find_header (lua_State *L, TextOptions *o, Text *t) {
  const char *end = t->bytes + t->end, *p = t->bytes + t->begin, *q = p;
  for (; p < end; p = text_skip_line(t, p)) {
    q = text_skip_blanks(t, p);
    o->remark = (t->ncomment > 0 && strncmp(q, t->comment, t->ncomment) == 0);
    if (o->remark)
      q = text_skip_blanks(t, q + t->ncomment);
    if (text_is_row(t, q))
      break;
  }
  if (p >= end)
    refuse(L, o, "it has no header");
  t->begin = (size_t)(text_skip_line(t, p) - t->bytes);
  return q;
}

/* Pushes the list of names in the header. */
static void push_header (lua_State *L, TextOptions *o, Text *t) {
  TextField f;
  const char *p = find_header(L, o, t);
  bool more = true;
  lua_newtable(L);
  for (t->width = 0; more;) {
    more = text_next(t, &p, &f);
    lua_pushlstring(L, f.at, f.n);
    if (t->quote != '\0' && memchr(f.at, t->quote, f.n) != NULL) {
      const char one[] = {t->quote, '\0'}, two[] = {t->quote, t->quote, '\0'};
      luaL_gsub(L, lua_tostring(L, -1), two, one);
      lua_remove(L, -2);
    }
    lua_rawseti(L, -2, (lua_Integer)++t->width);
  }
}

/* Counts the rows, and the columns of the first one. */
static void count_rows (lua_State *L, const TextOptions *o, Text *t) {
  TextField f;
  const char *p = t->bytes + t->begin;
  Work w = {.fill = fill_count, .bytes = t->end - t->begin, .text = t};
  t->before = class_new_memory(L, (text_chunks(t) + 1) * sizeof *t->before);
  run(L, &w);
  t->rows = least(text_sum(t), o->max_rows);
  if (t->rows == 0 && !o->header)
    refuse(L, o, "it has no rows");
  if (o->header)
    return;
  while (!text_is_row(t, p))
    p = text_skip_line(t, p);
  p = text_skip_blanks(t, p);
  for (t->width = 1; text_next(t, &p, &f);)
    t->width++;
}

/* ==} */

/* {== columns ========================================================= */

/* Returns the place of the name on the top in the header. */
static size_t find_name (lua_State *L, const TextOptions *o, const Text *t) {
  for (size_t i = 0; i < t->width; i++) {
    lua_rawgeti(L, o->names, (lua_Integer)i + 1);
    bool found = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
    if (found)
      return i;
  }
  refuse(L, o,
         lua_pushfstring(L, "it has no column '%s'", lua_tostring(L, -1)));
}

/* Returns the place of column i of the result. */
static size_t find_column (lua_State *L, const TextOptions *o, const Text *t,
                           size_t i) {
  size_t place = 0;
  if (o->usecols == 0)
    return i;
  lua_rawgeti(L, o->usecols, (lua_Integer)i + 1);
  lua_Integer n = lua_tointeger(L, -1), width = (lua_Integer)t->width;
  if (lua_type(L, -1) == LUA_TSTRING)
    place = find_name(L, o, t);
  else if (n > width || n < -width)
    argerror_raise(L, 2,
                   "option 'usecols': column %I is out of range, '%s' has %I",
                   (LUAI_UACINT)n, o->path, (LUAI_UACINT)width);
  else
    place = (size_t)(n < 0 ? n + width : n - 1);
  lua_pop(L, 1);
  return place;
}

static int compare (const void *a, const void *b) {
  const TextColumn *x = a, *y = b;
  return (x->column > y->column) - (x->column < y->column);
}

/* Pushes the columns to be read, and notes the columns of the result. */
static TextColumn *push_columns (lua_State *L, const TextOptions *o, Text *t) {
  t->ncolumns = (o->usecols == 0) ? t->width : lua_rawlen(L, o->usecols);
  TextColumn *columns = class_new_memory(L,
                                         (t->ncolumns + 1) * sizeof *columns);
  for (size_t i = 0; i < t->ncolumns; i++)
    columns[i].column = find_column(L, o, t, i);
  t->columns = columns;
  t->exact = o->exact;
  return columns;
}

/* Pushes the list of the names of the result's columns. */
static void push_names (lua_State *L, const TextOptions *o, const Text *t) {
  size_t n = lua_rawlen(L, o->names);
  if (!o->header && n != t->ncolumns)
    argerror_raise(L, 2, "option 'names' has %I names for %I columns of '%s'",
                   (LUAI_UACINT)n, (LUAI_UACINT)t->ncolumns, o->path);
  lua_newtable(L); /* the list, and the set of its names */
  lua_newtable(L);
  for (size_t i = 0; i < t->ncolumns; i++) {
    size_t at = o->header ? t->columns[i].column : i;
    lua_rawgeti(L, o->names, (lua_Integer)at + 1);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TNIL)
      refuse(L, o,
             lua_pushfstring(L, "two columns have the name '%s'",
                             lua_tostring(L, -2)));
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -4, (lua_Integer)i + 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
}

/* ==} */

/* {== the result ====================================================== */

/* Reads all values to a new HostArray, which it pushes: row by row or, with
** names, column by column. */
static Array *push_values (lua_State *L, const TextOptions *o, Text *t,
                           RtDevice *dev, TextColumn *columns) {
  char why[TEXT_WHY];
  size_t size = dtype_size(t->dtype);
  int64_t rows = (int64_t)t->rows, n = (int64_t)t->ncolumns;
  int64_t shape[2] = {o->names ? n : rows, o->names ? rows : n};
  Array *h = array_new_host(L, dev, t->dtype, 2, shape);
  char *to = (char *)(uintptr_t)array_pointer(h);
  Work w = {.fill = fill_parse, .bytes = t->end - t->begin, .text = t};
  for (size_t i = 0; i < t->ncolumns && to != NULL; i++)
    columns[i].to = to + i * size * (o->names ? t->rows : 1);
  t->step = size * (o->names ? 1 : t->ncolumns);
  qsort(columns, t->ncolumns, sizeof *columns, compare);
  if (h->size > 0)
    run(L, &w);
  if (t->wrong != SIZE_MAX) {
    text_explain(t, why);
    refuse(L, o,
           o->remark
             ? lua_pushfstring(L,
                               "%s; the header is a comment, the first line "
                               "that is not blank (skiprows can skip it)",
                               why)
             : why);
  }
  return h;
}

/* Pushes the Array of the dtype asked for with the elements of a HostArray. */
static void push_array (lua_State *L, const TextOptions *o, RtStream *s,
                        Array *h) {
  Array *a = array_new(L, h->dev, o->dtype, h->ndim, h->shape, s);
  if (o->dtype == h->dtype) {
    array_copyto(L, s, a, h);
    return;
  }
  Array *wide = array_new(L, h->dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, wide, h);
  if (wide->size > 0)
    array_cast(L, s, a, wide);
  array_release(wide);
  lua_pop(L, 1);
}

/* Pushes the table of columns, with the names in the list on the top, and the
** list. */
static void push_table (lua_State *L, const TextOptions *o, RtStream *s,
                        Array *h, int names) {
  int64_t rows = h->shape[1];
  size_t bytes = (size_t)rows * dtype_size(h->dtype);
  lua_newtable(L);
  for (int64_t i = 0; i < h->shape[0]; i++) {
    Array *column = array_push_view(L, h, 1, &rows, NULL,
                                    h->off + (size_t)i * bytes);
    lua_rawgeti(L, names, i + 1);
    push_array(L, o, s, column);
    array_release(column);
    lua_rawset(L, -4);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, names);
}

/* loadtxt(path [, options]) -> Array of rows and columns; with names a table of
** columns, and the list of names. */
static int core_loadtxt (lua_State *L) {
  TextOptions o;
  Text t = {0};
  state_rt(L);
  RtDevice *dev = current_get_device(L);
  lua_settop(L, 2);
  text_options_read(L, &o, &t);
  read_file(L, &o, &t);
  if (o.header) {
    push_header(L, &o, &t);
    o.names = lua_gettop(L);
  }
  count_rows(L, &o, &t);
  TextColumn *columns = push_columns(L, &o, &t);
  if (o.names != 0)
    push_names(L, &o, &t);
  int names = lua_gettop(L);
  Array *h = push_values(L, &o, &t, dev, columns);
  RtStream *s = current_get_stream(L, dev);
  if (o.names != 0)
    push_table(L, &o, s, h, names);
  else
    push_array(L, &o, s, h);
  array_release(h);
  return (o.names != 0) ? 2 : 1;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "loadtxt", core_loadtxt, 2},
  {NULL, NULL, 0},
};

void open_text_file (lua_State *L) { class_set_funcs(L, functions); }

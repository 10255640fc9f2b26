/*
** text_write.c - tide.savetxt: arrays as lines of text.
**
** Formats are the C locale's (numeral.c). Without a format a float gets as many
** digits as it takes to read it back.
*/
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/state.h"
#include "copy.h"
#include "dtype.h"
#include "openers.h"
#include "osfile.h"
#include "pieces.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/numeral.h"
#include "rt/text/shortest.h"

/* The table of options, or an empty one, behind the arguments: these stay. */
enum { OPTIONS = 4 };

enum {
  HOW = 48,          /* the longest format */
  DIGITS_MOST = 99,  /* of a width or a precision in it */
  PART = 512,        /* the longest number: digits of 1e308, and these */
  BUFFER = 64 << 10, /* bytes that are written at a time */
};

/* How a column is written: a format for one number. */
typedef struct Format {
  char how[HOW];
  enum { OWN, INTEGER, FLOAT } kind;
} Format;

typedef struct Writer {
  WholeFile *file;
  char *buffer;
  size_t used;
  DType dtype;
  const char *delimiter;
  size_t ndelimiter;
  const Format *formats;
  size_t nformats; /* 1: all columns have the same one */
  int64_t columns, column;
} Writer;

/* {== formats ========================================================= */

static int refuse_format (lua_State *L) {
  return argerror_raise(L, 3,
                        "option 'fmt' must be a format for one number as "
                        "\"%%.3f\" or \"%%d\", or a list of one for each "
                        "column");
}

/* Returns the place behind a number of up to two digits. */
static const char *skip_number (const char *p) {
  for (int i = 0; i < 2 && *p >= '0' && *p <= '9'; i++)
    p++;
  return p;
}

/* Reads the format on the top, and pops it. Text around the conversion stays;
** integers get the size of 64 bits. */
static void read_format (lua_State *L, Format *f, DType t) {
  size_t n = 0;
  const char *from = (lua_type(L, -1) == LUA_TSTRING) ? lua_tolstring(L, -1, &n)
                                                      : "";
  const char *p = strchr(from, '%');
  if (p == NULL || n + 3 > HOW || strlen(from) != n)
    refuse_format(L);
  p += 1 + strspn(p + 1, "-+ #0");
  p = skip_number(p);
  p = (*p == '.') ? skip_number(p + 1) : p;
  bool whole = (*p != '\0' && strchr("dixXou", *p) != NULL);
  if (*p == '\0' || strchr("dixXoueEfFgGaA", *p) == NULL || strchr(p, '%'))
    refuse_format(L);
  char kind = (t == DTYPE_UINT64 && (*p == 'd' || *p == 'i')) ? 'u' : *p;
  snprintf(f->how, HOW, "%.*s%s%c%s", (int)(p - from), from, whole ? "ll" : "",
           kind, p + 1);
  f->kind = whole ? INTEGER : FLOAT;
  lua_pop(L, 1);
}

/* Pushes the formats, those of the option or the shortest. */
static void push_formats (lua_State *L, Writer *w) {
  int type = option_get(L, OPTIONS, "fmt"), from = lua_gettop(L);
  bool list = (type == LUA_TTABLE);
  lua_Unsigned n = list ? lua_rawlen(L, from) : 1;
  if (list)
    list_check_in(L, 3, from, n, "option 'fmt', a list of formats,");
  if (list && n != (lua_Unsigned)w->columns)
    argerror_raise(L, 3, "option 'fmt' has %I formats for %I columns",
                   (LUAI_UACINT)n, (LUAI_UACINT)w->columns);
  Format *formats = class_new_memory(L, (n + 1) * sizeof *formats);
  for (lua_Unsigned i = 0; i < n; i++) {
    formats[i].kind = OWN;
    if (list)
      lua_rawgeti(L, from, (lua_Integer)i + 1);
    else
      lua_pushvalue(L, from);
    if (type != LUA_TNIL)
      read_format(L, &formats[i], w->dtype);
    else
      lua_pop(L, 1);
  }
  w->formats = formats;
  w->nformats = n;
}

/* ==} */

/* {== numbers ========================================================= */

static int write_float (lua_State *L, const Format *f, char to[PART], double x,
                        DType t) {
  if (f->kind == OWN)
    return shortest_write(to, x, t);
  if (f->kind == FLOAT)
    return numeral_format(to, PART, f->how, isnan(x) ? fabs(x) : x);
  if (!(fabs(x) < 0x1p63))
    error_raise(L, "tide.savetxt: %s cannot be written as an integer",
                isnan(x) ? "nan" : "inf or a float beyond 64 bits");
  return snprintf(to, PART, f->how, (long long)x);
}

static int write_integer (const Format *f, char to[PART], int64_t x, DType t) {
  if (f->kind == FLOAT)
    return numeral_format(to, PART, f->how,
                          t == DTYPE_UINT64 ? (double)(uint64_t)x : (double)x);
  const char *plain = (t == DTYPE_UINT64) ? "%llu" : "%lld";
  return snprintf(to, PART, f->kind == OWN ? plain : f->how, (long long)x);
}

/* Writes a complex number as 1+2j. */
static int write_complex (lua_State *L, const Format *f, char to[2 * PART],
                          const char *p, DType t) {
  DType part = (t == DTYPE_COMPLEX64) ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
  char im[PART];
  int n = write_float(L, f, to, dtype_float_at(p, part), part);
  int more = write_float(L, f, im, dtype_float_at(p + dtype_size(part), part),
                         part);
  bool sign = (*im == '-' || *im == '+');
  return n + snprintf(to + n, 2 * PART - (size_t)n, "%s%.*sj", sign ? "" : "+",
                      more, im);
}

static int write_element (lua_State *L, const Format *f, char to[2 * PART],
                          const char *p, DType t) {
  switch (dtype_kind(t)) {
    case KIND_COMPLEX: return write_complex(L, f, to, p, t);
    case KIND_FLOAT: return write_float(L, f, to, dtype_float_at(p, t), t);
    default: return write_integer(f, to, dtype_integer_at(p, t), t);
  }
}

/* ==} */

/* {== lines =========================================================== */

static void flush (lua_State *L, Writer *w) {
  osfile_write(L, w->file, w->buffer, w->used);
  w->used = 0;
}

static void put (lua_State *L, Writer *w, const char *text, size_t n) {
  if (n > BUFFER - w->used)
    flush(L, w);
  if (n > BUFFER) {
    osfile_write(L, w->file, text, n);
    return;
  }
  memcpy(w->buffer + w->used, text, n);
  w->used += n;
}

static void put_elements (lua_State *L, void *ud, const char *bytes, size_t n) {
  Writer *w = ud;
  size_t size = dtype_size(w->dtype);
  for (const char *p = bytes; p < bytes + n; p += size) {
    const Format *f = w->formats + (w->nformats > 1 ? w->column : 0);
    if (BUFFER - w->used < 2 * PART)
      flush(L, w);
    w->used += (size_t)write_element(L, f, w->buffer + w->used, p, w->dtype);
    if (++w->column < w->columns) {
      put(L, w, w->delimiter, w->ndelimiter);
      continue;
    }
    put(L, w, "\n", 1);
    w->column = 0;
  }
}

/* Returns an option that is a string, which stays in the table of options. */
static const char *get_string (lua_State *L, const char *name, const char *def,
                               size_t *n) {
  int type = option_get(L, OPTIONS, name);
  argerror_check(L, type == LUA_TNIL || type == LUA_TSTRING, 3,
                 "option '%s' must be a string, got %s", name,
                 lua_typename(L, type));
  const char *text = (type == LUA_TNIL) ? def : lua_tolstring(L, -1, n);
  if (type == LUA_TNIL)
    *n = (def != NULL) ? strlen(def) : 0;
  lua_pop(L, 1);
  return text;
}

/* Writes the header or the footer, each line behind the mark of a comment. */
static void put_remark (lua_State *L, Writer *w, const char *name) {
  size_t nmark, n;
  const char *mark = get_string(L, "comments", "# ", &nmark);
  const char *text = get_string(L, name, "", &n), *stop;
  for (text = (n > 0) ? text : NULL; text != NULL; text = stop) {
    stop = memchr(text, '\n', n);
    size_t line = (stop != NULL) ? (size_t)(stop++ - text) : n;
    put(L, w, mark, nmark);
    put(L, w, text, line);
    put(L, w, "\n", 1);
    n -= (stop != NULL) ? line + 1 : n;
  }
}

/* savetxt(path, a [, options]): writes a text file, or replaces it. Waits. */
static int core_savetxt (lua_State *L) {
  static const char *const names[] = {"delimiter", "fmt",      "header",
                                      "footer",    "comments", NULL};
  Writer w = {0};
  state_rt(L);
  const char *path = osfile_check_path(L, 1);
  Array *a = copy_check_source(L, 2, "tide.savetxt");
  lua_settop(L, 3);
  option_check(L, 3, names);
  if (lua_isnil(L, 3))
    lua_newtable(L);
  else
    lua_pushvalue(L, 3);
  argerror_check(L, a->ndim == 1 || a->ndim == 2, 2,
                 "an array of one or two axes expected, got %d", a->ndim);
  w.dtype = (DType)a->dtype;
  w.columns = (a->ndim == 2) ? a->shape[1] : 1;
  w.delimiter = get_string(L, "delimiter", " ", &w.ndelimiter);
  push_formats(L, &w);
  w.buffer = class_new_memory(L, BUFFER);
  w.file = osfile_begin(L, path, "tide.savetxt");
  put_remark(L, &w, "header");
  pieces_pass(L, 2, put_elements, &w, "tide.savetxt");
  put_remark(L, &w, "footer");
  flush(L, &w);
  osfile_end(L, w.file);
  return 0;
}

/* ==} */

static const Function functions[] = {
  {GROUP_FILES "savetxt", core_savetxt, 3},
  {NULL, NULL, 0},
};

void open_text_write (lua_State *L) { class_set_funcs(L, functions); }

/*
** print.c - arrays as text: a header with shape, dtype and device, then the
** values in NumPy's layout, with long axes shortened. Only the printed values
** are fetched from the device, and nothing here raises: if values are not
** available, only the header is printed. tide.printoptions is in
** printoptions.c, single elements in format.c.
*/
#include <string.h>

#include "array.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "complex.h"
#include "copy.h"
#include "device/current.h"
#include "device/device.h"
#include "dtype.h"
#include "format.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/numeral.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"

enum { MOST_SHOWN = 1 << 16 }; /* elements of a shortened array */

/* An array to print, with the options of when the call began. */
typedef struct Shown {
  const Array *a;
  PrintOptions o;
} Shown;

static bool is_long (const Shown *s) {
  return s->a->size > (size_t)s->o.threshold;
}

/* Tells whether only the ends of an axis are printed, in a long array. */
static bool elided (const Shown *s, int axis) {
  return is_long(s) && s->a->shape[axis] > 2 * s->o.edgeitems;
}

static void push_header (lua_State *L, const Array *a) {
  char name[DEVICE_NAME];
  array_push_shape(L, a);
  lua_pushfstring(L, "%s %s %s %s", a->object.class->name, lua_tostring(L, -1),
                  dtype_name(a->dtype), device_write_name(a->dev, name));
  lua_remove(L, -2);
}

/* {== fetching ======================================================== */

static int64_t length (const Shown *s, int axis) {
  return elided(s, axis) ? 2 * s->o.edgeitems : s->a->shape[axis];
}

/* A view on the C stack. */
typedef union Box {
  Array array;
  char room[sizeof(Array) + 2 * MAX_DIMS * sizeof(int64_t)];
} Box;

/* Makes the view of a corner of 'of', which is the array or its printed part:
** bit i of 'corner' selects the end of the i-th shortened axis. */
static const Array *make_box (Box *box, const Array *of, const Shown *s,
                              unsigned corner) {
  Array *v = &box->array;
  int64_t edge = s->o.edgeitems;
  *v = *of;
  v->dense = false;
  memcpy(v->shape, of->shape, 2 * (size_t)of->ndim * sizeof *of->shape);
  for (int i = 0; i < of->ndim; i++) {
    if (!elided(s, i))
      continue;
    v->shape[i] = edge;
    if (corner & 1)
      v->off += (size_t)((of->shape[i] - edge) * array_stride(of)[i] *
                         (int64_t)dtype_size(of->dtype));
    corner >>= 1;
  }
  return v;
}

/* Queues copies of the corners to 'h', page-locked memory for them. */
static Status copy_corners (const Shown *shown, RtStream *s, const Array *h) {
  Box to, from;
  unsigned corners = 1;
  Status st = 0;
  for (int i = 0; i < h->ndim; i++)
    corners <<= elided(shown, i);
  for (unsigned i = 0; i < corners && st == 0; i++) {
    CopyOp c;
    st = copy_start(&c, make_box(&to, h, shown, i),
                    make_box(&from, shown->a, shown, i), NULL, "tostring");
    if (st == 0)
      st = op_submit(s, &c.op);
  }
  return st;
}

/* ==} */

/* {== text ============================================================ */

typedef struct PrintText {
  luaL_Buffer b;
  const Shown *shown;
  const char *at; /* the next fetched element */
  int column;     /* of the current line */
  Figures figures;
} PrintText;

/* Begins a line. Lines end without blanks. */
static void add_newline (PrintText *t) {
  while (luaL_bufflen(&t->b) > 0 &&
         luaL_buffaddr(&t->b)[luaL_bufflen(&t->b) - 1] == ' ')
    luaL_buffsub(&t->b, 1);
  luaL_addchar(&t->b, '\n');
}

static void add_indent (PrintText *t, int indent) {
  for (int i = 0; i < indent; i++)
    luaL_addchar(&t->b, ' ');
  t->column = indent;
}

/* Adds a word of a row on the given axis; new lines begin in column axis +
** 1. */
static void add_word (PrintText *t, int axis, const char *word, int n) {
  int indent = axis + 1;
  if (t->column > indent) {
    if (t->column + 1 + n > t->shown->o.linewidth - indent) {
      add_newline(t);
      add_indent(t, indent);
    } else {
      luaL_addchar(&t->b, ' ');
      t->column++;
    }
  }
  luaL_addlstring(&t->b, word, (size_t)n);
  t->column += n;
}

static void add_value (PrintText *t, int axis) {
  char text[FIGURES_ROOM];
  int n = format_write(&t->figures, t->at, text);
  t->at += dtype_size(t->shown->a->dtype);
  add_word(t, axis, text, n);
}

static void add_axis (PrintText *t, int axis);

static void add_row (PrintText *t, int axis) {
  int64_t n = length(t->shown, axis), gap = t->shown->o.edgeitems;
  for (int64_t i = 0; i < n; i++) {
    if (elided(t->shown, axis) && i == gap)
      add_word(t, axis, "...", 3);
    add_value(t, axis);
  }
}

/* Adds an empty line between matrices, two between stacks of them. */
static void add_break (PrintText *t, int axis) {
  for (int i = axis + 1; i < t->shown->a->ndim; i++)
    add_newline(t);
  add_indent(t, axis + 1);
}

static void add_rows (PrintText *t, int axis) {
  int64_t n = length(t->shown, axis), gap = t->shown->o.edgeitems;
  for (int64_t i = 0; i < n; i++) {
    if (i > 0)
      add_break(t, axis);
    if (elided(t->shown, axis) && i == gap) {
      luaL_addstring(&t->b, "...");
      add_break(t, axis);
    }
    add_axis(t, axis + 1);
  }
}

/* Adds the elements below 'axis'; the line has reached column 'axis'. */
static void add_axis (PrintText *t, int axis) {
  luaL_addchar(&t->b, '[');
  t->column = axis + 1;
  if (axis == t->shown->a->ndim - 1)
    add_row(t, axis);
  else
    add_rows(t, axis);
  luaL_addchar(&t->b, ']');
}

/* ==} */

/* Tells whether values may be read here and now. */
static bool readable (lua_State *L, const Array *a, const RtStream *s) {
  const Runtime *rt = a->dev->rt;
  return a->block != NULL && s->capture == NULL && rt->ncaptures == 0 &&
         a->dev->fault.code == 0 && rt->running == NULL &&
         (rt->nkept == 0 || blocking_serves(L, state_of_rt(rt)));
}

/* Adds the values to the header on the top; the 'n' at 'p' are printed. */
static void add_values (lua_State *L, const Shown *shown, const char *p,
                        size_t n) {
  PrintText t = {.shown = shown, .at = p};
  format_start(&t.figures, &shown->o, p, n, shown->a->dtype);
  luaL_buffinit(L, &t.b);
  luaL_addchar(&t.b, '\n');
  if (shown->a->size == 0)
    luaL_addstring(&t.b, "[]");
  else if (shown->a->ndim == 0)
    add_value(&t, -1);
  else
    add_axis(&t, 0);
  luaL_pushresult(&t.b);
  lua_concat(L, 2);
}

/* Pushes page-locked memory with the printed values of 'a'; waits. Returns
** false and pushes nothing if they are not available. */
static bool push_shown (lua_State *L, const Shown *shown, RtStream *s,
                        const int64_t *shape) {
  const Array *a = shown->a;
  Array *h = array_new_host(L, a->dev, a->dtype, a->ndim, shape);
  entry_check_calls(L, state_get(L));
  Status st = a->closed ? RT_MISUSE : copy_corners(shown, s, h);
  if (st == RT_BLOCKED)
    error_fail(L, st);
  if (st == 0)
    array_wait_host(L, h, 0, 0, false, "tostring");
  else
    lua_pop(L, 1);
  return st == 0;
}

/* tostring(a): waits for work that writes the printed values. Where no wait is
** allowed, in a host function or a capture, it prints no values. */
int array_tostring (lua_State *L) {
  Array *a = array_check_any(L, 1);
  if (a->closed)
    return lua_pushfstring(L, "%s (closed)", a->object.class->name), 1;
  if (array_is_stale(a))
    return lua_pushfstring(L, "%s (device was reset)", a->object.class->name),
           1;
  push_header(L, a);
  RtStream *s = current_get_stream(L, a->dev);
  Shown shown = {a, state_get(L)->print};
  if (a->size == 0)
    return add_values(L, &shown, NULL, 0), 1;
  if (!readable(L, a, s))
    return 1;
  int64_t shape[MAX_DIMS], n = 1;
  for (int i = 0; i < a->ndim; i++)
    n *= shape[i] = length(&shown, i);
  if (is_long(&shown) && n > MOST_SHOWN) /* too many to read */
    return 1;
  if (!push_shown(L, &shown, s, shape))
    return 1;
  Array *h = lua_touserdata(L, -1);
  lua_pushvalue(L, -2); /* the header */
  add_values(L, &shown, (const char *)(uintptr_t)array_pointer(h), (size_t)n);
  array_release(h);
  return 1;
}

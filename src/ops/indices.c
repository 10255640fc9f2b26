/*
** indices.c - indices along an axis as arguments. Indices in Lua are checked
** before anything is queued. Indices on the device cannot be checked without a
** wait, so the kernel reports a wrong one (index_error.c).
*/
#include "indices.h"

#include <string.h>

#include "array/array.h"
#include "array/launch.h"
#include "array/layout.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"

/* {== options ========================================================= */

static size_t read_mode (lua_State *L, int options) {
  static const char *const modes[] = {"raise", "clip", "wrap", NULL};
  return (size_t)option_word(L, options, "mode", PLACE_RAISE, modes);
}

size_t indices_read_base (lua_State *L, int options) {
  if (lua_isnoneornil(L, options))
    return 1;
  lua_Integer base = option_integer(L, options, "base", 1);
  argerror_check(L, base == 0 || base == 1, options,
                 "option 'base' must be 0 or 1");
  return (size_t)base;
}

void indices_read_options (lua_State *L, int options, Indices *x) {
  x->base = indices_read_base(L, options);
  if (!lua_isnoneornil(L, options))
    x->mode = read_mode(L, options);
}

/* ==} */

/* {== out of range ==================================================== */

const char *indices_push_error (lua_State *L, int64_t i, int axis, size_t n,
                                size_t base) {
  if (axis > 0)
    lua_pushfstring(L, "axis %d", axis);
  else
    lua_pushliteral(L, "an axis");
  lua_pushfstring(L, "index %I is out of range for %s of %I elements%s",
                  (LUAI_UACINT)i, lua_tostring(L, -1), (LUAI_UACINT)n,
                  i == 0 && base == 1 ? "; indices count from 1" : "");
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

/* Facts about indices for the message of a kernel. They stand in the string
** behind the beginning of the message and a zero. */
typedef struct Known {
  size_t given, more;  /* as in Indices */
  size_t ndim;         /* number of axes with indices; 0: one axis */
  int64_t n[MAX_DIMS]; /* elements of each axis */
} Known;

/* See Explain. */
static void explain (lua_State *L, int64_t word) {
  Known k;
  size_t len, axis = 0;
  const char *text = lua_tolstring(L, -1, &len), *end = text + strlen(text) + 1;
  memcpy(&k, end, (size_t)(text + len - end));
  int64_t i = (k.ndim > 0) ? index_of_word(word, &axis) : reported_index(word);
  indices_push_error(L, move_in(i, k.more, k.given),
                     k.ndim > 0 ? (int)axis + 1 : 0, (size_t)k.n[axis],
                     k.given);
  lua_pushfstring(L, "%s: %s", text, lua_tostring(L, -1));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* Pushes the check if one is needed; 'n' are the lengths of 'axes' axes. */
static Check *push_check (lua_State *L, const RtStream *s, const Indices *x,
                          Known *k, const int64_t *n, int axes) {
  if (x->seen || x->mode != PLACE_RAISE)
    return NULL;
  size_t bytes = (size_t)axes * sizeof *n;
  memcpy(k->n, n, bytes);
  error_push_caller(L);
  lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), x->what);
  lua_remove(L, -2);
  lua_pushlstring(L, "", 1);
  lua_pushlstring(L, (const char *)k, offsetof(Known, n) + bytes);
  lua_concat(L, 3);
  return index_error_push(L, s, explain);
}

Check *indices_push_check (lua_State *L, const RtStream *s, const Indices *x) {
  Known k = {.given = x->given, .more = x->more};
  return push_check(L, s, x, &k, &(int64_t){(int64_t)x->n}, 1);
}

Check *indices_check_axes (lua_State *L, const RtStream *s, const Indices *x,
                           int ndim, const int64_t *shape) {
  Known k = {.given = x->given, .ndim = (size_t)ndim};
  return push_check(L, s, x, &k, shape, ndim);
}

/* ==} */

/* {== indices ========================================================= */

/* Converts the indices of the HostArray, which is ready, to count from 1.
** Raises unless all are among n. */
static void check_indices (lua_State *L, int arg, const Array *h, size_t n,
                           const Indices *x) {
  int64_t *at = (int64_t *)(uintptr_t)array_pointer(h);
  for (size_t i = 0; i < h->size; i++) {
    int64_t given = at[i];
    at[i] = from_one(given, x->base, n, x->mode);
    if (x->mode == PLACE_RAISE && !is_place(at[i], n))
      argerror_raise(L, arg, "%s", indices_push_error(L, given, 0, n, x->base));
  }
}

/* Pushes the index at 'arg' as a HostArray of one element. */
static Array *push_number (lua_State *L, int arg, RtDevice *dev) {
  int64_t index = arg_check_integer(L, arg);
  Array *h = array_new_host(L, dev, DTYPE_INT64, 0, NULL);
  *(int64_t *)(uintptr_t)array_pointer(h) = index;
  return h;
}

/* Replaces the HostArray on the top by an array of the device. */
static Array *upload (lua_State *L, RtStream *s, Array *h) {
  Array *a = array_new(L, h->dev, h->dtype, h->ndim, h->shape, s);
  array_copyto(L, s, a, h);
  array_release(h);
  lua_remove(L, -2);
  return a;
}

static void push_array (lua_State *L, int arg, const Array *a, RtStream *s,
                        Indices *x) {
  Array *index = array_check(L, arg);
  if (dtype_kind(index->dtype) != KIND_INTEGER)
    argerror_raise(L, arg, "indices must be integers, got %s%s",
                   dtype_name(index->dtype),
                   index->dtype == DTYPE_BOOL ? "; a:mask takes truth values"
                                              : "");
  if (a != NULL)
    array_check_devices(L, a, index);
  x->array = operand_push_dense(L, arg, DTYPE_INT64);
  if (x->base == 0 && !x->plain && (x->n > 0 || x->mode == PLACE_RAISE))
    indices_push_places(L, s, x, (Lines){1, x->array->size, 1}, true);
}

void indices_push (lua_State *L, int arg, const Array *a, RtStream *s, size_t n,
                   Indices *x) {
  Array *h;
  x->n = n;
  x->given = x->base;
  if (array_test(L, arg) != NULL) {
    push_array(L, arg, a, s, x);
    return;
  }
  if (lua_istable(L, arg))
    h = array_push_table(L, arg, s->dev, DTYPE_INT64);
  else if (lua_type(L, arg) == LUA_TNUMBER)
    h = push_number(L, arg, s->dev);
  else
    return (void)type_error(L, arg, "tide.Array, table or integer");
  check_indices(L, arg, h, n, x);
  x->array = upload(L, s, h);
  x->base = 1;
  x->seen = true;
}

Array *indices_push_places (lua_State *L, RtStream *s, Indices *x, Lines at,
                            bool keep) {
  Array *index = x->array;
  size_t keeps = keep;
  Array *z = array_new(L, index->dev, DTYPE_INT64, index->ndim, index->shape,
                       s);
  if (z->size > 0) {
    Op op;
    op_start(&op, OP_LAUNCH, NULL);
    CUdeviceptr pi = launch_reads(&op, index), pz = launch_writes(&op, z);
    void *params[] = {&pz,      &pi,      &x->n,    &at.n, &at.inner,
                      &z->size, &x->mode, &x->base, &keeps};
    KernelId id = kernel_named("places_i64");
    launch_kernel(L, s, &op, id, kernel_elementwise_grid(id, z->size), params);
    x->more += z->size / at.n * x->n - x->n;
  }
  x->seen = x->seen || x->mode != PLACE_RAISE;
  x->base = 1;
  x->mode = PLACE_RAISE;
  return x->array = z;
}

/* ==} */

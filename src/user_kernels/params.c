/*
** params.c - parameters of generated kernels: read from their text, and
** bound to the arguments of a call. A type variable, one letter, stands for the
** dtype of the arrays that are passed for it.
*/
#include "params.h"

#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/layout.h"
#include "base/error.h"
#include "device/current.h"
#include "device/device.h"
#include "rt/kernels/dtypes.h"
#include "rt/program/ctypes.h"
#include "rt/program/lexer.h"
#include "rt/program/signature.h"

/* {== reading ========================================================= */

static int wrong (lua_State *L, const char *what, const char *text,
                  const char *why) {
  return error_raise(L, "%s: parameter '%s' %s", what, text, why);
}

/* Sets the type of 'p' to the one read. Returns NULL, or what is wrong. */
static const char *set_type (ParamSpec *p, const Param *q) {
  int t = (q->dtype >= 0) ? q->dtype : build_find_dtype(q->type);
  if (t < 0 && (strlen(q->type) != 1 || !lexer_is_letter(*q->type)))
    return "has a type that is neither a dtype nor a letter";
  if (t < 0)
    strcpy(p->type, q->type);
  if (t >= 0 &&
      (dtype_is_half((DType)t) || dtype_kind((DType)t) == KIND_COMPLEX))
    return "has a dtype that kernels of text do not compute with";
  p->t = (t < 0) ? DTYPE_COUNT : (DType)t;
  return NULL;
}

/* Tells whether a parameter cannot have that name, because it is a type or
** another word of C. */
static bool is_reserved (const char *name) {
  static const char *const words[] = {
    "auto",   "break",   "case",   "continue", "default", "do",
    "else",   "extern",  "false",  "for",      "goto",    "if",
    "inline", "return",  "signed", "sizeof",   "static",  "switch",
    "true",   "typedef", "union",  "while"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], name) == 0)
      return true;
  return ctype_find(name) != NULL || build_find_dtype(name) >= 0;
}

/* Reads one parameter: "raw const T x" without blanks around it. */
static void read_param (lua_State *L, const char *one, const char *what,
                        ParamSpec *p) {
  Signature sig;
  char error[SIGNATURE_ERROR];
  p->raw = strncmp(one, "raw", 3) == 0 && lexer_is_space(one[3]);
  if (!signature_read(one + (p->raw ? 4 : 0), &sig, error))
    wrong(L, what, one, error);
  const Param *q = &sig.at[0];
  if (sig.n != 1 || q->words != 1 || q->pointer || is_reserved(q->name))
    wrong(L, what, one,
          "must be a type and a name: \"float32 x\", \"raw T y\"");
  const char *why = set_type(p, q);
  if (why != NULL)
    wrong(L, what, one, why);
  strcpy(p->name, q->name);
  size_t last = strlen(p->name) - 1;
  if (strcmp(p->name, "i") == 0 || strcmp(p->name, "n") == 0 ||
      p->name[last] == '_' || p->name[0] == '_')
    wrong(L, what, one,
          "has a name that is taken: i, n, and names with an underscore at an "
          "end");
}

void param_read (lua_State *L, int idx, bool out, const char *what,
                 ParamList *list) {
  if (lua_type(L, idx) != LUA_TSTRING)
    error_raise(L, "%s: %s must be a string, got %s", what,
                out ? "out" : "params", luaL_typename(L, idx));
  const char *text = lua_tostring(L, idx);
  const int before = list->n;
  bool more = true;
  while (more) {
    size_t len = strcspn(text, ",");
    const char *from = text, *end = text + len;
    while (from < end && lexer_is_space(*from))
      from++;
    while (end > from && lexer_is_space(end[-1]))
      end--;
    more = (text[len] == ',');
    text += len + more;
    if (end == from && list->n == before && !more)
      return; /* no parameters */
    if (list->n == KERNEL_PARAMS)
      error_raise(L, "%s: there are more than %d parameters", what,
                  KERNEL_PARAMS);
    lua_pushlstring(L, from, (size_t)(end - from));
    ParamSpec *p = &list->at[list->n];
    read_param(L, lua_tostring(L, -1), what, p);
    p->out = out;
    for (int i = 0; i < list->n; i++)
      if (strcmp(list->at[i].name, p->name) == 0)
        wrong(L, what, p->name, "is there twice");
    lua_pop(L, 1);
    list->n++;
  }
}

void param_read_type (lua_State *L, const char *option, const char *text,
                      const char *what, const ParamList *list, ParamSpec *p) {
  Signature sig;
  char error[SIGNATURE_ERROR];
  bool known = signature_read(text, &sig, error) && sig.n == 1 &&
               !sig.at[0].pointer && sig.at[0].name[0] == '\0' &&
               set_type(p, &sig.at[0]) == NULL;
  bool found = known && p->type[0] == '\0';
  for (int i = 0; i < list->n && known && !found; i++)
    found = strcmp(list->at[i].type, p->type) == 0;
  if (!found)
    error_raise(L,
                "%s: %s must be a dtype that kernels of text compute with, C's "
                "name of one, or a letter of the parameters, got '%s'",
                what, option, text);
}

/* ==} */

/* {== binding ========================================================= */

static int bad (lua_State *L, const Binding *b, int i, const char *why) {
  const char *name = b->list->at[i].name;
  if (*name == '\0')
    return error_raise(L, "%s: argument %d %s", b->what, i + 1, why);
  return error_raise(L, "%s: argument %d ('%s') %s", b->what, i + 1, name, why);
}

static Array *check_array (lua_State *L, Binding *b, int i) {
  char x[DEVICE_NAME], y[DEVICE_NAME];
  Array *a = array_test(L, b->first + i);
  if (a == NULL)
    return NULL;
  if (a->closed)
    bad(L, b, i, "is a closed array");
  if (array_is_stale(a))
    bad(L, b, i, "is an array whose device was reset");
  if (b->dev == NULL)
    b->dev = a->dev;
  if (a->dev != b->dev)
    bad(L, b, i,
        lua_pushfstring(L, "is an array on device %s, others are on device %s",
                        device_write_name(a->dev, x),
                        device_write_name(b->dev, y)));
  return a;
}

DType param_dtype (const Binding *b, const ParamSpec *p) {
  for (int i = 0; i < b->n && p->type[0] != '\0'; i++)
    if (b->list->at[i].type[0] == p->type[0] && b->types[i] != DTYPE_COUNT)
      return b->types[i];
  return p->t;
}

static void bind_array (lua_State *L, Binding *b, int i, Array *a) {
  const ParamSpec *p = &b->list->at[i];
  DType t = param_dtype(b, p);
  if (t != DTYPE_COUNT && t != a->dtype)
    bad(L, b, i,
        lua_pushfstring(L, "must be an array of %s, got one of %s",
                        dtype_name(t), dtype_name(a->dtype)));
  if (dtype_is_half(a->dtype) || dtype_kind(a->dtype) == KIND_COMPLEX)
    bad(L, b, i,
        lua_pushfstring(L,
                        "must be of another dtype: fused functions and kernels "
                        "of text do not compute with %s",
                        dtype_name(a->dtype)));
  b->args[i].array = a;
  b->types[i] = a->dtype;
  b->modes[i] = p->raw ? ARG_RAW : ARG_DENSE;
}

/* Broadcasts by NumPy's rule: an axis of one element fits any length. */
static void join_shape (lua_State *L, Binding *b, int i, const Array *a) {
  if (b->ndim < 0)
    b->ndim = 0;
  int n = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int k = 1; k <= n; k++) { /* from the last axis to the first */
    int64_t *to = &b->shape[MAX_DIMS - k];
    int64_t x = (k <= b->ndim) ? *to : 1;
    int64_t y = (k <= a->ndim) ? a->shape[a->ndim - k] : 1;
    if (x != y && x != 1 && y != 1) {
      array_push_shape(L, a);
      array_push_dims(L, b->ndim, b->shape + MAX_DIMS - b->ndim);
      bad(L, b, i,
          lua_pushfstring(L, "has shape %s, others have %s",
                          lua_tostring(L, -2), lua_tostring(L, -1)));
    }
    *to = (x == 1) ? y : x;
  }
  b->ndim = n;
}

/* Finds the shape at the end of 'shape', and moves it to the beginning. */
static void bind_shape (lua_State *L, Binding *b) {
  b->ndim = -1;
  for (int i = 0; i < b->n; i++)
    if (b->args[i].array != NULL && b->modes[i] != ARG_RAW)
      join_shape(L, b, i, b->args[i].array);
  for (int k = 0; k < b->ndim; k++)
    b->shape[k] = b->shape[MAX_DIMS - b->ndim + k];
}

void param_strides (const Binding *b, const Array *a,
                    int64_t strides[MAX_DIMS]) {
  int more = b->ndim - a->ndim;
  for (int k = 0; k < b->ndim; k++)
    strides[k] = (k < more || a->shape[k - more] == 1)
                   ? 0
                   : array_stride(a)[k - more];
}

/* Pushes the array broadcast to the shape of the operation, and dense. */
static Array *spread (lua_State *L, const Binding *b, Array *a) {
  int64_t strides[MAX_DIMS];
  param_strides(b, a, strides);
  array_push_view(L, a, b->ndim, b->shape, strides, a->off);
  return array_push_dense(L, lua_gettop(L));
}

/* Tells whether a raw result overlaps the array: it may be written anywhere
** while others are read. */
static bool meets_raw (const Binding *b, const Array *a) {
  for (int i = b->nin; i < b->n; i++)
    if (b->list->at[i].raw && b->args[i].array != NULL && a->size > 0 &&
        b->args[i].array->size > 0 && layout_overlaps(b->args[i].array, a))
      return true;
  return false;
}

/* Returns an earlier copied input that is the same array, passed twice; or
** i. */
static int find_same (lua_State *L, const Binding *b, int i) {
  const ParamSpec *p = b->list->at;
  for (int k = 0; k < i; k++)
    if (b->copied[k] && p[k].raw == p[i].raw &&
        lua_rawequal(L, b->first + k, b->first + i))
      return k;
  return i;
}

static void copy_input (lua_State *L, Binding *b, int i) {
  Array *a = b->args[i].array;
  bool fits = b->list->at[i].raw || layout_has_shape(a, b->ndim, b->shape);
  int same = find_same(L, b, i);
  if (same != i) {
    b->args[i].array = b->args[same].array;
    return;
  }
  luaL_checkstack(L, 8, NULL);
  b->args[i].array = fits ? array_push_dense(L, b->first + i) : spread(L, b, a);
}

void param_copy_inputs (lua_State *L, Binding *b) {
  for (int i = 0; i < b->nin; i++)
    if (b->copied[i])
      copy_input(L, b, i);
}

/* Decides how array i is read: directly, or by a dense copy. Raises if it is a
** result that would need one. */
static void bind_layout (lua_State *L, Binding *b, int i) {
  Array *a = b->args[i].array;
  const ParamSpec *p = &b->list->at[i];
  if (p->out && p->raw && !a->dense)
    bad(L, b, i, "is raw and not dense: it must not be written to");
  if (p->out) {
    if (!p->raw && !layout_has_shape(a, b->ndim, b->shape)) {
      array_push_shape(L, a);
      array_push_dims(L, b->ndim, b->shape);
      bad(L, b, i,
          lua_pushfstring(L, "has shape %s, the result has %s",
                          lua_tostring(L, -2), lua_tostring(L, -1)));
    }
    return;
  }
  bool fits = p->raw || layout_has_shape(a, b->ndim, b->shape);
  if (!fits && a->size == 1 && !meets_raw(b, a))
    b->modes[i] = ARG_FIRST;
  if ((fits && a->dense) || b->modes[i] == ARG_FIRST)
    return;
  if (b->strides && !p->raw && !meets_raw(b, a) && param_bind_strided(b, i))
    return;
  b->copied[i] = true;
  if (!b->waits)
    copy_input(L, b, i);
}

/* A number gets the type of the arrays that share its variable, or its own. */
static void bind_number (lua_State *L, Binding *b, int i) {
  const ParamSpec *p = &b->list->at[i];
  DType t = param_dtype(b, p);
  b->modes[i] = ARG_NUMBER;
  b->types[i] = (t != DTYPE_COUNT) ? t : dtype_infer(L, b->first + i);
}

void param_bind_inputs (lua_State *L, Binding *b) {
  memset(b->copied, 0, sizeof b->copied);
  for (int i = 0; i < b->n; i++) {
    b->types[i] = DTYPE_COUNT;
    b->args[i].array = NULL;
    b->args[i].value = 0;
  }
  for (int i = 0; i < b->n; i++) {
    const ParamSpec *p = &b->list->at[i];
    int type = lua_type(L, b->first + i);
    bool number = (type == LUA_TNUMBER || type == LUA_TBOOLEAN);
    Array *a = check_array(L, b, i);
    if (a != NULL)
      bind_array(L, b, i, a);
    else if (!p->out && (p->raw || !number))
      bad(L, b, i,
          p->raw ? "must be a tide.Array"
                 : "must be a tide.Array, a number or a boolean");
    else if (p->out && type != LUA_TNIL)
      bad(L, b, i, "must be a tide.Array to write to");
  }
  for (int i = 0; i < b->nin; i++)
    if (b->args[i].array == NULL)
      bind_number(L, b, i);
  bind_shape(L, b);
  for (int i = 0; i < b->n; i++)
    if (b->args[i].array != NULL)
      bind_layout(L, b, i);
  if (b->dev == NULL)
    b->dev = current_get_device(L);
}

bool param_is_alias_safe (const Binding *b, int i, const Array *z) {
  const Array *x = b->args[i].array;
  return x == NULL || x->size == 0 || z->size == 0 || !layout_overlaps(x, z) ||
         (b->modes[i] == ARG_DENSE && layout_same_view(x, z) &&
          dtype_size(x->dtype) == dtype_size(z->dtype));
}

DType param_result_dtype (lua_State *L, const Binding *b, int i) {
  const ParamSpec *p = &b->list->at[i];
  DType t = param_dtype(b, p);
  if (t == DTYPE_COUNT)
    error_raise(L,
                "%s: no argument says what type '%s' is; pass an array for "
                "'%s'",
                b->what, p->type, p->name);
  return t;
}

void param_bind_numbers (lua_State *L, Binding *b) {
  for (int i = 0; i < b->nin; i++) {
    if (b->modes[i] != ARG_NUMBER)
      continue;
    if (dtype_size(b->types[i]) > sizeof b->args[i].value)
      bad(L, b, i,
          lua_pushfstring(L,
                          "must be an array: numbers of %s are not passed by "
                          "value",
                          dtype_name(b->types[i])));
    const char *why = dtype_read_element(L, b->first + i, b->types[i],
                                         &b->args[i].value);
    if (why != NULL)
      bad(L, b, i,
          lua_pushfstring(L, "must be of type %s: %s", dtype_name(b->types[i]),
                          why));
  }
}

void param_make_key (const Binding *b, unsigned char key[2 * KERNEL_PARAMS]) {
  memset(key, 0, 2 * KERNEL_PARAMS);
  for (int i = 0; i < b->n; i++) {
    key[2 * i] = (unsigned char)(1 + b->types[i]);
    key[2 * i + 1] = (unsigned char)b->modes[i];
  }
}

void param_make_text (const Binding *b, const char *body,
                      const KernelContext *context, KernelText *text) {
  text->body = body;
  text->context = context;
  text->nparams = b->n;
  text->ntypes = 0;
  for (int i = 0; i < b->n; i++) {
    const ParamSpec *p = &b->list->at[i];
    text->params[i] = (KernelParam){p->name, b->types[i], b->modes[i], p->out};
    bool known = (p->type[0] == '\0');
    for (int k = 0; k < text->ntypes; k++)
      known = known || strcmp(text->types[k].name, p->type) == 0;
    if (!known)
      text->types[text->ntypes++] = (TypeName){p->type, b->types[i]};
  }
}

/* ==} */

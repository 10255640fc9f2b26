/*
** einsum.c - Einstein's sums: the text that pairs the axes, and the products.
** See contract.c, einsum_path.c.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "contract.h"
#include "einsum_path.h"
#include "openers.h"

/* Labels are letters; for '...', numbers from the last axis on. */
enum { DOTS = 128 };

/* A call: the text at 1, then the arrays, then maybe options. */
typedef struct Einsum {
  const char *text; /* the unread part */
  int options;      /* index of the table of options; maybe none */
  int dots;         /* axes that '...' stands for, at most */
  bool has_dots;    /* of the result */
  int ndim;         /* of the result */
  Label label[MAX_DIMS];
  int times[LABELS]; /* how often each label occurs in all */
  DType t;
  Sum sum;
} Einsum;

/* {== the text ======================================================== */

static int wrong (lua_State *L, const char *why) {
  return argerror_raise(L, 1, "%s", why);
}

static char next (Einsum *e) {
  while (*e->text == ' ')
    e->text++;
  return *e->text;
}

static bool is_letter (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool accept (Einsum *e, const char *what) {
  size_t n = strlen(what);
  next(e);
  if (strncmp(e->text, what, n) != 0)
    return false;
  e->text += n;
  return true;
}

/* A sequence of letters and '...': the letters before the dots, then those
** behind them. */
typedef struct Letters {
  int n, dots; /* dots: number of letters before them, or -1 */
  Label label[MAX_DIMS];
} Letters;

static void read_letters (lua_State *L, Einsum *e, Letters *list) {
  *list = (Letters){.dots = -1};
  for (;;) {
    char c = next(e);
    if (is_letter(c)) {
      if (list->n == MAX_DIMS)
        wrong(L, "more than 32 letters for an array");
      list->label[list->n++] = (Label)c;
      e->text++;
    } else if (c == '.' && accept(e, "...")) {
      if (list->dots >= 0)
        wrong(L, "'...' is there twice for one array");
      list->dots = list->n;
    } else if (c == ',' || c == '-' || c == '\0') {
      return;
    } else {
      wrong(L, lua_pushfstring(L, "unexpected '%s'", e->text));
    }
  }
}

/* ==} */

/* {== arrays ========================================================== */

static const char *letter (lua_State *L, Label l) {
  return (l < DOTS) ? lua_pushfstring(L, "'%c'", l) : "an axis of '...'";
}

/* Notes the length of a label's axis. */
static void note_length (lua_State *L, Einsum *e, int arg, Label l, int64_t n) {
  int64_t *length = &e->sum.length[l];
  if (e->times[l]++ == 0 || *length == 1)
    *length = n;
  else if (n != 1 && n != *length)
    argerror_raise(L, arg, "%s has %I elements, and had %I before",
                   letter(L, l), (LUAI_UACINT)n, (LUAI_UACINT)*length);
}

/* Finds the labels of the axes of the array at 'arg'. */
static void label_axes (lua_State *L, Einsum *e, const Letters *list, int arg,
                        const Array *a, Label *label) {
  int dots = a->ndim - list->n, n = 0;
  if (dots < 0 || (dots > 0 && list->dots < 0))
    argerror_raise(L, arg, "an array of %d %s%s expected, got one of %d",
                   list->n, list->n == 1 ? "axis" : "axes",
                   list->dots < 0 ? "" : " or more", a->ndim);
  for (int i = 0; i <= list->n; i++) {
    if (i == list->dots)
      for (int k = dots - 1; k >= 0; k--)
        label[n++] = (Label)(DOTS + k);
    if (i < list->n)
      label[n++] = list->label[i];
  }
  if (list->dots >= 0 && dots > e->dots)
    e->dots = dots;
  for (int i = 0; i < a->ndim; i++)
    note_length(L, e, arg, label[i], a->shape[i]);
}

/* Pushes the view of the array in which axes with the same label are one, their
** diagonal. */
static void push_distinct (lua_State *L, Array *a, int arg, const Label *label,
                           Labelled *x) {
  int64_t shape[MAX_DIMS], strides[MAX_DIMS];
  x->ndim = 0;
  for (int i = 0; i < a->ndim; i++) {
    int k = 0;
    while (k < x->ndim && x->label[k] != label[i])
      k++;
    if (k == x->ndim) {
      x->label[x->ndim++] = label[i];
      shape[k] = a->shape[i];
      strides[k] = array_stride(a)[i];
      continue;
    }
    if (shape[k] != a->shape[i])
      argerror_raise(L, arg, "axes of %s have %I and %I elements",
                     letter(L, label[i]), (LUAI_UACINT)shape[k],
                     (LUAI_UACINT)a->shape[i]);
    strides[k] += array_stride(a)[i];
  }
  array_push_view(L, a, x->ndim, shape, strides, a->off);
  x->at = lua_gettop(L);
}

/* Reads the part of the text for array i, and pushes the array as it is
** multiplied. */
static void read_term (lua_State *L, Einsum *e, int i) {
  Label label[MAX_DIMS];
  Letters list;
  int arg = i + 2;
  read_letters(L, e, &list);
  label_axes(L, e, &list, arg, array_check(L, arg), label);
  push_distinct(L, array_check(L, arg), arg, label, &e->sum.term[i]);
}

/* Counts the arrays, which are on one device, and finds their dtype. */
static void read_arrays (lua_State *L, Einsum *e) {
  static const char *const names[] = {"out", NULL};
  int top = lua_gettop(L);
  while (top > 2 && lua_isnil(L, top))
    top--;
  e->options = (top > 2 && lua_istable(L, top)) ? top : top + 1;
  lua_settop(L, e->options);
  e->sum.n = e->options - 2;
  argerror_check(L, e->sum.n <= MAX_TERMS, MAX_TERMS + 2,
                 "einsum takes at most 64 arrays");
  const Array *first = array_check(L, 2);
  e->t = first->dtype;
  for (int arg = 3; arg < e->options; arg++) {
    const Array *a = array_check(L, arg);
    array_check_devices(L, first, a);
    e->t = dtype_promote(e->t, a->dtype);
  }
  option_check(L, e->options, names);
}

/* ==} */

/* {== the result ====================================================== */

static void add_dots (lua_State *L, Einsum *e) {
  e->has_dots = true;
  if (e->ndim + e->dots > MAX_DIMS)
    error_raise(L, "the result would have more than %d axes", MAX_DIMS);
  for (int k = e->dots - 1; k >= 0; k--)
    e->label[e->ndim++] = (Label)(DOTS + k);
}

static void add_letter (lua_State *L, Einsum *e, Label l) {
  if (e->ndim == MAX_DIMS)
    error_raise(L, "the result would have more than %d axes", MAX_DIMS);
  e->label[e->ndim++] = l;
}

/* Finds the result without '->': the axes of '...', then letters that occur
** once. */
static void imply_result (lua_State *L, Einsum *e) {
  add_dots(L, e);
  for (int l = 0; l < DOTS; l++)
    if (e->times[l] == 1)
      add_letter(L, e, (Label)l);
}

static void read_result (lua_State *L, Einsum *e) {
  Letters list;
  read_letters(L, e, &list);
  for (int i = 0; i <= list.n; i++) {
    if (i == list.dots)
      add_dots(L, e);
    if (i == list.n)
      break;
    Label l = list.label[i];
    if (e->times[l] == 0)
      wrong(L, lua_pushfstring(L, "'%c' of the result is of no array", l));
    if (memchr(list.label, l, (size_t)i) != NULL)
      wrong(L, lua_pushfstring(L, "'%c' is there twice in the result", l));
    add_letter(L, e, l);
  }
  if (e->dots > 0 && !e->has_dots)
    wrong(L, "the result lacks '...', which stands for axes of the arrays");
}

static void read_text (lua_State *L, Einsum *e) {
  for (int i = 0; i < e->sum.n; i++) {
    if (i > 0 && !accept(e, ","))
      break;
    read_term(L, e, i);
    if (i + 1 < e->sum.n && next(e) != ',')
      wrong(L, lua_pushfstring(L, "it is about %d array%s, and there are %d",
                               i + 1, i == 0 ? "" : "s", e->sum.n));
  }
  if (next(e) == ',')
    wrong(L, lua_pushfstring(L, "it is about more arrays than there are, %d",
                             e->sum.n));
  if (accept(e, "->"))
    read_result(L, e);
  else
    imply_result(L, e);
  if (next(e) != '\0')
    wrong(L, lua_pushfstring(L, "unexpected '%s'", e->text));
  for (int i = 0; i < e->ndim; i++)
    e->sum.kept.has[e->label[i]] = true;
}

/* ==} */

/* {== plans =========================================================== */

enum { PLANS = 256 }; /* the most that are kept */

/* Pushes the key of a plan: the text, and all shapes. */
static void push_key (lua_State *L, const Einsum *e) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  lua_pushvalue(L, 1);
  luaL_addvalue(&b);
  for (int arg = 2; arg < e->options; arg++) {
    const Array *a = array_check(L, arg);
    luaL_addchar(&b, (char)a->ndim);
    luaL_addlstring(&b, (const char *)a->shape,
                    (size_t)a->ndim * sizeof *a->shape);
  }
  luaL_pushresult(&b);
}

/* Pushes the table of plans of this Lua state. */
static void push_plans (lua_State *L) {
  static const char key;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE) {
    lua_getfield(L, -1, "n");
    bool full = (lua_tointeger(L, -1) >= PLANS);
    lua_pop(L, 1);
    if (!full)
      return;
  }
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

/* Keeps the plan on the top under the key below it, in the table below. */
static void keep_plan (lua_State *L, int plans) {
  lua_rawset(L, plans);
  lua_getfield(L, plans, "n");
  lua_pushinteger(L, lua_tointeger(L, -1) + 1);
  lua_setfield(L, plans, "n");
}

/* Finds the steps, and keeps those of three arrays or more. */
static void find_steps (lua_State *L, const Einsum *e, PathStep *steps) {
  int top = lua_gettop(L);
  size_t bytes = (size_t)(e->sum.n - 1) * sizeof *steps;
  if (e->sum.n == 2) {
    einsum_path_find(&e->sum, steps);
    return;
  }
  push_plans(L);
  push_key(L, e);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, top + 1) == LUA_TSTRING) {
    memcpy(steps, lua_tostring(L, -1), bytes);
  } else {
    lua_pop(L, 1);
    einsum_path_find(&e->sum, steps);
    lua_pushlstring(L, (const char *)steps, bytes);
    keep_plan(L, top + 1);
  }
  lua_settop(L, top);
}

/* ==} */

/* {== products ======================================================== */

/* Returns the labels that a step keeps: those of the result, and of other
** terms. */
static KeptLabels needed (const Einsum *e, const bool *used, int terms) {
  KeptLabels kept = e->sum.kept;
  for (int i = 0; i < terms; i++)
    for (int k = 0; k < e->sum.term[i].ndim && !used[i]; k++)
      kept.has[e->sum.term[i].label[k]] = true;
  return kept;
}

/* Closes a factor of a step that is a product itself, and no longer needed. */
static void close_factor (lua_State *L, const Einsum *e, int term) {
  if (term >= e->sum.n)
    array_release(array_check(L, e->sum.term[term].at));
}

/* Runs the steps; each result replaces a term, from 'first' on. */
static void multiply (lua_State *L, Einsum *e, const PathStep *steps,
                      int first) {
  bool used[2 * MAX_TERMS] = {false};
  int n = e->sum.n, top = lua_gettop(L);
  for (int i = 0; i < n - 1; i++) {
    Labelled *z = &e->sum.term[n + i];
    used[steps[i].left] = used[steps[i].right] = true;
    KeptLabels kept = needed(e, used, n + i);
    contract_product(L, &e->sum.term[steps[i].left],
                     &e->sum.term[steps[i].right], &kept, z);
    lua_replace(L, first + i);
    z->at = first + i;
    array_drop(L, top);
    close_factor(L, e, steps[i].left);
    close_factor(L, e, steps[i].right);
  }
}

/* Casts the arrays to the dtype of the product. */
static void cast_terms (lua_State *L, Einsum *e) {
  DType t = contract_dtype(e->t);
  for (int i = 0; i < e->sum.n; i++) {
    array_push_cast(L, e->sum.term[i].at, t);
    e->sum.term[i].at = lua_gettop(L);
  }
}

/* Pushes the sum; *z describes it. */
static void push_sum (lua_State *L, Einsum *e, const PathStep *steps,
                      Labelled *z) {
  int n = e->sum.n, first = lua_gettop(L) + 1;
  if (n == 1) {
    contract_sum(L, &e->sum.term[0], &e->sum.kept, z);
    return;
  }
  for (int i = 0; i < n - 1; i++)
    lua_pushnil(L);
  multiply(L, e, steps, first);
  *z = e->sum.term[2 * n - 2];
}

/*
** einsum(text, ... [, { out= }]) -> the sum of products of arrays that the text
** describes, as in NumPy: letters for the axes of each array and of the result;
** axes with the same letter go together.
*/
static int array_einsum (lua_State *L) {
  Einsum e = {.t = DTYPE_BOOL};
  PathStep steps[MAX_TERMS];
  Labelled z;
  e.text = arg_check_string(L, 1);
  read_arrays(L, &e);
  luaL_checkstack(L, 4 * e.sum.n + 20, "too many arrays");
  read_text(L, &e);
  if (e.sum.n > 1)
    find_steps(L, &e, steps);
  cast_terms(L, &e);
  push_sum(L, &e, steps, &z);
  contract_view(L, &z, e.ndim, e.label);
  return contract_finish(L, e.t, 2, e.options - 1, e.options);
}

/* ==} */

static const Function functions[] = {
  {"einsum", array_einsum, ANY},
  {NULL, NULL, 0},
};

void open_einsum (lua_State *L) { class_set_funcs(L, functions); }

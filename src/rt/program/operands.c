/*
** operands.c - the words of a body, its types and variables, and the operands
** of expressions: names, casts, calls, elements.
*/
#include "lexer.h"
#include "parser.h"
#include "rt/kernels/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ctypes.h"

/* {== words =========================================================== */

bool c_enter (Parser *p) {
  if (++p->depth > MAX_DEPTH)
    c_fail(p, "this is nested too deeply", &p->w);
  return p->depth <= MAX_DEPTH;
}

void c_leave (Parser *p) { p->depth--; }

void c_next (Parser *p) {
  if (!p->failed)
    p->w = rt_nextword(&p->at, p->text->body);
}

bool c_is (const Parser *p, const char *text) { return rt_isword(&p->w, text); }

bool c_accept (Parser *p, const char *text) {
  if (!c_is(p, text) || p->w.kind == WORD_END)
    return false;
  c_next(p);
  return true;
}

void c_expect (Parser *p, const char *text) {
  char what[32];
  if (c_accept(p, text))
    return;
  snprintf(what, sizeof what, "'%s' is expected", text);
  c_syntax(p, what, &p->w);
}

void c_syntax (Parser *p, const char *what, const Word *about) {
  p->syntax = !p->failed;
  c_fail(p, what, about);
}

int c_line (const Parser *p, const Word *w, int *column) {
  int line = 1;
  *column = 1;
  for (const char *c = p->text->body; c < w->at; c++) {
    *column = (*c == '\n') ? 1 : *column + 1;
    line += (*c == '\n');
  }
  return line;
}

void c_fail (Parser *p, const char *what, const Word *about) {
  int column;
  if (p->failed)
    return;
  int line = c_line(p, about != NULL ? about : &p->w, &column);
  bool named = about != NULL && about->len > 0;
  const char *part = p->text->part;
  snprintf(p->error, C_ERROR, "%s%s%sline %d, column %d: %s%s%.*s%s",
           p->syntax ? "syntax error in " : "", part != NULL ? part : "",
           part != NULL ? ", " : "", line, column, what, named ? " at '" : "",
           named ? about->len : 0, named ? about->at : "", named ? "'" : "");
  p->failed = true;
  p->w = (Word){WORD_END, "", 0};
  p->at = "";
}

/* ==} */

/* {== types and variables ============================================= */

static bool add_typename (Parser *p, DType *t) {
  for (int i = 0; i < p->text->ntypes; i++) {
    if (c_is(p, p->text->types[i].name)) {
      *t = p->text->types[i].t;
      return true;
    }
  }
  return false;
}

bool c_type (Parser *p, DType *t) {
  IntegerWords words = {0};
  char name[PARAM_TYPE];
  if (p->w.kind != WORD_NAME)
    return false;
  if (add_typename(p, t)) {
    c_next(p);
    return true;
  }
  while (p->w.kind == WORD_NAME && rt_addinteger(&words, &p->w))
    c_next(p);
  if (words.words > 0)
    snprintf(name, sizeof name, "%s", rt_integername(&words));
  else
    snprintf(name, sizeof name, "%.*s", p->w.len, p->w.at);
  const KnownType *known = rt_findctype(name);
  int found = (known != NULL && known->dtype >= 0) ? known->dtype
                                                   : pb_dtypenamed(name);
  if (found < 0)
    return words.words > 0
             ? (c_fail(p, "the host device has no such type", &p->w), false)
             : false;
  if (words.words == 0)
    c_next(p);
  *t = (DType)found;
  return true;
}

Variable *c_declare (Parser *p, Word name, Value v) {
  if (p->nvars == MAX_VARIABLES) {
    c_fail(p, "there are too many variables", &name);
    return NULL;
  }
  Variable *var = &p->vars[p->nvars++];
  memset(var, 0, sizeof *var);
  var->name = name;
  var->v = v;
  var->written = -1;
  return var;
}

int c_find (const Parser *p, const Word *name) {
  for (int i = p->nvars - 1; i >= 0; i--)
    if (p->vars[i].name.len == name->len &&
        memcmp(p->vars[i].name.at, name->at, (size_t)name->len) == 0)
      return i;
  return -1;
}

void c_assign (Parser *p, Variable *var, Value v) {
  v = pb_convert(p->b, v, var->v.t);
  if (p->nmasks > 0) {
    v = pb_select(p->b, p->masks[p->nmasks - 1], v, var->v);
    var->partial = var->partial || var->written < 0;
  }
  pb_store(p->b, var->v, v);
  if (var->written < 0)
    var->written = p->b->p.nsteps - 1;
}

/* ==} */

/* {== names of numbers ================================================ */

static bool constant (Parser *p, Value *v) {
  static const struct {
    const char *name;
    double value;
    char type;
  } known[] = {
    {"true", 1, 'b'},
    {"false", 0, 'b'},
    {"INFINITY", INFINITY, 'f'},
    {"NAN", NAN, 'f'},
    {"M_PI", 3.14159265358979323846, 'd'},
    {"M_E", 2.71828182845904523536, 'd'},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (c_is(p, known[i].name)) {
      DType t = known[i].type == 'f' ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
      *v = known[i].type == 'b'
             ? pb_integer(p->b, DTYPE_BOOL, (int64_t)known[i].value)
             : pb_double(p->b, t, known[i].value);
      c_next(p);
      return true;
    }
  }
  return false;
}

/* ==} */

/* {== operands ======================================================== */

static Expr plain (Value v) { return (Expr){v, -1, false, 0}; }

static Value cast (Parser *p, DType t) {
  Value v = c_rvalue(p, c_unary(p));
  return p->failed ? v : pb_convert(p->b, v, t);
}

/* T(x), static_cast<T>(x) */
static Value functional_cast (Parser *p, DType t) {
  c_expect(p, "(");
  Value v = c_expression(p);
  c_expect(p, ")");
  return p->failed ? v : pb_convert(p->b, v, t);
}

/* n, _ind.size(), x.size() */
static Value size_of (Parser *p, const Variable *raw) {
  c_expect(p, "size");
  c_expect(p, "(");
  c_expect(p, ")");
  return raw != NULL ? raw->size : pb_special(p->b, SLOT_TOTAL);
}

/* Returns the index of the current element, for each lane. It is made once, if
** the first use is in code that always runs. */
static Value indices (Parser *p) {
  if (p->has_lanes)
    return p->lanes;
  Value first = pb_special(p->b, SLOT_INDEX);
  Value z = pb_register(p->b, DTYPE_INT64);
  Value one = pb_integer(p->b, DTYPE_INT64, 1);
  pb_step(p->b, rt_kernel_arange(DTYPE_INT64), 4,
          (int[]){z.slot, first.slot, one.slot, p->b->count});
  if (p->nmasks > 0 || p->loop >= 0)
    return z;
  z.temp = false;
  p->has_lanes = true;
  return p->lanes = z;
}

/* Parses the index; the array's name is read already. */
static Expr element (Parser *p, int variable, const Word *name) {
  int column, line = c_line(p, name, &column);
  c_expect(p, "[");
  Value index = c_expression(p);
  c_expect(p, "]");
  return (Expr){index, variable, true,
                (uint16_t)(line < UINT16_MAX ? line : UINT16_MAX)};
}

static Expr name (Parser *p) {
  Word w = p->w;
  DType t;
  Value v;
  int at = c_find(p, &w);
  if (at < 0 && constant(p, &v))
    return plain(v);
  if (at < 0 && c_type(p, &t))
    return plain(functional_cast(p, t));
  c_next(p);
  if (at >= 0 && !p->vars[at].raw && c_is(p, "["))
    c_fail(p, "only what is declared raw has an index", &w);
  if (at >= 0 && !p->vars[at].raw)
    return (Expr){p->vars[at].v, at, false, 0};
  if (at >= 0 && c_accept(p, "."))
    return plain(size_of(p, &p->vars[at]));
  if (at >= 0)
    return element(p, at, &w);
  if (rt_isword(&w, "i"))
    return plain(indices(p));
  if (rt_isword(&w, "n"))
    return plain(pb_special(p->b, SLOT_TOTAL));
  if (rt_isword(&w, "_ind") && c_accept(p, "."))
    return plain(size_of(p, NULL));
  if (rt_isword(&w, "static_cast") && c_accept(p, "<") && c_type(p, &t)) {
    c_expect(p, ">");
    return plain(functional_cast(p, t));
  }
  if (c_is(p, "("))
    return plain(c_call(p, &w));
  if (rt_isword(&w, "return"))
    c_fail(p, "a body returns nothing: it assigns to its results", &w);
  c_fail(p, "the host device knows no such name", &w);
  return plain(pb_integer(p->b, DTYPE_INT32, 0));
}

static Expr primary (Parser *p) {
  DType t;
  if (p->w.kind == WORD_NUMBER)
    return plain(c_number(p));
  if (p->w.kind == WORD_STRING && *p->w.at == '\'')
    return plain(c_character(p));
  if (p->w.kind == WORD_NAME)
    return name(p);
  if (!c_accept(p, "(")) {
    c_syntax(p, "an expression is expected", &p->w);
    return plain(pb_integer(p->b, DTYPE_INT32, 0));
  }
  if (c_type(p, &t)) {
    if (c_accept(p, ")"))
      return plain(cast(p, t));
    Value v = c_is(p, "(") ? functional_cast(p, t) : (Value){0};
    c_expect(p, ")");
    return plain(v);
  }
  Value v = c_expression(p);
  c_expect(p, ")");
  return plain(v);
}

/* -x, !x, ~x, after C's integer promotion of x. */
static Value negative (Parser *p, char op, const Word *at) {
  Value x = c_rvalue(p, c_unary(p));
  if (p->failed)
    return x;
  if (op == '!')
    return pb_unary(p->b, UNARY_logical_not, x);
  x = pb_convert(p->b, x, c_common(x.t, x.t));
  if (op == '~' && pb_dtypekind(x.t) == 'f')
    c_fail(p, "an operation on bits is for integers", at);
  if (op == '+' || p->failed)
    return x;
  return pb_unary(p->b, op == '-' ? UNARY_neg : UNARY_bnot, x);
}

static Expr read_unary (Parser *p) {
  static const char *const signs[] = {"-", "+", "!", "~"};
  const Word own = p->w;
  for (int i = 0; i < 4; i++)
    if (c_accept(p, signs[i]))
      return plain(negative(p, signs[i][0], &own));
  bool up = c_is(p, "++");
  if (up || c_is(p, "--")) {
    c_next(p);
    Expr e = c_unary(p);
    p->op = own;
    return plain(c_addone(p, e, up ? BINARY_add : BINARY_sub, true));
  }
  Expr e = primary(p);
  up = c_is(p, "++");
  if (!p->failed && (up || c_is(p, "--"))) {
    p->op = p->w;
    c_next(p);
    return plain(c_addone(p, e, up ? BINARY_add : BINARY_sub, false));
  }
  return e;
}

Expr c_unary (Parser *p) {
  Expr e = plain((Value){0});
  if (c_enter(p))
    e = read_unary(p);
  c_leave(p);
  return e;
}

/* ==} */

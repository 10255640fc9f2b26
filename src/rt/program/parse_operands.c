/*
** parse_operands.c - the words of a body, its types and variables, and the
** operands of expressions: names, casts, calls, elements.
*/
#include "lexer.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

#include <stdio.h>
#include <string.h>

#include "ctypes.h"

/* {== words =========================================================== */

bool parse_enter (Parser *p) {
  if (++p->depth > MAX_DEPTH)
    parse_fail(p, "this is nested too deeply", &p->here.w);
  return p->depth <= MAX_DEPTH;
}

void parse_leave (Parser *p) { p->depth--; }

/* Goes on with the words of a macro, which stand for the current one. */
static void enter_words (Parser *p, const Macro *macro) {
  Mark *m = &p->here;
  if (m->nested + 1 == MAX_SOURCES || ++p->expansions > EXPANSIONS)
    parse_fail(p, "macros are nested too deeply, or too many", &m->w);
  else
    m->from[++m->nested] = (Source){macro->text, macro->text, NULL, macro};
}

/* Enters the current word, if it is a macro. As in C a macro does not stand for
** itself within its own words. */
static bool enter_macro (Parser *p) {
  Mark *m = &p->here;
  const Macro *macro = parse_macro_find(p, &m->w);
  for (int i = 1; macro != NULL && i <= m->nested; i++)
    if (m->from[i].macro == macro)
      macro = NULL;
  if (macro != NULL)
    enter_words(p, macro);
  return macro != NULL;
}

void parse_next (Parser *p) {
  Mark *m = &p->here;
  while (!p->failed) {
    m->w = lexer_next(&m->from[m->nested].at, m->from[m->nested].first);
    if (m->w.kind == WORD_END && m->nested > 0)
      m->nested--;
    else if (m->w.kind != WORD_NAME || !enter_macro(p))
      return;
  }
}

void parse_go (Parser *p, const Mark *back) {
  if (!p->failed)
    p->here = *back;
}

bool parse_is (const Parser *p, const char *text) {
  return lexer_is_word(&p->here.w, text);
}

bool parse_accept (Parser *p, const char *text) {
  if (!parse_is(p, text) || p->here.w.kind == WORD_END)
    return false;
  parse_next(p);
  return true;
}

void parse_expect (Parser *p, const char *text) {
  char what[32];
  if (parse_accept(p, text))
    return;
  snprintf(what, sizeof what, "'%s' is expected", text);
  parse_fail_syntax(p, what, &p->here.w);
}

void parse_fail_syntax (Parser *p, const char *what, const Word *about) {
  p->syntax = !p->failed;
  parse_fail(p, what, about);
}

/* A word that is not in the text itself is a macro's: then its line is that of
** the macro. */
int parse_line (const Parser *p, const Word *w, int *column) {
  int line = 1;
  const Source *s = &p->here.from[0];
  uintptr_t first = (uintptr_t)s->first, at = (uintptr_t)w->at;
  bool inside = at >= first && at <= first + strlen(s->first);
  *column = 1;
  for (const char *c = s->first; c < (inside ? w->at : s->at); c++) {
    *column = (*c == '\n') ? 1 : *column + 1;
    line += (*c == '\n');
  }
  return line;
}

void parse_fail (Parser *p, const char *what, const Word *about) {
  int column;
  if (p->failed)
    return;
  if (p->b->error != NULL && what != p->b->error) {
    what = p->b->error; /* values made since then have any type */
    about = NULL;
    p->syntax = false;
  }
  int line = parse_line(p, about != NULL ? about : &p->here.w, &column);
  bool named = about != NULL && about->len > 0;
  const char *part = p->here.from[0].part;
  snprintf(p->error, C_ERROR, "%s%s%sline %d, column %d: %s%s%.*s%s",
           p->syntax ? "syntax error in " : "", part != NULL ? part : "",
           part != NULL ? ", " : "", line, column, what, named ? " at '" : "",
           named ? about->len : 0, named ? about->at : "", named ? "'" : "");
  p->failed = true;
  p->here.w = (Word){WORD_END, "", 0};
  p->here.nested = 0;
  p->here.from[0].at = "";
}

/* ==} */

/* {== types and variables ============================================= */

static bool add_typename (Parser *p, DType *t) {
  for (int i = 0; i < p->text->ntypes; i++) {
    if (parse_is(p, p->text->types[i].name)) {
      *t = p->text->types[i].t;
      return true;
    }
  }
  return false;
}

/* Other numbers are structs on CUDA, without operators. */
static bool is_computed (DType t) {
  return t != DTYPE_FLOAT16 && t != DTYPE_BFLOAT16 &&
         build_dtype_kind(t) != 'c';
}

bool parse_type (Parser *p, DType *t) {
  IntegerWords words = {0};
  char name[PARAM_TYPE];
  if (p->here.w.kind != WORD_NAME)
    return false;
  if (add_typename(p, t)) {
    parse_next(p);
    return true;
  }
  while (p->here.w.kind == WORD_NAME && ctype_add_word(&words, &p->here.w))
    parse_next(p);
  if (words.words > 0)
    snprintf(name, sizeof name, "%s", ctype_integer_name(&words));
  else
    snprintf(name, sizeof name, "%.*s", p->here.w.len, p->here.w.at);
  const KnownType *known = ctype_find(name);
  int found = (known != NULL && known->dtype >= 0) ? known->dtype
                                                   : build_find_dtype(name);
  if (found < 0 || !is_computed((DType)found))
    return words.words > 0
             ? (parse_fail(p, "the host device has no such type", &p->here.w),
                false)
             : false;
  if (words.words == 0)
    parse_next(p);
  *t = (DType)found;
  return true;
}

Variable *parse_declare (Parser *p, Word name, Value v) {
  if (p->nvars == MAX_VARIABLES) {
    parse_fail(p, "there are too many variables", &name);
    return NULL;
  }
  Variable *var = &p->vars[p->nvars++];
  memset(var, 0, sizeof *var);
  var->name = name;
  var->v = v;
  var->written = -1;
  return var;
}

int parse_find (const Parser *p, const Word *name) {
  for (int i = p->nvars - 1; i >= p->scope; i--)
    if (p->vars[i].name.len == name->len &&
        memcmp(p->vars[i].name.at, name->at, (size_t)name->len) == 0)
      return i;
  return -1;
}

void parse_assign (Parser *p, Variable *var, Value v) {
  v = build_convert(p->b, v, var->v.t);
  if (p->nmasks > 0) {
    v = build_select(p->b, p->masks[p->nmasks - 1], v, var->v);
    var->partial = var->partial || var->written < 0;
  }
  build_store(p->b, var->v, v);
  if (var->written < 0)
    var->written = p->b->p.nsteps - 1;
}

/* ==} */

static Expr primary (Parser *p);

/* {== names of numbers ================================================ */

/* Constants are looked up last, so a variable may have the name of one. */
static bool constant (Parser *p, Value *v) {
#define CONSTANT(name, words) \
  {{WORD_NAME, #name, sizeof #name - 1}, words, NULL},
#define MATH CONSTANT
#define FLOAT CONSTANT
#define LIMIT CONSTANT
#define INTEGER CONSTANT
  static const Macro known[] = {
#include "constants.def"
  };
#undef CONSTANT
  const bool yes = parse_is(p, "true");
  if (yes || parse_is(p, "false")) {
    *v = build_integer(p->b, DTYPE_BOOL, yes);
    parse_next(p);
    return true;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (parse_is(p, known[i].name.at)) {
      enter_words(p, &known[i]);
      parse_next(p);
      *v = parse_rvalue(p, primary(p));
      return true;
    }
  }
  return false;
}

/* ==} */

/* {== operands ======================================================== */

static Expr plain (Value v) { return (Expr){v, -1, false, 0}; }

static Value cast (Parser *p, DType t) {
  Value v = parse_rvalue(p, parse_unary(p));
  return p->failed ? v : build_convert(p->b, v, t);
}

/* T(x), static_cast<T>(x) */
static Value functional_cast (Parser *p, DType t) {
  parse_expect(p, "(");
  Value v = parse_expression(p);
  parse_expect(p, ")");
  return p->failed ? v : build_convert(p->b, v, t);
}

/* n, _ind.size(), x.size() */
static Value size_of (Parser *p, const Variable *raw) {
  parse_expect(p, "size");
  parse_expect(p, "(");
  parse_expect(p, ")");
  return raw != NULL ? raw->size : build_special(p->b, SLOT_TOTAL);
}

/* Returns the index of each element. */
static Value indices (Parser *p) {
  if (!p->has_lanes)
    p->lanes = build_indices(p->b);
  p->has_lanes = true;
  return p->lanes;
}

/* Parses the index; the array's name is read already. */
static Expr element (Parser *p, int variable, const Word *name) {
  int column, line = parse_line(p, name, &column);
  if (line >= IN_PREAMBLE)
    line = IN_PREAMBLE - 1;
  if (p->call != NULL)
    line |= IN_PREAMBLE;
  parse_expect(p, "[");
  Value index = parse_expression(p);
  parse_expect(p, "]");
  return (Expr){index, variable, true, (uint16_t)line};
}

/* Refuses words of C and C++ that would be read as names. */
static void refuse_word (Parser *p, const Word *w) {
  static const char *const words[] = {"switch",  "case",   "do",       "goto",
                                      "auto",    "struct", "template", "sizeof",
                                      "typedef", "asm"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (lexer_is_word(w, words[i]))
      parse_fail(p, "the host device has no such part of C++", w);
}

/* Tells whether this part of the text is about an element of the arrays. */
static bool has_elements (const Parser *p) {
  return p->call == NULL && !p->joins;
}

/* Reads i or n. They are parameters on CUDA, and hide constants of that
** name. */
static bool special (Parser *p, const Word *w, Value *v) {
  bool index = lexer_is_word(w, "i");
  if (!has_elements(p) || (!index && !lexer_is_word(w, "n")))
    return false;
  parse_next(p);
  *v = index ? indices(p) : build_special(p->b, SLOT_TOTAL);
  return true;
}

static Expr name (Parser *p) {
  Word w = p->here.w;
  DType t;
  Value v = {0};
  int at = parse_find(p, &w);
  if (at < 0 && special(p, &w, &v))
    return plain(v);
  if (at < 0 && parse_function_constant(p, &v))
    return plain(v);
  if (at < 0 && constant(p, &v))
    return plain(v);
  if (at < 0 && parse_type(p, &t))
    return plain(functional_cast(p, t));
  if (at < 0)
    refuse_word(p, &w);
  parse_next(p);
  if (at >= 0 && p->vars[at].absent)
    parse_fail(p, "only parameters that are given a number are visible here",
               &w);
  if (at >= 0 && !p->vars[at].raw && parse_is(p, "["))
    parse_fail(p, "only raw parameters and arrays have an index", &w);
  if (at >= 0 && !p->vars[at].raw)
    return (Expr){p->vars[at].v, at, false, 0};
  if (at >= 0 && !p->vars[at].local && parse_accept(p, "."))
    return plain(size_of(p, &p->vars[at]));
  if (at >= 0)
    return element(p, at, &w);
  if (lexer_is_word(&w, "_ind") && has_elements(p) && parse_accept(p, "."))
    return plain(size_of(p, NULL));
  if (lexer_is_word(&w, "static_cast") && parse_accept(p, "<") &&
      parse_type(p, &t)) {
    parse_expect(p, ">");
    return plain(functional_cast(p, t));
  }
  if (parse_is(p, "("))
    return plain(parse_call(p, &w));
  if (lexer_is_word(&w, "return"))
    parse_fail(p, "a body returns nothing: it assigns to its results", &w);
  parse_fail(p, "the host device knows no such name", &w);
  return plain(build_integer(p->b, DTYPE_INT32, 0));
}

static Expr primary (Parser *p) {
  DType t;
  if (p->here.w.kind == WORD_NUMBER)
    return plain(parse_number(p));
  if (p->here.w.kind == WORD_STRING && *p->here.w.at == '\'')
    return plain(parse_character(p));
  if (p->here.w.kind == WORD_NAME)
    return name(p);
  if (!parse_accept(p, "(")) {
    parse_fail_syntax(p, "an expression is expected", &p->here.w);
    return plain(build_integer(p->b, DTYPE_INT32, 0));
  }
  const Mark first = p->here;
  if (parse_type(p, &t)) {
    if (parse_accept(p, ")"))
      return plain(cast(p, t));
    if (!parse_is(p, "("))
      parse_expect(p, ")");
    parse_go(p, &first); /* (T(x) + 1) */
  }
  Value v = parse_expression(p);
  parse_expect(p, ")");
  return plain(v);
}

/* -x, !x, ~x, after C's integer promotion of x. */
static Value negative (Parser *p, char op, const Word *at) {
  Value x = parse_rvalue(p, parse_unary(p));
  if (p->failed)
    return x;
  if (op == '!')
    return build_unary(p->b, UNARY_logical_not, x);
  x = build_convert(p->b, x, parse_common_type(x.t, x.t));
  if (op == '~' && build_dtype_kind(x.t) == 'f')
    parse_fail(p, "an operation on bits is for integers", at);
  if (op == '+' || p->failed)
    return x;
  return build_unary(p->b, op == '-' ? UNARY_neg : UNARY_bnot, x);
}

static Expr read_unary (Parser *p) {
  static const char *const signs[] = {"-", "+", "!", "~"};
  const Word own = p->here.w;
  for (int i = 0; i < 4; i++)
    if (parse_accept(p, signs[i]))
      return plain(negative(p, signs[i][0], &own));
  bool up = parse_is(p, "++");
  if (up || parse_is(p, "--")) {
    parse_next(p);
    Expr e = parse_unary(p);
    p->op = own;
    return plain(parse_increment(p, e, up ? BINARY_add : BINARY_sub, true));
  }
  Expr e = primary(p);
  up = parse_is(p, "++");
  if (!p->failed && (up || parse_is(p, "--"))) {
    p->op = p->here.w;
    parse_next(p);
    return plain(parse_increment(p, e, up ? BINARY_add : BINARY_sub, false));
  }
  return e;
}

Expr parse_unary (Parser *p) {
  Expr e = plain((Value){0});
  if (parse_enter(p))
    e = read_unary(p);
  parse_leave(p);
  return e;
}

/* ==} */

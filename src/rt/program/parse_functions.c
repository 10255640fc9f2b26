/*
** parse_functions.c - the definitions of a preamble: functions of numbers, and
** constants.
**
** DESIGN. Programs have no calls: the body of a function is parsed again at
** each of its calls, with variables for its parameters and its result. If it
** may return before its end, a mask has the lanes that have not returned, as
** for a loop that is left. The value of a constant is parsed where it is used.
**
** Each definition is parsed once when it is read, so that it sees those before
** it and errors show even if nothing uses it. These steps are dropped.
*/
#include <stdio.h>
#include <string.h>

#include "parse.h"
#include "rt/kernels/kernels.h"

/* {== definitions ===================================================== */

static Function *find (Parser *p, const Word *name) {
  for (int i = 0; i < p->nfunctions; i++) {
    Function *f = &p->functions[i];
    if (f->name.len == name->len &&
        memcmp(f->name.at, name->at, (size_t)name->len) == 0)
      return f;
  }
  return NULL;
}

/* Reads one of the words before or behind the type. */
static bool accept_specifier (Parser *p, Function *f) {
  static const char *const words[] = {
    "static",       "inline",     "__inline__", "__forceinline__",
    "__noinline__", "__device__", "__host__",   "__constant__",
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (parse_accept(p, words[i]))
      return true;
  bool *flag = parse_is(p, "constexpr") ? &f->constexpr : &f->readonly;
  bool found = parse_accept(p, "constexpr") || parse_accept(p, "const");
  *flag = *flag || found;
  return found;
}

/* Skips parameters; returns their number. */
static int skip_list (Parser *p) {
  parse_accept(p, "void");
  int n = !parse_is(p, ")");
  while (!parse_is(p, ")") && p->here.w.kind != WORD_END) {
    n += parse_is(p, ",");
    parse_next(p);
  }
  parse_expect(p, ")");
  return n;
}

/* Skips the statements of a function. It returns early unless its only 'return'
** is a statement of its own at the end. */
static void skip_body (Parser *p, Function *f) {
  int depth = 0, returns = 0;
  bool statement = false, last = false;
  if (!parse_is(p, "{"))
    parse_expect(p, "{");
  do {
    depth += parse_is(p, "{") - parse_is(p, "}");
    if (parse_is(p, "return")) {
      returns++;
      last = statement && depth == 1;
    }
    statement = parse_is(p, ";") || parse_is(p, "{") || parse_is(p, "}");
    parse_next(p);
  } while (depth > 0 && p->here.w.kind != WORD_END);
  if (depth > 0)
    parse_expect(p, "}");
  else if (returns == 0)
    parse_fail(p, "the function returns nothing", &f->name);
  f->early = returns != 1 || !last;
}

/* Skips the value of a constant, up to a ',' or ';'. */
static void skip_value (Parser *p) {
  int depth = 0;
  while (p->here.w.kind != WORD_END && !parse_is(p, ";") &&
         (depth > 0 || !parse_is(p, ","))) {
    depth += parse_is(p, "(") - parse_is(p, ")");
    parse_next(p);
  }
  if (!parse_is(p, ","))
    parse_expect(p, ";");
}

static void check (Parser *p, Function *f);

/* Adds a definition, or a declaration, whose definition takes its place. */
static void add (Parser *p, const Function *f) {
  Function *known = find(p, &f->name);
  if (known != NULL && known->at != NULL && f->at != NULL)
    parse_fail(p, "it is defined twice", &f->name);
  else if (known == NULL && p->nfunctions == MAX_FUNCTIONS)
    parse_fail(p, "there are too many definitions", &f->name);
  else if (known == NULL)
    p->functions[p->nfunctions++] = *f;
  else if (f->at != NULL)
    *known = *f;
}

/* Reads what follows the type: the name, and a value or a function. A function
** without statements is only declared. */
static void declarator (Parser *p, Function f) {
  DType t;
  f.name = p->here.w;
  if (f.name.kind != WORD_NAME) {
    parse_fail_syntax(p, "a name is expected", &f.name);
    return;
  }
  if (parse_type(p, &t))
    parse_fail(p, "it is the name of a type", &f.name);
  else
    parse_next(p);
  f.at = p->here.w.at;
  f.constant = parse_is(p, "=");
  if (p->here.nested > 0)
    parse_fail(p, "the name of a definition must not be a macro's", &f.name);
  if (parse_is(p, "["))
    parse_fail(p, "an array must be in a body or in a function", &f.name);
  if (f.constant) {
    skip_value(p);
  } else if (parse_accept(p, "(")) {
    f.nparams = skip_list(p);
    if (f.nparams > MAX_ARGUMENTS)
      parse_fail(p, "the function has more than 8 parameters", &f.name);
    if (parse_is(p, ";"))
      f.at = NULL;
    else
      skip_body(p, &f);
  } else {
    parse_fail_syntax(p, "'(' or '=' is expected", &p->here.w);
  }
  add(p, &f);
  if (!p->failed && f.at != NULL)
    check(p, find(p, &f.name));
}

static void definition (Parser *p) {
  Function f = {.active = false};
  while (accept_specifier(p, &f))
    continue;
  if (!parse_type(p, &f.t)) {
    parse_fail(p,
               "the host device takes functions of numbers, and constants, "
               "here",
               &p->here.w);
    return;
  }
  while (accept_specifier(p, &f))
    continue;
  do
    declarator(p, f);
  while (parse_accept(p, ","));
}

void parse_function_read_preamble (Parser *p) {
  const KernelContext *k = p->text->context;
  if (k != NULL && k->macros != NULL)
    parse_begin(p, k->macros, "options");
  if (k == NULL || k->preamble == NULL)
    return;
  parse_begin(p, k->preamble, "preamble");
  p->ncommon = p->nmacros;
  p->checks = true;
  while (!p->failed && p->here.w.kind != WORD_END)
    if (!parse_accept(p, ";"))
      definition(p);
  p->checks = false;
}

/* ==} */

/* {== calls =========================================================== */

/* The caller, and what of it is not visible in a call. */
typedef struct Caller {
  Mark back;
  const Call *call;
  int scope, block, vars, loop, macros;
} Caller;

/* Goes to the definition, from which the caller's variables are not visible. */
static void enter (Parser *p, Function *f, const Call *call, Caller *from) {
  const char *preamble = p->text->context->preamble;
  *from = (Caller){p->here,  p->call, p->scope,  p->block,
                   p->nvars, p->loop, p->nmacros};
  p->nmacros = p->ncommon;
  f->active = true;
  p->call = call;
  p->scope = p->block = p->nvars;
  p->loop = -1;
  p->here.nested = 0;
  p->here.from[0] = (Source){f->at, preamble, "preamble", NULL};
  parse_next(p);
}

static void leave (Parser *p, Function *f, const Caller *to) {
  parse_forget(p, to->vars);
  f->active = false;
  p->call = to->call;
  p->scope = to->scope;
  p->block = to->block;
  p->loop = to->loop;
  p->nmacros = to->macros;
  parse_go(p, &to->back);
}

static bool is_recursive (Parser *p, const Function *f, const Word *name) {
  if (f->active)
    parse_fail(p, "the host device has no recursion", name);
  return f->active;
}

/* A GPU sets no variable of a preamble when a program starts: C++ must know the
** values of constants, and so what they are computed from. */
static void check_known (Parser *p, const Function *f, const Word *name) {
  bool integer = f->constant && f->readonly && build_dtype_kind(f->t) != 'f';
  if (p->initial && !f->constexpr && !integer)
    parse_fail(p, "it must be constexpr to be in the value of a constant",
               name);
}

/* Parses the value of a constant. */
static Value value_of (Parser *p, Function *f) {
  const Call call = {.mask = -1};
  Caller from;
  enter(p, f, &call, &from);
  parse_expect(p, "=");
  Value v = parse_assignment(p);
  if (!parse_is(p, ","))
    parse_expect(p, ";");
  if (!p->failed)
    v = build_convert(p->b, v, f->t);
  leave(p, f, &from);
  return v;
}

bool parse_function_constant (Parser *p, Value *v) {
  const Word name = p->here.w;
  Function *f = find(p, &name);
  if (f == NULL || !f->constant)
    return false;
  if (p->b->error != NULL)
    parse_fail(p, p->b->error, &name);
  if (p->failed || is_recursive(p, f, &name))
    return true;
  check_known(p, f, &name);
  parse_next(p);
  *v = value_of(p, f);
  return true;
}

/* Declares the parameters: "T x, const int &y". */
static void parameters (Parser *p, const Value *x) {
  int count = 0;
  parse_expect(p, "(");
  parse_accept(p, "void");
  while (!p->failed && !parse_is(p, ")")) {
    DType t;
    bool constant = parse_accept(p, "const");
    const Word type = p->here.w;
    if (!parse_type(p, &t))
      parse_fail(p, "the host device has no such type", &type);
    constant = parse_accept(p, "const") || constant;
    if (constant)
      parse_accept(p, "&");
    if (p->here.w.kind != WORD_NAME)
      parse_fail(p, "a parameter must be a number, by value", &p->here.w);
    Word name = p->here.w;
    parse_next(p);
    if (parse_find(p, &name) >= 0)
      parse_fail(p, "there are two parameters of that name", &name);
    Variable *var = p->failed ? NULL
                              : parse_declare_value(p, name, t, x[count++]);
    if (var != NULL)
      var->constant = constant;
    if (!parse_accept(p, ","))
      break;
  }
  parse_expect(p, ")");
}

/* Parses the statements of a function. */
static Value result_of (Parser *p, Function *f, const Value *x) {
  Caller from;
  Call call = {build_register(p->b, f->t), -1};
  call.result.temp = false;
  if (f->early) {
    build_store(p->b, call.result, build_integer(p->b, f->t, 0));
    call.mask = p->nmasks;
    parse_push_mask(p, parse_lanes(p));
  }
  enter(p, f, &call, &from);
  parameters(p, x);
  parse_statement(p);
  if (f->early)
    parse_pop_mask(p);
  leave(p, f, &from);
  call.result.temp = true;
  return call.result;
}

bool parse_function_call (Parser *p, const Word *name, Value *v) {
  Value x[MAX_ARGUMENTS + 1];
  Function *f = find(p, name);
  if (f == NULL || f->constant)
    return false;
  int n = parse_arguments(p, x);
  check_known(p, f, name);
  if (n != f->nparams) {
    char what[64];
    snprintf(what, sizeof what, "%d argument%s expected, got %d", f->nparams,
             f->nparams == 1 ? "" : "s", n);
    parse_fail(p, what, name);
  }
  if (p->b->error != NULL) /* each call makes more operations */
    parse_fail(p, p->b->error, name);
  if (f->at == NULL && !p->checks)
    parse_fail(p, "it is declared, and not defined", name);
  if (p->failed || is_recursive(p, f, name) || !parse_enter(p))
    return true;
  if (f->at == NULL)
    *v = build_integer(p->b, f->t, 0);
  else
    *v = result_of(p, f, x);
  parse_leave(p);
  return true;
}

/* Too many operations are no error, because nothing may call it. */
static void check (Parser *p, Function *f) {
  const Mark back = p->here;
  Value x[MAX_ARGUMENTS];
  for (int i = 0; i < f->nparams; i++)
    x[i] = build_integer(p->b, DTYPE_INT32, 0);
  p->initial = f->constant;
  if (f->constant)
    value_of(p, f);
  else
    result_of(p, f, x);
  p->initial = false;
  if (p->b->error != NULL) {
    p->failed = p->syntax = false;
    p->here = back;
  }
  build_begin(p->b, p->b->p.nargs);
}

/* The current lanes have their result, and run no more of the function. */
void parse_function_return (Parser *p) {
  const Call *call = p->call;
  Variable result = {.v = call->result};
  Value v = parse_expression(p);
  if (p->failed)
    return;
  if (call->mask >= 0) {
    parse_assign(p, &result, v);
    parse_leave_masks(p, call->mask);
  } else {
    build_store(p->b, call->result, build_convert(p->b, v, call->result.t));
    parse_expect(p, ";");
  }
}

/* ==} */

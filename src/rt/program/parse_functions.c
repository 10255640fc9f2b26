/*
** parse_functions.c - the definitions of a preamble: functions of numbers, and
** constants.
**
** DESIGN. Programs have no calls: the body of a function is parsed again at
** each of its calls, with variables for its parameters and its result. If it
** may return before its end, a mask has the lanes that have not returned, as
** for a loop that is left. The value of a constant is parsed where it is used.
*/
#include <string.h>

#include "parse.h"
#include "rt/kernels/kernels.h"

/* {== definitions ===================================================== */

static bool accept_specifier (Parser *p) {
  static const char *const words[] = {
    "static",   "inline",          "__inline__",   "constexpr",
    "const",    "__forceinline__", "__noinline__", "__device__",
    "__host__", "__constant__",
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (parse_accept(p, words[i]))
      return true;
  return false;
}

/* Skips parameters. */
static void skip_list (Parser *p) {
  while (!parse_is(p, ")") && p->here.w.kind != WORD_END)
    parse_next(p);
  parse_expect(p, ")");
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

static void skip_value (Parser *p) {
  while (!parse_is(p, ";") && p->here.w.kind != WORD_END)
    parse_next(p);
  parse_expect(p, ";");
}

static void definition (Parser *p) {
  Function f = {.active = false};
  while (accept_specifier(p))
    continue;
  if (!parse_type(p, &f.t)) {
    parse_fail(p,
               "the host device takes functions of numbers, and constants, "
               "here",
               &p->here.w);
    return;
  }
  while (accept_specifier(p))
    continue;
  f.name = p->here.w;
  if (f.name.kind != WORD_NAME) {
    parse_fail_syntax(p, "a name is expected", &f.name);
    return;
  }
  parse_next(p);
  f.at = p->here.w.at;
  f.constant = parse_is(p, "=");
  if (p->here.nested > 0)
    parse_fail(p, "the name of a definition must not be a macro's", &f.name);
  if (f.constant)
    skip_value(p);
  else if (parse_accept(p, "(")) {
    skip_list(p);
    skip_body(p, &f);
  } else
    parse_fail_syntax(p, "'(' or '=' is expected", &p->here.w);
  if (p->nfunctions == MAX_FUNCTIONS)
    parse_fail(p, "there are too many definitions", &f.name);
  else
    p->functions[p->nfunctions++] = f;
}

void parse_function_read_preamble (Parser *p) {
  const KernelContext *k = p->text->context;
  if (k == NULL || k->preamble == NULL)
    return;
  parse_begin(p, k->preamble, "preamble");
  while (!p->failed && p->here.w.kind != WORD_END)
    if (!parse_accept(p, ";"))
      definition(p);
}

/* ==} */

/* {== calls =========================================================== */

static Function *find (Parser *p, const Word *name, bool constant) {
  for (int i = p->nfunctions - 1; i >= 0; i--) {
    Function *f = &p->functions[i];
    if (f->constant == constant && f->name.len == name->len &&
        memcmp(f->name.at, name->at, (size_t)name->len) == 0)
      return f;
  }
  return NULL;
}

/* What a call hides of its caller. */
typedef struct Caller {
  Mark back;
  const Call *call;
  int scope, vars, loop;
} Caller;

/* Goes to the definition, from which the caller's variables are not visible. */
static void enter (Parser *p, Function *f, const Call *call, Caller *from) {
  const char *preamble = p->text->context->preamble;
  *from = (Caller){p->here, p->call, p->scope, p->nvars, p->loop};
  f->active = true;
  p->call = call;
  p->scope = p->nvars;
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
  p->loop = to->loop;
  parse_go(p, &to->back);
}

static bool is_recursive (Parser *p, const Function *f, const Word *name) {
  if (f->active)
    parse_fail(p, "the host device has no recursion", name);
  return f->active;
}

bool parse_function_constant (Parser *p, Value *v) {
  const Call call = {.mask = -1};
  Caller from;
  const Word name = p->here.w;
  Function *f = find(p, &name, true);
  if (f == NULL || is_recursive(p, f, &name))
    return f != NULL;
  parse_next(p);
  enter(p, f, &call, &from);
  parse_expect(p, "=");
  *v = parse_assignment(p);
  if (!p->failed)
    *v = build_convert(p->b, *v, f->t);
  leave(p, f, &from);
  return true;
}

/* Declares the parameters: "T x, const int &y". They may be assigned to. */
static void parameters (Parser *p, const Function *f, const Value *x, int n) {
  int count = 0;
  parse_expect(p, "(");
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
    if (!p->failed && count < n)
      parse_declare_value(p, name, t, x[count]);
    count++;
    if (!parse_accept(p, ","))
      break;
  }
  if (count != n)
    parse_fail(p, "it is called with another number of arguments", &f->name);
  parse_expect(p, ")");
}

bool parse_function_call (Parser *p, const Word *name, Value *v) {
  Value x[MAX_ARGUMENTS + 1];
  Caller from;
  Function *f = find(p, name, false);
  if (f == NULL)
    return false;
  int n = parse_arguments(p, x);
  if (p->b->error != NULL) /* each call makes more operations */
    parse_fail(p, p->b->error, name);
  if (p->failed || is_recursive(p, f, name) || !parse_enter(p))
    return true;
  Call call = {build_register(p->b, f->t), -1};
  call.result.temp = false;
  if (f->early) {
    build_store(p->b, call.result, build_integer(p->b, f->t, 0));
    call.mask = p->nmasks;
    parse_push_mask(p, parse_lanes(p));
  }
  enter(p, f, &call, &from);
  parameters(p, f, x, n);
  parse_statement(p);
  if (f->early)
    parse_pop_mask(p);
  leave(p, f, &from);
  parse_leave(p);
  *v = call.result;
  v->temp = true;
  return true;
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

/*
** statements.c - statements: declarations, if, for, while, break, continue, and
** blocks. All lanes of a block go through all of it; a mask tells in which of
** them it counts, and loops end when no lane is left.
*/
#include "kernel_text.h"

#include <stdio.h>
#include <string.h>

#include "lexer.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

/* Returns the number of arguments of the first n parameters. */
static int count_args (const KernelText *k, int n) {
  int count = n;
  for (int i = 0; i < n; i++) {
    count += (k->params[i].mode == ARG_RAW);
    count += (k->params[i].mode == ARG_STRIDED) ? PARAM_AXES : 0;
  }
  return count;
}

bool kernel_text_has_strided (const KernelText *k) {
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i].mode == ARG_STRIDED)
      return true;
  return false;
}

int kernel_text_nargs (const KernelText *k) {
  return count_args(k, k->nparams) +
         (kernel_text_has_strided(k) ? PARAM_AXES - 1 : 0);
}

Value kernel_text_param (Builder *b, const KernelText *k, int i) {
  const KernelParam *p = &k->params[i];
  int arg = count_args(k, i);
  switch (p->mode) {
    case ARG_DENSE: return build_stream(b, arg, p->t);
    case ARG_FIRST: return build_first(b, arg, p->t);
    case ARG_RAW: return build_array(b, arg, p->t, p->name);
    case ARG_STRIDED:
      return build_strided(b, arg, count_args(k, k->nparams), p->t);
    default: return build_argument(b, arg, p->t);
  }
}

/* {== masks =========================================================== */

Value parse_own (Parser *p, Value v) {
  if (v.temp || v.number)
    return v;
  Value copy = build_register(p->b, v.t);
  build_store(p->b, copy, v);
  return copy;
}

Value parse_condition (Parser *p, Value v) {
  return build_elements(p->b, parse_own(p, parse_truth(p, v)));
}

Value parse_narrow (Parser *p, Value cond) {
  cond = build_elements(p->b, parse_truth(p, cond));
  if (p->nmasks > 0)
    return build_binary(p->b, BINARY_band, cond, p->masks[p->nmasks - 1]);
  if (cond.temp)
    return cond;
  Value copy = build_register(p->b, DTYPE_BOOL); /* of a variable */
  build_store(p->b, copy, cond);
  return copy;
}

void parse_push_mask (Parser *p, Value mask) {
  if (p->nmasks == MAX_MASKS) {
    parse_fail(p, "statements are nested too deeply", NULL);
    p->lost++;
    return;
  }
  mask.temp = false;
  p->masks[p->nmasks++] = mask;
}

void parse_pop_mask (Parser *p) {
  if (p->lost > 0) {
    p->lost--;
    return;
  }
  Value mask = p->masks[--p->nmasks];
  mask.temp = true;
  build_release(p->b, mask);
}

/* ==} */

/* {== statements ====================================================== */

void parse_forget (Parser *p, int n) {
  while (p->nvars > n) {
    Variable *var = &p->vars[--p->nvars];
    Value v = var->v;
    v.temp = !var->local;
    build_release(p->b, v);
  }
}

Variable *parse_declare_value (Parser *p, Word name, DType t, Value init) {
  Value v = build_register(p->b, t);
  v.temp = false;
  build_store(p->b, v, build_convert(p->b, init, t));
  return parse_declare(p, name, v);
}

enum { LENGTH = 4096, VALUES = 64 }; /* the most of an array */

/* Reads the length of an array and the ']'. 0: as many elements as values. */
static int array_length (Parser *p) {
  const Word w = p->here.w;
  if (parse_accept(p, "]"))
    return 0;
  Value v = parse_assignment(p);
  if (p->failed || p->b->error != NULL)
    return 0;
  int64_t n = (int64_t)p->b->p.slots[v.slot].value;
  if (!v.constant || build_dtype_kind(v.t) == 'f' || n < 1 || n > LENGTH)
    parse_fail(p, "the length of an array must be a constant from 1 to 4096",
               &w);
  parse_expect(p, "]");
  return p->failed ? 0 : (int)n;
}

/* Reads "= { 1, 2 }", if it is there. Returns the number of values. */
static int array_values (Parser *p, Value values[VALUES]) {
  int n = 0;
  if (!parse_accept(p, "="))
    return 0;
  parse_expect(p, "{");
  while (!p->failed && !parse_is(p, "}")) {
    if (n == VALUES)
      parse_fail(p, "there are more than 64 values", &p->here.w);
    else
      values[n++] = parse_own(p, parse_assignment(p));
    if (!parse_accept(p, ","))
      break;
  }
  parse_expect(p, "}");
  return n;
}

/* The name and the '[' are read already. */
static void declare_array (Parser *p, Word name, DType t, bool constant) {
  Value values[VALUES];
  int length = array_length(p), n = array_values(p, values);
  if (p->b->error != NULL)
    parse_fail(p, p->b->error, &name);
  if (length == 0)
    length = n;
  if (length == 0 || n > length)
    parse_fail(p, "the array needs room for its values, and for one at least",
               &name);
  if (p->failed)
    return;
  Value v = build_local(p->b, t, length, name.at, name.len);
  Variable *var = parse_declare(p, name, v);
  if (var == NULL)
    return;
  var->raw = var->local = true;
  var->size = build_integer(p->b, DTYPE_INT64, length);
  for (int i = 0; i < n; i++)
    parse_store_element(p, p->nvars - 1, i, values[i]);
  var->constant = constant;
}

/* C++ has one variable of a name in a block. The outermost block of a body is
** that of its parameters, with i and n. */
static void check_new (Parser *p, const Word *name) {
  bool outermost = p->block == 0 && p->call == NULL;
  if (parse_find(p, name) >= p->block ||
      (outermost && (lexer_is_word(name, "i") || lexer_is_word(name, "n"))))
    parse_fail(p, "there is a variable of that name", name);
}

/* Parses up to the ';'; the type is read already. */
static void declaration (Parser *p, DType t, bool constant) {
  do {
    Word name = p->here.w;
    if (name.kind != WORD_NAME) {
      parse_fail_syntax(p, "a name is expected", &name);
      return;
    }
    check_new(p, &name);
    parse_next(p);
    if (parse_accept(p, "[")) {
      declare_array(p, name, t, constant);
      continue;
    }
    bool given = parse_accept(p, "=");
    Value init = given ? parse_assignment(p) : build_integer(p->b, t, 0);
    Variable *var = parse_declare_value(p, name, t, init);
    if (var != NULL)
      var->constant = constant;
  } while (!p->failed && parse_accept(p, ","));
}

/* Parses a declaration or an expression, without its ';'. */
static void simple (Parser *p) {
  DType t;
  bool constant = parse_accept(p, "const");
  const Mark first = p->here;
  bool type = parse_type(p, &t);
  if (type && p->here.w.kind == WORD_NAME) {
    constant = parse_accept(p, "const") || constant;
    declaration(p, t, constant);
    return;
  }
  if (constant)
    parse_fail_syntax(p, "a declaration is expected", &p->here.w);
  if (type)
    parse_go(p, &first); /* T(x) */
  build_release(p->b, parse_expression(p));
}

static Value kept (Value v) {
  v.temp = false;
  return v;
}

static int enter_block (Parser *p) {
  int outer = p->block;
  p->block = p->nvars;
  return outer;
}

static void leave_block (Parser *p, int outer) {
  parse_forget(p, p->block);
  p->block = outer;
}

/* Parses a statement for the lanes of the mask, with names of its own. */
static void branch (Parser *p, Value mask) {
  int outer = enter_block(p);
  parse_push_mask(p, mask);
  parse_statement(p);
  parse_pop_mask(p);
  leave_block(p, outer);
}

static void if_statement (Parser *p) {
  parse_expect(p, "(");
  Value cond = parse_condition(p, parse_expression(p));
  parse_expect(p, ")");
  branch(p, parse_narrow(p, kept(cond)));
  if (!p->failed && parse_accept(p, "else")) {
    Value no = build_unary(p->b, UNARY_logical_not, cond);
    branch(p, parse_narrow(p, no));
  } else {
    build_release(p->b, cond);
  }
}

Value parse_lanes (Parser *p) {
  Value all = (p->nmasks > 0) ? p->masks[p->nmasks - 1]
                              : build_integer(p->b, DTYPE_BOOL, 1);
  Value active = build_register(p->b, DTYPE_BOOL);
  build_store(p->b, active, kept(all));
  return kept(active);
}

/* Takes the lanes whose condition is false out of the loop. */
static void loop_condition (Parser *p, Value active) {
  int band = kernel_binary(BINARY_band, FORM_VV, DTYPE_BOOL);
  Value cond = build_elements(p->b, parse_truth(p, parse_expression(p)));
  build_step(p->b, band, 4,
             (int[]){active.slot, active.slot, cond.slot, p->b->count});
  build_release(p->b, cond);
}

/* Skips to the ')' that ends a for's parts. */
static void skip_part (Parser *p) {
  for (int depth = 0;
       p->here.w.kind != WORD_END && (depth > 0 || !parse_is(p, ")"));) {
    depth += parse_is(p, "(") - parse_is(p, ")");
    parse_next(p);
  }
}

/* Runs in the lanes that are still in this round. */
static void loop_body (Parser *p, Value active) {
  Value round = build_register(p->b, DTYPE_BOOL);
  int outer = p->loop;
  build_store(p->b, round, active);
  p->loop = p->nmasks - 1;
  parse_push_mask(p, round);
  parse_statement(p);
  parse_pop_mask(p);
  p->loop = outer;
}

/* Parses the third part of a for, which runs after each round; the parser is
** behind the loop's body. */
static void third_part (Parser *p, const Mark *part) {
  const Mark back = p->here;
  parse_go(p, part);
  if (!parse_is(p, ")"))
    build_release(p->b, parse_expression(p));
  parse_go(p, &back);
}

static void loop (Parser *p, bool is_for) {
  int outer = enter_block(p);
  parse_expect(p, "(");
  if (is_for && !parse_is(p, ";"))
    simple(p);
  if (is_for)
    parse_expect(p, ";");
  Value active = parse_lanes(p);
  parse_push_mask(p, active);
  int top = p->b->p.nsteps;
  if (!parse_is(p, ";"))
    loop_condition(p, active);
  if (is_for)
    parse_expect(p, ";");
  const Mark third = p->here;
  if (is_for)
    skip_part(p);
  parse_expect(p, ")");
  int end = build_step(p->b, STEP_JUMPNONE, 2, (int[]){0, active.slot});
  loop_body(p, active);
  if (is_for)
    third_part(p, &third);
  build_step(p->b, STEP_JUMP, 1, &top);
  p->b->p.steps[end].arg[0] = p->b->p.nsteps;
  parse_pop_mask(p);
  leave_block(p, outer);
}

void parse_leave_masks (Parser *p, int from) {
  Value now = build_register(p->b, DTYPE_BOOL);
  build_store(p->b, now, p->masks[p->nmasks - 1]);
  for (int i = from; i < p->nmasks; i++)
    build_step(p->b, PROGRAM_FNS + FN_without, 4,
               (int[]){p->masks[i].slot, p->masks[i].slot, now.slot,
                       p->b->count});
  build_release(p->b, now);
  parse_expect(p, ";");
}

static void read_statement (Parser *p) {
  Word w = p->here.w;
  if (p->failed || parse_accept(p, ";"))
    return;
  if (parse_accept(p, "{")) {
    int outer = enter_block(p);
    while (!p->failed && !parse_is(p, "}") && p->here.w.kind != WORD_END)
      parse_statement(p);
    parse_expect(p, "}");
    leave_block(p, outer);
  } else if (parse_accept(p, "if")) {
    if_statement(p);
  } else if (parse_accept(p, "for")) {
    loop(p, true);
  } else if (parse_accept(p, "while")) {
    loop(p, false);
  } else if (parse_is(p, "break") || parse_is(p, "continue")) {
    parse_next(p);
    if (p->loop < 0)
      parse_fail(p, "there is no loop around", &w);
    else
      parse_leave_masks(p, p->loop + lexer_is_word(&w, "continue"));
  } else if (p->call != NULL && parse_accept(p, "return")) {
    parse_function_return(p);
  } else {
    simple(p);
    if (p->here.w.kind != WORD_END) /* the last ';' is optional */
      parse_expect(p, ";");
  }
}

void parse_statement (Parser *p) {
  if (parse_enter(p))
    read_statement(p);
  parse_leave(p);
}

/* ==} */

/* {== parameters and results ========================================== */

static Word word (const char *name) {
  return (Word){WORD_NAME, name, (int)strlen(name)};
}

void parse_declare_params (Parser *p) {
  for (int i = 0; i < p->text->nparams; i++) {
    const KernelParam *k = &p->text->params[i];
    Value size = {0}, v = kernel_text_param(p->b, p->text, i);
    if (k->mode == ARG_RAW)
      size = build_argument(p->b, count_args(p->text, i) + 1, DTYPE_INT64);
    Variable *var = parse_declare(p, word(k->name), v);
    if (var == NULL)
      return;
    var->raw = (k->mode == ARG_RAW);
    var->size = size;
    var->constant = !k->out;
    var->out = k->out && !var->raw;
  }
}

void parse_declare_numbers (Parser *p) {
  for (int i = 0; i < p->text->nparams; i++) {
    const KernelParam *k = &p->text->params[i];
    Value v = {0};
    if (k->mode == ARG_NUMBER)
      v = kernel_text_param(p->b, p->text, i);
    Variable *var = parse_declare(p, word(k->name), v);
    if (var == NULL)
      return;
    var->constant = true;
    var->absent = (k->mode != ARG_NUMBER);
  }
}

/* Tells whether a step after 'from' reads an array that may be the result's
** own. */
static bool is_read_after (const Parser *p, const Variable *out, int from) {
  for (int i = from + 1; i < p->b->p.nsteps; i++)
    for (int k = 0; k < STEP_ARGS; k++) {
      int slot = p->b->p.steps[i].arg[k];
      if (slot != out->v.slot && p->b->p.slots[slot].kind == SLOT_STREAM)
        return true;
    }
  return false;
}

void parse_check_result (Parser *p, const Variable *var) {
  char what[80];
  if (var->written >= 0 || p->failed || p->b->error != NULL)
    return;
  snprintf(what, sizeof what, "nothing is assigned to '%.*s'", var->name.len,
           var->name.at);
  parse_fail(p, what, NULL);
}

/* Moves the last step to the beginning. */
static void move_to_front (Parser *p) {
  Program *q = &p->b->p;
  int last = q->nsteps - 1;
  const Step s = q->steps[last];
  memmove(&q->steps[1], q->steps, (size_t)last * sizeof *q->steps);
  memmove(&q->lines[1], q->lines, (size_t)last * sizeof *q->lines);
  q->steps[0] = s;
  for (int i = 1; i <= last; i++)
    q->steps[i].arg[0] += (q->steps[i].fn < 0);
  for (int i = 0; i < p->nvars; i++)
    p->vars[i].written += (p->vars[i].written >= 0);
}

/*
** Results are written in place. If an operand in the same memory would be read
** after that, a register takes the result until the end. It begins with what
** the array has, if the body reads that or leaves some of it.
*/
static void settle_results (Parser *p) {
  int n = p->text->nparams;
  for (int i = 0; i < n && !p->failed && p->b->error == NULL; i++) {
    Variable *var = &p->vars[i];
    if (var->out && !p->b->p.scatters)
      parse_check_result(p, var);
    if (!var->out || var->written < 0 ||
        !is_read_after(p, var, var->partial ? -1 : var->written))
      continue;
    Slot *s = &p->b->p.slots[var->v.slot];
    Value array = build_stream(p->b, s->arg, var->v.t);
    s->kind = SLOT_REGISTER;
    s->value = p->b->p.bytes;
    p->b->p.bytes += (uint32_t)(s->bytes * PROGRAM_BLOCK);
    if (var->partial) {
      build_store(p->b, var->v, array);
      if (p->b->error == NULL)
        move_to_front(p);
    }
    build_store(p->b, array, var->v);
  }
}

/* ==} */

void parse_start (Parser *p, Builder *b, const KernelText *k, char *error) {
  memset(p, 0, sizeof *p);
  p->b = b;
  p->text = k;
  p->error = error;
  p->loop = -1;
  p->here.from[0] = (Source){"", "", NULL, NULL};
  parse_function_read_preamble(p);
}

void parse_begin (Parser *p, const char *text, const char *part) {
  if (p->failed)
    return;
  p->here.nested = 0;
  p->here.from[0] = (Source){text, text, part, NULL};
  parse_macro_read_text(p, text);
  parse_next(p);
}

void parse_statements (Parser *p) {
  while (!p->failed && p->b->error == NULL && p->here.w.kind != WORD_END)
    parse_statement(p);
}

bool parse_finish (Parser *p) {
  if (!p->failed && p->b->error != NULL)
    parse_fail(p, p->b->error, NULL);
  return !p->failed;
}

bool kernel_text_compile (Builder *b, const KernelText *k,
                          char error[C_ERROR]) {
  Parser p;
  build_begin(b, kernel_text_nargs(k) + 1);
  parse_start(&p, b, k, error);
  parse_declare_params(&p);
  parse_begin(&p, k->body, NULL);
  parse_statements(&p);
  settle_results(&p);
  return parse_finish(&p);
}

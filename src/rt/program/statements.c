/*
** statements.c - statements: declarations, if, for, while, break, continue, and
** blocks. All lanes of a block go through all of it; a mask tells in which of
** them it counts, and loops end when no lane is left.
*/
#include "statements.h"

#include <stdio.h>
#include <string.h>

#include "lexer.h"
#include "parser.h"
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

bool rt_hasstrided (const KernelText *k) {
  for (int i = 0; i < k->nparams; i++)
    if (k->params[i].mode == ARG_STRIDED)
      return true;
  return false;
}

int rt_countargs (const KernelText *k) {
  return count_args(k, k->nparams) + (rt_hasstrided(k) ? PARAM_AXES - 1 : 0);
}

Value rt_paramvalue (Builder *b, const KernelText *k, int i) {
  const KernelParam *p = &k->params[i];
  int arg = count_args(k, i);
  switch (p->mode) {
    case ARG_DENSE: return pb_stream(b, arg, p->t);
    case ARG_FIRST: return pb_first(b, arg, p->t);
    case ARG_RAW: return pb_array(b, arg, p->t, p->name);
    case ARG_STRIDED:
      return pb_strided(b, arg, count_args(k, k->nparams), p->t);
    default: return pb_argument(b, arg, p->t);
  }
}

/* {== masks =========================================================== */

Value c_narrow (Parser *p, Value cond) {
  cond = pb_elements(p->b, c_truth(p, cond));
  if (p->nmasks > 0)
    return pb_binary(p->b, BINARY_band, cond, p->masks[p->nmasks - 1]);
  if (cond.temp)
    return cond;
  Value copy = pb_register(p->b, DTYPE_BOOL); /* of a variable */
  pb_store(p->b, copy, cond);
  return copy;
}

void c_pushmask (Parser *p, Value mask) {
  if (p->nmasks == MAX_MASKS) {
    c_fail(p, "statements are nested too deeply", NULL);
    p->lost++;
    return;
  }
  mask.temp = false;
  p->masks[p->nmasks++] = mask;
}

void c_popmask (Parser *p) {
  if (p->lost > 0) {
    p->lost--;
    return;
  }
  Value mask = p->masks[--p->nmasks];
  mask.temp = true;
  pb_release(p->b, mask);
}

/* ==} */

/* {== statements ====================================================== */

static void statement (Parser *p);

static void forget (Parser *p, int nvars) {
  while (p->nvars > nvars) {
    Value v = p->vars[--p->nvars].v;
    v.temp = true;
    pb_release(p->b, v);
  }
}

/* Parses up to the ';'; the type is read already. */
static void declaration (Parser *p, DType t, bool constant) {
  do {
    Word name = p->w;
    if (name.kind != WORD_NAME) {
      c_syntax(p, "a name is expected", &name);
      return;
    }
    c_next(p);
    bool given = c_accept(p, "=");
    Value init = given ? c_assignment(p) : pb_integer(p->b, t, 0);
    Value v = pb_register(p->b, t);
    v.temp = false;
    pb_store(p->b, v, pb_convert(p->b, init, t));
    Variable *var = c_declare(p, name, v);
    if (var != NULL)
      var->constant = constant;
  } while (!p->failed && c_accept(p, ","));
}

/* Parses a declaration or an expression, without its ';'. */
static void simple (Parser *p) {
  DType t;
  bool constant = c_accept(p, "const");
  Word first = p->w;
  const char *at = p->at;
  bool type = c_type(p, &t);
  if (type && p->w.kind == WORD_NAME) {
    constant = c_accept(p, "const") || constant;
    declaration(p, t, constant);
    return;
  }
  if (constant)
    c_syntax(p, "a declaration is expected", &p->w);
  if (type && !p->failed) { /* T(x) */
    p->w = first;
    p->at = at;
  }
  pb_release(p->b, c_expression(p));
}

static Value kept (Value v) {
  v.temp = false;
  return v;
}

static void if_statement (Parser *p) {
  c_expect(p, "(");
  Value cond = pb_elements(p->b, c_truth(p, c_expression(p)));
  c_expect(p, ")");
  c_pushmask(p, c_narrow(p, kept(cond)));
  statement(p);
  c_popmask(p);
  if (!p->failed && c_accept(p, "else")) {
    Value no = pb_unary(p->b, UNARY_logical_not, cond);
    c_pushmask(p, c_narrow(p, no));
    statement(p);
    c_popmask(p);
  } else {
    pb_release(p->b, cond);
  }
}

/* Returns the lanes in which a loop begins, in a register of its own. */
static Value all_lanes (Parser *p) {
  Value all = (p->nmasks > 0) ? p->masks[p->nmasks - 1]
                              : pb_integer(p->b, DTYPE_BOOL, 1);
  Value active = pb_register(p->b, DTYPE_BOOL);
  pb_store(p->b, active, kept(all));
  return kept(active);
}

/* Takes the lanes whose condition is false out of the loop. */
static void loop_condition (Parser *p, Value active) {
  int band = rt_kernel_binary(BINARY_band, FORM_VV, DTYPE_BOOL);
  Value cond = pb_elements(p->b, c_truth(p, c_expression(p)));
  pb_step(p->b, band, 4,
          (int[]){active.slot, active.slot, cond.slot, p->b->count});
  pb_release(p->b, cond);
}

/* Skips to the ')' that ends a for's parts. */
static void skip_part (Parser *p) {
  for (int depth = 0; p->w.kind != WORD_END && (depth > 0 || !c_is(p, ")"));) {
    depth += c_is(p, "(") - c_is(p, ")");
    c_next(p);
  }
}

/* Runs in the lanes that are still in this round. */
static void loop_body (Parser *p, Value active) {
  Value round = pb_register(p->b, DTYPE_BOOL);
  int outer = p->loop;
  pb_store(p->b, round, active);
  p->loop = p->nmasks - 1;
  c_pushmask(p, round);
  statement(p);
  c_popmask(p);
  p->loop = outer;
}

/* Parses the third part of a for, which runs after each round; the parser is
** behind the loop's body. */
static void third_part (Parser *p, Word first, const char *from) {
  Word w = p->w;
  const char *at = p->at;
  p->w = first;
  p->at = from;
  if (!c_is(p, ")"))
    pb_release(p->b, c_expression(p));
  if (p->failed)
    return; /* there are no words left */
  p->w = w;
  p->at = at;
}

static void loop (Parser *p, bool is_for) {
  int vars = p->nvars;
  c_expect(p, "(");
  if (is_for && !c_is(p, ";"))
    simple(p);
  if (is_for)
    c_expect(p, ";");
  Value active = all_lanes(p);
  c_pushmask(p, active);
  int top = p->b->p.nsteps;
  if (!c_is(p, ";"))
    loop_condition(p, active);
  if (is_for)
    c_expect(p, ";");
  Word third = p->w;
  const char *at = p->at;
  if (is_for)
    skip_part(p);
  c_expect(p, ")");
  int end = pb_step(p->b, STEP_JUMPNONE, 2, (int[]){0, active.slot});
  loop_body(p, active);
  if (is_for && !p->failed)
    third_part(p, third, at);
  pb_step(p->b, STEP_JUMP, 1, &top);
  p->b->p.steps[end].arg[0] = p->b->p.nsteps;
  c_popmask(p);
  forget(p, vars);
}

/* Takes the current lanes out of the loop, or out of this round. */
static void leave (Parser *p, int from) {
  Value now = pb_register(p->b, DTYPE_BOOL);
  pb_store(p->b, now, p->masks[p->nmasks - 1]);
  for (int i = from; i < p->nmasks; i++)
    pb_step(p->b, TWINS + FN_without, 4,
            (int[]){p->masks[i].slot, p->masks[i].slot, now.slot, p->b->count});
  pb_release(p->b, now);
  c_expect(p, ";");
}

static void read_statement (Parser *p) {
  Word w = p->w;
  if (p->failed || c_accept(p, ";"))
    return;
  if (c_accept(p, "{")) {
    int vars = p->nvars;
    while (!p->failed && !c_is(p, "}") && p->w.kind != WORD_END)
      statement(p);
    c_expect(p, "}");
    forget(p, vars);
  } else if (c_accept(p, "if")) {
    if_statement(p);
  } else if (c_accept(p, "for")) {
    loop(p, true);
  } else if (c_accept(p, "while")) {
    loop(p, false);
  } else if (c_is(p, "break") || c_is(p, "continue")) {
    c_next(p);
    if (p->loop < 0)
      c_fail(p, "there is no loop around", &w);
    else
      leave(p, p->loop + rt_isword(&w, "continue"));
  } else {
    simple(p);
    if (p->w.kind != WORD_END) /* the last ';' is optional */
      c_expect(p, ";");
  }
}

static void statement (Parser *p) {
  if (c_enter(p))
    read_statement(p);
  c_leave(p);
}

/* ==} */

/* {== parameters and results ========================================== */

static Word word (const char *name) {
  return (Word){WORD_NAME, name, (int)strlen(name)};
}

void c_declareparams (Parser *p) {
  for (int i = 0; i < p->text->nparams; i++) {
    const KernelParam *k = &p->text->params[i];
    Value size = {0}, v = rt_paramvalue(p->b, p->text, i);
    if (k->mode == ARG_RAW)
      size = pb_argument(p->b, count_args(p->text, i) + 1, DTYPE_INT64);
    Variable *var = c_declare(p, word(k->name), v);
    if (var == NULL)
      return;
    var->raw = (k->mode == ARG_RAW);
    p->has_raw = p->has_raw || var->raw;
    var->size = size;
    var->constant = !k->out;
    var->out = k->out && !var->raw;
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

/*
** Results are written in place. If an operand in the same memory would be read
** after that, a register takes the result until the end.
*/
static void settle_results (Parser *p) {
  int n = p->text->nparams;
  for (int i = 0; i < n && !p->failed; i++) {
    Variable *var = &p->vars[i];
    if (var->out && var->written < 0 && !p->b->p.scatters) {
      char what[80];
      snprintf(what, sizeof what, "nothing is assigned to '%.*s'",
               var->name.len, var->name.at);
      c_fail(p, what, NULL);
    }
    if (!var->out || var->partial || var->written < 0 ||
        !is_read_after(p, var, var->written))
      continue;
    Slot *s = &p->b->p.slots[var->v.slot];
    Value array = pb_stream(p->b, s->arg, var->v.t);
    s->kind = SLOT_REGISTER;
    s->value = p->b->p.bytes;
    p->b->p.bytes += (uint32_t)(s->bytes * PROGRAM_BLOCK);
    pb_store(p->b, array, var->v);
  }
}

/* ==} */

void c_start (Parser *p, Builder *b, const KernelText *k, char *error) {
  memset(p, 0, sizeof *p);
  p->b = b;
  p->text = k;
  p->at = k->body;
  p->error = error;
  p->loop = -1;
}

void c_statements (Parser *p) {
  while (!p->failed && p->b->error == NULL && p->w.kind != WORD_END)
    statement(p);
}

bool c_finish (Parser *p) {
  if (!p->failed && p->b->error != NULL)
    c_fail(p, p->b->error, NULL);
  return !p->failed;
}

bool rt_cprogram (Builder *b, const KernelText *k, char error[C_ERROR]) {
  Parser p;
  c_start(&p, b, k, error);
  pb_begin(b, rt_countargs(k) + 1);
  c_declareparams(&p);
  c_next(&p);
  c_statements(&p);
  settle_results(&p);
  return c_finish(&p);
}

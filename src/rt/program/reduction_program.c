/*
** reduction_program.c - the four expressions of a reduction as one program.
*/
#include <string.h>

#include "kernel_text.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

static Word word (const char *name) {
  return (Word){WORD_NAME, name, (int)strlen(name)};
}

static Value kept (Value v) {
  v.temp = false;
  return v;
}

/* Parses one expression, of type t, into 'to'. */
static void expression_into (Parser *p, Value to) {
  Value v = parse_expression(p);
  if (!p->failed && p->here.w.kind != WORD_END)
    parse_fail_syntax(p, "the expression should end", &p->here.w);
  if (!p->failed)
    build_store(p->b, to, build_convert(p->b, v, to.t));
}

static Variable *declare_constant (Parser *p, const char *name, Value v) {
  Variable *var = parse_declare(p, word(name), v);
  if (var != NULL)
    var->constant = true;
  return var;
}

bool kernel_text_reduction (Builder *b, const ReductionText *k,
                            char error[C_ERROR]) {
  Parser p;
  KernelText text = k->kernel;
  const KernelParam *out = &k->kernel.params[k->kernel.nparams - 1];
  text.nparams--;
  int args = kernel_text_nargs(&text);
  build_begin(b, args + 3);
  parse_start(&p, b, &text, error);
  Value mapped = kept(build_register(b, k->t)),
        acc = kept(build_register(b, k->t));
  Value other = build_special(b, SLOT_OTHER), z = build_special(b, SLOT_RESULT);
  b->p.slots[z.slot].arg = (uint16_t)args;
  b->p.slots[z.slot].bytes = (uint8_t)dtype_size(out->t);
  parse_declare_params(&p);
  parse_begin(&p, k->map, "map");
  expression_into(&p, mapped);
  p.nvars = 0;
  p.joins = true;
  b->p.fold = b->p.nsteps;
  other.t = k->t;
  other.number = z.number = false;
  z.t = out->t;
  declare_constant(&p, "a", acc);
  declare_constant(&p, "b", other);
  parse_begin(&p, k->reduce, "reduce");
  expression_into(&p, acc);
  p.nvars = 0;
  b->p.post = b->p.nsteps;
  parse_declare_numbers(&p);
  int numbers = p.nvars;
  declare_constant(&p, "a", acc);
  parse_declare(&p, word(out->name), z);
  p.block = p.nvars;
  parse_begin(&p, k->post, "post");
  parse_statements(&p);
  parse_check_result(&p, &p.vars[numbers + 1]);
  p.nvars = numbers;
  b->p.none = b->p.nsteps;
  parse_begin(&p, k->identity != NULL ? k->identity : "0", "identity");
  expression_into(&p, acc);
  b->p.reduces = true;
  b->p.mapped = (uint16_t)mapped.slot;
  b->p.accumulator = (uint16_t)acc.slot;
  b->p.other = (uint16_t)other.slot;
  return parse_finish(&p);
}

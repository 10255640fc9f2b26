/*
** expressions.c - expressions of C: operators by precedence, with C's
** conversions between the types of their operands.
*/
#include "parse.h"
#include "rt/kernels/kernels.h"

#include <string.h>

/* {== C's conversions ================================================= */

/* Returns the type of an operand in arithmetic: small integers become int. */
static DType promoted (DType t) {
  char kind = build_dtype_kind(t);
  if (kind == 'f')
    return dtype_size(t) < 4 ? DTYPE_FLOAT32 : t;
  return dtype_size(t) < 4 ? DTYPE_INT32 : t;
}

/* Returns the wider type; of two that are equally wide, the unsigned one. */
DType parse_common_type (DType a, DType b) {
  DType x = promoted(a), y = promoted(b);
  bool fx = build_dtype_kind(x) == 'f', fy = build_dtype_kind(y) == 'f';
  if (fx != fy)
    return fx ? x : y;
  if (dtype_size(x) != dtype_size(y))
    return dtype_size(x) > dtype_size(y) ? x : y;
  return build_dtype_kind(y) == 'u' ? y : x;
}

static bool is_complex (Parser *p, Value x) {
  if (build_dtype_kind(x.t) == 'c')
    parse_fail(p,
               "the host device computes with complex numbers in tide.fuse "
               "only",
               NULL);
  return p->failed;
}

Value parse_truth (Parser *p, Value v) {
  (void)p;
  return build_convert(p->b, v, DTYPE_BOOL);
}

DType parse_convert_both (Parser *p, Value *x, Value *y) {
  if (is_complex(p, *x) || is_complex(p, *y))
    return DTYPE_INT32;
  DType t = parse_common_type(x->t, y->t);
  *x = build_convert(p->b, *x, t);
  *y = build_convert(p->b, *y, t);
  return t;
}

/* ==} */

/* {== operators ======================================================= */

/* Binary operators by precedence. */
typedef struct BinaryOperator {
  const char *text;
  int level;
  int op; /* BinaryOp, or an operator of the enum below */
} BinaryOperator;

enum { OP_QUOT = 1000, OP_REM, OP_AND, OP_OR };

static const BinaryOperator operators[] = {
  {"||", 1, OP_OR},         {"&&", 2, OP_AND},     {"|", 3, BINARY_bor},
  {"^", 4, BINARY_bxor},    {"&", 5, BINARY_band}, {"==", 6, BINARY_eq},
  {"!=", 6, BINARY_ne},     {"<", 7, BINARY_lt},   {">", 7, BINARY_gt},
  {"<=", 7, BINARY_le},     {">=", 7, BINARY_ge},  {"<<", 8, BINARY_lshift},
  {">>", 8, BINARY_rshift}, {"+", 9, BINARY_add},  {"-", 9, BINARY_sub},
  {"*", 10, BINARY_mul},    {"/", 10, OP_QUOT},    {"%", 10, OP_REM},
};

static const BinaryOperator *find_operator (const Word *w, int length) {
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if ((int)strlen(operators[i].text) == length && length <= w->len &&
        memcmp(operators[i].text, w->at, (size_t)length) == 0)
      return &operators[i];
  return NULL;
}

static Value divide (Parser *p, int op, Value x, Value y) {
  DType t = parse_convert_both(p, &x, &y);
  if (build_dtype_kind(t) != 'f')
    return build_function(p->b, op == OP_QUOT ? "quot" : "rem", build_suffix(t),
                          t, 2, (Value[]){x, y});
  if (op == OP_REM) {
    parse_fail(p, "'%' is not for floating point numbers (fmod is)", &p->op);
    return x;
  }
  return build_binary(p->b, BINARY_div, x, y);
}

/* Computes with two constants of C's type int, which may be the length of an
** array; false: it cannot be done now. */
static bool fold (Parser *p, int op, Value x, Value y, Value *z) {
  if (!x.constant || !y.constant || x.t != DTYPE_INT32 || y.t != DTYPE_INT32)
    return false;
  int64_t a = (int32_t)p->b->p.slots[x.slot].value;
  int64_t b = (int32_t)p->b->p.slots[y.slot].value, result;
  if ((op == OP_QUOT || op == OP_REM) && b == 0)
    return false;
  switch (op) {
    case BINARY_add: result = a + b; break;
    case BINARY_sub: result = a - b; break;
    case BINARY_mul: result = a * b; break;
    case OP_QUOT: result = a / b; break;
    case OP_REM: result = a % b; break;
    default: return false;
  }
  *z = build_integer(p->b, DTYPE_INT32, (int32_t)result);
  return true;
}

Value parse_apply (Parser *p, int op, Value x, Value y) {
  Value z;
  if (p->failed)
    return x;
  if (fold(p, op, x, y, &z))
    return z;
  if (op == OP_QUOT || op == OP_REM)
    return divide(p, op, x, y);
  if (op == BINARY_lshift || op == BINARY_rshift) {
    x = build_convert(p->b, x, promoted(x.t));
    return build_binary(p->b, (BinaryOp)op, x, build_convert(p->b, y, x.t));
  }
  DType t = parse_convert_both(p, &x, &y);
  bool bits = (op == BINARY_bor || op == BINARY_bxor || op == BINARY_band);
  if (bits && build_dtype_kind(t) == 'f')
    parse_fail(p,
               op == BINARY_bxor ? "^ is an operation on bits, for integers; a "
                                   "power is pow(x, y)"
                                 : "an operation on bits is for integers",
               &p->op);
  return p->failed ? x : build_binary(p->b, (BinaryOp)op, x, y);
}

static Value binary (Parser *p, int level);

/* Masks the right side where the left side decides the result: it may assign,
** read elements that do not exist there, or have a loop. */
static Value logical (Parser *p, int op, Value x, int level) {
  x = parse_condition(p, x);
  Value here = x;
  here.temp = false;
  if (op == OP_OR)
    here = build_unary(p->b, UNARY_logical_not, here);
  parse_push_mask(p, parse_narrow(p, here));
  Value y = parse_truth(p, binary(p, level + 1));
  parse_pop_mask(p);
  if (p->failed)
    return x;
  return build_binary(p->b, op == OP_AND ? BINARY_band : BINARY_bor, x, y);
}

static Value rest (Parser *p, Value x, int level) {
  for (;;) {
    const BinaryOperator *o = (p->here.w.kind == WORD_MARK)
                                ? find_operator(&p->here.w, p->here.w.len)
                                : NULL;
    if (o == NULL || o->level < level || p->failed)
      return x;
    const Word own = p->here.w;
    parse_next(p);
    if (o->op == OP_AND || o->op == OP_OR) {
      x = logical(p, o->op, x, o->level);
    } else {
      Value y = binary(p, o->level + 1);
      p->op = own;
      x = parse_apply(p, o->op, x, y);
    }
  }
}

static Value binary (Parser *p, int level) {
  return rest(p, parse_rvalue(p, parse_unary(p)), level);
}

/* Parses one side of c ? x : y, masked to lanes where 'cond' is true. */
static Value side (Parser *p, Value cond) {
  parse_push_mask(p, parse_narrow(p, cond));
  Value v = parse_assignment(p);
  parse_pop_mask(p);
  return v;
}

static Value conditional (Parser *p, Value x) {
  x = rest(p, x, 1);
  if (!parse_accept(p, "?"))
    return x;
  Value cond = parse_condition(p, x), here = cond;
  here.temp = false;
  Value yes = side(p, here);
  parse_expect(p, ":");
  if (!p->failed)
    here = build_unary(p->b, UNARY_logical_not, here);
  Value no = side(p, here);
  if (p->failed)
    return x;
  if (yes.t != no.t)
    parse_convert_both(p, &yes, &no);
  return p->failed ? x : build_select(p->b, cond, yes, no);
}

/* ==} */

/* {== places and values =============================================== */

/* The address 0 is no mask: all lanes. */
static int mask_slot (Parser *p) {
  if (p->nmasks > 0)
    return p->masks[p->nmasks - 1].slot;
  return build_integer(p->b, DTYPE_INT64, 0).slot;
}

Value parse_rvalue (Parser *p, Expr e) {
  if (e.variable < 0 || p->failed)
    return e.v;
  Variable *var = &p->vars[e.variable];
  if (!e.element) {
    var->partial = var->partial || (var->out && var->written < 0);
    return var->v;
  }
  Value index = build_elements(p->b, build_convert(p->b, e.v, DTYPE_INT64));
  Value z = build_register(p->b, var->v.t);
  int fn = build_find_step(var->local ? "pick" : "gather",
                           build_size_suffix(var->v.t));
  int args[] = {z.slot,     var->v.slot,  var->size.slot,
                index.slot, mask_slot(p), p->b->count};
  p->b->p.lines[build_step(p->b, fn, 6, args)] = e.line;
  build_release(p->b, index);
  return z;
}

/* Writes to a place; returns the value that is left there. */
static Value assign (Parser *p, Expr e, Value v) {
  if (p->failed)
    return v;
  Variable *var = (e.variable >= 0) ? &p->vars[e.variable] : NULL;
  if (var == NULL || var->constant || (var->raw && !e.element)) {
    parse_fail(p,
               var == NULL ? "only variables and elements can be assigned to"
                           : "what is only read cannot be assigned to",
               &p->op);
    return v;
  }
  if (!e.element) {
    parse_assign(p, var, v);
    return var->v;
  }
  v = build_elements(p->b, build_convert(p->b, v, var->v.t));
  Value index = build_elements(p->b, build_convert(p->b, e.v, DTYPE_INT64));
  int fn = build_find_step(var->local ? "put" : "scatter",
                           build_size_suffix(var->v.t));
  p->b->p.scatters = p->b->p.scatters || !var->local;
  int args[] = {var->v.slot, var->size.slot, index.slot,
                v.slot,      mask_slot(p),   p->b->count};
  p->b->p.lines[build_step(p->b, fn, 6, args)] = e.line;
  build_release(p->b, index);
  return v;
}

void parse_store_element (Parser *p, int variable, int index, Value v) {
  Expr e = {build_integer(p->b, DTYPE_INT64, index), variable, true, 0};
  build_release(p->b, assign(p, e, v));
}

Value parse_atomic (Parser *p, const char *name, Expr e, Value v) {
  Variable *var = &p->vars[e.variable];
  const DType t = var->v.t;
  int fn = build_find_step(name, build_suffix(t));
  bool bits = build_dtype_kind(t) != 'f' || strcmp(name, "atomic_exch") == 0;
  if (fn < 0 && bits && dtype_size(t) >= 4)
    fn = build_find_step(name, dtype_size(t) == 8 ? "u64" : "u32");
  if (fn < 0)
    parse_fail(p, "there is no such function for the element's type", &p->op);
  if (p->failed)
    return v;
  v = parse_own(p, build_elements(p->b, build_convert(p->b, v, t)));
  Value index = build_elements(p->b, build_convert(p->b, e.v, DTYPE_INT64));
  p->b->p.scatters = true;
  int args[] = {v.slot,     var->v.slot,  var->size.slot,
                index.slot, mask_slot(p), p->b->count};
  p->b->p.lines[build_step(p->b, fn, 6, args)] = e.line;
  build_release(p->b, index);
  return v;
}

/* Keeps an index, which x[i] += y uses twice. */
static Expr twice (Expr e) {
  e.v.temp = false;
  return e;
}

Value parse_increment (Parser *p, Expr e, int op, bool before) {
  Value old = parse_rvalue(p, twice(e));
  if (!before && !p->failed) {
    Value copy = build_register(p->b, old.t);
    build_store(p->b, copy, old);
    old = copy;
  }
  Value one = build_integer(p->b, DTYPE_INT32, 1);
  Value left = old;
  left.temp = left.temp && before;
  Value now = assign(p, e, parse_apply(p, op, left, one));
  return before ? now : old;
}

/* Parses comma expressions: the value is the last one. */
Value parse_expression (Parser *p) {
  Value v = parse_assignment(p);
  while (parse_accept(p, ",")) {
    build_release(p->b, v);
    v = parse_assignment(p);
  }
  return v;
}

static bool is_assignment (const Parser *p) {
  const Word *w = &p->here.w;
  return w->kind == WORD_MARK && w->at[w->len - 1] == '=' &&
         !parse_is(p, "==") && !parse_is(p, "<=") && !parse_is(p, ">=") &&
         !parse_is(p, "!=");
}

/* Goes to the operator that assigns to an element, if that is what comes.
** *changes: the index assigns, too. */
static bool find_assignment (Parser *p, bool *changes) {
  const Mark left = p->here;
  const int expansions = p->expansions;
  int at = parse_find(p, &left.w), depth = 0;
  *changes = false;
  if (at < 0 || !p->vars[at].raw)
    return false;
  parse_next(p);
  do {
    depth += parse_is(p, "[") - parse_is(p, "]");
    *changes = *changes || is_assignment(p) || parse_is(p, "++") ||
               parse_is(p, "--");
    parse_next(p);
  } while (depth > 0 && p->here.w.kind != WORD_END);
  if (is_assignment(p))
    return true;
  p->expansions = expansions;
  parse_go(p, &left);
  return false;
}

/* As in C++17, the right side comes before the index on the left. */
static Value read_assignment (Parser *p) {
  Expr e = {.variable = -1};
  const Mark left = p->here;
  bool changes, element = find_assignment(p, &changes);
  if (!element)
    e = parse_unary(p);
  if (!is_assignment(p))
    return conditional(p, parse_rvalue(p, e));
  const Word own = p->here.w;
  const BinaryOperator *o = (own.len > 1) ? find_operator(&own, own.len - 1)
                                          : NULL;
  parse_next(p);
  Value v = parse_assignment(p);
  if (element) {
    const Mark end = p->here;
    v = changes ? parse_own(p, v) : v;
    parse_go(p, &left);
    e = parse_unary(p);
    parse_go(p, &end);
  }
  p->op = own;
  if (o != NULL && !p->failed)
    v = parse_apply(p, o->op, parse_rvalue(p, twice(e)), v);
  return assign(p, e, v);
}

Value parse_assignment (Parser *p) {
  Value v = {0};
  if (parse_enter(p))
    v = read_assignment(p);
  parse_leave(p);
  return v;
}

/* ==} */

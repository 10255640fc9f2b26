/*
** math_calls.c - calls of the functions of math.h, and of CUDA's min and max.
*/
#include "lexer.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

#include <math.h>
#include <string.h>

/* A function of math.h of n arguments: a built-in operation, so its loops are
** those of the operation; or one of program.def (op -1). */
typedef struct MathFunction {
  const char *name;
  int n, op;
} MathFunction;

static const MathFunction functions[] = {
  {"acos", 1, UNARY_acos},
  {"acosh", 1, UNARY_acosh},
  {"asin", 1, UNARY_asin},
  {"asinh", 1, UNARY_asinh},
  {"atan", 1, UNARY_atan},
  {"atan2", 2, BINARY_atan2},
  {"atanh", 1, UNARY_atanh},
  {"cbrt", 1, UNARY_cbrt},
  {"ceil", 1, UNARY_ceil},
  {"copysign", 2, BINARY_copysign},
  {"cos", 1, UNARY_cos},
  {"cosh", 1, UNARY_cosh},
  {"erf", 1, UNARY_erf},
  {"erfc", 1, UNARY_erfc},
  {"exp", 1, UNARY_exp},
  {"exp2", 1, UNARY_exp2},
  {"expm1", 1, UNARY_expm1},
  {"fabs", 1, UNARY_abs},
  {"fdim", 2, -1},
  {"floor", 1, UNARY_floor},
  {"fmax", 2, BINARY_fmax},
  {"fmin", 2, BINARY_fmin},
  {"fmod", 2, BINARY_fmod},
  {"hypot", 2, BINARY_hypot},
  {"lgamma", 1, -1},
  {"log", 1, UNARY_log},
  {"log10", 1, UNARY_log10},
  {"log1p", 1, UNARY_log1p},
  {"log2", 1, UNARY_log2},
  {"pow", 2, BINARY_pow},
  {"rint", 1, UNARY_round},
  {"round", 1, -1},
  {"rsqrt", 1, UNARY_rsqrt},
  {"sin", 1, UNARY_sin},
  {"sinh", 1, UNARY_sinh},
  {"sqrt", 1, UNARY_sqrt},
  {"tan", 1, UNARY_tan},
  {"tanh", 1, UNARY_tanh},
  {"tgamma", 1, UNARY_gamma},
  {"trunc", 1, UNARY_trunc},
};

static const MathFunction *find_function (const char *name, int len) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if ((int)strlen(functions[i].name) == len &&
        memcmp(functions[i].name, name, (size_t)len) == 0)
      return &functions[i];
  return NULL;
}

/* sin(x) is float for a float, else double; sinf(x) is float. Returns NULL if
** the host device has no such function. */
static const MathFunction *math_function (const Word *w, int n, DType *t) {
  const MathFunction *f = find_function(w->at, w->len);
  if (f == NULL && w->at[w->len - 1] == 'f') {
    f = find_function(w->at, w->len - 1);
    *t = DTYPE_FLOAT32;
  } else if (*t != DTYPE_FLOAT32) {
    *t = DTYPE_FLOAT64;
  }
  return (f != NULL && f->n == n) ? f : NULL;
}

static Value apply (Builder *b, const MathFunction *f, DType t, Value *x) {
  if (f->op >= 0)
    return (f->n == 1) ? build_unary(b, (UnaryOp)f->op, x[0])
                       : build_binary(b, (BinaryOp)f->op, x[0], x[1]);
  const char *s = build_suffix(t);
  return (f->n == 1) ? build_function1(b, f->name, s, t, x[0])
                     : build_function2(b, f->name, s, t, x[0], x[1]);
}

static Value extreme (Parser *p, Value x, Value y, bool max) {
  DType t = parse_convert_both(p, &x, &y);
  if (p->failed)
    return x;
  if (build_dtype_kind(t) == 'f')
    return build_binary(p->b, max ? BINARY_fmax : BINARY_fmin, x, y);
  return build_binary(p->b, max ? BINARY_maximum : BINARY_minimum, x, y);
}

/* Tests for finite, infinite, NaN. An operand that is not a float becomes a
** double. */
static Value classify (Parser *p, char what, Value x) {
  if (build_dtype_kind(x.t) != 'f' || dtype_size(x.t) < 4)
    x = build_convert(p->b, x, DTYPE_FLOAT64);
  x = build_elements(p->b, x);
  if (what == 'n')
    return build_unary(p->b, UNARY_isnan, x);
  DType t = x.t;
  x = build_unary(p->b, UNARY_abs, x);
  return build_binary(p->b, what == 'i' ? BINARY_eq : BINARY_lt, x,
                      build_double(p->b, t, INFINITY));
}

static Value absolute (Parser *p, Value x) {
  if (build_dtype_kind(x.t) == 'b' || dtype_size(x.t) < 4)
    x = build_convert(p->b, x, parse_common_type(x.t, x.t));
  return build_unary(p->b, UNARY_abs, x);
}

static bool named (const Word *w, const char *one, const char *other) {
  return lexer_is_word(w, one) || lexer_is_word(w, other);
}

/* Makes the call of the name with n arguments; false: there is no such
** function. */
static bool call (Parser *p, const Word *w, Value *x, int n, Value *z) {
  DType t = (n > 0) ? x[0].t : DTYPE_FLOAT64;
  if (n == 1 && named(w, "isnan", "isinf")) {
    *z = classify(p, w->at[2], x[0]);
  } else if (n == 1 && named(w, "isfinite", "finite")) {
    *z = classify(p, 'f', x[0]);
  } else if (n == 1 && named(w, "abs", "llabs")) {
    *z = absolute(p, x[0]);
  } else if (n == 2 && named(w, "min", "max")) {
    *z = extreme(p, x[0], x[1], w->at[1] == 'a');
  } else {
    if (n == 2)
      t = parse_common_type(x[0].t, x[1].t);
    const MathFunction *f = math_function(w, n, &t);
    if (f == NULL)
      return false;
    for (int i = 0; i < n; i++)
      x[i] = build_convert(p->b, x[i], t);
    *z = apply(p->b, f, t, x);
  }
  return true;
}

int parse_arguments (Parser *p, Value x[MAX_ARGUMENTS + 1]) {
  int n = 0;
  parse_expect(p, "(");
  while (!p->failed && !parse_is(p, ")")) {
    x[n < MAX_ARGUMENTS ? n : MAX_ARGUMENTS] = parse_assignment(p);
    n += (n <= MAX_ARGUMENTS);
    if (!parse_accept(p, ","))
      break;
  }
  parse_expect(p, ")");
  return n;
}

Value parse_call (Parser *p, const Word *w) {
  static const char *const unknown[] = {
    "the host device has no such function without arguments",
    "the host device has no such function of one argument",
    "the host device has no such function of two arguments",
    "the host device has no such function of more than two arguments"};
  Value x[MAX_ARGUMENTS + 1], z = build_integer(p->b, DTYPE_INT32, 0);
  if (parse_function_call(p, w, &z))
    return z;
  int n = parse_arguments(p, x);
  if (!p->failed && !call(p, w, x, n, &z))
    parse_fail(p, unknown[n < 3 ? n : 3], w);
  return z;
}

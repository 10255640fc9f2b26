/*
** math_calls.c - calls of the functions of math.h, and of CUDA's own.
*/
#include "lexer.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

#include <string.h>

/* How a function computes, if not by a built-in operation: by one of
** program.def, not at all, or by the bits of its operand. */
enum { STEP = -1, SAME = -2, BITS = -3 };

/* A function of n arguments. The types of its operands and of its result are 0
** if they are floats of any type: then there is one with an 'f' at its end. */
typedef struct MathFunction {
  const char *name;
  int n, op; /* a built-in operation, or as above */
  DType from, to;
  const char *step; /* the name in program.def */
} MathFunction;

static const MathFunction functions[] = {
  {"acos", 1, UNARY_acos, 0, 0, NULL},
  {"acosh", 1, UNARY_acosh, 0, 0, NULL},
  {"asin", 1, UNARY_asin, 0, 0, NULL},
  {"asinh", 1, UNARY_asinh, 0, 0, NULL},
  {"atan", 1, UNARY_atan, 0, 0, NULL},
  {"atan2", 2, BINARY_atan2, 0, 0, NULL},
  {"atanh", 1, UNARY_atanh, 0, 0, NULL},
  {"cbrt", 1, UNARY_cbrt, 0, 0, NULL},
  {"ceil", 1, UNARY_ceil, 0, 0, NULL},
  {"copysign", 2, BINARY_copysign, 0, 0, NULL},
  {"cos", 1, UNARY_cos, 0, 0, NULL},
  {"cosh", 1, UNARY_cosh, 0, 0, NULL},
  {"cospi", 1, STEP, 0, 0, "cospi"},
  {"erf", 1, UNARY_erf, 0, 0, NULL},
  {"erfc", 1, UNARY_erfc, 0, 0, NULL},
  {"erfinv", 1, UNARY_erfinv, 0, 0, NULL},
  {"exp", 1, UNARY_exp, 0, 0, NULL},
  {"exp10", 1, STEP, 0, 0, "exp10"},
  {"exp2", 1, UNARY_exp2, 0, 0, NULL},
  {"expm1", 1, UNARY_expm1, 0, 0, NULL},
  {"fabs", 1, UNARY_abs, 0, 0, NULL},
  {"fdim", 2, STEP, 0, 0, "fdim"},
  {"floor", 1, UNARY_floor, 0, 0, NULL},
  {"fma", 3, STEP, 0, 0, "fma"},
  {"fmax", 2, BINARY_fmax, 0, 0, NULL},
  {"fmin", 2, BINARY_fmin, 0, 0, NULL},
  {"fmod", 2, BINARY_fmod, 0, 0, NULL},
  {"hypot", 2, BINARY_hypot, 0, 0, NULL},
  {"isfinite", 1, UNARY_isfinite, 0, 0, NULL},
  {"isinf", 1, UNARY_isinf, 0, 0, NULL},
  {"isnan", 1, UNARY_isnan, 0, 0, NULL},
  {"labs", 1, UNARY_abs, DTYPE_INT64, 0, NULL},
  {"ldexp", 2, BINARY_ldexp, 0, 0, NULL},
  {"lgamma", 1, UNARY_lgamma, 0, 0, NULL},
  {"llabs", 1, UNARY_abs, DTYPE_INT64, 0, NULL},
  {"llrint", 1, UNARY_round, 0, DTYPE_INT64, NULL},
  {"llround", 1, STEP, 0, DTYPE_INT64, "round"},
  {"log", 1, UNARY_log, 0, 0, NULL},
  {"log10", 1, UNARY_log10, 0, 0, NULL},
  {"log1p", 1, UNARY_log1p, 0, 0, NULL},
  {"log2", 1, UNARY_log2, 0, 0, NULL},
  {"lrint", 1, UNARY_round, 0, DTYPE_INT64, NULL},
  {"lround", 1, STEP, 0, DTYPE_INT64, "round"},
  {"nearbyint", 1, UNARY_round, 0, 0, NULL},
  {"nextafter", 2, BINARY_nextafter, 0, 0, NULL},
  {"normcdf", 1, STEP, 0, 0, "normcdf"},
  {"pow", 2, BINARY_pow, 0, 0, NULL},
  {"rcbrt", 1, STEP, 0, 0, "rcbrt"},
  {"remainder", 2, STEP, 0, 0, "remainder"},
  {"rint", 1, UNARY_round, 0, 0, NULL},
  {"round", 1, STEP, 0, 0, "round"},
  {"rsqrt", 1, UNARY_rsqrt, 0, 0, NULL},
  {"signbit", 1, UNARY_signbit, 0, 0, NULL},
  {"sin", 1, UNARY_sin, 0, 0, NULL},
  {"sinh", 1, UNARY_sinh, 0, 0, NULL},
  {"sinpi", 1, STEP, 0, 0, "sinpi"},
  {"sqrt", 1, UNARY_sqrt, 0, 0, NULL},
  {"tan", 1, UNARY_tan, 0, 0, NULL},
  {"tanh", 1, UNARY_tanh, 0, 0, NULL},
  {"tgamma", 1, UNARY_gamma, 0, 0, NULL},
  {"trunc", 1, UNARY_trunc, 0, 0, NULL},
  {"__brev", 1, STEP, DTYPE_UINT32, DTYPE_UINT32, "brev"},
  {"__brevll", 1, STEP, DTYPE_UINT64, DTYPE_UINT64, "brev"},
  {"__clz", 1, STEP, DTYPE_UINT32, DTYPE_INT32, "clz"},
  {"__clzll", 1, STEP, DTYPE_UINT64, DTYPE_INT32, "clz"},
  {"__cosf", 1, UNARY_cos, DTYPE_FLOAT32, 0, NULL},
  {"__dadd_rn", 2, BINARY_add, DTYPE_FLOAT64, 0, NULL},
  {"__ddiv_rn", 2, BINARY_div, DTYPE_FLOAT64, 0, NULL},
  {"__dmul_rn", 2, BINARY_mul, DTYPE_FLOAT64, 0, NULL},
  {"__double_as_longlong", 1, BITS, DTYPE_FLOAT64, DTYPE_INT64, NULL},
  {"__drcp_rn", 1, UNARY_reciprocal, DTYPE_FLOAT64, 0, NULL},
  {"__dsqrt_rn", 1, UNARY_sqrt, DTYPE_FLOAT64, 0, NULL},
  {"__dsub_rn", 2, BINARY_sub, DTYPE_FLOAT64, 0, NULL},
  {"__exp10f", 1, STEP, DTYPE_FLOAT32, 0, "exp10"},
  {"__expf", 1, UNARY_exp, DTYPE_FLOAT32, 0, NULL},
  {"__fadd_rn", 2, BINARY_add, DTYPE_FLOAT32, 0, NULL},
  {"__fdiv_rn", 2, BINARY_div, DTYPE_FLOAT32, 0, NULL},
  {"__fdividef", 2, BINARY_div, DTYPE_FLOAT32, 0, NULL},
  {"__ffs", 1, STEP, DTYPE_UINT32, DTYPE_INT32, "ffs"},
  {"__ffsll", 1, STEP, DTYPE_UINT64, DTYPE_INT32, "ffs"},
  {"__float2int_rd", 1, UNARY_floor, DTYPE_FLOAT32, DTYPE_INT32, NULL},
  {"__float2int_rn", 1, UNARY_round, DTYPE_FLOAT32, DTYPE_INT32, NULL},
  {"__float2int_ru", 1, UNARY_ceil, DTYPE_FLOAT32, DTYPE_INT32, NULL},
  {"__float2int_rz", 1, UNARY_trunc, DTYPE_FLOAT32, DTYPE_INT32, NULL},
  {"__float_as_int", 1, BITS, DTYPE_FLOAT32, DTYPE_INT32, NULL},
  {"__float_as_uint", 1, BITS, DTYPE_FLOAT32, DTYPE_UINT32, NULL},
  {"__fma_rn", 3, STEP, DTYPE_FLOAT64, 0, "fma"},
  {"__fmaf_rn", 3, STEP, DTYPE_FLOAT32, 0, "fma"},
  {"__fmul_rn", 2, BINARY_mul, DTYPE_FLOAT32, 0, NULL},
  {"__frcp_rn", 1, UNARY_reciprocal, DTYPE_FLOAT32, 0, NULL},
  {"__frsqrt_rn", 1, UNARY_rsqrt, DTYPE_FLOAT32, 0, NULL},
  {"__fsqrt_rn", 1, UNARY_sqrt, DTYPE_FLOAT32, 0, NULL},
  {"__fsub_rn", 2, BINARY_sub, DTYPE_FLOAT32, 0, NULL},
  {"__int2float_rn", 1, SAME, DTYPE_INT32, DTYPE_FLOAT32, NULL},
  {"__int_as_float", 1, BITS, DTYPE_INT32, DTYPE_FLOAT32, NULL},
  {"__log10f", 1, UNARY_log10, DTYPE_FLOAT32, 0, NULL},
  {"__log2f", 1, UNARY_log2, DTYPE_FLOAT32, 0, NULL},
  {"__logf", 1, UNARY_log, DTYPE_FLOAT32, 0, NULL},
  {"__longlong_as_double", 1, BITS, DTYPE_INT64, DTYPE_FLOAT64, NULL},
  {"__mul64hi", 2, STEP, DTYPE_INT64, 0, "mulhi"},
  {"__mulhi", 2, STEP, DTYPE_INT32, 0, "mulhi"},
  {"__popc", 1, STEP, DTYPE_UINT32, DTYPE_INT32, "popc"},
  {"__popcll", 1, STEP, DTYPE_UINT64, DTYPE_INT32, "popc"},
  {"__powf", 2, BINARY_pow, DTYPE_FLOAT32, 0, NULL},
  {"__sinf", 1, UNARY_sin, DTYPE_FLOAT32, 0, NULL},
  {"__tanf", 1, UNARY_tan, DTYPE_FLOAT32, 0, NULL},
  {"__uint_as_float", 1, BITS, DTYPE_UINT32, DTYPE_FLOAT32, NULL},
  {"__umul64hi", 2, STEP, DTYPE_UINT64, 0, "mulhi"},
  {"__umulhi", 2, STEP, DTYPE_UINT32, 0, "mulhi"},
};

static const MathFunction *find_function (const char *name, int len) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if ((int)strlen(functions[i].name) == len &&
        memcmp(functions[i].name, name, (size_t)len) == 0)
      return &functions[i];
  return NULL;
}

/* Tells whether there is such a function with an 'f' at its end. */
static bool has_single (const MathFunction *f) {
  return f->from == 0 &&
         (f->op < 0 || f->n > 1 ||
          kernel_unary_dtype((UnaryOp)f->op, DTYPE_FLOAT32) != DTYPE_BOOL);
}

/* Finds a function, and the type in which it computes: sin(x) is float for a
** float, else double; sinf(x) is float. Returns NULL if the host device has no
** such function. */
static const MathFunction *math_function (const Word *w, int n, DType *t) {
  const MathFunction *f = find_function(w->at, w->len);
  if (f == NULL && w->at[w->len - 1] == 'f') {
    f = find_function(w->at, w->len - 1);
    *t = DTYPE_FLOAT32;
    if (f != NULL && !has_single(f))
      return NULL;
  } else if (*t != DTYPE_FLOAT32) {
    *t = DTYPE_FLOAT64;
  }
  if (f != NULL && f->from != 0)
    *t = f->from;
  return (f != NULL && f->n == n) ? f : NULL;
}

static Value apply (Builder *b, const MathFunction *f, DType t, Value *x) {
  Value z = x[0];
  if (f->op == BITS)
    z.t = f->to;
  else if (f->op == STEP)
    z = build_function(b, f->step, build_suffix(t), t, f->n, x);
  else if (f->op >= 0)
    z = (f->n == 1) ? build_unary(b, (UnaryOp)f->op, x[0])
                    : build_binary(b, (BinaryOp)f->op, x[0], x[1]);
  return (f->to != 0) ? build_convert(b, z, f->to) : z;
}

static Value extreme (Parser *p, Value x, Value y, bool max) {
  DType t = parse_convert_both(p, &x, &y);
  if (p->failed)
    return x;
  if (build_dtype_kind(t) == 'f')
    return build_binary(p->b, max ? BINARY_fmax : BINARY_fmin, x, y);
  return build_binary(p->b, max ? BINARY_maximum : BINARY_minimum, x, y);
}

static Value absolute (Parser *p, Value x) {
  if (build_dtype_kind(x.t) == 'b' || dtype_size(x.t) < 4)
    x = build_convert(p->b, x, parse_common_type(x.t, x.t));
  return build_unary(p->b, UNARY_abs, x);
}

/* Makes the call of the name with n arguments; false: there is no such
** function. */
static bool call (Parser *p, const Word *w, Value *x, int n, Value *z) {
  DType t = (n > 0) ? x[0].t : DTYPE_FLOAT64;
  if (n == 1 && lexer_is_word(w, "abs")) {
    *z = absolute(p, x[0]);
  } else if (n == 2 && (lexer_is_word(w, "min") || lexer_is_word(w, "max"))) {
    *z = extreme(p, x[0], x[1], w->at[1] == 'a');
  } else {
    for (int i = 1; i < n && i < 3; i++)
      t = parse_common_type(t, x[i].t);
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

/* atomicAdd(&c[i], x) and its like. */
static bool atomic (Parser *p, const Word *w, Value *z) {
  static const char *const known[][2] = {
    {"atomicAdd", "atomic_add"},   {"atomicAnd", "atomic_and"},
    {"atomicExch", "atomic_exch"}, {"atomicMax", "atomic_max"},
    {"atomicMin", "atomic_min"},   {"atomicOr", "atomic_or"},
    {"atomicSub", "atomic_sub"},   {"atomicXor", "atomic_xor"}};
  const char *name = NULL;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (lexer_is_word(w, known[i][0]))
      name = known[i][1];
  if (name == NULL)
    return false;
  parse_expect(p, "(");
  parse_expect(p, "&");
  const Word place = p->here.w;
  Expr e = parse_unary(p);
  const Variable *var = (e.variable >= 0) ? &p->vars[e.variable] : NULL;
  if (var == NULL || !e.element || var->local || var->constant)
    parse_fail(p, "an element of a raw result is expected", &place);
  parse_expect(p, ",");
  Value v = parse_assignment(p);
  parse_expect(p, ")");
  p->op = *w;
  if (!p->failed)
    *z = parse_atomic(p, name, e, v);
  return true;
}

Value parse_call (Parser *p, const Word *w) {
  static const char *const unknown[] = {
    "the host device has no such function without arguments",
    "the host device has no such function of one argument",
    "the host device has no such function of two arguments",
    "the host device has no such function of more than two arguments"};
  Value x[MAX_ARGUMENTS + 1], z = build_integer(p->b, DTYPE_INT32, 0);
  if (parse_function_call(p, w, &z) || atomic(p, w, &z))
    return z;
  int n = parse_arguments(p, x);
  if (p->initial)
    parse_fail(p, "the value of a constant calls constexpr functions alone", w);
  if (!p->failed && !call(p, w, x, n, &z))
    parse_fail(p, unknown[n < 3 ? n : 3], w);
  return z;
}

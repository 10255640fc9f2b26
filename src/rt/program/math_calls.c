/*
** math_calls.c - calls of the functions of math.h, and of CUDA's min and max.
*/
#include "lexer.h"
#include "parse.h"
#include "rt/kernels/kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* sin(x) is float for a float, else double; sinf(x) is float. Gets the name
** without its 'f'. Returns whether the host device has such a function. */
static bool math_name (const Word *w, int n, char name[24], DType *t) {
  if (w->len > 20)
    return false;
  snprintf(name, 24, "%.*s", w->len, w->at);
  bool single = false;
  if (build_find_step(name, "f32") < 0 && name[w->len - 1] == 'f') {
    name[w->len - 1] = '\0';
    single = true;
  }
  if (single)
    *t = DTYPE_FLOAT32;
  else if (*t != DTYPE_FLOAT32)
    *t = DTYPE_FLOAT64;
  int fn = build_find_step(name, build_suffix(*t));
  return fn >= TWINS + FN_acos_f32 &&
         (fn >= TWINS + FN_atan2_f32) == (n == 2) && n > 0;
}

static Value extreme (Parser *p, Value x, Value y, bool max) {
  DType t = parse_convert_both(p, &x, &y);
  if (p->failed)
    return x;
  if (build_dtype_kind(t) == 'f')
    return build_function2(p->b, max ? "fmax" : "fmin", build_suffix(t), t, x,
                           y);
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

enum { MAX_ARGUMENTS = 2 };

static bool named (const Word *w, const char *one, const char *other) {
  return lexer_is_word(w, one) || lexer_is_word(w, other);
}

/* Makes the call of the name with n arguments; false: there is no such
** function. */
static bool call (Parser *p, const Word *w, Value *x, int n, Value *z) {
  char name[24];
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
    if (!math_name(w, n, name, &t))
      return false;
    for (int i = 0; i < n; i++)
      x[i] = build_convert(p->b, x[i], t);
    *z = (n == 1) ? build_function1(p->b, name, build_suffix(t), t, x[0])
                  : build_function2(p->b, name, build_suffix(t), t, x[0], x[1]);
  }
  return true;
}

Value parse_call (Parser *p, const Word *w) {
  Value x[MAX_ARGUMENTS], z = build_integer(p->b, DTYPE_INT32, 0);
  int n = 0;
  parse_expect(p, "(");
  while (!p->failed && !parse_is(p, ")") && n < MAX_ARGUMENTS) {
    x[n++] = parse_assignment(p);
    if (!parse_accept(p, ","))
      break;
  }
  parse_expect(p, ")");
  if (!p->failed && !call(p, w, x, n, &z))
    parse_fail(p, "the host device has no such function", w);
  return z;
}

/*
** calls.c - calls of the functions of math.h, and of CUDA's min and max.
*/
#include "lexer.h"
#include "parser.h"
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
  if (pb_findstep(name, "f32") < 0 && name[w->len - 1] == 'f') {
    name[w->len - 1] = '\0';
    single = true;
  }
  if (single)
    *t = DTYPE_FLOAT32;
  else if (*t != DTYPE_FLOAT32)
    *t = DTYPE_FLOAT64;
  int fn = pb_findstep(name, pb_suffix(*t));
  return fn >= TWINS + FN_acos_f32 &&
         (fn >= TWINS + FN_atan2_f32) == (n == 2) && n > 0;
}

static Value extreme (Parser *p, Value x, Value y, bool max) {
  DType t = c_bringtogether(p, &x, &y);
  if (p->failed)
    return x;
  if (pb_dtypekind(t) == 'f')
    return pb_function2(p->b, max ? "fmax" : "fmin", pb_suffix(t), t, x, y);
  return pb_binary(p->b, max ? BINARY_maximum : BINARY_minimum, x, y);
}

/* Tests for finite, infinite, NaN. An operand that is not a float becomes a
** double. */
static Value classify (Parser *p, char what, Value x) {
  if (pb_dtypekind(x.t) != 'f' || rt_dtype_size(x.t) < 4)
    x = pb_convert(p->b, x, DTYPE_FLOAT64);
  x = pb_elements(p->b, x);
  if (what == 'n')
    return pb_unary(p->b, UNARY_isnan, x);
  DType t = x.t;
  x = pb_unary(p->b, UNARY_abs, x);
  return pb_binary(p->b, what == 'i' ? BINARY_eq : BINARY_lt, x,
                   pb_double(p->b, t, INFINITY));
}

static Value absolute (Parser *p, Value x) {
  if (pb_dtypekind(x.t) == 'b' || rt_dtype_size(x.t) < 4)
    x = pb_convert(p->b, x, c_common(x.t, x.t));
  return pb_unary(p->b, UNARY_abs, x);
}

enum { MAX_ARGUMENTS = 2 };

static bool named (const Word *w, const char *one, const char *other) {
  return rt_isword(w, one) || rt_isword(w, other);
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
      t = c_common(x[0].t, x[1].t);
    if (!math_name(w, n, name, &t))
      return false;
    for (int i = 0; i < n; i++)
      x[i] = pb_convert(p->b, x[i], t);
    *z = (n == 1) ? pb_function1(p->b, name, pb_suffix(t), t, x[0])
                  : pb_function2(p->b, name, pb_suffix(t), t, x[0], x[1]);
  }
  return true;
}

Value c_call (Parser *p, const Word *w) {
  Value x[MAX_ARGUMENTS], z = pb_integer(p->b, DTYPE_INT32, 0);
  int n = 0;
  c_expect(p, "(");
  while (!p->failed && !c_is(p, ")") && n < MAX_ARGUMENTS) {
    x[n++] = c_assignment(p);
    if (!c_accept(p, ","))
      break;
  }
  c_expect(p, ")");
  if (!p->failed && !call(p, w, x, n, &z))
    c_fail(p, "the host device has no such function", w);
  return z;
}

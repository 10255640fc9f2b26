/*
** cell.c - values of any dtype from text: integers exactly, complex numbers as
** 1+2j, bools as true, false or an integer.
*/
#include "cell.h"

#include <string.h>

#include "decimal.h"

DType cell_dtype (DType t) {
  return (t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16) ? DTYPE_FLOAT64 : t;
}

/* {== integers ======================================================== */

static bool is_digit (char c) { return (unsigned char)(c - '0') < 10; }

/* Reads the digits at 'p'. NULL: there are none, or more than 64 bits hold. */
static const char *read_digits (const char *p, uint64_t *w) {
  const char *start = p;
  bool over = false;
  *w = 0;
  for (; is_digit(*p); p++)
    over = over || __builtin_mul_overflow(*w, 10, w) ||
           __builtin_add_overflow(*w, (uint64_t)(*p - '0'), w);
  return (p == start || over) ? NULL : p;
}

static bool fits (uint64_t w, bool minus, DType t) {
  int bits = 8 * (int)dtype_size(t);
  if (t >= DTYPE_UINT8 && t <= DTYPE_UINT64)
    return minus ? w == 0 : w <= UINT64_MAX >> (64 - bits);
  return w <= (UINT64_MAX >> (65 - bits)) + minus;
}

static const char *read_integer (const char *p, DType t, void *to) {
  uint64_t w;
  bool minus = (*p == '-');
  p = read_digits(p + (*p == '-' || *p == '+'), &w);
  if (p == NULL || !fits(w, minus, t))
    return NULL;
  w = minus ? -w : w;
  memcpy(to, &w, dtype_size(t)); /* the low bytes */
  return p;
}

bool cell_is_whole (const char *p, const char *end) {
  p += (p < end && (*p == '-' || *p == '+'));
  if (p == end)
    return false;
  while (p < end && is_digit(*p))
    p++;
  return p == end;
}

static bool is_word (const char *p, const char *word, size_t n) {
  size_t i = 0;
  while (i < n && (p[i] | 0x20) == word[i])
    i++;
  return i == n;
}

static const char *read_bool (const char *p, char *to) {
  bool yes = is_word(p, "true", 4);
  const char *start = p + (*p == '-' || *p == '+');
  *to = yes;
  if (yes || is_word(p, "false", 5))
    return p + 5 - yes;
  for (p = start; is_digit(*p); p++)
    *to |= (*p != '0');
  return (p == start) ? NULL : p;
}

/* ==} */

/* {== complex numbers ================================================= */

static bool is_unit (char c) { return (c | 0x20) == 'j' || (c | 0x20) == 'i'; }

/* Reads one part. 'single': rounded to a float. */
static const char *read_part (const char *p, bool single, double *x) {
  float y = 0;
  if (!single)
    return decimal_read(p, x);
  p = decimal_read_single(p, &y);
  *x = y;
  return p;
}

/* Reads the imaginary part at 'p'. */
static const char *read_imaginary (const char *p, bool single, double *x) {
  p = read_part(p, single, x);
  return (p != NULL && is_unit(*p)) ? p + 1 : NULL;
}

/* Reads "1", "2j", "1+2j" or "(1+2j)". */
static const char *read_complex (const char *p, bool single, double part[2]) {
  bool paren = (*p == '(');
  part[0] = part[1] = 0;
  const char *end = read_part(p + paren, single, &part[0]);
  if (end == NULL)
    return NULL;
  if (is_unit(*end)) {
    part[1] = part[0];
    part[0] = 0;
    end++;
  } else if (*end == '+' || *end == '-')
    end = read_imaginary(end, single, &part[1]);
  if (end == NULL || (paren && *end != ')'))
    return NULL;
  return end + paren;
}

/* ==} */

const char *cell_read (const char *p, DType t, void *to) {
  double part[2];
  switch (t) {
    case DTYPE_FLOAT64: return decimal_read(p, to);
    case DTYPE_FLOAT32: return decimal_read_single(p, to);
    case DTYPE_BOOL: return read_bool(p, to);
    case DTYPE_COMPLEX128: return read_complex(p, false, to);
    case DTYPE_COMPLEX64:
      p = read_complex(p, true, part);
      ((float *)to)[0] = (float)part[0];
      ((float *)to)[1] = (float)part[1];
      return p;
    default: return read_integer(p, t, to);
  }
}

const char *cell_kind (DType t) {
  return (t == DTYPE_BOOL)   ? "is neither true nor false"
         : t < DTYPE_FLOAT16 ? "is no integer"
                             : "is no number";
}

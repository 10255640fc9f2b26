/*
** literals.c - C++'s literals of numbers and characters in a body: their values
** and types. All of the word must be the literal.
*/
#include "lexer.h"
#include "parse.h"

#include <string.h>

#include "numeral.h"

enum { C_NUMBER = 400 }; /* characters of a number, at most */

typedef struct Literal {
  const char *at, *end; /* the rest of the word */
  int base;
} Literal;

static char lower (char c) { return (char)(c | 0x20); }

/* Takes the next character if it is that letter. */
static bool take (Literal *l, char letter) {
  bool found = l->at < l->end && lower(*l->at) == letter;
  l->at += found;
  return found;
}

static Literal open_word (const Word *w) {
  Literal l = {w->at, w->at + w->len, 10};
  char second = (w->len > 1 && *w->at == '0') ? lower(w->at[1]) : '.';
  if (second == 'x' || second == 'b') {
    l.base = (second == 'x') ? 16 : 2;
    l.at += 2;
  } else if (lexer_is_digit(second)) {
    l.base = 8;
  }
  return l;
}

/* Tells whether it has a point or an exponent. */
static bool is_floating (const Literal *l) {
  char power = (l->base == 16) ? 'p' : 'e';
  for (const char *c = l->at; c < l->end; c++)
    if (*c == '.' || lower(*c) == power)
      return true;
  return false;
}

/* Hexadecimal floats must have an exponent. */
static bool read_floating (Parser *p, const Word *w, Literal *l, Value *v) {
  double x = numeral_read(w->at, &l->at);
  bool powered = l->base != 16 || memchr(w->at, 'p', (size_t)w->len) ||
                 memchr(w->at, 'P', (size_t)w->len);
  bool single = take(l, 'f');
  if (single)
    x = numeral_read_single(w->at);
  else
    take(l, 'l');
  if (l->at != l->end || !powered || l->base == 2)
    return false;
  *v = build_double(p->b, single ? DTYPE_FLOAT32 : DTYPE_FLOAT64, x);
  return true;
}

static int digit_of (char c) {
  return lexer_is_digit(c)    ? c - '0'
         : lexer_is_letter(c) ? lower(c) - 'a' + 10
                              : 99;
}

static bool read_digits (Literal *l, uint64_t *n) {
  const char *first = l->at;
  *n = 0;
  for (; l->at < l->end && digit_of(*l->at) < l->base; l->at++)
    if (__builtin_mul_overflow(*n, (uint64_t)l->base, n) ||
        __builtin_add_overflow(*n, (uint64_t)digit_of(*l->at), n))
      return false;
  return l->at > first;
}

/*
** The type of an integer literal is the first that can hold it: int32, uint32,
** int64, uint64, beginning where the suffix says. Decimal literals are unsigned
** only with a suffix, or from 2^63 on, as NVRTC takes them.
*/
static bool read_integer (Parser *p, Literal *l, Value *v) {
  uint64_t n;
  if (!read_digits(l, &n))
    return false;
  bool is_unsigned = take(l, 'u'), is_long = take(l, 'l');
  if (is_long)
    take(l, 'l');
  is_unsigned = is_unsigned || take(l, 'u');
  bool any = is_unsigned || l->base != 10;
  bool wide = is_long || n > (any ? UINT32_MAX : INT32_MAX);
  is_unsigned = is_unsigned || n > INT64_MAX || (any && !wide && n > INT32_MAX);
  *v = build_integer(p->b,
                     is_unsigned ? (wide ? DTYPE_UINT64 : DTYPE_UINT32)
                                 : (wide ? DTYPE_INT64 : DTYPE_INT32),
                     (int64_t)n);
  return l->at == l->end;
}

/* Copies the word without its digit separators. */
static Word without_separators (const Word *w, char text[C_NUMBER]) {
  Word plain = {WORD_NUMBER, text, 0};
  for (int i = 0; i < w->len && plain.len < C_NUMBER - 1; i++)
    if (w->at[i] != '\'')
      text[plain.len++] = w->at[i];
  text[plain.len] = '\0';
  return plain;
}

Value parse_number (Parser *p) {
  char text[C_NUMBER];
  Word w = without_separators(&p->here.w, text);
  Literal l = open_word(&w);
  Value v = {0};
  bool read = p->here.w.len < C_NUMBER &&
              (is_floating(&l) ? read_floating(p, &w, &l, &v)
                               : read_integer(p, &l, &v));
  if (!read)
    parse_fail_syntax(p, "this is no number", &p->here.w);
  parse_next(p);
  return v;
}

/* {== characters ====================================================== */

/* Returns the character for a letter behind a backslash; -1: there is none. */
static int escaped (char c) {
  static const char letters[] = "abtnvfr"; /* in the order of their codes */
  const char *found = strchr(letters, c);
  return strchr("'\"\\?", c) != NULL ? c
         : found != NULL             ? '\a' + (int)(found - letters)
                                     : -1;
}

/* Reads up to three octal digits, or any number of hexadecimal ones. */
static int read_code (Literal *l) {
  uint64_t n = 0;
  l->base = take(l, 'x') ? 16 : 8;
  if (l->base == 8 && l->end - l->at > 3)
    return -1;
  return read_digits(l, &n) && l->at == l->end && n < 256 ? (int)n : -1;
}

/* A byte is a signed char, as on every GPU's host. */
Value parse_character (Parser *p) {
  Literal l = {p->here.w.at + 1, p->here.w.at + p->here.w.len - 1, 10};
  int code = -1;
  if (l.end - l.at == 1 && *l.at != '\\')
    code = (unsigned char)*l.at;
  else if (l.end - l.at == 2 && *l.at == '\\' && !lexer_is_digit(l.at[1]))
    code = escaped(l.at[1]);
  else if (l.end - l.at >= 2 && *l.at == '\\') {
    l.at++;
    code = read_code(&l);
  }
  if (code < 0 || *l.end != '\'')
    parse_fail_syntax(p, "one character is expected", &p->here.w);
  parse_next(p);
  return build_integer(p->b, DTYPE_INT32, (signed char)code);
}

/* ==} */

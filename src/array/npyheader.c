/*
** npyheader.c - the header of .npy files, versions 1.0 and 2.0: "\x93NUMPY",
** the version, the length of a text in 2 or 4 bytes, and that text, which is a
** Python dictionary:
**   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
** After https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
*/
#include "npyheader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dtype.h"

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, ALIGN = 64 };

/* NumPy's names, without the byte order; tide does not have all of them. */
static const char *const dtypes[][2] = {
  {"bool", "b1"},      {"int8", "i1"},        {"int16", "i2"},
  {"int32", "i4"},     {"int64", "i8"},       {"uint8", "u1"},
  {"uint16", "u2"},    {"uint32", "u4"},      {"uint64", "u8"},
  {"float16", "f2"},   {"float32", "f4"},     {"float64", "f8"},
  {"complex64", "c8"}, {"complex128", "c16"},
};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* Notes the reason. Returns false, so that callers can return it. */
static bool wrong (NpyHeader *h, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(h->why, sizeof h->why, format, ap);
  va_end(ap);
  return false;
}

/* {== reading ========================================================= */

bool npyheader_find (NpyHeader *h, const unsigned char *bytes, size_t n,
                     size_t *begin, size_t *length) {
  if (n < MAGIC || memcmp(bytes, magic, MAGIC) != 0)
    return wrong(h, "it does not begin as an .npy file does");
  if (n < NPY_PROLOGUE)
    return wrong(h, "truncated: its header is not complete");
  unsigned major = bytes[MAGIC], minor = bytes[MAGIC + 1];
  const unsigned char *at = bytes + MAGIC + 2;
  if ((major != 1 && major != 2) || minor != 0)
    return wrong(h, "version %u.%u of the format is neither 1.0 nor 2.0", major,
                 minor);
  *length = at[0] | (size_t)at[1] << 8;
  if (major == 2)
    *length |= (size_t)at[2] << 16 | (size_t)at[3] << 24;
  *begin = (major == 1) ? MAGIC + 4 : MAGIC + 6;
  if (*length > NPY_TEXT_MOST)
    return wrong(h, "corrupt: its header would have %zu bytes", *length);
  return true;
}

/* The rest of the text. */
typedef struct HeaderText {
  const char *at, *end;
} HeaderText;

static void skip_space (HeaderText *t) {
  while (t->at < t->end &&
         (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
    t->at++;
}

/* Takes the character if it comes next. */
static bool take (HeaderText *t, char c) {
  skip_space(t);
  if (t->at == t->end || *t->at != c)
    return false;
  t->at++;
  return true;
}

static bool take_word (HeaderText *t, const char *word) {
  size_t n = strlen(word);
  skip_space(t);
  if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n) != 0)
    return false;
  t->at += n;
  return true;
}

/* Takes a string in either kind of quotes, without escapes. */
static bool take_string (HeaderText *t, char *to, size_t size) {
  char quote = take(t, '\'') ? '\'' : take(t, '"') ? '"' : '\0';
  size_t n = 0;
  while (quote != '\0' && t->at < t->end && *t->at != quote) {
    if (n + 1 == size || *t->at == '\\')
      return false;
    to[n++] = *t->at++;
  }
  to[n] = '\0';
  return quote != '\0' && take(t, quote);
}

static bool take_number (HeaderText *t, int64_t *x) {
  const char *start;
  *x = 0;
  skip_space(t);
  for (start = t->at; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++)
    if (__builtin_mul_overflow(*x, 10, x) ||
        __builtin_add_overflow(*x, *t->at - '0', x))
      return false;
  bool some = (t->at > start);
  if (some)
    take(t, 'L'); /* Python 2's long */
  return some;
}

static int find_dtype (const char *name) {
  for (int t = 0; t < DTYPE_COUNT; t++)
    if (strcmp(dtype_name((DType)t), name) == 0)
      return t;
  return -1;
}

/* Reads "<f8": the byte order, or '|' if it does not matter, then the kind and
** the size. */
static bool read_descr (NpyHeader *h, const char *descr) {
  for (int i = 0; i < DTYPES; i++) {
    const char *name = dtypes[i][0], *code = dtypes[i][1];
    if (strcmp(descr + (descr[0] != '\0'), code) != 0)
      continue;
    if (strchr("<>=|", descr[0]) == NULL)
      break;
    if (descr[0] == '>' && code[1] != '1')
      return wrong(h,
                   "its %s are big-endian; save them with "
                   "a.astype(a.dtype.newbyteorder('<'))",
                   name);
    int t = find_dtype(name);
    if (t < 0)
      return wrong(h, "tide has no %s", name);
    h->dtype = (DType)t;
    return true;
  }
  if (strchr(descr, 'O') != NULL)
    return wrong(h, "it holds Python objects (dtype '%s')", descr);
  return wrong(h, "tide has no dtype for NumPy's '%s'", descr);
}

static bool take_descr (NpyHeader *h, HeaderText *t) {
  char descr[32];
  skip_space(t);
  if (t->at < t->end && (*t->at == '[' || *t->at == '('))
    return wrong(h, "its dtype is structured, which tide has not");
  if (!take_string(t, descr, sizeof descr))
    return wrong(h, "corrupt: its header has no 'descr'");
  return read_descr(h, descr);
}

static bool take_order (NpyHeader *h, HeaderText *t) {
  h->fortran = take_word(t, "True");
  if (!h->fortran && !take_word(t, "False"))
    return wrong(h, "corrupt: its header has no 'fortran_order'");
  return true;
}

/* Takes (), (3,), (3, 4). */
static bool take_shape (NpyHeader *h, HeaderText *t) {
  bool more = take(t, '(');
  int64_t length;
  for (h->ndim = 0; more && take_number(t, &length); more = take(t, ',')) {
    if (h->ndim == MAX_DIMS)
      return wrong(h, "it has more than %d dimensions", MAX_DIMS);
    h->shape[h->ndim++] = length;
  }
  /* a comma ends a tuple of one, and may end any other but the empty one */
  if (!take(t, ')') || (h->ndim == 1 && !more))
    return wrong(h, "corrupt: its header has no 'shape'");
  return true;
}

typedef bool (*TakeValue)(NpyHeader *h, HeaderText *t);

bool npyheader_read (NpyHeader *h, const char *text, size_t n) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  static const TakeValue values[] = {take_descr, take_order, take_shape};
  HeaderText t = {text, text + n};
  unsigned seen = 0;
  bool more = take(&t, '{');
  while (more && !take(&t, '}')) {
    char key[32];
    int i = 0;
    if (!take_string(&t, key, sizeof key) || !take(&t, ':'))
      break;
    while (i < 3 && strcmp(keys[i], key) != 0)
      i++;
    if (i == 3 || (seen & 1u << i) != 0)
      return wrong(h, "corrupt: '%s' in its header", key);
    if (!values[i](h, &t))
      return false;
    seen |= 1u << i;
    more = take(&t, ',') || (t.at < t.end && *t.at == '}');
  }
  skip_space(&t);
  if (seen != 7 || t.at < t.end || !more)
    return wrong(h, "corrupt: its header is not what NumPy writes");
  return true;
}

/* ==} */

/* {== writing ========================================================= */

/* Writes the text, which fits for the largest number of dimensions. */
static int write_text (const Array *a, const char *code, char *to) {
  bool bytewise = (code[1] == '1' && code[2] == '\0');
  int n = sprintf(to, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                  bytewise ? '|' : '<', code);
  for (int i = 0; i < a->ndim; i++)
    n += sprintf(to + n, "%s%lld", i > 0 ? ", " : "", (long long)a->shape[i]);
  return n + sprintf(to + n, "%s), }", a->ndim == 1 ? "," : "");
}

size_t npyheader_write (const Array *a, char to[NPY_HEADER_MOST]) {
  const char *name = dtype_name(a->dtype);
  int i = 0;
  while (i < DTYPES && strcmp(dtypes[i][0], name) != 0)
    i++;
  if (i == DTYPES)
    return 0;
  size_t begin = MAGIC + 4;
  size_t n = begin + (size_t)write_text(a, dtypes[i][1], to + begin) + 1;
  size_t whole = (n + ALIGN - 1) / ALIGN * ALIGN;
  memset(to + n - 1, ' ', whole - n);
  to[whole - 1] = '\n';
  memcpy(to, magic, MAGIC);
  to[MAGIC] = 1;
  to[MAGIC + 1] = 0;
  to[MAGIC + 2] = (char)((whole - begin) & 0xFF);
  to[MAGIC + 3] = (char)((whole - begin) >> 8);
  return whole;
}

/* ==} */

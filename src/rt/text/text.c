/*
** text.c - tables of values in text: finds lines, rows and fields, and reads
** fields as values.
**
** DESIGN. The text is in memory as a whole, and ends in a line feed; so each
** search ends there at the latest, and a number needs no copy. It is cut into
** chunks. A line belongs to the chunk that it begins in. First the rows of each
** chunk are counted, then each chunk can be read by any thread, because it is
** known which row it begins with. Threads share one word, the place of the
** first wrong line. Its message is made afterwards, by reading the line again.
*/
#include "text.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "cell.h"

enum { BLANK = 1, STOP = 2 }; /* bits of Text.kinds */

_Static_assert(TEXT_PAD >= DECIMAL_PAD + 1, "a line feed and the pad");

void text_open (Text *t, char *bytes) {
  static const char blanks[] = " \t\v\f";
  memset(bytes + t->end, 0, TEXT_PAD);
  bytes[t->end] = '\n';
  t->bytes = bytes;
  memset(t->kinds, 0, sizeof t->kinds);
  for (int i = 0; blanks[i] != '\0'; i++)
    t->kinds[(uint8_t)blanks[i]] = BLANK | (t->delimiter == '\0' ? STOP : 0);
  t->kinds['\n'] = t->kinds['\r'] = STOP;
  if (t->ncomment > 0)
    t->kinds[(uint8_t)t->comment[0]] |= STOP;
  if (t->delimiter != '\0')
    t->kinds[(uint8_t)t->delimiter] = STOP;
  t->wrong = SIZE_MAX;
}

/* {== lines and fields ================================================ */

static bool is_kind (const Text *t, char c, int kind) {
  return (t->kinds[(uint8_t)c] & kind) != 0;
}

const char *text_skip_blanks (const Text *t, const char *p) {
  while (is_kind(t, *p, BLANK))
    p++;
  return p;
}

static bool is_comment (const Text *t, const char *p) {
  return t->ncomment > 0 && *p == *t->comment &&
         strncmp(p, t->comment, t->ncomment) == 0;
}

/* Tells whether the row ends at 'p'. */
static bool is_end (const Text *t, const char *p) {
  return *p == '\n' || (*p == '\r' && p[1] == '\n') || is_comment(t, p);
}

/* Tells whether a field ends at 'p'. */
static bool is_border (const Text *t, const char *p) {
  return is_kind(t, *p, STOP) &&
         (*p == t->delimiter || is_kind(t, *p, BLANK) || is_end(t, p));
}

/* Tells whether a field whose value ends at 'p' ends there, too. */
static bool is_whole (const Text *t, const char *p) {
  return is_border(t, t->delimiter != '\0' ? text_skip_blanks(t, p) : p);
}

const char *text_skip_line (const Text *t, const char *p) {
  const char *end = t->bytes + t->end;
  const char *stop = memchr(p, '\n', (size_t)(end - p) + 1);
  return (stop < end) ? stop + 1 : end;
}

bool text_is_row (const Text *t, const char *p) {
  return !is_end(t, text_skip_blanks(t, p));
}

/* Moves from the end of a field to the next one. Returns false if there is
** none. */
static bool move_on (const Text *t, const char **p) {
  const char *q = text_skip_blanks(t, *p);
  bool more = (t->delimiter != '\0') ? *q == t->delimiter : !is_end(t, q);
  *p = (more && t->delimiter != '\0') ? text_skip_blanks(t, q + 1) : q;
  return more;
}

/* Returns the end of a quoted field, or NULL if quotes do not enclose it. */
static const char *find_quoted (const Text *t, const char *p, TextField *f) {
  const char *q = p + 1;
  while (*q != '\n' && (*q != t->quote || q[1] == t->quote))
    q += (*q == t->quote) ? 2 : 1;
  *f = (TextField){p + 1, (size_t)(q - p - 1)};
  return (*q != '\n' && is_whole(t, q + 1)) ? q + 1 : NULL;
}

/* Finds the field at 'p'. Returns the place behind it. */
static const char *find_field (const Text *t, const char *p, TextField *f) {
  const char *q = (t->quote != '\0' && *p == t->quote) ? find_quoted(t, p, f)
                                                       : NULL;
  if (q == NULL) {
    for (q = p; !is_kind(t, *q, STOP) || !is_border(t, q);)
      q++;
    *f = (TextField){p, (size_t)(q - p)};
  }
  while (f->n > 0 && is_kind(t, *f->at, BLANK))
    f->at++, f->n--;
  while (f->n > 0 && is_kind(t, f->at[f->n - 1], BLANK))
    f->n--;
  return q;
}

bool text_next (const Text *t, const char **p, TextField *f) {
  *p = find_field(t, *p, f);
  return move_on(t, p);
}

/* ==} */

/* {== rows ============================================================ */

/* Where a row is wrong: a column that cannot be read, or the number of
** columns. */
typedef struct Fault {
  size_t column;
  TextField field;
  bool unreadable;
} Fault;

/* Reads a field that is no plain value: quoted, empty, or wrong. */
static const char *read_unusual (const Text *t, const char *p, char *to,
                                 Fault *fault) {
  TextField *f = &fault->field;
  const char *next = find_field(t, p, f), *end = f->at + f->n;
  if (f->n > 0 && cell_read(f->at, t->dtype, to) == end)
    return next;
  if (!t->fills || (t->dtype < DTYPE_FLOAT16 && cell_is_whole(f->at, end)))
    return NULL;
  memcpy(to, t->missing, dtype_size(t->dtype));
  return next;
}

/* Reads the field at 'p'. Returns the place behind it, or NULL. */
static const char *read_field (const Text *t, const char *p, char *to,
                               Fault *fault) {
  const char *q = cell_read(p, t->dtype, to);
  if (q != NULL && is_whole(t, q))
    return q;
  return read_unusual(t, p, to, fault);
}

/* Reads the row in the line at 'p'. Returns the place behind it, or NULL. */
static const char *read_row (const Text *t, const char *line, size_t row,
                             Fault *fault) {
  const TextColumn *c = t->columns, *last = c + t->ncolumns;
  const char *p = text_skip_blanks(t, line);
  TextField skipped;
  fault->unreadable = false;
  fault->column = 0;
  do {
    const char *next = NULL;
    for (; c < last && c->column == fault->column; c++)
      if ((next = read_field(t, p, c->to + row * t->step, fault)) == NULL) {
        fault->unreadable = true;
        return NULL;
      }
    if (c == last && !t->exact)
      return text_skip_line(t, p);
    p = (next != NULL) ? next : find_field(t, p, &skipped);
    fault->column++;
  } while (move_on(t, &p));
  if (c < last || (t->exact && fault->column != t->width))
    return NULL;
  return (*p == '\n') ? p + 1 : text_skip_line(t, p);
}

/* ==} */

/* {== chunks ========================================================== */

size_t text_chunks (const Text *t) {
  return (t->end - t->begin + TEXT_CHUNK - 1) / TEXT_CHUNK;
}

/* Returns the first line that begins in a chunk, or later. */
static const char *first_line (const Text *t, const char *chunk) {
  return (chunk == t->bytes + t->begin) ? chunk : text_skip_line(t, chunk - 1);
}

/* Returns the place of chunk i, or the end. */
static const char *chunk_at (const Text *t, size_t i) {
  size_t left = t->end - t->begin;
  return t->bytes + t->begin + (i * TEXT_CHUNK < left ? i * TEXT_CHUNK : left);
}

static void count_chunk (Text *t, size_t i) {
  const char *end = chunk_at(t, i + 1);
  size_t n = 0;
  for (const char *p = first_line(t, chunk_at(t, i)); p < end;
       p = text_skip_line(t, p))
    n += text_is_row(t, p);
  t->before[i + 1] = n;
}

static size_t first_chunk (size_t off) {
  return (off + TEXT_CHUNK - 1) / TEXT_CHUNK;
}

void text_count (Text *t, size_t off, size_t n) {
  for (size_t i = first_chunk(off); i < first_chunk(off + n); i++)
    count_chunk(t, i);
}

size_t text_sum (Text *t) {
  size_t chunks = text_chunks(t);
  t->before[0] = 0;
  for (size_t i = 0; i < chunks; i++)
    t->before[i + 1] += t->before[i];
  return t->before[chunks];
}

/* Notes a wrong line, unless an earlier one is known. */
static void note_wrong (Text *t, size_t at) {
  size_t known = __atomic_load_n(&t->wrong, __ATOMIC_RELAXED);
  while (at < known &&
         !__atomic_compare_exchange_n(&t->wrong, &known, at, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

static void parse_chunk (Text *t, size_t i) {
  const char *end = chunk_at(t, i + 1);
  const char *p = first_line(t, chunk_at(t, i));
  Fault fault;
  for (size_t row = t->before[i]; p < end && row < t->rows;) {
    const char *next = text_is_row(t, p) ? read_row(t, p, row++, &fault)
                                         : text_skip_line(t, p);
    if (next == NULL) {
      note_wrong(t, (size_t)(p - t->bytes));
      return;
    }
    p = next;
  }
}

/* Lines behind a wrong one need not be read. */
void text_parse (Text *t, size_t off, size_t n) {
  for (size_t i = first_chunk(off); i < first_chunk(off + n); i++)
    if ((size_t)(chunk_at(t, i) - t->bytes) <
        __atomic_load_n(&t->wrong, __ATOMIC_RELAXED))
      parse_chunk(t, i);
}

/* ==} */

/* {== errors ========================================================== */

enum { SHOWN = 40 }; /* bytes of a field in a message */

/* Copies the beginning of a field, whole characters of UTF-8. */
static void show (const TextField *f, char to[SHOWN + 4]) {
  size_t n = f->n;
  if (n > SHOWN)
    for (n = SHOWN; n > 0 && (f->at[n] & 0xC0) == 0x80;)
      n--;
  for (size_t i = 0; i < n; i++)
    to[i] = ((uint8_t)f->at[i] < ' ') ? '?' : f->at[i];
  strcpy(to + n, n < f->n ? "..." : "");
}

static void explain_field (const Text *t, size_t line, const Fault *fault,
                           char why[TEXT_WHY]) {
  const TextField *f = &fault->field;
  char shown[SHOWN + 4];
  bool whole = t->dtype < DTYPE_FLOAT16 && cell_is_whole(f->at, f->at + f->n);
  int n = snprintf(why, TEXT_WHY, "line %zu, column %zu", line,
                   fault->column + 1);
  show(f, shown);
  if (f->n == 0)
    snprintf(why + n, TEXT_WHY - (size_t)n,
             " is empty; option 'missing' is the value of such fields");
  else
    snprintf(why + n, TEXT_WHY - (size_t)n, ": '%s' %s%s", shown,
             whole ? "is out of range for " : cell_kind(t->dtype),
             whole ? t->type : "");
}

void text_explain (Text *t, char why[TEXT_WHY]) {
  Fault fault;
  size_t line = 1;
  const char *wrong = t->bytes + t->wrong;
  for (const char *p = text_skip_line(t, t->bytes); p <= wrong;
       p = text_skip_line(t, p))
    line++;
  read_row(t, wrong, 0, &fault);
  size_t n = fault.column;
  if (fault.unreadable)
    explain_field(t, line, &fault, why);
  else
    snprintf(why, TEXT_WHY, "line %zu has %zu column%s, %s%zu expected", line,
             n, n == 1 ? "" : "s", t->exact ? "" : "at least ",
             t->exact ? t->width : t->columns[t->ncolumns - 1].column + 1);
}

/* ==} */

/* text.h - tables of values in text: lines of fields. See text.c. */
#ifndef TIDE_RT_TEXT_TEXT_H
#define TIDE_RT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/kernels/dtypes.h"

/* Overridable, for tests. The rows before each chunk are counted, so that
** threads may read chunks in any order. */
#if !defined(TEXT_CHUNK)
#define TEXT_CHUNK ((size_t)64 << 10)
#endif

enum { TEXT_PAD = 10 }; /* readable bytes behind the text */

/* A column that is read. */
typedef struct TextColumn {
  size_t column; /* of the file, from 0 */
  char *to;      /* its value in the first row */
} TextColumn;

typedef struct Text {
  const char *bytes; /* text_close sets the bytes behind 'end' */
  size_t begin, end; /* where the rows begin, and where they end */
  char delimiter;    /* '\0': blanks */
  char quote;        /* '\0': none */
  const char *comment;
  size_t ncomment; /* its length; 0: none */
  uint8_t kinds[256];
  size_t *before;   /* chunk -> rows before it: text_chunks() + 1 of them */
  size_t rows;      /* to be read */
  DType dtype;      /* one that cell_dtype returns, */
  const char *type; /* and its name */
  bool fills;       /* values that cannot be read are */
  char missing[16];
  bool exact;   /* each row has 'width' columns; else as many as are read */
  size_t width; /* columns of the first row */
  size_t ncolumns;
  const TextColumn *columns; /* in the order of the file */
  size_t step;               /* bytes from a row's value to the next row's */
  size_t wrong; /* place of the first line that cannot be read, or SIZE_MAX */
} Text;

/* One field: its characters without blanks and quotes around them. */
typedef struct TextField {
  const char *at;
  size_t n;
} TextField;

/* Prepares the fields above 'kinds'; 'bytes' has TEXT_PAD more than 'end'. */
void text_open (Text *t, char *bytes);

/* Returns the place behind the line at 'p'. */
const char *text_skip_line (const Text *t, const char *p);

/* Tells whether the line at 'p' is a row: not blank, and no comment. */
bool text_is_row (const Text *t, const char *p);

/* Returns the first place from 'p' on that is no blank. */
const char *text_skip_blanks (const Text *t, const char *p);

/* Reads the field at *p, where one begins, and moves *p to the next one.
** Returns false if it was the last one. */
bool text_next (const Text *t, const char **p, TextField *f);

/* Returns the number of chunks from 'begin' to 'end'. */
size_t text_chunks (const Text *t);

/*
** Work on the chunks that begin in bytes [off, off + n) from 'begin'. Several
** threads call them at once, each for bytes of its own. text_count counts the
** rows of chunk i in before[i + 1]; text_parse reads the rows.
*/
void text_count (Text *t, size_t off, size_t n);
void text_parse (Text *t, size_t off, size_t n);

/* Adds the counts up. Returns the number of all rows. */
size_t text_sum (Text *t);

/* Writes why the line at 'wrong' cannot be read. */
enum { TEXT_WHY = 240 };
void text_explain (Text *t, char why[TEXT_WHY]);

#endif

/* lexer.h - C and CUDA C++ word by word. See lexer.c. */
#ifndef TIDE_RT_PROGRAM_LEXER_H
#define TIDE_RT_PROGRAM_LEXER_H

#include <stdbool.h>

/* As <ctype.h> in the C locale, because a locale may have letters and spaces of
** its own. */
static inline bool lexer_is_space (char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool lexer_is_digit (char c) { return c >= '0' && c <= '9'; }

static inline bool lexer_is_letter (char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

typedef enum WordKind {
  WORD_END,
  WORD_NAME,
  WORD_NUMBER,
  WORD_STRING,
  WORD_MARK
} WordKind;

/* A word: 'len' bytes at 'at'. Marks are one byte, except for those in
** 'marks'. */
typedef struct Word {
  WordKind kind;
  const char *at;
  int len;
} Word;

/* Reads the word after *at and moves *at behind it. Skips comments and
** preprocessor lines. 'first': the beginning of the text. */
Word lexer_next (const char **at, const char *first);

/* Returns the '#' of the next preprocessor line from 'at' on; NULL: none. */
const char *lexer_find_directive (const char *at, const char *first);

/* Returns the end of a line, which goes on behind a '\' at its end. */
const char *lexer_line_end (const char *p);

bool lexer_is_word (const Word *w, const char *text);

#endif

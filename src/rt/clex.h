/* clex.h - C and CUDA C++ word by word. See clex.c. */
#ifndef TIDE_CLEX_H
#define TIDE_CLEX_H

#include <stdbool.h>

typedef enum WordKind {
  WORD_END, WORD_NAME, WORD_NUMBER, WORD_STRING, WORD_MARK
} WordKind;

/* A word: 'len' bytes at 'at'. Marks are one byte, but for those of 'marks'. */
typedef struct Word {
  WordKind kind;
  const char *at;
  int len;
} Word;

/* Reads the word after *at and moves *at behind it. Comments and lines of the
** preprocessor are no words. 'first': *at is where the text begins. */
Word rt_nextword (const char **at, const char *first);

bool rt_isword (const Word *w, const char *text);

#endif

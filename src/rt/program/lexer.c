/*
** lexer.c - splits C and CUDA C++ into words, for signature.c and for the
** kernels that the host device interprets.
*/
#include "lexer.h"

#include <stddef.h>
#include <string.h>

static bool in_name (char c) {
  return lexer_is_letter(c) || lexer_is_digit(c) || c == '_';
}

const char *lexer_line_end (const char *p) {
  while (*p != '\0' && *p != '\n') {
    if (*p == '\\' && p[1] != '\0')
      p++;
    p++;
  }
  return p;
}

/* Tells whether only white space stands before p on its line. */
static bool begins_line (const char *p, const char *first) {
  while (p > first && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return p == first || p[-1] == '\n';
}

static const char *skip (const char *p, const char *first) {
  for (;;) {
    while (lexer_is_space(*p))
      p++;
    if (p[0] == '/' && p[1] == '/') {
      p = lexer_line_end(p);
    } else if (p[0] == '/' && p[1] == '*') {
      const char *end = strstr(p + 2, "*/");
      p = (end != NULL) ? end + 2 : p + strlen(p);
    } else if (*p == '#' && begins_line(p, first)) {
      p = lexer_line_end(p);
    } else {
      return p;
    }
  }
}

static const char *string_end (const char *p) {
  char quote = *p++;
  while (*p != '\0' && *p != quote) {
    if (*p == '\\' && p[1] != '\0')
      p++;
    p++;
  }
  return (*p == quote) ? p + 1 : p;
}

/* 1, 0x1f, 1.5e-3f, .5, 1'000 */
static const char *number_end (const char *p) {
  bool hex = (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'));
  for (; in_name(*p) || *p == '.' || (*p == '\'' && in_name(p[1])); p++) {
    bool power = hex ? (*p == 'p' || *p == 'P') : (*p == 'e' || *p == 'E');
    if (power && (p[1] == '+' || p[1] == '-'))
      p++;
  }
  return p;
}

static int mark_length (const char *p) {
  static const char *const marks[] = {
    "<<=", ">>=", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=",  "&&",  "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (strncmp(p, marks[i], strlen(marks[i])) == 0)
      return (int)strlen(marks[i]);
  return 1;
}

Word lexer_next (const char **at, const char *first) {
  const char *p = skip(*at, first), *end = p;
  Word w = {WORD_END, p, 0};
  if (*p == '\0') {
    w.kind = WORD_END;
  } else if (lexer_is_digit(*p) || (*p == '.' && lexer_is_digit(p[1]))) {
    w.kind = WORD_NUMBER;
    end = number_end(p);
  } else if (in_name(*p)) {
    w.kind = WORD_NAME;
    while (in_name(*end))
      end++;
  } else if (*p == '"' || *p == '\'') {
    w.kind = WORD_STRING;
    end = string_end(p);
  } else {
    w.kind = WORD_MARK;
    end = p + mark_length(p);
  }
  w.len = (int)(end - p);
  *at = end;
  return w;
}

const char *lexer_find_directive (const char *at, const char *first) {
  const char *p = at;
  while (*p != '\0') {
    if (p[0] == '/' && p[1] == '/') {
      p = lexer_line_end(p);
    } else if (p[0] == '/' && p[1] == '*') {
      const char *end = strstr(p + 2, "*/");
      p = (end != NULL) ? end + 2 : p + strlen(p);
    } else if (*p == '"' || (*p == '\'' && (p == at || !in_name(p[-1])))) {
      p = string_end(p); /* 1'000 has none */
    } else if (*p == '#' && begins_line(p, first)) {
      return p;
    } else {
      p++;
    }
  }
  return NULL;
}

bool lexer_is_word (const Word *w, const char *text) {
  return w->len == (int)strlen(text) &&
         memcmp(w->at, text, (size_t)w->len) == 0;
}

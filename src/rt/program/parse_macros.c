/*
** parse_macros.c - macros without arguments: lines such as "#define N 4". Their
** words are put in their place while a text is read (parse_next).
*/
#include <string.h>

#include "parse.h"

/* Tells whether the parser is behind the macro's line. */
static bool is_behind (const Parser *p, const Macro *m) {
  const Source *s = &p->here.from[0];
  return m->first != s->first || m->name.at < s->at;
}

const Macro *parse_macro_find (const Parser *p, const Word *name) {
  for (int i = p->nmacros - 1; i >= 0; i--)
    if (p->macros[i].name.len == name->len &&
        memcmp(p->macros[i].name.at, name->at, (size_t)name->len) == 0 &&
        is_behind(p, &p->macros[i]))
      return &p->macros[i];
  return NULL;
}

/* Adds a macro whose words are the text from 'at' up to 'end'. */
static void add (Parser *p, Word name, const char *at, const char *end,
                 const char *first) {
  size_t len = (size_t)(end - at);
  char *text = p->texts + p->ntexts;
  if (p->nmacros == MAX_MACROS || len >= MACRO_TEXTS - (size_t)p->ntexts) {
    parse_fail(p, "there are too many macros", &name);
    return;
  }
  memcpy(text, at, len);
  text[len] = '\0';
  for (char *c = text; (c = strstr(c, "\\\n")) != NULL;)
    memset(c, ' ', 2);
  p->ntexts += (int)len + 1;
  p->macros[p->nmacros++] = (Macro){name, text, first};
}

/* Reads "define NAME words"; the '#' is read already. */
static void define (Parser *p, const char *at, const char *end,
                    const char *first) {
  Word name = lexer_next(&at, at);
  if (name.kind != WORD_NAME || name.at >= end)
    parse_fail_syntax(p, "a name is expected", &name);
  else if (*at == '(')
    parse_fail(p, "the host device has no macros with arguments", &name);
  else
    add(p, name, at, end, first);
}

void parse_macro_read_text (Parser *p, const char *text) {
  static const char *const ignored[] = {"include", "pragma", "line"};
  const char *at = text, *line;
  while (!p->failed && (line = lexer_find_directive(at, text)) != NULL) {
    const char *word = line + 1;
    bool skip = false;
    at = lexer_line_end(line);
    Word w = lexer_next(&word, text);
    for (int i = 0; i < 3; i++)
      skip = skip || lexer_is_word(&w, ignored[i]);
    if (lexer_is_word(&w, "define"))
      define(p, word, at, text);
    else if (!skip)
      parse_fail(p, "the host device has no such directive", &w);
  }
}

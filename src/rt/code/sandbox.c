/*
** sandbox.c - tells whether a source, with its options, makes the compiler open
** a file of the machine. Host programs may forbid files and allow kernels, and
** the compiler's messages quote the text that it reads.
**
** DESIGN. To recognize comments and strings, the text would have to be read
** exactly as the compiler reads it, and each difference would be a loophole. So
** the whole text is searched, comments and strings included, for everything
** that can open a file:
**
**   - a directive that includes, after any of the spellings of '#', but for
**     headers of kernel_headers.c in their plainest form: NVRTC looks for these
**     before it looks for files;
**   - __has_include and the like;
**   - '##', because the search cannot find a pasted name;
**   - a comment after the '#' of a directive: there is no other use for it.
**
** Lines that are joined by a backslash are read as one. Options must be on a
** list. C++20 is not on it, because its import opens headers. _Pragma, #pragma
** and assembly never include a file.
*/
#include "sandbox.h"

#include <stdio.h>
#include <string.h>

#include "kernel_headers.h"
#include "rt/program/lexer.h"

/* {== characters ====================================================== */

static bool is_blank (char c) { return lexer_is_space(c) && c != '\n'; }

/* Skips joined lines at 'p'. NVRTC requires the line's end right after the
** backslash and does not know '??/'; other compilers differ. */
static const char *unfold (const char *p) {
  for (;;) {
    const char *q = p;
    if (*q == '\\')
      q++;
    else if (strncmp(q,
                     "?"
                     "?/",
                     3) == 0)
      q += 3;
    else
      return p;
    while (is_blank(*q))
      q++;
    if (*q != '\n' && q[-1] != '\r')
      return p;
    p = q + (*q == '\n');
  }
}

/* Returns the place behind 'text', if that comes next; else NULL. */
static const char *match (const char *p, const char *text) {
  for (; *text != '\0'; text++) {
    p = unfold(p);
    if (*p++ != *text)
      return NULL;
  }
  return p;
}

static const char *match_any (const char *p, const char *const texts[]) {
  const char *end = NULL;
  for (; *texts != NULL && end == NULL; texts++)
    end = match(p, *texts);
  return end;
}

/* Returns the place behind a '#', in any spelling; else NULL. */
static const char *match_hash (const char *p) {
  static const char *const hashes[] = {"#", "%:",
                                       "?"
                                       "?=",
                                       NULL};
  return match_any(p, hashes);
}

static const char *skip_blanks (const char *p) {
  for (p = unfold(p); is_blank(*p); p = unfold(p))
    p++;
  return p;
}

/* ==} */

/* {== sources ========================================================= */

/* Matches "<math.h>" or "\"math.h\"", right here and without joined lines. */
static bool names_header (const char *p, int count) {
  char close = (*p == '<') ? '>' : '"';
  if (*p != '<' && *p != '"')
    return false;
  for (int i = 0; i < count; i++) {
    size_t len = strlen(kernel_header_names[i]);
    if (strncmp(p + 1, kernel_header_names[i], len) == 0 && p[1 + len] == close)
      return true;
  }
  return false;
}

/* Tells whether the directive at 'p' includes one of these headers. */
static bool is_harmless (const char *p, int count) {
  if (*p++ != '#')
    return false;
  p += strspn(p, " \t");
  if (strncmp(p, "include", 7) != 0)
    return false;
  p += 7;
  return names_header(p + strspn(p, " \t"), count);
}

/* Tells whether the text after the '#' at 'p' opens a file. */
static bool opens_after (const char *p, const char *behind, int count) {
  static const char *const openers[] = {"include", "import", "embed", "/*",
                                        "\\u",     "\\U",    "\\N",   NULL};
  if (match_hash(behind) != NULL)
    return true;
  return match_any(skip_blanks(behind), openers) != NULL &&
         !is_harmless(p, count);
}

/* Returns the place of the first opener of a file, or NULL. 'count': how many
** of the headers may be included. */
static const char *find_opener (const char *text, int count) {
  static const char *const names[] = {"__has_include", "__has_embed", NULL};
  for (const char *p = text; *p != '\0'; p++) {
    const char *behind = match_hash(p);
    if (behind != NULL && opens_after(p, behind, count))
      return p;
    if (*p == '_' && match_any(p, names) != NULL)
      return p;
  }
  return NULL;
}

static bool refuse (char *error, const char *what, const char *at) {
  int len = (int)strcspn(at, "\r\n");
  snprintf(error, NOFILES_ERROR,
           "%s '%.*s' can make the compiler open a file, "
           "and files are left out by the host program",
           what, len < 80 ? len : 80, at);
  return false;
}

static bool is_closed (const char *text, int count, char *error) {
  const char *at = find_opener(text, count);
  return at == NULL || refuse(error, "in the source,", at);
}

/* ==} */

/* {== options ========================================================= */

/* Without their one or two dashes; an argument follows a '='. */
static const char *const known[] = {"arch=",
                                    "default-device",
                                    "device-as-default-execution-space",
                                    "device-float128",
                                    "device-int128",
                                    "diag-error=",
                                    "diag-suppress=",
                                    "diag-warn=",
                                    "disable-warnings",
                                    "extra-device-vectorization",
                                    "fmad=",
                                    "ftz=",
                                    "gpu-architecture=",
                                    "maxrregcount=",
                                    "prec-div=",
                                    "prec-sqrt=",
                                    "restrict",
                                    "std=c++03",
                                    "std=c++11",
                                    "std=c++14",
                                    "std=c++17",
                                    "use_fast_math",
                                    "w"};

static bool is_word (const char *text) {
  for (; *text != '\0'; text++)
    if (!lexer_is_letter(*text) && !lexer_is_digit(*text) && *text != '_' &&
        *text != ',' && *text != '-')
      return false;
  return true;
}

static bool is_known (const char *option) {
  option += (option[1] == '-') ? 2 : 1;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    size_t len = strlen(known[i]);
    if (strncmp(option, known[i], len) != 0)
      continue;
    bool value = strchr(known[i], '=') == known[i] + len - 1;
    if (value ? is_word(option + len) : option[len] == '\0')
      return true;
  }
  return false;
}

/* Returns the NAME in -DNAME... or -UNAME, else NULL. */
static const char *defines (const char *option) {
  static const char *const ways[] = {"-D", "-U",
                                     "--define-macro=", "--undefine-macro="};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    const char *name = option + strlen(ways[i]);
    if (strncmp(option, ways[i], strlen(ways[i])) == 0 &&
        (lexer_is_letter(*name) || *name == '_'))
      return name;
  }
  return NULL;
}

static bool is_closed_option (const char *option, char *error) {
  const char *macro = defines(option);
  bool safe = (macro == NULL) ? *option == '-' && is_known(option)
                              : find_opener(macro, 0) == NULL &&
                                  strpbrk(macro, "\r\n") == NULL;
  return safe || refuse(error, "option", option);
}

/* ==} */

bool sandbox_accepts (const RtSource *source, char error[NOFILES_ERROR]) {
  int headers = source->generated ? kernel_header_count : kernel_header_public;
  for (int i = 0; i < source->noptions; i++)
    if (!is_closed_option(source->options[i], error))
      return false;
  for (int i = 0; i < source->nnames; i++)
    if (!is_closed(source->names[i], 0, error))
      return false;
  return is_closed(source->code, headers, error);
}

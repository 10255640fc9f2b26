/*
** signature.c - the parameters of a CUDA kernel, from its text. It knows the
** types that a host program may pass, by their C and CUDA names. Where it does
** not know a type it says so, and the user writes the signature.
*/
#include "signature.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/program/ctypes.h"
#include "rt/program/lexer.h"

/* {== one list of parameters ========================================== */

/* Names of a template's parameters and their arguments. */
typedef struct TemplateArg {
  Word name, value;
} TemplateArg;

enum { MAX_BINDINGS = 16 };

typedef struct ParamReader {
  const char *first, *at;
  Word word; /* the current word */
  TemplateArg bound[MAX_BINDINGS];
  int nbound;
  bool inner; /* within a template's argument */
  char *error;
} ParamReader;

static void next (ParamReader *r) { r->word = lexer_next(&r->at, r->first); }

static bool is (const ParamReader *r, const char *text) {
  return lexer_is_word(&r->word, text);
}

static bool fail (ParamReader *r, const char *what, const char *about) {
  snprintf(r->error, SIGNATURE_ERROR, "%s%s%s", what, *about ? " " : "", about);
  return false;
}

static bool is_qualifier (const ParamReader *r) {
  static const char *const names[] = {
    "volatile", "__restrict__",      "__restrict", "restrict", "struct",
    "typename", "__grid_constant__", "register",   "enum"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (is(r, names[i]))
      return true;
  return false;
}

static void append (char *to, size_t room, const char *text, int len) {
  size_t used = strlen(to);
  if (used + (size_t)len + 1 > room)
    len = (int)(room - used - 1);
  memcpy(to + used, text, (size_t)len);
  to[used + (size_t)len] = '\0';
}

/* Replaces a template's parameter by its argument. */
static void substitute (const ParamReader *r, Word *w) {
  for (int i = 0; i < r->nbound; i++)
    if (r->bound[i].name.len == w->len &&
        memcmp(r->bound[i].name.at, w->at, (size_t)w->len) == 0)
      *w = r->bound[i].value;
}

/* Reads a type of one name, with its namespaces and template arguments. */
static void read_name (ParamReader *r, Param *p) {
  Word w = r->word;
  substitute(r, &w);
  append(p->type, sizeof p->type, w.at, w.len);
  next(r);
  while (is(r, "::")) {
    next(r);
    append(p->type, sizeof p->type, "::", 2);
    append(p->type, sizeof p->type, r->word.at, r->word.len);
    next(r);
  }
  if (!is(r, "<"))
    return;
  for (int depth = 0; r->word.kind != WORD_END;) {
    Word part = r->word;
    depth += is(r, "<") - is(r, ">") - 2 * is(r, ">>");
    substitute(r, &part);
    append(p->type, sizeof p->type, part.at, part.len);
    next(r);
    if (depth <= 0)
      return;
  }
}

/* "float x[4]" is a pointer, bytes[24] a value of 24 bytes. */
static bool read_brackets (ParamReader *r, Param *p) {
  next(r);
  if (strcmp(p->type, "bytes") == 0 && r->word.kind == WORD_NUMBER) {
    p->size = strtoul(r->word.at, NULL, 0);
    p->ctype = C_BYTES;
    next(r);
  } else {
    p->pointer = true;
    while (!is(r, "]") && r->word.kind != WORD_END)
      next(r);
  }
  if (!is(r, "]"))
    return fail(r, "a ']' is missing", "");
  next(r);
  return true;
}

static bool read_text (const char *text, Signature *out, bool inner,
                       char *error);

/* Names a parameter's type: an integer, a known type, or an unknown one. */
static bool settle_type (ParamReader *r, Param *p, const IntegerWords *t) {
  if (t->words > 0)
    snprintf(p->type, sizeof p->type, "%s",
             t->is_double ? "long double" : ctype_integer_name(t));
  if (p->type[0] == '\0')
    return fail(r, "a parameter has no type", "");
  const KnownType *k = ctype_find(p->type);
  char again[PARAM_TYPE];
  if (k == NULL && !r->inner && strchr(p->type, ' ') != NULL && t->words == 0) {
    Signature inner; /* a template's argument: "unsigned char" */
    snprintf(again, sizeof again, "%s", p->type);
    if (!read_text(again, &inner, true, r->error) || inner.n != 1)
      return false;
    k = ctype_find(inner.at[0].type);
    if (k != NULL)
      snprintf(p->type, sizeof p->type, "%s", k->name);
  }
  if (k != NULL) {
    p->ctype = k->ctype;
    p->size = k->size;
    p->dtype = k->dtype;
  } else {
    p->ctype = C_BYTES;
  }
  if (p->ctype == C_VOID && !p->pointer)
    return fail(r, "a parameter is void", "");
  return true;
}

/* Reads up to the ',' or the end of the list. */
static bool read_param (ParamReader *r, Param *p) {
  IntegerWords t = {0};
  int stars = 0;
  memset(p, 0, sizeof *p);
  p->dtype = -1;
  while (!is(r, ",") && !is(r, ")") && r->word.kind != WORD_END) {
    if (is(r, "const")) {
      p->constant = p->constant || stars == 0;
      next(r);
    } else if (is_qualifier(r)) {
      next(r);
    } else if (is(r, "*")) {
      stars++;
      p->pointer = true;
      next(r);
    } else if (is(r, "[")) {
      if (!read_brackets(r, p))
        return false;
    } else if (r->word.kind != WORD_NAME) {
      char mark[8] = "";
      append(mark, sizeof mark, r->word.at, r->word.len > 3 ? 3 : r->word.len);
      return fail(r, "parameters cannot be read at", mark);
    } else if (stars == 0 && p->type[0] == '\0' &&
               ctype_add_word(&t, &r->word)) {
      next(r);
    } else if (stars == 0 && p->type[0] == '\0' && t.words == 0) {
      read_name(r, p);
    } else {
      append(p->name, sizeof p->name, r->word.at, r->word.len);
      p->words++;
      next(r);
    }
  }
  if (p->size > 0 && strcmp(p->type, "bytes") == 0)
    return true;
  if (!settle_type(r, p, &t))
    return false;
  if (stars > 1) { /* pointers to pointers have no dtype */
    p->ctype = C_BYTES;
    p->dtype = -1;
    p->constant = false;
  }
  return true;
}

/* Reads up to the ')' or the end of the text. */
static bool read_list (ParamReader *r, Signature *out) {
  const char *from = r->at;
  Word word = r->word;
  out->n = 0;
  if (is(r, "void")) { /* f(void), unless a '*' follows */
    next(r);
    if (is(r, ")"))
      return true;
    r->at = from;
    r->word = word;
  }
  while (!is(r, ")") && r->word.kind != WORD_END) {
    if (out->n == MAX_PARAMS)
      return fail(r, "it has more than 64 parameters", "");
    if (!read_param(r, &out->at[out->n]))
      return false;
    out->n++;
    if (!is(r, ","))
      break;
    next(r);
  }
  return true;
}

static bool read_text (const char *text, Signature *out, bool inner,
                       char *error) {
  ParamReader r = {.first = text, .at = text, .inner = inner, .error = error};
  next(&r);
  if (!read_list(&r, out))
    return false;
  return r.word.kind == WORD_END ||
         fail(&r, "parameters cannot be read after a", ")");
}

bool signature_read (const char *text, Signature *out,
                     char error[SIGNATURE_ERROR]) {
  return read_text(text, out, false, error);
}

/* ==} */

/* {== a kernel in its source ========================================== */

/* Skips the group that the word opens, up to behind its end. */
static void skip_group (ParamReader *r, const char *open, const char *close) {
  int depth = 0;
  do {
    depth += is(r, open) - is(r, close);
    if (is(r, ">>") && *close == '>')
      depth -= 2;
    next(r);
  } while (depth > 0 && r->word.kind != WORD_END);
}

/*
** After __global__: finds its name, which is the word before the first '(' that
** is not an attribute's; false: it is no kernel.
*/
static bool find_name (ParamReader *r, Word *name) {
  name->len = 0;
  while (r->word.kind != WORD_END && !is(r, ";") && !is(r, "{")) {
    if (is(r, "(")) {
      bool attribute = (name->len == 0) ||
                       lexer_is_word(name, "__launch_bounds__") ||
                       lexer_is_word(name, "alignas") ||
                       lexer_is_word(name, "__cluster_dims__") ||
                       lexer_is_word(name, "__block_size__") ||
                       lexer_is_word(name, "__maxnreg__") ||
                       lexer_is_word(name, "__attribute__");
      if (!attribute)
        return true;
      skip_group(r, "(", ")");
      continue;
    }
    if (r->word.kind == WORD_NAME)
      *name = r->word;
    next(r);
  }
  return false;
}

/* template <typename T, int N = 4>: notes T and N, without values. */
static void read_template (ParamReader *r) {
  Word last = {WORD_END, NULL, 0};
  int depth = 0;
  bool named = false;
  r->nbound = 0;
  for (;; next(r)) {
    if (r->word.kind == WORD_END)
      return;
    bool ends = (is(r, ">") && depth == 1);
    if ((is(r, ",") && depth == 1) || ends) {
      if (last.len > 0 && r->nbound < MAX_BINDINGS)
        r->bound[r->nbound++].name = last;
      last.len = 0;
      named = false;
    }
    depth += is(r, "<") - is(r, ">") - 2 * is(r, ">>");
    if (depth <= 0)
      break;
    if (is(r, "="))
      named = true;
    if (r->word.kind == WORD_NAME && !named)
      last = r->word;
  }
  next(r);
}

/* Takes the values between '<' and '>' of a name expression. */
static void bind (ParamReader *r, const char *values) {
  int depth = 0, n = 0;
  const char *from = values;
  for (const char *p = values; *p != '\0' && n < r->nbound; p++) {
    bool ends = (*p == '>' && depth == 0);
    if ((*p == ',' && depth == 0) || ends) {
      while (*from == ' ')
        from++;
      const char *to = p;
      while (to > from && to[-1] == ' ')
        to--;
      r->bound[n++].value = (Word){WORD_NAME, from, (int)(to - from)};
      from = p + 1;
      if (ends)
        break;
    }
    depth += (*p == '<') - (*p == '>');
  }
  r->nbound = n;
}

/* Returns the name without its namespaces and arguments; 'values': those, or
** NULL. */
static Word base_name (const char *name, const char **values) {
  const char *open = strchr(name, '<');
  const char *end = (open != NULL) ? open : name + strlen(name);
  const char *from = end;
  while (from > name && from[-1] != ':')
    from--;
  while (end > from && end[-1] == ' ')
    end--;
  *values = (open != NULL) ? open + 1 : NULL;
  return (Word){WORD_NAME, from, (int)(end - from)};
}

bool signature_find (const char *source, const char *name, Signature *out,
                     char error[SIGNATURE_ERROR]) {
  const char *values;
  Word base = base_name(name, &values), found;
  ParamReader r = {.first = source, .at = source, .error = error};
  next(&r);
  while (r.word.kind != WORD_END) {
    if (is(&r, "template")) {
      next(&r);
      read_template(&r);
    } else if (is(&r, "__global__")) {
      next(&r);
      if (find_name(&r, &found) && found.len == base.len &&
          memcmp(found.at, base.at, (size_t)base.len) == 0) {
        if (values == NULL && r.nbound > 0)
          return fail(&r, "it is a template: name one of it, as in",
                      "f<float>");
        if (values != NULL)
          bind(&r, values);
        next(&r);
        return read_list(&r, out);
      }
      r.nbound = 0;
    } else {
      next(&r);
    }
  }
  return fail(&r, "the source has no __global__ function of that name", "");
}

const char *signature_next_name (const char **at, int *len) {
  ParamReader r = {.first = *at, .at = *at};
  char error[SIGNATURE_ERROR];
  Word name;
  int depth = 0;
  bool language = false, is_template = false; /* extern "C", template */
  r.error = error;
  next(&r);
  while (r.word.kind != WORD_END) {
    if (is(&r, "template")) {
      next(&r);
      read_template(&r);
      is_template = true;
    } else if (is(&r, "__global__") && depth == 0) {
      next(&r);
      bool found = find_name(&r, &name);
      *at = r.at;
      if (found && !is_template) {
        *len = name.len;
        return name.at;
      }
      is_template = false;
    } else if (is(&r, "{") && language) {
      next(&r); /* its end takes us below 0, which counts as 0 */
    } else {
      depth += is(&r, "{") - is(&r, "}");
      if (depth < 0)
        depth = 0;
      if (is(&r, ";") || is(&r, "}"))
        is_template = false;
      language = (r.word.kind == WORD_STRING);
      next(&r);
    }
  }
  *at = r.at;
  return NULL;
}

/* ==} */

/* text_options.h - the options of tide.loadtxt. See text_options.c. */
#ifndef TIDE_ARRAY_TEXT_OPTIONS_H
#define TIDE_ARRAY_TEXT_OPTIONS_H

#include "base/state.h"
#include "rt/text/text.h"

typedef struct TextOptions {
  const char *path;
  size_t skiprows, max_rows;
  DType dtype;
  bool header; /* names = true */
  bool remark; /* the header is a comment */
  int names;   /* index of a list of names on the stack, or 0 */
  int usecols; /* index of a list of columns on the stack, or 0 */
  bool exact;  /* all rows have as many columns */
} TextOptions;

/* Reads the path at 1 and the options at 2, and pushes lists. Fills the fields
** of 't' that say how the text is written, its dtype and 'missing'. Raises. */
void text_options_read (lua_State *L, TextOptions *o, Text *t);

#endif

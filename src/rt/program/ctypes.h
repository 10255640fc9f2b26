/* ctypes.h - the types of C and CUDA that kernels take, by name. See
** ctypes.c. */
#ifndef TIDE_RT_PROGRAM_CTYPES_H
#define TIDE_RT_PROGRAM_CTYPES_H

#include "lexer.h"
#include "signature.h"

typedef struct KnownType {
  const char *name;
  CType ctype;
  size_t size;
  int dtype; /* -1: none */
} KnownType;

/* Finds a type by its name, in any namespace: thrust::complex<float>. */
const KnownType *ctype_find (const char *name);

/* Counts the words unsigned, signed, char, short, int and long of a type. */
typedef struct IntegerWords {
  int words;
  bool is_unsigned, is_signed, is_char, is_short;
  int longs;
  bool is_double;
} IntegerWords;

/* Adds such a word; false: it is another word. */
bool ctype_add_word (IntegerWords *t, const Word *w);
const char *ctype_integer_name (const IntegerWords *t);

#endif

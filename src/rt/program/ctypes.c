/*
** ctypes.c - the types of C and CUDA that kernels take, by name.
*/
#include "ctypes.h"

#include <string.h>

#include "lexer.h"
#include "rt/kernels/kernels.h"

static const KnownType known[] = {
  {"void", C_VOID, 0, -1},
  {"bool", C_BOOL, 1, DTYPE_BOOL},
  {"char", C_INT, 1, DTYPE_INT8},
  {"signed char", C_INT, 1, DTYPE_INT8},
  {"unsigned char", C_UINT, 1, DTYPE_UINT8},
  {"short", C_INT, 2, DTYPE_INT16},
  {"unsigned short", C_UINT, 2, DTYPE_UINT16},
  {"int", C_INT, 4, DTYPE_INT32},
  {"unsigned", C_UINT, 4, DTYPE_UINT32},
  {"long", C_INT, 8, DTYPE_INT64},
  {"unsigned long", C_UINT, 8, DTYPE_UINT64},
  {"long long", C_INT, 8, DTYPE_INT64},
  {"unsigned long long", C_UINT, 8, DTYPE_UINT64},
  {"float", C_FLOAT, 4, DTYPE_FLOAT32},
  {"double", C_FLOAT, 8, DTYPE_FLOAT64},
  {"int8_t", C_INT, 1, DTYPE_INT8},
  {"uint8_t", C_UINT, 1, DTYPE_UINT8},
  {"int16_t", C_INT, 2, DTYPE_INT16},
  {"uint16_t", C_UINT, 2, DTYPE_UINT16},
  {"int32_t", C_INT, 4, DTYPE_INT32},
  {"uint32_t", C_UINT, 4, DTYPE_UINT32},
  {"int64_t", C_INT, 8, DTYPE_INT64},
  {"uint64_t", C_UINT, 8, DTYPE_UINT64},
  {"ptrdiff_t", C_INT, 8, DTYPE_INT64},
  {"size_t", C_UINT, 8, DTYPE_UINT64},
  {"uchar", C_UINT, 1, DTYPE_UINT8},
  {"ushort", C_UINT, 2, DTYPE_UINT16},
  {"uint", C_UINT, 4, DTYPE_UINT32},
  {"ulong", C_UINT, 8, DTYPE_UINT64},
  {"half", C_BYTES, 2, DTYPE_FLOAT16},
  {"__half", C_BYTES, 2, DTYPE_FLOAT16},
  {"float16", C_BYTES, 2, DTYPE_FLOAT16},
  {"nv_bfloat16", C_BYTES, 2, DTYPE_BFLOAT16},
  {"__nv_bfloat16", C_BYTES, 2, DTYPE_BFLOAT16},
  {"float2", C_BYTES, 8, DTYPE_COMPLEX64},
  {"double2", C_BYTES, 16, DTYPE_COMPLEX128},
  {"cuFloatComplex", C_BYTES, 8, DTYPE_COMPLEX64},
  {"cuComplex", C_BYTES, 8, DTYPE_COMPLEX64},
  {"cuDoubleComplex", C_BYTES, 16, DTYPE_COMPLEX128},
  {"complex<float>", C_BYTES, 8, DTYPE_COMPLEX64},
  {"complex<double>", C_BYTES, 16, DTYPE_COMPLEX128},
};

const KnownType *ctype_find (const char *name) {
  const char *last = name;
  for (const char *p; (p = strstr(last, "::")) != NULL;)
    last = p + 2;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, last) == 0)
      return &known[i];
  return NULL;
}

bool ctype_add_word (IntegerWords *t, const Word *w) {
  bool *flags[] = {&t->is_unsigned, &t->is_signed, &t->is_char, &t->is_short};
  static const char *const names[] = {"unsigned", "signed", "char", "short"};
  for (int i = 0; i < 4; i++) {
    if (lexer_is_word(w, names[i])) {
      *flags[i] = true;
      return ++t->words;
    }
  }
  if (lexer_is_word(w, "long"))
    t->longs++;
  else if (lexer_is_word(w, "double") && t->longs > 0)
    t->is_double = true;
  else if (!lexer_is_word(w, "int"))
    return false;
  return ++t->words;
}

const char *ctype_integer_name (const IntegerWords *t) {
  if (t->is_double)
    return "double"; /* long double, as CUDA has it */
  if (t->is_char)
    return t->is_unsigned ? "unsigned char"
           : t->is_signed ? "signed char"
                          : "char";
  if (t->is_short)
    return t->is_unsigned ? "unsigned short" : "short";
  if (t->longs > 1)
    return t->is_unsigned ? "unsigned long long" : "long long";
  if (t->longs > 0)
    return t->is_unsigned ? "unsigned long" : "long";
  return t->is_unsigned ? "unsigned" : "int";
}

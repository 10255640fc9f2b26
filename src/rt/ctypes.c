/*
** ctypes.c - the types of C and CUDA that kernels take, by name.
*/
#include "ctypes.h"

#include <string.h>

static const KnownType known[] = {
  {"void", C_VOID, 0, NULL},
  {"bool", C_BOOL, 1, "bool"},
  {"char", C_INT, 1, "int8"},
  {"signed char", C_INT, 1, "int8"},
  {"unsigned char", C_UINT, 1, "uint8"},
  {"short", C_INT, 2, "int16"},
  {"unsigned short", C_UINT, 2, "uint16"},
  {"int", C_INT, 4, "int32"},
  {"unsigned", C_UINT, 4, "uint32"},
  {"long", C_INT, 8, "int64"},
  {"unsigned long", C_UINT, 8, "uint64"},
  {"long long", C_INT, 8, "int64"},
  {"unsigned long long", C_UINT, 8, "uint64"},
  {"float", C_FLOAT, 4, "float32"},
  {"double", C_FLOAT, 8, "float64"},
  {"int8_t", C_INT, 1, "int8"},
  {"uint8_t", C_UINT, 1, "uint8"},
  {"int16_t", C_INT, 2, "int16"},
  {"uint16_t", C_UINT, 2, "uint16"},
  {"int32_t", C_INT, 4, "int32"},
  {"uint32_t", C_UINT, 4, "uint32"},
  {"int64_t", C_INT, 8, "int64"},
  {"uint64_t", C_UINT, 8, "uint64"},
  {"ptrdiff_t", C_INT, 8, "int64"},
  {"size_t", C_UINT, 8, "uint64"},
  {"uchar", C_UINT, 1, "uint8"},
  {"ushort", C_UINT, 2, "uint16"},
  {"uint", C_UINT, 4, "uint32"},
  {"ulong", C_UINT, 8, "uint64"},
  {"half", C_BYTES, 2, "float16"},
  {"__half", C_BYTES, 2, "float16"},
  {"float16", C_BYTES, 2, "float16"},
  {"nv_bfloat16", C_BYTES, 2, "bfloat16"},
  {"__nv_bfloat16", C_BYTES, 2, "bfloat16"},
  {"float2", C_BYTES, 8, "complex64"},
  {"double2", C_BYTES, 16, "complex128"},
  {"cuFloatComplex", C_BYTES, 8, "complex64"},
  {"cuComplex", C_BYTES, 8, "complex64"},
  {"cuDoubleComplex", C_BYTES, 16, "complex128"},
  {"complex<float>", C_BYTES, 8, "complex64"},
  {"complex<double>", C_BYTES, 16, "complex128"},
};

const KnownType *rt_findctype (const char *name) {
  const char *last = name;
  for (const char *p; (p = strstr(last, "::")) != NULL;)
    last = p + 2;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, last) == 0)
      return &known[i];
  return NULL;
}

bool rt_addinteger (IntegerWords *t, const Word *w) {
  bool *flags[] = {&t->is_unsigned, &t->is_signed, &t->is_char, &t->is_short};
  static const char *const names[] = {"unsigned", "signed", "char", "short"};
  for (int i = 0; i < 4; i++) {
    if (rt_isword(w, names[i])) {
      *flags[i] = true;
      return ++t->words;
    }
  }
  if (rt_isword(w, "long"))
    t->longs++;
  else if (rt_isword(w, "double") && t->longs > 0)
    t->is_double = true;
  else if (!rt_isword(w, "int"))
    return false;
  return ++t->words;
}

const char *rt_integername (const IntegerWords *t) {
  if (t->is_char)
    return t->is_unsigned ? "unsigned char" :
           t->is_signed ? "signed char" : "char";
  if (t->is_short)
    return t->is_unsigned ? "unsigned short" : "short";
  if (t->longs > 1)
    return t->is_unsigned ? "unsigned long long" : "long long";
  if (t->longs > 0)
    return t->is_unsigned ? "unsigned long" : "long";
  return t->is_unsigned ? "unsigned" : "int";
}

/*
** kernel_headers.c - kernels/ops.h and the files it includes, as texts, because
** generated kernels use the same functions as the built-in ones; overloads.h is
** for them alone. NVRTC reads no files, and has the declarations of C's headers
** built in, except for the names of integer types and the constants.
*/
#include "kernel_headers.h"

#define TEXT(name, path) \
  __asm__(".pushsection .rodata\n" #name ":\n" \
          ".incbin \"" path "\"\n" \
          ".byte 0\n" \
          ".popsection\n"); \
  extern const char name[]

TEXT(tide_text_complex, "kernels/complex.h");
TEXT(tide_text_half, "kernels/half.h");
TEXT(tide_text_ops, "kernels/ops.h");
TEXT(tide_text_overloads, "kernels/overloads.h");
TEXT(tide_text_special, "kernels/special.h");
TEXT(tide_text_types, "kernels/types.h");

/* A macro of a source's own stays. */
#define DEFINE(name, words) \
  "#if !defined(" #name ")\n#define " #name " " words "\n#endif\n"

static const char integers[] = "#pragma once\n"
                               "typedef signed char int8_t;\n"
                               "typedef short int16_t;\n"
                               "typedef int int32_t;\n"
                               "typedef long long int64_t;\n"
                               "typedef unsigned char uint8_t;\n"
                               "typedef unsigned short uint16_t;\n"
                               "typedef unsigned uint32_t;\n"
                               "typedef unsigned long long uint64_t;\n"
                               "typedef unsigned long long uintptr_t;\n"
#define INTEGER DEFINE
#include "rt/program/constants.def"
  ;

static const char math[] = "#pragma once\n"
#define MATH DEFINE
#include "rt/program/constants.def"
  ;

static const char floats[] = "#pragma once\n"
#define FLOAT DEFINE
#include "rt/program/constants.def"
  ;

static const char limits[] = "#pragma once\n"
#define LIMIT DEFINE
#include "rt/program/constants.def"
  ;

static const char nothing[] = "#pragma once\n";

const char *const kernel_header_names[] = {
  "stdint.h", "math.h",  "float.h",   "limits.h", "stdbool.h", "stddef.h",
  "ops.h",    "types.h", "complex.h", "half.h",   "special.h", "overloads.h"};

const char *const kernel_header_texts[] = {integers,
                                           math,
                                           floats,
                                           limits,
                                           nothing,
                                           nothing,
                                           tide_text_ops,
                                           tide_text_types,
                                           tide_text_complex,
                                           tide_text_half,
                                           tide_text_special,
                                           tide_text_overloads};

const int kernel_header_count = sizeof kernel_header_texts /
                                sizeof kernel_header_texts[0];
const int kernel_header_public = 6;

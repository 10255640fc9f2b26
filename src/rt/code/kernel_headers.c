/*
** kernel_headers.c - kernels/ops.h and the files it includes, as texts, because
** generated kernels use the same functions as the built-in ones. NVRTC reads no
** files, and has the declarations of C's headers built in, except for the names
** of integer types.
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
TEXT(tide_text_special, "kernels/special.h");
TEXT(tide_text_types, "kernels/types.h");

static const char integers[] =
  "#pragma once\n"
  "typedef signed char int8_t;\n"
  "typedef short int16_t;\n"
  "typedef int int32_t;\n"
  "typedef long long int64_t;\n"
  "typedef unsigned char uint8_t;\n"
  "typedef unsigned short uint16_t;\n"
  "typedef unsigned uint32_t;\n"
  "typedef unsigned long long uint64_t;\n"
  "typedef unsigned long long uintptr_t;\n"
  "#define INT8_MIN (-128)\n"
  "#define INT8_MAX 127\n"
  "#define UINT8_MAX 255\n"
  "#define INT16_MIN (-32768)\n"
  "#define INT16_MAX 32767\n"
  "#define UINT16_MAX 65535\n"
  "#define INT32_MIN (-2147483647 - 1)\n"
  "#define INT32_MAX 2147483647\n"
  "#define UINT32_MAX 4294967295u\n"
  "#define INT64_MIN (-9223372036854775807ll - 1)\n"
  "#define INT64_MAX 9223372036854775807ll\n"
  "#define UINT64_MAX 18446744073709551615ull\n";

static const char math[] = "#pragma once\n"
                           "#if !defined(INFINITY)\n"
                           "#define INFINITY __int_as_float(0x7f800000)\n"
                           "#endif\n"
                           "#if !defined(NAN)\n"
                           "#define NAN __int_as_float(0x7fffffff)\n"
                           "#endif\n";

static const char nothing[] = "#pragma once\n";

const char *const kernel_header_names[] = {"stdint.h",  "math.h", "stdbool.h",
                                           "stddef.h",  "ops.h",  "types.h",
                                           "complex.h", "half.h", "special.h"};

const char *const kernel_header_texts[] = {
  integers,          math,           nothing,
  nothing,           tide_text_ops,  tide_text_types,
  tide_text_complex, tide_text_half, tide_text_special};

const int kernel_header_count = sizeof kernel_header_texts /
                                sizeof kernel_header_texts[0];
const int kernel_header_public = 4;

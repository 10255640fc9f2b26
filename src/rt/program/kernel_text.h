/*
** kernel_text.h - compiles the body of a kernel, in a subset of C, to a program
** for the host device. See statements.c, expressions.c.
*/
#ifndef TIDE_RT_PROGRAM_KERNEL_TEXT_H
#define TIDE_RT_PROGRAM_KERNEL_TEXT_H

#include "build.h"

enum {
  KERNEL_PARAMS = 15,
  TYPE_NAMES = 12,
  KERNEL_OPTIONS = 16,
  C_ERROR = 200
};

/* How an argument of a generated kernel is passed. */
typedef enum ArgMode {
  ARG_DENSE,   /* an array with the kernel's number of elements */
  ARG_NUMBER,  /* a number */
  ARG_FIRST,   /* an array of one element, for all */
  ARG_STRIDED, /* an array with steps along three axes, which follow */
  ARG_RAW      /* an array that the body indexes; its size follows */
} ArgMode;

typedef struct KernelParam {
  const char *name;
  DType t;
  ArgMode mode;
  bool out;
} KernelParam;

typedef struct TypeName {
  const char *name; /* "T" */
  DType t;
} TypeName;

/* Definitions that a kernel's texts use, and options of CUDA's compiler. */
typedef struct KernelContext {
  const char *macros;   /* lines "#define N 4", from options; NULL: none */
  const char *preamble; /* NULL: none */
  int noptions;         /* the others */
  const char *options[KERNEL_OPTIONS];
  bool arrays; /* it may have variables that are arrays */
} KernelContext;

typedef struct KernelText {
  const char *body;
  const KernelContext *context; /* NULL: none */
  int nparams, ntypes;
  KernelParam params[KERNEL_PARAMS];
  TypeName types[TYPE_NAMES];
} KernelText;

/*
** Returns the number of the kernel's arguments, except for the count at the
** end. If there are strided arrays, the lengths of the second and the third
** axis stand before the count. Element i of such an array is at the sum of its
** steps times (i / third / second), (i / third % second) and (i % third).
*/
int kernel_text_nargs (const KernelText *k);
bool kernel_text_has_strided (const KernelText
                                *k); /* tells whether there are any */

/* Returns parameter i as a value of the program; for a raw one, its address. */
Value kernel_text_param (Builder *b, const KernelText *k, int i);

/* False: 'error' has the reason, with the line and the column of the body. */
bool kernel_text_compile (Builder *b, const KernelText *k, char error[C_ERROR]);

/* The four texts of a reduction, and its accumulator type. Its only result is
** the last parameter. 'identity' may be NULL, and 'post' too: then the result
** is 'a'. */
typedef struct ReductionText {
  KernelText kernel; /* its body is not used */
  const char *map, *reduce, *post, *identity;
  DType t;
} ReductionText;

bool kernel_text_reduction (Builder *b, const ReductionText *k,
                            char error[C_ERROR]);

#endif

/*
** statements.h - the body of a kernel, in a part of C, as a program for the
** host device. See statements.c, expressions.c.
*/
#ifndef TIDE_RT_PROGRAM_STATEMENTS_H
#define TIDE_RT_PROGRAM_STATEMENTS_H

#include "builder.h"

enum { KERNEL_PARAMS = 15, TYPE_NAMES = 12, C_ERROR = 200 };

/* How an argument of a generated kernel is passed. */
typedef enum ArgMode {
  ARG_DENSE,   /* an array of as many elements as there are */
  ARG_NUMBER,  /* a number */
  ARG_FIRST,   /* an array of one element, for all */
  ARG_STRIDED, /* an array with steps along three axes; then those */
  ARG_RAW      /* an array, for the body to index; then its size */
} ArgMode;

typedef struct KernelParam {
  const char *name;
  DType t;
  ArgMode mode;
  bool out;
} KernelParam;

typedef struct TypeName {
  const char *name;  /* "T" */
  DType t;
} TypeName;

typedef struct KernelText {
  const char *body;
  const char *part;     /* which of several texts it is; NULL: the only one */
  int nparams, ntypes;
  KernelParam params[KERNEL_PARAMS];
  TypeName types[TYPE_NAMES];
} KernelText;

/*
** Arguments of such a kernel, but for the count at the end. Before that, if
** some are strided, come the lengths of the second and the third axis: element
** i of such an array is at the sum of its steps times (i / third / second), (i
** / third % second) and (i % third).
*/
int rt_countargs (const KernelText *k);
bool rt_hasstrided (const KernelText *k);  /* are some? */

/* Parameter i as a value, the program's or, of a raw one, its address. */
Value rt_paramvalue (Builder *b, const KernelText *k, int i);

/* False, and why not, with the line and the column of the body. */
bool rt_cprogram (Builder *b, const KernelText *k, char error[C_ERROR]);

/* The four texts of a reduction, and what it accumulates in. Its one result is
** the last parameter; 'identity' may be NULL, 'post' too: the result is 'a'. */
typedef struct ReductionText {
  KernelText kernel;   /* its body is not used */
  const char *map, *reduce, *post, *identity;
  DType t;
} ReductionText;

bool rt_creduction (Builder *b, const ReductionText *k, char error[C_ERROR]);

#endif

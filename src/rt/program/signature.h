/*
** signature.h - reads a kernel's parameters from its text. See signature.c.
*/
#ifndef TIDE_RT_CODE_SIGNATURE_H
#define TIDE_RT_CODE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_PARAMS = 64, PARAM_NAME = 32, PARAM_TYPE = 48 };

/* The type of a value, or of the elements that a pointer points to. */
typedef enum CType {
  C_BOOL,
  C_INT,
  C_UINT,
  C_FLOAT,
  C_BYTES, /* C_BYTES: anything else */
  C_VOID
} CType;

typedef struct Param {
  char name[PARAM_NAME]; /* may be empty */
  int words;             /* behind the type; the name is all of them */
  char type[PARAM_TYPE]; /* its C name: "float", "unsigned char" */
  bool pointer;
  bool constant; /* a pointer to const */
  CType ctype;
  size_t size; /* of the type, in bytes; 0: unknown */
  int dtype;   /* of the arrays that it takes; -1: any */
} Param;

typedef struct Signature {
  int n;
  Param at[MAX_PARAMS];
} Signature;

enum { SIGNATURE_ERROR = 160 };

/* Reads "const float *x, int n". False: 'error' has the reason. */
bool signature_read (const char *text, Signature *out,
                     char error[SIGNATURE_ERROR]);

/*
** Reads the signature of the kernel 'name' in a source: "f", "space::f" or, of
** a template, "f<float>". False: 'error' has the reason.
*/
bool signature_find (const char *source, const char *name, Signature *out,
                     char error[SIGNATURE_ERROR]);

/*
** Returns the name, of *len bytes, of the next kernel of a source, from *at on,
** that is not a template and not in a namespace. NULL: there is none.
*/
const char *signature_next_name (const char **at, int *len);

#endif

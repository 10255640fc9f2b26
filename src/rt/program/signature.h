/*
** signature.h - what a kernel takes, read from its own text. See signature.c.
*/
#ifndef TIDE_RT_CODE_SIGNATURE_H
#define TIDE_RT_CODE_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_PARAMS = 64, PARAM_NAME = 32, PARAM_TYPE = 48 };

/* What a parameter takes by value, or what it points to. */
typedef enum CType {
  C_BOOL, C_INT, C_UINT, C_FLOAT, C_BYTES,  /* C_BYTES: anything else */
  C_VOID
} CType;

typedef struct Param {
  char name[PARAM_NAME];  /* empty: it has none */
  char type[PARAM_TYPE];  /* as C calls it: "float", "unsigned char" */
  bool pointer;
  bool constant;          /* a pointer to what is only read */
  CType ctype;
  size_t size;            /* of the type, in bytes; 0: not known */
  int dtype;              /* of arrays that it points to; -1: any */
} Param;

typedef struct Signature {
  int n;
  Param at[MAX_PARAMS];
} Signature;

enum { SIGNATURE_ERROR = 160 };

/* Reads "const float *x, int n". False, and why not. */
bool rt_readsignature (const char *text, Signature *out,
                       char error[SIGNATURE_ERROR]);

/*
** Reads that of the kernel 'name' in a source: "f", "space::f" or, of a
** template, "f<float>". False, and why not.
*/
bool rt_findsignature (const char *source, const char *name, Signature *out,
                       char error[SIGNATURE_ERROR]);

/*
** The next kernel of a source, from *at on, that is no template and stands in
** no namespace: its name has *len bytes. NULL: there is none.
*/
const char *rt_nextkernel (const char **at, int *len);

#endif

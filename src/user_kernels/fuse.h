/* fuse.h - what fuse.c and fuse_code.c share. See fuse.c. */
#ifndef TIDE_USER_KERNELS_FUSE_H
#define TIDE_USER_KERNELS_FUSE_H

#include "generated.h"
#include "kernel_params.h"
#include "ops/symbol.h"

enum { MAX_FUSED = 6 };  /* results */

/*
** A trace that is done: which of its nodes are used, what each parameter of the
** kernel is, and the results.
*/
typedef struct Fused {
  Trace trace;
  int nresults;
  bool reduces;               /* some of them are to be reduced */
  int result[MAX_FUSED];
  int uses[MAX_NODES];
  int param[MAX_NODES];       /* of an array or a number: the parameter */
  int source[KERNEL_PARAMS];  /* and the argument that it is */
  char names[KERNEL_PARAMS][8];
} Fused;

/* Counts uses, and makes the parameters of the kernel's text. */
void tide_finishtrace (lua_State *L, Fused *f, const ArgMode *modes,
                       KernelText *text);

extern const Recipe tide_fuserecipe;

/*
** fuse_out.c: the table of options is at 'options', 0: there is none. Check
** raises; push gives what the kernel writes result i to; where that is not the
** array that was given, 'later' has the copy. Put brings the n arrays that were
** given to where the results are, from 'first' on.
*/
void tide_checkouts (lua_State *L, const Binding *b, const Generated *g,
                     int options);
Array *tide_pushfused (lua_State *L, const Binding *b, const Generated *g,
                       RtStream *s, int options, int i, Later *later);
void tide_putouts (lua_State *L, const Binding *b, int options, int first,
                   int n);

#endif

/* fuse.h - shared by fuse.c and fuse_code.c. See fuse.c. */
#ifndef TIDE_USER_KERNELS_FUSE_H
#define TIDE_USER_KERNELS_FUSE_H

#include "generated.h"
#include "ops/symbol.h"
#include "params.h"

enum { MAX_FUSED = 6 }; /* results */

/*
** A finished trace: the nodes that are used, the sources of the kernel's
** parameters, and the results.
*/
typedef struct Fused {
  Trace trace;
  int nresults;
  bool reduces; /* some results are to be reduced */
  int result[MAX_FUSED];
  int uses[MAX_NODES];
  int param[MAX_NODES];      /* the parameter of an array or a number */
  int source[KERNEL_PARAMS]; /* the argument of a parameter */
  char names[KERNEL_PARAMS][8];
} Fused;

/* Counts uses, and makes the parameters of the kernel's text. */
void fuse_finish_trace (lua_State *L, Fused *f, const ArgMode *modes,
                        KernelText *text);

extern const Recipe fuse_recipe;

/*
** fuse_out.c; the table of options is at 'options', 0: none. fuse_check_outs
** raises. fuse_push_result pushes the array that the kernel writes for result
** i; if that is not the given one, 'later' has the copy. fuse_put_outs puts the
** n given arrays in the places of the results, from 'first' on.
*/
void fuse_check_outs (lua_State *L, const Binding *b, const Generated *g,
                      int options);
Array *fuse_push_result (lua_State *L, const Binding *b, const Generated *g,
                         RtStream *s, int options, int i, Later *later);
void fuse_put_outs (lua_State *L, const Binding *b, int options, int first,
                    int n);

#endif

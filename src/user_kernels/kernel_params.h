/*
** kernel_params.h - the parameters of generated kernels as users write them: "T
** x, raw float32 y". See kernel_params.c.
*/
#ifndef TIDE_USER_KERNELS_KERNEL_PARAMS_H
#define TIDE_USER_KERNELS_KERNEL_PARAMS_H

#include "generated.h"

typedef struct ParamSpec {
  char name[32];
  char type[2];   /* of a type variable: its letter; else empty */
  DType t;        /* else its dtype */
  bool raw, out;
} ParamSpec;

typedef struct ParamList {
  int n, nin;     /* all, the first nin are not written */
  ParamSpec at[KERNEL_PARAMS];
} ParamList;

/* Adds those of the string at 'idx'; raises, naming the kernel 'what'. */
void tide_readparams (lua_State *L, int idx, bool out, const char *what,
                      ParamList *list);

/*
** The arguments from 'first' on, 'n' of them: arrays and numbers for all
** parameters, or for all that are not written and nil for the others.
*/
typedef struct Binding {
  const char *what;
  const ParamList *list;
  int n, nin;             /* parameters: those of the list, or fewer */
  int first;
  RtDevice *dev;
  int ndim;               /* of the operation; -1: no array says it */
  int64_t shape[MAX_DIMS];
  int64_t size;           /* then its size; -1: none is given */
  bool strides;           /* inputs may have some: strided_params.c */
  bool waits;             /* copies are made by tide_copyinputs */
  bool copied[KERNEL_PARAMS];  /* inputs that have to be */
  int nstrided, strided[STRIDED_MOST];  /* those that have, */
  int64_t axes[PARAM_AXES];             /* and the axes that they see */
  DType types[KERNEL_PARAMS];
  ArgMode modes[KERNEL_PARAMS];
  Argument args[KERNEL_PARAMS];
} Binding;

/* Begins one: the rest of the struct is not cleared. */
static inline void tide_startbinding (Binding *b, const char *what,
                                      const ParamList *list, int first) {
  b->what = what;
  b->list = list;
  b->n = list->n;
  b->nin = list->nin;
  b->first = first;
  b->dev = NULL;
  b->ndim = -1;
  b->size = -1;
  b->strides = b->waits = false;
  b->nstrided = 0;
}

/*
** Finds device, shape, dtypes and modes; raises. Of inputs that are strided, or
** to be broadcast, and not read as they are, dense copies are pushed: drop them
** when all is queued.
*/
void tide_bindinputs (lua_State *L, Binding *b);

/* The copies, where the binding waits with them: after what may run Lua, as
** they are queued. */
void tide_copyinputs (lua_State *L, Binding *b);

/* The strides of array i along the axes of the operation. */
void tide_spreadstrides (const Binding *b, const Array *a,
                         int64_t strides[MAX_DIMS]);

/* strided_params.c: may input i be read as it is? Then it will be. */
bool tide_takestrided (Binding *b, int i);

/* May what is at i be read and z written at a time? Only where they are the
** same elements; a copy may else be read. */
bool tide_isapart (const Binding *b, int i, const Array *z);

/* The dtype of a parameter that is written; raises if nothing says it. */
DType tide_boundtype (lua_State *L, const Binding *b, int i);

/* Numbers become values of their parameters' types; raises. */
void tide_bindnumbers (lua_State *L, Binding *b);

/* What identifies the kernel for these arguments, and what it is made of; the
** names stay the list's. */
void tide_bindkey (const Binding *b, unsigned char key[2 * KERNEL_PARAMS]);
void tide_bindtext (const Binding *b, const char *body, KernelText *text);

#endif

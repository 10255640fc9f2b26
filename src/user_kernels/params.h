/*
** params.h - the parameters of generated kernels in the user's notation:
** "T x, raw float32 y". See params.c.
*/
#ifndef TIDE_USER_KERNELS_PARAMS_H
#define TIDE_USER_KERNELS_PARAMS_H

#include "generated.h"

typedef struct ParamSpec {
  char name[32];
  char type[2]; /* of a type variable: its letter; else empty */
  DType t;      /* else its dtype */
  bool raw, out;
} ParamSpec;

typedef struct ParamList {
  int n, nin; /* all parameters; the first nin are inputs */
  ParamSpec at[KERNEL_PARAMS];
} ParamList;

/* Adds the parameters of the string at 'idx'. Raises, naming the kernel
** 'what'. */
void param_read (lua_State *L, int idx, bool out, const char *what,
                 ParamList *list);

/* Reads the type of an option into 'p': a dtype, C's name of one, or a letter
** of the list. Raises. */
void param_read_type (lua_State *L, const char *option, const char *text,
                      const char *what, const ParamList *list, ParamSpec *p);

/*
** The arguments of a call from 'first' on, 'n' of them: arrays and numbers for
** all parameters, or for all inputs and nil for the others.
*/
typedef struct Binding {
  const char *what;
  const ParamList *list;
  int n, nin; /* parameters: those of the list, or fewer */
  int first;
  RtDevice *dev;
  int ndim; /* of the operation; -1: there are no arrays */
  int64_t shape[MAX_DIMS];
  int64_t size;               /* in that case the size; -1: none is given */
  bool strides;               /* inputs may be strided: strided_params.c */
  bool waits;                 /* copies are made by param_copy_inputs */
  bool copied[KERNEL_PARAMS]; /* inputs that need a copy */
  int nstrided, strided[STRIDED_MOST]; /* the strided inputs, */
  int64_t axes[PARAM_AXES];            /* and the axes that they have */
  DType types[KERNEL_PARAMS];
  ArgMode modes[KERNEL_PARAMS];
  Argument args[KERNEL_PARAMS];
} Binding;

/* Begins a binding. The rest of the struct is not cleared. */
static inline void param_start_binding (Binding *b, const char *what,
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
** Finds device, shape, dtypes and modes; raises. Pushes dense copies of inputs
** that are strided, or to be broadcast, and cannot be read directly: drop them
** when all is queued.
*/
void param_bind_inputs (lua_State *L, Binding *b);

/* Makes the copies, if the binding waits with them. They are queued, so call it
** after everything that may run Lua. */
void param_copy_inputs (lua_State *L, Binding *b);

/* Finds the strides of array i along the axes of the operation. */
void param_strides (const Binding *b, const Array *a,
                    int64_t strides[MAX_DIMS]);

/* strided_params.c: tells whether input i can be read directly. If so, binds it
** that way. */
bool param_bind_strided (Binding *b, int i);

/* Tells whether input i may be read while z is written. If they overlap, they
** must be the same elements, read without a copy. */
bool param_is_alias_safe (const Binding *b, int i, const Array *z);

/* Returns the dtype of a parameter, or of its type variable so far.
** DTYPE_COUNT: none. */
DType param_dtype (const Binding *b, const ParamSpec *p);

/* Returns the dtype of a result's parameter. Raises if nothing determines
** it. */
DType param_result_dtype (lua_State *L, const Binding *b, int i);

/* Converts numbers to the types of their parameters. Raises. */
void param_bind_numbers (lua_State *L, Binding *b);

/* Make the key of the kernel for these arguments, and its text; the names stay
** the list's. */
void param_make_key (const Binding *b, unsigned char key[2 * KERNEL_PARAMS]);
void param_make_text (const Binding *b, const char *body,
                      const KernelContext *context, KernelText *text);

#endif

/*
** generated.h - kernels that tide generates: one for each combination of dtypes
** that an ElementwiseKernel, ReductionKernel or fused function meets. On a CUDA
** device it is CUDA C++, on the host device a program. See generated.c.
*/
#ifndef TIDE_USER_KERNELS_GENERATED_H
#define TIDE_USER_KERNELS_GENERATED_H

#include "array/array.h"
#include "kernel_code.h"
#include "rt/program/kernel_text.h"

typedef struct Generated {
  struct Generated *next; /* of the same owner, less recently used */
  unsigned char key[2 * KERNEL_PARAMS];
  int place;        /* among its owner's */
  const char *name; /* its owner's, */
  char *file;       /* and as that of a file, in C++ */
  KernelText text;  /* its source; strings are the owner's */
  const void *made; /* fused: its Trace, else NULL */
  DType extra;      /* of a reduction: the dtype of accumulators */
  int pack;         /* elements that a thread of CUDA takes at a time */
  int nuv;          /* user values, before those that hold codes */
  Code *codes[];    /* by device; NULL: not needed there yet */
} Generated;

/* The called kernel is the first argument, and has the texts. */
enum { OWNER = 1 };

/*
** How its code is made. Both functions get the owner at 'owner', and raise;
** 'source' pushes CUDA C++ with a function "generated".
*/
typedef struct Recipe {
  bool combines; /* there is a second function, "combine" */
  bool exact;    /* every operation rounds: no fused multiply-add */
  void (*source)(lua_State *L, int owner, Generated *g);
  void (*program)(lua_State *L, int owner, Generated *g, Builder *b);
} Recipe;

enum { VARIANTS = 32 };

/*
** The variants of a kernel: VARIANTS at most, because a long-running program
** may meet any number of combinations. They are in the kernel's last user
** values.
*/
typedef struct Variants {
  Generated *first; /* the most recently used */
  int n;
} Variants;

enum { CONTEXT_UVS = 3 };

/*
** Reads 'preamble' and 'options' of the table at 'idx', for the kernel on the
** top, whose user values from 'first' on hold them. Raises.
*/
void generated_read_context (lua_State *L, int idx, int first, const char *what,
                             KernelContext *c);

/* Replaces nil at 'idx' by "kernel", and returns the name of a kernel there. */
const char *generated_check_name (lua_State *L, int idx);

/* Pushes a copy of the 'options' that the kernel at 1 holds. Returns 1. */
int generated_push_options (lua_State *L, int first);

/* Pushes a new Generated, which its owner has to hold; 'nuv' user values. */
Generated *generated_new (lua_State *L, const char *name, int nuv);

/*
** Pushes the owner's Generated with that key; the owner's user values begin
** with 'nuv' others. Returns NULL and pushes nothing if there is none. It must
** stay on the stack, because others may take its place while it is used.
*/
Generated *generated_find (lua_State *L, int nuv, Variants *v,
                           const unsigned char *key);

/* Adds the Generated on the top, in place of the least recently used if there
** are too many. */
void generated_keep (lua_State *L, int nuv, Variants *v, Generated *g,
                     const unsigned char *key);

/* An argument: an array, with its steps if it is strided, or a number in the
** first bytes of 'value'. */
typedef struct Argument {
  Array *array;
  uint64_t value;
  int64_t step[PARAM_AXES];
} Argument;

/* Copies of results that follow the kernel: 'to' is the user's array. */
typedef struct Later {
  int n;
  Array *to[KERNEL_PARAMS], *from[KERNEL_PARAMS];
} Later;

/*
** Queues 'g', which is at 'at', on 's' over n elements, args by parameter, and
** then the copies. These must go through once the kernel has, because they may
** overwrite its inputs. 'axes': the lengths of the axes, for arguments with
** steps. Raises.
*/
void generated_run (lua_State *L, const Recipe *recipe, Generated *g, int at,
                    RtStream *s, const Argument *args, size_t n,
                    const int64_t axes[PARAM_AXES], const Later *later);

/* Tells whether it has arrays that it indexes, maybe out of range. */
bool generated_may_index (const Generated *g);

/* Pushes a check for a launch of the kernel of that name, which may index out
** of range. Returns NULL and pushes nothing if the device cannot tell. */
struct Check *generated_push_check (lua_State *L, const RtStream *s,
                                    const char *name);

/* Returns the code of a Generated on a device. Raises. */
Code *generated_code (lua_State *L, const Recipe *recipe, Generated *g, int at,
                      RtDevice *dev);

/* codegen.c: the first lines of each source, and its parts. */
extern const char generated_headers[];
void generated_add_types (luaL_Buffer *b, const Generated *g);
void generated_add_body_params (luaL_Buffer *b, const Generated *g, int n);
void generated_add_kernel_params (luaL_Buffer *b, const Generated *g, int n);
void generated_add_signature (luaL_Buffer *b, const Generated *g,
                              const char *end);
void generated_add_loop (luaL_Buffer *b, const Generated *g);
int generated_choose_pack (const KernelText *text);

/* Adds formatted text (lua_pushfstring's formats). */
void generated_addf (lua_State *L, luaL_Buffer *b, const char *format, ...);

#endif

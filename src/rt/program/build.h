/*
** build.h - makes programs (program.h), from kernels written in C
** (statements.c) and from functions traced from Lua (fuse).
*/
#ifndef TIDE_RT_PROGRAM_BUILD_H
#define TIDE_RT_PROGRAM_BUILD_H

#include "program.h"

/* A value of a program. */
typedef struct Value {
  int slot;
  DType t;
  bool number;   /* one number for all elements; else elements */
  bool constant; /* a number known now: slots[slot].value */
  bool temp;     /* no one else reads it */
} Value;

typedef struct Builder {
  Program p;
  uint16_t spare[MAX_SLOTS]; /* registers that can be used again */
  int nspare;
  int count;         /* the slot for the length of a block */
  int strided;       /* number of strided arrays */
  int ntexts;        /* bytes of p.texts */
  const char *error; /* why there is no program; NULL: it is valid */
} Builder;

/* 'nargs': arguments of the kernel; the last one is the count of elements. */
void build_begin (Builder *b, int nargs);

/* Sets the kernel's name for errors. */
void build_name (Builder *b, const char *name);

/* Makes values from arguments of the kernel, and from numbers. */
Value build_stream (Builder *b, int arg,
                    DType t); /* array, element by element */
Value build_first (Builder *b, int arg, DType t); /* its first element, for
                                                    all */
Value build_argument (Builder *b, int arg, DType t);
Value build_array (Builder *b, int arg, DType t,
                   const char *name); /* address */
/* n times as much room as a register has, all zero: see 'pick'. It cannot be
** released. */
Value build_local (Builder *b, DType t, int n, const char *name, int len);

/* An array at 'arg', its steps after it, the lengths of axes at 'axes'. */
Value build_strided (Builder *b, int arg, int axes, DType t);
Value build_number (Builder *b, DType t, const void *bits);
Value build_integer (Builder *b, DType t, int64_t n);
Value build_double (Builder *b, DType t, double x);
Value build_special (Builder *b, SlotKind kind); /* int64: SLOT_INDEX ... */
Value build_indices (Builder *b);                /* int64: of each element */

/* Reserves room for the elements of a block, until it is released. */
Value build_register (Builder *b, DType t);
void build_release (Builder *b, Value v);

/* Operations of table.lua, on operands of one type for which they are defined.
** They release temporary operands. */
Value build_binary (Builder *b, BinaryOp op, Value x, Value y);
Value build_unary (Builder *b, UnaryOp op, Value x);
Value build_convert (Builder *b, Value x, DType t);

/* Returns a value as elements: a number is repeated for a whole block. */
Value build_elements (Builder *b, Value x);

/* Calls a function of program.def by name and suffix: "quot", "i32". Its
** operands are made elements. Its result is of type 't'. */
Value build_function (Builder *b, const char *name, const char *suffix, DType t,
                      int n, const Value *operands);
Value build_select (Builder *b, Value mask, Value x, Value y);
int build_find_step (const char *name, const char *suffix); /* -1: none */

/* Stores the elements of x where 'to' is. */
void build_store (Builder *b, Value to, Value x);

/* Adds a step; fn as in Step. Returns its number. */
int build_step (Builder *b, int fn, int n, const int *args);

/* Returns "i32", which ends the names of its kernels; "select_4" ends with the
** size. */
const char *build_suffix (DType t);
const char *build_size_suffix (DType t);

/* Returns the dtype with that name in Lua; -1: there is none. */
int build_find_dtype (const char *name);

/* Returns the kind of numbers: 'b' bool, 'u', 'i', 'f', 'c'. */
char build_dtype_kind (DType t);

#endif

/*
** builder.h - makes programs (program.h), from kernels written in C
** (statements.c) and from functions traced from Lua (fuse).
*/
#ifndef TIDE_RT_PROGRAM_BUILDER_H
#define TIDE_RT_PROGRAM_BUILDER_H

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
void pb_begin (Builder *b, int nargs);

/* Sets the kernel's name for errors. */
void pb_name (Builder *b, const char *name);

/* Makes values from arguments of the kernel, and from numbers. */
Value pb_stream (Builder *b, int arg, DType t); /* array, element by element */
Value pb_first (Builder *b, int arg, DType t);  /* its first element, for
                                                    all */
Value pb_argument (Builder *b, int arg, DType t);
Value pb_array (Builder *b, int arg, DType t, const char *name); /* address */
/* An array at 'arg', its steps after it, the lengths of axes at 'axes'. */
Value pb_strided (Builder *b, int arg, int axes, DType t);
Value pb_number (Builder *b, DType t, const void *bits);
Value pb_integer (Builder *b, DType t, int64_t n);
Value pb_double (Builder *b, DType t, double x);
Value pb_special (Builder *b, SlotKind kind); /* int64: SLOT_INDEX ... */

/* Reserves room for the elements of a block, until it is released. */
Value pb_register (Builder *b, DType t);
void pb_release (Builder *b, Value v);

/* Operations of table.lua, on operands of one type for which they are defined.
** They release temporary operands. */
Value pb_binary (Builder *b, BinaryOp op, Value x, Value y);
Value pb_unary (Builder *b, UnaryOp op, Value x);
Value pb_convert (Builder *b, Value x, DType t);

/* Returns a value as elements: a number is repeated for a whole block. */
Value pb_elements (Builder *b, Value x);

/* Calls a function of program.def by name and suffix: "quot", "i32". Its
** operands are made elements. Its result is of type 't'. */
Value pb_function2 (Builder *b, const char *name, const char *suffix, DType t,
                    Value x, Value y);
Value pb_function1 (Builder *b, const char *name, const char *suffix, DType t,
                    Value x);
Value pb_select (Builder *b, Value mask, Value x, Value y);
int pb_findstep (const char *name, const char *suffix); /* -1: none */

/* Stores the elements of x where 'to' is. */
void pb_store (Builder *b, Value to, Value x);

/* Adds a step; fn as in Step. Returns its number. */
int pb_step (Builder *b, int fn, int n, const int *args);

/* Returns "i32", which ends the names of its kernels; "select_4" ends with the
** size. */
const char *pb_suffix (DType t);
const char *pb_sizesuffix (DType t);

/* Returns the dtype with that name in Lua; -1: there is none. */
int pb_dtypenamed (const char *name);

/* Returns the kind of numbers: 'b' bool, 'u', 'i', 'f', 'c'. */
char pb_dtypekind (DType t);

#endif

/*
** program.h - programs for the host device: the form of generated kernels
** there.
**
** DESIGN. A program is a list of steps, each one loop over a block of elements
** at a time: a host kernel (src/rt/host/kernels/host_kernels.h), or a function
** of program.def. Steps pass values in slots of 8 bytes: a number, or the
** address of elements. Where possible that is in an array, else in a register,
** which has room for one block. So a fused chain of operations reads and writes
** memory once, and the rest stays in the cache.
**
** Programs are made by build.c, and are code that the host device's
** cuModuleLoadData takes; src/rt/host/kernels/interpreter.c runs them. Like
** cubins they hold no pointers.
*/
#ifndef TIDE_RT_PROGRAM_PROGRAM_H
#define TIDE_RT_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/kernels/kernels.h"

enum {
  PROGRAM_BLOCK = 512, /* elements of a block */
  STRIDED_MOST = 4,    /* arrays, which need a step and so many slots each */
  STRIDED_SLOTS = 9,   /* beyond those for the body: */
  BODY_STEPS = 1000,
  BODY_SLOTS = 400,
  MAX_STEPS = BODY_STEPS + STRIDED_MOST,
  MAX_SLOTS = BODY_SLOTS + STRIDED_SLOTS * STRIDED_MOST,
  STEP_ARGS = 6,
  PROGRAM_ARGS = 31, /* of the kernel: the last one counts the elements */
  PARAM_AXES = 3,    /* of a strided array */
  PROGRAM_NAME = 64,
  PROGRAM_TEXTS = 448
};

typedef enum SlotKind {
  SLOT_REGISTER, /* elements: in registers at offset 'value'; or a variable's
                     array, whose name is in 'texts' at 'arg' */
  SLOT_STREAM,   /* elements: of the array that argument 'arg' points to */
  SLOT_NUMBER,   /* one number: 'value' */
  SLOT_ARG,      /* the argument itself: a number, or the address of an array
                     whose name is in 'texts' at 'value' */
  SLOT_FIRST,    /* the one element that the argument points to */
  SLOT_COUNT,    /* elements of this block */
  SLOT_INDEX,    /* index of its first element */
  SLOT_INDICES,  /* elements: the index of each, in registers at offset
                    'value' */
  SLOT_TOTAL,    /* elements in all blocks */
  SLOT_RESULT,   /* the address in the argument: moves with each result */
  SLOT_OTHER     /* elements whose address changes with each block: for 'fold',
                     those to join with the accumulator; the result of
                     'fetch' */
} SlotKind;

typedef struct Slot {
  uint8_t kind;
  uint8_t bytes; /* of an element */
  uint16_t arg;
  uint64_t value;
} Slot;

/* Functions besides the host kernels: FN_quot_i32 ... */
typedef enum ProgramFn {
#define F(name, args) FN_##name,
#include "program.def"
#undef F
  FN_COUNT
} ProgramFn;

/* Steps without a function: arg[0] is the target, arg[1] a mask. */
enum { STEP_JUMP = -1, STEP_JUMPNONE = -2 };

typedef struct Step {
  int32_t fn; /* a KernelId, PROGRAM_FNS + a ProgramFn, or STEP_... */
  uint16_t arg[STEP_ARGS];
} Step;

enum { PROGRAM_FNS = 1 << 20, IN_PREAMBLE = 1 << 15 };

#define PROGRAM_MAGIC "tideprg"

/*
** A reduction has four parts: 'map' (from step 0 on) makes the elements of a
** block, in slot 'mapped'; 'fold' joins them to those of the accumulator;
** 'post' makes a result of its first element; 'none' writes there the result
** for no elements. Its last two arguments are the number of results, and of
** elements of each.
**
** Each launch has two more arguments behind those of the kernel, of 8 bytes
** each: the id of the Runtime that launches it, by which it can be stopped, and
** the address of a DriverReport, or 0.
*/
typedef struct Program {
  char magic[8];
  char name[PROGRAM_NAME];   /* of the kernel, truncated */
  char texts[PROGRAM_TEXTS]; /* an empty one comes first */
  uint32_t bytes;            /* of registers */
  uint16_t nargs, nslots, nsteps;
  bool reduces;
  bool scatters;             /* it writes to elements that the body chooses */
  uint16_t fold, post, none; /* their first steps */
  uint16_t mapped, accumulator, other; /* slots */
  Slot slots[MAX_SLOTS];
  Step steps[MAX_STEPS];
  uint16_t lines[MAX_STEPS]; /* of each indexing step: in the body, or, with
                                IN_PREAMBLE, in the preamble */
} Program;

#define PROGRAM_OWNER(p) ((p)->nargs) /* the two arguments of each launch */
#define PROGRAM_REPORT(p) ((p)->nargs + 1)

#endif

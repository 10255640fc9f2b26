/*
** program.h - programs for the host device: what a generated kernel is there.
**
** DESIGN. A program is a list of steps, each one loop over a block of elements
** at a time: a twin of a built-in kernel (src/rt/host/kernels/elementwise.c),
** or one of program.def. What steps pass each other is in slots of 8 bytes: a
** number, or the address of elements, which is that of an array where it can be
** and of a register, room for one block, else. So a fused chain of operations
** reads and writes memory once, and the rest stays in the cache.
**
** Programs are made by program.c, and are code that the host device's
** cuModuleLoadData takes; src/rt/host/kernels/program.c runs them. Like cubins
** they hold no pointers.
*/
#ifndef TIDE_RT_PROGRAM_PROGRAM_H
#define TIDE_RT_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/kernels/kernels.h"

enum {
  PROGRAM_BLOCK = 512,  /* elements of a block */
  STRIDED_MOST = 4,     /* arrays, which need a step and so many slots each */
  STRIDED_SLOTS = 9,    /* beyond those that a body may have: */
  BODY_STEPS = 1000,
  BODY_SLOTS = 400,
  MAX_STEPS = BODY_STEPS + STRIDED_MOST,
  MAX_SLOTS = BODY_SLOTS + STRIDED_SLOTS * STRIDED_MOST,
  STEP_ARGS = 6,
  PROGRAM_ARGS = 31,    /* of the kernel: the last one is how many elements */
  PARAM_AXES = 3,       /* of a strided array */
  PROGRAM_NAME = 64,
  PROGRAM_TEXTS = 448
};

typedef enum SlotKind {
  SLOT_REGISTER,  /* elements: room at offset 'value' */
  SLOT_STREAM,    /* elements: of the array that argument 'arg' points to */
  SLOT_NUMBER,    /* one number: 'value' */
  SLOT_ARG,       /* the argument itself: a number, or an address, of an array
                     whose name is that of 'texts' at 'value' */
  SLOT_FIRST,     /* the one element that the argument points to */
  SLOT_COUNT,     /* elements of this block */
  SLOT_INDEX,     /* index of its first one */
  SLOT_TOTAL,     /* elements of all */
  SLOT_RESULT,    /* where the argument points to: moves with each result */
  SLOT_OTHER      /* elements that are elsewhere with each block: of 'fold',
                     those that join the accumulator's; what a step finds */
} SlotKind;

typedef struct Slot {
  uint8_t kind;
  uint8_t bytes;   /* of an element */
  uint16_t arg;
  uint64_t value;
} Slot;

/* Functions besides the twins: FN_quot_i32 ... */
typedef enum ProgramFn {
#define F(name, args) FN_##name,
#include "program.def"
#undef F
  FN_COUNT
} ProgramFn;

/* Steps that run no function: arg[0] is where to go, arg[1] a mask. */
enum { STEP_JUMP = -1, STEP_JUMPNONE = -2 };

typedef struct Step {
  int32_t fn;        /* a KernelId, TWINS + a ProgramFn, or STEP_... */
  uint16_t arg[STEP_ARGS];
} Step;

enum { TWINS = 1 << 20 };

#define PROGRAM_MAGIC "tideprg"

/*
** A reduction has four parts: 'map' (from step 0 on) makes the elements of a
** block, in slot 'mapped'; 'fold' joins them to those of the accumulator;
** 'post' makes a result of its first element; 'none' puts there what stands
** for no elements. Its last two arguments: how many results, of how many
** elements each.
**
** Two arguments more come with each launch behind those of the kernel, of 8
** bytes each: the id of the Runtime that launches it, by which it can be
** stopped, and the address of a DriverReport, or 0.
*/
typedef struct Program {
  char magic[8];
  char name[PROGRAM_NAME]; /* of the kernel, as far as there is room */
  char texts[PROGRAM_TEXTS];  /* the first is empty */
  uint32_t bytes;          /* of registers */
  uint16_t nargs, nslots, nsteps;
  bool reduces;
  bool scatters;           /* it writes to elements of the body's choice */
  uint16_t fold, post, none;            /* where they begin */
  uint16_t mapped, accumulator, other;  /* slots */
  Slot slots[MAX_SLOTS];
  Step steps[MAX_STEPS];
  uint16_t lines[MAX_STEPS];  /* of the body, that steps which index are from */
} Program;

#define PROGRAM_OWNER(p) ((p)->nargs)  /* which arguments those are */
#define PROGRAM_REPORT(p) ((p)->nargs + 1)

#endif

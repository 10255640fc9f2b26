/* reduction.h - what reductionkernel.c and reductioncode.c share. */
#ifndef TIDE_REDUCTION_H
#define TIDE_REDUCTION_H

#include "generated.h"

enum { REDUCTION_THREADS = 256 };

/* User values of a ReductionKernel: its texts, the kernels made so far. */
enum { REDUCTION_MAP = 1, REDUCTION_REDUCE, REDUCTION_POST,
       REDUCTION_IDENTITY, REDUCTION_MADE, REDUCTION_UVS = REDUCTION_MADE };

extern const Recipe tide_reductionrecipe;

#endif

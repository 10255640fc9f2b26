/* code_types.h - loaded code, as streams and graphs refer to it. */
#ifndef TIDE_RT_CODE_CODE_TYPES_H
#define TIDE_RT_CODE_CODE_TYPES_H

#include "rt/driver/life.h"
#include "rt/memory/block_types.h"

/* Loaded code under the name of a kernel: codes.c. */
struct RtCode {
  LIFE;                    /* referenced by Lua objects, nodes of graphs */
  struct RtModule *module; /* NULL: not loaded, or its device was left */
  RtName *name;
  MarkSet uses; /* launches that may be under way */
};

/* A variable of a module that arrays stand for. */
struct RtVariable {
  RtCode *code;   /* keeps the module; NULL: the Runtime is closed */
  RtBlock *block; /* has its memory: */
  CUdeviceptr ptr;
  size_t bytes;
  bool written; /* by kernels: it may be no constant */
  int imports;
  RtVariable *next;
};

#endif

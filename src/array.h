/* array.h - the Array type. See array.c. */
#ifndef TIDE_ARRAY_H
#define TIDE_ARRAY_H

#include "class.h"

enum { MAX_DIMS = 32 };

/* Shared by Array and HostArray: a view of a block. */
typedef struct Array {
  Object object;
  RtBlock *block;   /* NULL: no elements, or closed */
  RtDevice *dev;
  size_t off;       /* bytes from the start of the block */
  size_t size;      /* elements */
  DType dtype;
  int ndim;
  bool closed;
  int64_t dims[];   /* shape[ndim], then strides[ndim] in elements */
} Array;

extern const Class tide_arrayclass;
extern const Class tide_hostarrayclass;

#endif

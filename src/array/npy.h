/* npy.h - an array in NumPy's format, in a file or in a member. See npy.c. */
#ifndef TIDE_ARRAY_NPY_H
#define TIDE_ARRAY_NPY_H

#include "array.h"
#include "osfile.h"
#include "pieces.h"
#include "rt/archive/member.h"

/* The bytes of an array that is loaded: a file, or an open member of it. Errors
** name it by the 'path' of its copy of the file. */
typedef struct NpySource {
  WholeFile file;
  Member *member; /* or NULL */
  size_t size;
} NpySource;

/* Pushes the array, as a new one on the current device. */
void npy_load (lua_State *L, const NpySource *src);

/* Passes the bytes of an array that was checked, and is at 'idx', to the sink.
** Waits. */
void npy_save (lua_State *L, PieceSink sink, void *ud, Array *a, int idx);

/* Raises unless NumPy has the dtype of the array that is, or is in, argument 2.
** 'name' is the file or member. */
void npy_check_dtype (lua_State *L, const Array *a, const char *name);

#endif

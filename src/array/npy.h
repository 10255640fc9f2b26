/* npy.h - an array in NumPy's format, in a file or in a member. See npy.c. */
#ifndef TIDE_ARRAY_NPY_H
#define TIDE_ARRAY_NPY_H

#include "array.h"
#include "osfile.h"
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

/* The place that the bytes of an array are written to. */
typedef struct NpySink {
  void (*write)(lua_State *L, void *ud, const char *bytes, size_t n);
  void *ud;
} NpySink;

/* Writes an array that was checked, and is at 'idx'. Waits. */
void npy_save (lua_State *L, const NpySink *to, Array *a, int idx);

/* Raises unless NumPy has the dtype of the array that is, or is in, argument 2.
** 'name' is the file or member. */
void npy_check_dtype (lua_State *L, const Array *a, const char *name);

#endif

/*
** carray.h - the functions by which C modules of Lua reach each other's arrays:
** those of osch's carray, version 1.0 (https://github.com/osch/lua-carray). See
** carray.c.
*/
#ifndef TIDE_INTEROP_CARRAY_H
#define TIDE_INTEROP_CARRAY_H

#include <stddef.h>

#include <lua.h>

/* The field of a metatable: a userdata with a pointer to the functions, then
** this name. */
#define CARRAY_KEY "_capi_carray"

enum { CARRAY_MAJOR = 1, CARRAY_MINOR = 0 };

/* Types of elements, as in C. */
typedef enum CarrayType {
  CARRAY_UCHAR = 1,
  CARRAY_SCHAR,
  CARRAY_SHORT,
  CARRAY_USHORT,
  CARRAY_INT,
  CARRAY_UINT,
  CARRAY_LONG,
  CARRAY_ULONG,
  CARRAY_FLOAT,
  CARRAY_DOUBLE,
  CARRAY_LLONG,
  CARRAY_ULLONG
} CarrayType;

typedef enum CarrayAttr { CARRAY_DEFAULT, CARRAY_READONLY } CarrayAttr;

typedef struct CarrayInfo {
  CarrayType type;
  CarrayAttr attr;
  size_t size;            /* bytes of an element */
  size_t count, capacity; /* elements */
} CarrayInfo;

typedef struct Carray Carray; /* only its maker knows the contents */

typedef void CarrayRelease (void *data, size_t count);

/* An array returned by 'to...' lives as long as its value is on the stack, or
** until the last 'release' for a 'retain'; any thread may call these two. */
typedef struct CarrayApi {
  int major, minor, patch;
  const void *next; /* the functions of another version, or NULL */

  /* Make an array: of new elements, returned in *data and uninitialized, or
  ** zeros if 'data' is NULL; or of those at 'data', until release (or NULL) is
  ** called. Both push a value, and return NULL if there can be no such
  ** array. */
  Carray *(*create)(lua_State *L, CarrayType t, CarrayAttr attr, size_t count,
                    void **data);
  Carray *(*wrap)(lua_State *L, CarrayType t, CarrayAttr attr, void *data,
                  size_t count, CarrayRelease *release);

  /* Return NULL if it is no array, or not writable. 'info' may be NULL. */
  const Carray *(*toreadable)(lua_State *L, int arg, CarrayInfo *info);
  Carray *(*towritable)(lua_State *L, int arg, CarrayInfo *info);

  void (*retain)(const Carray *x);
  void (*release)(const Carray *x);

  /* Return the element at 'offset', from 0; NULL unless 'count' follow. */
  void *(*writable)(Carray *x, size_t offset, size_t count);
  const void *(*readable)(const Carray *x, size_t offset, size_t count);

  /* Returns NULL if its length is fixed. 'reserve': percent. */
  void *(*resize)(Carray *x, size_t count, int reserve);
  void *(*insert)(Carray *x, size_t offset, size_t count, int reserve);
  void (*remove)(Carray *x, size_t offset, size_t count, int reserve);
} CarrayApi;

#endif

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

/* What an element is: C's types. */
typedef enum CarrayType {
  CARRAY_UCHAR = 1, CARRAY_SCHAR, CARRAY_SHORT, CARRAY_USHORT, CARRAY_INT,
  CARRAY_UINT, CARRAY_LONG, CARRAY_ULONG, CARRAY_FLOAT, CARRAY_DOUBLE,
  CARRAY_LLONG, CARRAY_ULLONG
} CarrayType;

typedef enum CarrayAttr { CARRAY_DEFAULT, CARRAY_READONLY } CarrayAttr;

typedef struct CarrayInfo {
  CarrayType type;
  CarrayAttr attr;
  size_t size;                /* bytes of an element */
  size_t count, capacity;     /* elements */
} CarrayInfo;

typedef struct Carray Carray;  /* whoever made it knows */

typedef void CarrayRelease (void *data, size_t count);

/* One that is 'to' is as long as its value is on the stack, or until the last
** 'release' that answers a 'retain', both of which any thread may call. */
typedef struct CarrayApi {
  int major, minor, patch;
  const void *next;           /* another version of the same, or NULL */

  /* New elements, at *data and uninitialized, or zeros if that is NULL; or
  ** those at 'data', until release (or NULL) is called. Both push a value, and
  ** return NULL where there can be no such array. */
  Carray *(*create) (lua_State *L, CarrayType t, CarrayAttr attr, size_t count,
                     void **data);
  Carray *(*wrap) (lua_State *L, CarrayType t, CarrayAttr attr, void *data,
                   size_t count, CarrayRelease *release);

  /* NULL: it is none, or not to be written. 'info' may be NULL. */
  const Carray *(*toreadable) (lua_State *L, int arg, CarrayInfo *info);
  Carray *(*towritable) (lua_State *L, int arg, CarrayInfo *info);

  void (*retain) (const Carray *x);
  void (*release) (const Carray *x);

  /* The element at 'offset', from 0; NULL: there are not 'count' from there. */
  void *(*writable) (Carray *x, size_t offset, size_t count);
  const void *(*readable) (const Carray *x, size_t offset, size_t count);

  /* NULL: it does not change its length. 'reserve': percent. */
  void *(*resize) (Carray *x, size_t count, int reserve);
  void *(*insert) (Carray *x, size_t offset, size_t count, int reserve);
  void (*remove) (Carray *x, size_t offset, size_t count, int reserve);
} CarrayApi;

#endif

/* array.h - the Array and HostArray types. See array.c, hostarray.c. */
#ifndef TIDE_ARRAY_ARRAY_H
#define TIDE_ARRAY_ARRAY_H

#include "base/class.h"
#include "rt/kernels/dtypes.h"

enum { MAX_DIMS = 32 };

/*
** A view of a block: device memory in an Array, page-locked memory in a
** HostArray. Strides may be 0 and negative; 'off' is the first element's. With
** one axis it has 88 bytes, and 120 with Lua's header, a size that glibc's
** malloc finds again at once, without merging neighbours.
*/
typedef struct Array {
  Object object;
  RtBlock *block; /* NULL: no elements, or closed */
  RtDevice *dev;
  size_t off;    /* bytes from the start of the block */
  size_t size;   /* elements */
  uint8_t dtype; /* a DType */
  uint8_t ndim;
  bool dense; /* row-major without gaps, so that 'size' describes it */
  bool closed : 1;
  bool repeats : 1;  /* broadcast, or part of a broadcast array: not written */
  bool readonly : 1; /* its foreign owner allows no writes */
  bool imported : 1; /* there is room for an import behind the strides */
  uint32_t scope;    /* number of the tide.scope that closes it, or 0 */
  int64_t shape[];   /* then as many strides, in elements */
} Array;

static inline const int64_t *array_stride (const Array *a) {
  return a->shape + a->ndim;
}

/* Returns the import of its memory, if that is foreign; or NULL. */
static inline RtImport *array_import (const Array *a) {
  return a->imported ? *(RtImport *const *)(a->shape + 2 * a->ndim) : NULL;
}

static inline void array_set_import (Array *a, RtImport *import) {
  if (a->imported)
    *(RtImport **)(a->shape + 2 * a->ndim) = import;
}

/* Gives an array without memory a share in a block, and in the import. */
void array_share_block (Array *a, RtBlock *block, RtImport *import);

extern const Class array_class;
extern const Class array_host_class;

/* The error for a HostArray in place of an operand. */
extern const char array_no_host[];

/* Returns the Array at 'arg'. Raises if it is another value or closed. */
Array *array_check (lua_State *L, int arg);
Array *array_test (lua_State *L, int arg);

/* Returns the Array or HostArray at 'arg', maybe closed; NULL for another
** value. */
Array *array_test_any (lua_State *L, int arg);

/* Pushes the name of the type of a value that is no open array. */
const char *array_push_got (lua_State *L, int idx);

/* array_test_any that raises for another value. */
Array *array_check_any (lua_State *L, int arg);

/* Raises if the array at 'arg' is closed, or stale: made before its device was
** reset. */
void array_check_open (lua_State *L, int arg, const Array *a);
bool array_is_stale (const Array *a);

/* Raises if the device was reset; call it after Lua code may have run. */
void array_check_fresh (lua_State *L, const Array *a);

/*
** Pushes an array with memory of its own. 's' is the stream that uses it next.
** Raises, with figures, if there is no memory.
*/
Array *array_new (lua_State *L, RtDevice *dev, DType t, int ndim,
                  const int64_t *shape, RtStream *s);

/* Pushes a new array that no operation of 's' writes at once. A capture of 's'
** has not used its memory, so other streams may write it without taking part.
*/
Array *array_new_empty (lua_State *L, RtDevice *dev, DType t, int ndim,
                        const int64_t *shape, RtStream *s);

/* Pushes a HostArray: page-locked memory that nothing uses. Raises. */
Array *array_new_host (lua_State *L, RtDevice *dev, DType t, int ndim,
                       const int64_t *shape);

/* Writes all bytes of a HostArray once no work uses it. */
void array_write_host (lua_State *L, Array *h, const char *bytes, size_t len,
                       const char *what);

/* Read a shape at 'arg' (a number or a table) into 'shape' and return ndim. The
** second one does not check whether there can be so many elements. */
int array_read_shape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);
int array_check_shape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);

/* Raises that the value at 'idx' is no shape. 'order' lists the arguments, in
** case their order was mistaken, or is NULL. */
void array_refuse_shape (lua_State *L, int arg, int idx, const char *order);

/* The name of a shape, for list_check. */
extern const char array_shape_list[];

/* For function 'name' with a shape at 1 and a dtype at 'arg', its last one:
** raises, and says so, if it was called as name(2, 3). */
void array_check_args (lua_State *L, int arg, const char *name);

size_t array_bytes (const Array *a); /* of its elements, without gaps */
CUdeviceptr array_pointer (const Array *a);
bool array_same_shape (const Array *a, const Array *b);
void array_push_shape (lua_State *L, const Array *a); /* as text: 2x3 */
void array_push_dims (lua_State *L, int ndim, const int64_t *shape);
/* Pushes a shape, or strides, as a table that prints readably. */
void array_push_lengths (lua_State *L, int ndim, const int64_t *lengths);

/* Raises unless both arrays are on one device. */
void array_check_devices (lua_State *L, const Array *a, const Array *b);

/* Finds the strides, in elements, of a dense array of a shape, and its number
** of elements. Returns false if there cannot be so many. */
bool array_measure (int ndim, const int64_t *shape, int64_t *strides,
                    size_t *size);

/* Pushes an array without memory. Raises if its size is impossible. */
Array *array_push (lua_State *L, const Class *class, RtDevice *dev, DType t,
                   int ndim, const int64_t *shape);

/* array_push for foreign memory. */
Array *array_push_import (lua_State *L, const Class *class, RtDevice *dev,
                          DType t, int ndim, const int64_t *shape);

/* Marks the memory as known to others, who may bring it back as foreign. */
void array_expose (lua_State *L, const Array *a);

/*
** Pushes a view of 'a' whose first element is 'off' bytes into the block;
** strides NULL: dense.
*/
Array *array_push_view (lua_State *L, Array *a, int ndim, const int64_t *shape,
                        const int64_t *strides, size_t off);

/* array_push_view whose elements are of 't'; shape and strides
** count those. */
Array *array_push_view_as (lua_State *L, Array *a, DType t, int ndim,
                           const int64_t *shape, const int64_t *strides,
                           size_t off);

/* Gives a new array other strides, in elements. */
void array_set_strides (Array *a, const int64_t *strides);

/* Pushes the Array at 'arg' as a dense one: itself, or a copy queued on its
** current stream. For operations that need dense operands. */
Array *array_push_dense (lua_State *L, int arg);

/* Gives back the array's memory. Silent and idempotent. */
void array_release (Array *a);

/*
** Close the temporary arrays of an operation at its end, without waiting for
** the collector. array_drop pops the values above 'top', and closes the arrays
** among them that are not below as well. array_return does that to the values
** between the first 'args' and the result on the top, and returns 1.
*/
void array_drop (lua_State *L, int top);
int array_return (lua_State *L, int args);

/* array_scope.c: adds the new array on the top to the running coroutine's
** innermost tide.scope, if there is one. */
void array_enter_scope (lua_State *L);

/* Shared by both types: __gc and __close, __len, the fields. */
int array_gc (lua_State *L);
int array_len (lua_State *L);
extern const Function array_fields[];

/* index.c: a[i]. */
int array_index (lua_State *L);

/* from_table.c: pushes a HostArray with the contents of the nested table at
** 'arg'; dtype -1: that of its elements, whose floats have the dtype 'floats'.
** Raises if it is ragged. */
Array *array_push_table (lua_State *L, int arg, RtDevice *dev, int dtype);
Array *array_push_table_as (lua_State *L, int arg, RtDevice *dev, int dtype,
                            DType floats);

/* create.c: queues z = 0 for a dense array. */
void array_zero (lua_State *L, RtStream *s, Array *z);

/* create.c: runs tide.array(x [, dtype]) with the arguments at 1 and 2. */
int array_create (lua_State *L);

/* array_transfer.c: waits, and pushes a HostArray with the elements of 'a'. */
Array *array_fetch (lua_State *L, Array *a, const char *what);
/* Waits, and pushes the elements as nested tables. */
void array_push_nested (lua_State *L, Array *a, const char *what);
/* Raises where a blocking read is not allowed, in a capture or a host function,
** before the driver is asked. */
void array_check_readable (lua_State *L, RtStream *s, const Array *a,
                           const char *what);
/*
** Waits until Lua may read (or write) bytes [lo, hi) of the block of a
** HostArray, 'hi' 0: all that it spans. On return no work uses them; later
** calls of Lua may change that.
*/
void array_wait_host (lua_State *L, const Array *h, size_t lo, size_t hi,
                      bool write, const char *what);

/* Waits for all uses of an Array or a HostArray. */
void array_wait_idle (lua_State *L, const Array *a, const char *what);

/* Waits for the copies to a HostArray that is private to the caller. Runs no
** host functions if it can, so that nothing changes meanwhile. */
void array_wait_own (lua_State *L, const Array *h, const char *what);
/* Queues the copy of all elements of 'from' to 'to', on 's'. */
void array_copyto (lua_State *L, RtStream *s, Array *to, Array *from);
/* Writes the value at 'arg' (number, boolean, table, array) into 'a'. */
void array_assign (lua_State *L, Array *a, int arg);
extern const Function array_transfer_methods[];

/* cast.c */
void array_fill_with (lua_State *L, RtStream *s, Array *a, int arg);
/* Queues the conversion of all elements to the dtype of 'to'; 'from' is
** dense. */
void array_cast (lua_State *L, RtStream *s, Array *to, Array *from);
/* Pushes 'a' as an array of 't' (itself if it is one). */
Array *array_push_cast (lua_State *L, int arg, DType t);

/* index.c: pairs(a). */
int array_pairs (lua_State *L);

/* print.c */
int array_tostring (lua_State *L);

/* Adds an access of 'a' to an operation: all bytes from its lowest element to
** its highest. */
void array_access (Op *op, const Array *a, bool write);

#endif

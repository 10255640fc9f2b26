/* array.h - the Array and HostArray types. See array.c, hostarray.c. */
#ifndef TIDE_ARRAY_ARRAY_H
#define TIDE_ARRAY_ARRAY_H

#include "base/class.h"

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
  bool lent : 1;     /* there is room for a loan behind the strides */
  uint32_t scope;    /* number of the tide.scope that closes it, or 0 */
  int64_t shape[];   /* then as many strides, in elements */
} Array;

static inline const int64_t *tide_strides (const Array *a) {
  return a->shape + a->ndim;
}

/* Returns the loan by which its memory came, if that is foreign; or NULL. */
static inline RtLoan *tide_loan (const Array *a) {
  return a->lent ? *(RtLoan *const *)(a->shape + 2 * a->ndim) : NULL;
}

static inline void tide_setloan (Array *a, RtLoan *loan) {
  if (a->lent)
    *(RtLoan **)(a->shape + 2 * a->ndim) = loan;
}

/* Gives an array without memory a share in a block, and in the loan. */
void tide_shareblock (Array *a, RtBlock *block, RtLoan *loan);

extern const Class tide_arrayclass;
extern const Class tide_hostarrayclass;

/* The error for a HostArray in place of an operand. */
extern const char tide_nohostarray[];

/* Returns the Array at 'arg'. Raises if it is another value or closed. */
Array *tide_checkarray (lua_State *L, int arg);
Array *tide_testarray (lua_State *L, int arg);

/* Returns the Array or HostArray at 'arg', maybe closed; NULL for another
** value. */
Array *tide_testany (lua_State *L, int arg);

/* tide_testany that raises for another value. */
Array *tide_checkany (lua_State *L, int arg);

/* Raises if the array at 'arg' is closed, or stale: made before its device was
** reset. */
void tide_checkopen (lua_State *L, int arg, const Array *a);
bool tide_isstale (const Array *a);

/* Raises if the device was reset; call it after Lua code may have run. */
void tide_checkfresh (lua_State *L, const Array *a);

/*
** Pushes an array with memory of its own. 's' is the stream that uses it next.
** Raises, with figures, if there is no memory.
*/
Array *tide_newarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s);

/* Pushes a new array that no operation of 's' writes at once. A capture of 's'
** has not used its memory, so other streams may write it without taking part.
*/
Array *tide_newempty (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s);

/* Pushes a HostArray: page-locked memory that nothing uses. Raises. */
Array *tide_newhostarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                          const int64_t *shape);

/* Writes all bytes of a HostArray once no work uses it. */
void tide_sethost (lua_State *L, Array *h, const char *bytes, size_t len,
                   const char *what);

/* Read a shape at 'arg' (a number or a table) into 'shape' and return ndim. The
** second one does not check whether there can be so many elements. */
int tide_readshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);
int tide_checkshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);

/* Raises that the value at 'idx' is no shape. 'order' lists the arguments, in
** case their order was mistaken, or is NULL. */
void tide_wrongshape (lua_State *L, int arg, int idx, const char *order);

/* The name of a shape, for tide_checklist. */
extern const char tide_shapelist[];

/* For function 'name' with a shape at 1 and a dtype at 'arg', its last one:
** raises, and says so, if it was called as name(2, 3). */
void tide_checkshaped (lua_State *L, int arg, const char *name);

size_t tide_nbytes (const Array *a); /* of its elements, without gaps */
CUdeviceptr tide_pointer (const Array *a);
bool tide_sameshape (const Array *a, const Array *b);
void tide_pushshape (lua_State *L, const Array *a); /* as text: 2x3 */
void tide_pushdims (lua_State *L, int ndim, const int64_t *shape);

/* Raises unless both arrays are on one device. */
void tide_checkdevices (lua_State *L, const Array *a, const Array *b);

/* Finds the strides, in elements, of a dense array of a shape, and its number
** of elements. Returns false if there cannot be so many. */
bool tide_isshape (int ndim, const int64_t *shape, int64_t *strides,
                   size_t *size);

/* Pushes an array without memory. Raises if its size is impossible. */
Array *tide_pusharray (lua_State *L, const Class *class, RtDevice *dev, DType t,
                       int ndim, const int64_t *shape);

/* tide_pusharray for foreign memory. */
Array *tide_pushlent (lua_State *L, const Class *class, RtDevice *dev, DType t,
                      int ndim, const int64_t *shape);

/* Marks the memory as known to others, who may bring it back as foreign. */
void tide_exposearray (lua_State *L, const Array *a);

/*
** Pushes a view of 'a' whose first element is 'off' bytes into the block;
** strides NULL: dense.
*/
Array *tide_pushview (lua_State *L, Array *a, int ndim, const int64_t *shape,
                      const int64_t *strides, size_t off);

/* Gives a new array other strides, in elements. */
void tide_setstrides (Array *a, const int64_t *strides);

/* Pushes the Array at 'arg' as a dense one: itself, or a copy queued on its
** current stream. For operations that need dense operands. */
Array *tide_pushdense (lua_State *L, int arg);

/* Gives back the array's memory. Silent and idempotent. */
void tide_closearray (Array *a);

/*
** Close the temporary arrays of an operation at its end, without waiting for
** the collector. tide_drop pops the values above 'top', and closes the arrays
** among them that are not below as well. tide_return does that to the values
** between the first 'args' and the result on the top, and returns 1.
*/
void tide_drop (lua_State *L, int top);
int tide_return (lua_State *L, int args);

/* array_scope.c: adds the new array on the top to the running coroutine's
** innermost tide.scope, if there is one. */
void tide_enterscope (lua_State *L);

/* Shared by both types: __gc and __close, __len, the fields. */
int tide_array__gc (lua_State *L);
int tide_array__len (lua_State *L);
extern const Function tide_arrayfields[];

/* index.c: a[i]. */
int tide_array_index (lua_State *L);

/* create.c: pushes a HostArray with the contents of the nested table at 'arg';
** dtype -1: that of its elements. Raises if it is ragged. */
Array *tide_pushtable (lua_State *L, int arg, RtDevice *dev, int dtype);

/* create.c: queues z = 0 for a dense array. */
void tide_zero (lua_State *L, RtStream *s, Array *z);

/* create.c: runs tide.array(x [, dtype]) with the arguments at 1 and 2. */
int tide_array (lua_State *L);

/* transfer.c: waits, and pushes a HostArray with the elements of 'a'. */
Array *tide_fetch (lua_State *L, Array *a, const char *what);
/* Waits, and pushes the elements as nested tables. */
void tide_pushnested (lua_State *L, Array *a, const char *what);
/* Raises where a blocking read is not allowed, in a capture or a host function,
** before the driver is asked. */
void tide_checkreadable (lua_State *L, RtStream *s, const Array *a,
                         const char *what);
/*
** Waits until Lua may read (or write) bytes [lo, hi) of the block of a
** HostArray, 'hi' 0: all that it spans. On return no work uses them; later
** calls of Lua may change that.
*/
void tide_waithost (lua_State *L, const Array *h, size_t lo, size_t hi,
                    bool write, const char *what);

/* Waits for all uses of an Array or a HostArray. */
void tide_waitidle (lua_State *L, const Array *a, const char *what);

/* Waits for the copies to a HostArray that is private to the caller. Runs no
** host functions if it can, so that nothing changes meanwhile. */
void tide_waitown (lua_State *L, const Array *h, const char *what);
/* Queues the copy of all elements of 'from' to 'to', on 's'. */
void tide_copy (lua_State *L, RtStream *s, Array *to, Array *from);
/* Writes the value at 'arg' (number, boolean, table, array) into 'a'. */
void tide_assign (lua_State *L, Array *a, int arg);
extern const Function tide_transfermethods[];

/* cast.c */
void tide_fillarray (lua_State *L, RtStream *s, Array *a, int arg);
/* Queues the conversion of all elements to the dtype of 'to'; 'from' is
** dense. */
void tide_cast (lua_State *L, RtStream *s, Array *to, Array *from);
/* Pushes 'a' as an array of 't' (itself if it is one). */
Array *tide_pushcast (lua_State *L, int arg, DType t);

/* index.c: pairs(a). */
int tide_array__pairs (lua_State *L);

/* print.c */
int tide_array__tostring (lua_State *L);

/* Adds an access of 'a' to an operation: all bytes from its lowest element to
** its highest. */
void tide_access (Op *op, const Array *a, bool write);

#endif

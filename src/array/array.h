/* array.h - what Array and HostArray are. See array.c, hostarray.c. */
#ifndef TIDE_ARRAY_ARRAY_H
#define TIDE_ARRAY_ARRAY_H

#include "base/class.h"

enum { MAX_DIMS = 32 };

/*
** A view of a block: device memory in an Array, page-locked memory in a
** HostArray. Strides may be 0 and negative; 'off' is the first element's.
** With one axis it is 88 bytes, and 120 with what Lua has before: as much as
** glibc's malloc finds again at once, without looking for neighbours.
*/
typedef struct Array {
  Object object;
  RtBlock *block;   /* NULL: no elements, or closed */
  RtDevice *dev;
  size_t off;       /* bytes from the start of the block */
  size_t size;      /* elements */
  uint8_t dtype;    /* a DType */
  uint8_t ndim;
  bool dense;       /* row-major without gaps, so that size says it all */
  bool closed : 1;
  bool repeats : 1; /* it is broadcast, or part of what is: not written */
  bool readonly : 1;  /* its owner, somebody else, allows no writes */
  bool lent : 1;    /* there is room for a loan behind the strides */
  uint32_t scope;   /* number of the tide.scope that closes it, or 0 */
  int64_t shape[];  /* then as many strides, in elements */
} Array;

static inline const int64_t *tide_strides (const Array *a) {
  return a->shape + a->ndim;
}

/* By which its memory came, if that is somebody else's; or NULL. */
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

/* What is said of a HostArray where an operand is wanted. */
extern const char tide_nohostarray[];

/* The Array at 'arg'; raises if it is another thing or closed. */
Array *tide_checkarray (lua_State *L, int arg);
Array *tide_testarray (lua_State *L, int arg);

/* An Array or HostArray at 'arg', maybe closed; NULL: another thing. */
Array *tide_testany (lua_State *L, int arg);

/* The same; raises if it is another thing. */
Array *tide_checkany (lua_State *L, int arg);

/* Raises if the array at 'arg' is closed, or stale: made before its device was
** reset. */
void tide_checkopen (lua_State *L, int arg, const Array *a);
bool tide_isstale (const Array *a);

/* After Lua code may have run: raises if it reset the device. */
void tide_checkfresh (lua_State *L, const Array *a);

/*
** Pushes an array with memory of its own. 's': the stream that uses it next.
** Raises, with figures, if there is no memory.
*/
Array *tide_newarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s);

/* The same for an array that no operation of 's' writes at once: its memory is
** none that a capture of 's' has used, so that other streams may write it
** without taking part. */
Array *tide_newempty (lua_State *L, RtDevice *dev, DType t, int ndim,
                      const int64_t *shape, RtStream *s);

/* Pushes a HostArray: page-locked memory that nothing uses. Raises. */
Array *tide_newhostarray (lua_State *L, RtDevice *dev, DType t, int ndim,
                          const int64_t *shape);

/* Writes all bytes of a HostArray, once nothing else uses it. */
void tide_sethost (lua_State *L, Array *h, const char *bytes, size_t len,
                   const char *what);

/* Reads a shape at 'arg' (a number or a table) into 'shape'; returns ndim. The
** other one leaves it to the caller whether there can be so many elements. */
int tide_readshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);
int tide_checkshape (lua_State *L, int arg, int64_t shape[MAX_DIMS]);

/* Raises: what is at 'idx' is no shape. 'order': what the arguments are, if it
** may have been mistaken, or NULL. */
void tide_wrongshape (lua_State *L, int arg, int idx, const char *order);

/* What it is, for tide_checklist. */
extern const char tide_shapelist[];

/* 'name' wants a shape at 1 and a dtype at 'arg', the last one: says so if it
** was called as name(2, 3). */
void tide_checkshaped (lua_State *L, int arg, const char *name);

size_t tide_nbytes (const Array *a);  /* of its elements; gaps not counted */
CUdeviceptr tide_pointer (const Array *a);
bool tide_sameshape (const Array *a, const Array *b);
void tide_pushshape (lua_State *L, const Array *a);  /* as text: 2x3 */
void tide_pushdims (lua_State *L, int ndim, const int64_t *shape);

/* Raises unless both are on one device. */
void tide_checkdevices (lua_State *L, const Array *a, const Array *b);

/* The strides, in elements, of a dense array of a shape, and how many elements
** it has; false: more than there can be. */
bool tide_isshape (int ndim, const int64_t *shape, int64_t *strides,
                   size_t *size);

/* Pushes an array without memory; raises if its size cannot be. */
Array *tide_pusharray (lua_State *L, const Class *class, RtDevice *dev,
                       DType t, int ndim, const int64_t *shape);

/* The same for memory that somebody lends. */
Array *tide_pushlent (lua_State *L, const Class *class, RtDevice *dev, DType t,
                      int ndim, const int64_t *shape);

/* Others are told where it is, and may bring it back as memory of theirs. */
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
** current stream. For operations that know dense operands only. */
Array *tide_pushdense (lua_State *L, int arg);

/* Gives its memory back; silent, idempotent. */
void tide_closearray (Array *a);

/*
** What an operation makes for itself goes with it, not when the collector
** comes: tide_drop pops what stands above 'top', and closes the arrays of it
** that stand nowhere below; tide_return does that to all between the first
** 'args' and the result on the top, and returns 1.
*/
void tide_drop (lua_State *L, int top);
int tide_return (lua_State *L, int args);

/* array_scope.c: the new array on the top joins the running coroutine's
** innermost tide.scope, if there is one. */
void tide_enterscope (lua_State *L);

/* Shared by both types: __gc and __close, the fields. */
int tide_array__gc (lua_State *L);
int tide_array__len (lua_State *L);
extern const Function tide_arrayfields[];

/* index.c: a[i]. */
int tide_array_index (lua_State *L);

/* create.c: pushes a HostArray with what the nested table at 'arg' holds;
** dtype -1: that of its elements. Raises if it is ragged. */
Array *tide_pushtable (lua_State *L, int arg, RtDevice *dev, int dtype);

/* create.c: queues z = 0, of a dense array. */
void tide_zero (lua_State *L, RtStream *s, Array *z);

/* create.c: tide.array(x [, dtype]) of the arguments at 1 and 2. */
int tide_array (lua_State *L);

/* transfer.c: pushes a HostArray with the elements of 'a', waiting for them. */
Array *tide_fetch (lua_State *L, Array *a, const char *what);
/* Pushes the elements as nested tables, waiting for them. */
void tide_pushnested (lua_State *L, Array *a, const char *what);
/* Blocking reads are illegal in a capture and in a host function: said before
** the driver is asked. */
void tide_checkreadable (lua_State *L, RtStream *s, const Array *a,
                         const char *what);
/*
** Waits until Lua may read (or write) bytes [lo, hi) of the block of a
** HostArray, 'hi' 0: all that it spans. At that moment nothing uses them; what
** Lua does before it is done with them may change that.
*/
void tide_waithost (lua_State *L, const Array *h, size_t lo, size_t hi,
                    bool write, const char *what);

/* Waits for all that uses an Array or a HostArray. */
void tide_waitidle (lua_State *L, const Array *a, const char *what);

/* Waits for the copies to a HostArray that nobody else has: without host
** functions, if it can be had so, and nothing changes meanwhile. */
void tide_waitown (lua_State *L, const Array *h, const char *what);
/* Queues the copy of all elements of one to the other, on 's'. */
void tide_copy (lua_State *L, RtStream *s, Array *to, Array *from);
/* Writes what is at 'arg' (number, boolean, table, array) into 'a'. */
void tide_assign (lua_State *L, Array *a, int arg);
extern const Function tide_transfermethods[];

/* cast.c */
void tide_fillarray (lua_State *L, RtStream *s, Array *a, int arg);
/* Queues the conversion of all elements, those of 'from' being dense, to the
** dtype of 'to'. */
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

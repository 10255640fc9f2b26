/* indices.h - indices along an axis as arguments, and values to store there.
** See indices.c, index_values.c. */
#ifndef TIDE_OPS_INDICES_H
#define TIDE_OPS_INDICES_H

#include "array/dtype.h"
#include "device/index_error.h"
#include "operands.h"

#include "kernels/ops.h" /* PLACE_RAISE ... */

/* Indices of an axis of n elements, as they were given. */
typedef struct Indices {
  const char *what; /* the name of the operation, for errors */
  size_t mode;      /* a PLACE, which tells kernels how to read them */
  size_t base;      /* of the argument: 0 or 1 */
  Array *array;     /* int64, dense, on the device, and from 1 or 'plain' */
  size_t n;
  bool seen;    /* they have been checked */
  bool plain;   /* the kernel reads them as they were given, by the base */
  size_t given; /* the base that they were given with, */
  size_t more;  /* and by how much move_out has moved them */
} Indices;

/* Reads the options 'mode' and 'base' of the table or nil at 'options'. */
void indices_read_options (lua_State *L, int options, Indices *x);

/* Reads option 'base' alone: 0, or 1 by default. */
size_t indices_read_base (lua_State *L, int options);

/*
** Pushes the indices at 'arg', an array, a table or an integer, for an axis of
** n elements of 'a' (NULL: of no array), on the device of 's'; 'x' has the
** options. Indices in Lua are checked here; only a kernel sees indices on the
** device.
*/
void indices_push (lua_State *L, int arg, const Array *a, RtStream *s, size_t n,
                   Indices *x);

/*
** Pushes the indices as places in memory, from 1: of elements [o,index,j] if
** they have the shape of 'at', whose axis has x->n elements; otherwise sets
** 'at' to {1, the number of indices, 1}. A missing place is 0 or, with 'keep',
** the value that move_out makes of the index; the next kernel that looks there
** has to report it. A call that begins again would report it twice, so only its
** last operation does.
*/
Array *indices_push_places (lua_State *L, RtStream *s, Indices *x, Lines at,
                            bool keep);

/* Pushes the check for a kernel that reports indices by report_index, before
** the launch. Returns NULL and pushes nothing if none is needed. */
Check *indices_push_check (lua_State *L, const RtStream *s, const Indices *x);

/* Pushes a check of the indices of each axis of a shape, of which 'x' are the
** last, by word_of_axis. */
Check *indices_check_axes (lua_State *L, const RtStream *s, const Indices *x,
                           int ndim, const int64_t *shape);

/* Pushes the error that an axis of n elements has no index i. 'axis', from 1,
** is set if there are several. 'base': indices count from it. */
const char *indices_push_error (lua_State *L, int64_t i, int axis, size_t n,
                                size_t base);

/* Values that go into an array. */
typedef struct Values {
  Array *array; /* dense, of a's dtype and device, apart; NULL: a number */
  Element number;
  size_t n; /* elements, which are repeated */
} Values;

/*
** Reads the values at 'arg' for 'a', broadcast to a shape. Arrays that it makes
** stay on the stack. 'whole': a number becomes an array as well.
*/
void indices_read_values (lua_State *L, int arg, Array *a, RtStream *s,
                          int ndim, const int64_t *shape, bool whole,
                          Values *v);

/* Pushes the value at 'arg', which is no number, as an array of the device and
** dtype of 'a' that shares no memory with it. */
Array *indices_push_values (lua_State *L, int arg, Array *a, RtStream *s);

/* Makes values for a shape of the array that indices_push_values has pushed;
** errors name 'arg'. */
void indices_fit_values (lua_State *L, int arg, int ndim, const int64_t *shape,
                         Values *v);

/* Reads the number at 'arg', or pushes it as an array of one element. */
void indices_read_number (lua_State *L, int arg, Array *a, RtStream *s,
                          bool whole, Values *v);

/* Returns where to write a result that covers a part of 'a': 'a' itself if it
** is dense, else a dense copy, pushed, which indices_copy_back copies back. */
Array *indices_push_target (lua_State *L, RtStream *s, Array *a);

/* Says that the operation, which writes z, is the last one before that copy. */
void indices_plan_copy (Op *op, Array *a, Array *z);
void indices_copy_back (lua_State *L, RtStream *s, Array *a, Array *z);

/* put.c: queues z = v at the indices; 'at' are the lines of z, which is 'a' or
** is copied back to it next. */
void indices_put (lua_State *L, RtStream *s, Array *a, Array *z, Indices *x,
                  Lines at, const Values *v);

/* Puts values with an index for each value, of lines 'at', in rows of up to
** ALONG_ROW elements of z. */
void indices_put_along (lua_State *L, RtStream *s, Array *a, Array *z,
                        Indices *x, Lines at, const Values *v);

#endif

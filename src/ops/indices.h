/* indices.h - places along an axis as arguments, and values to put there. See
** indices.c, values.c. */
#ifndef TIDE_OPS_INDICES_H
#define TIDE_OPS_INDICES_H

#include "array/dtype.h"
#include "device/index_error.h"
#include "operands.h"

#include "kernels/ops.h"  /* PLACE_RAISE ... */

/* Indices of an axis of n elements, as they were given. */
typedef struct Indices {
  const char *what;  /* is done with them, for errors */
  size_t mode;       /* a PLACE, by which kernels read them */
  size_t base;       /* of the argument: 0 or 1 */
  Array *array;      /* int64, dense, of the device, and from 1 */
  size_t n;
  bool seen;         /* they have been looked at */
  size_t given;      /* the base that they were given with, */
  size_t more;       /* and by how much move_out has moved them */
} Indices;

/* Reads the options 'mode' and 'base' of the table or nil at 'options'. */
void tide_readindexoptions (lua_State *L, int options, Indices *x);

/* Reads 'base' alone: 0, or 1 by default. */
size_t tide_readbase (lua_State *L, int options);

/*
** Pushes the indices at 'arg', an array, a table or an integer, for an axis of
** n elements of 'a' (NULL: of none), on the device of 's'; 'x' has the options.
** Those in Lua are looked at here; those on the device only a kernel sees.
*/
void tide_pushindices (lua_State *L, int arg, const Array *a, RtStream *s,
                       size_t n, Indices *x);

/*
** Pushes the indices as places in memory, from 1: of elements [o,index,j] if
** they have the shape 'at' says, whose axis has x->n elements; else 'at' is {1,
** the number of indices, 1}. 0 where there is no such place, or 'keep': what
** move_out makes of the index. Who looks there next has to tell of it. A call
** that has to begin again would tell twice, so its last operation does.
*/
Array *tide_pushplaces (lua_State *L, RtStream *s, Indices *x, Lines at,
                        bool keep);

/* What a kernel that looks at them tells by tell_index, pushed before the
** launch; NULL, and nothing pushed: it need not. */
Check *tide_pushindexcheck (lua_State *L, const RtStream *s,
                            const Indices *x);

/* The same of indices of each axis of a shape, of which 'x' are the last, by
** word_of_axis. */
Check *tide_pushaxescheck (lua_State *L, const RtStream *s, const Indices *x,
                           int ndim, const int64_t *shape);

/* Pushes that index i is none of an axis of n elements; 'axis', from 1, is that
** of several. 'base': indices count from it. */
const char *tide_pushnoindex (lua_State *L, int64_t i, int axis, size_t n,
                              size_t base);

/* Values that go into an array. */
typedef struct Values {
  Array *array;    /* dense, of its dtype and device, apart; NULL: a number */
  Element number;
  size_t n;        /* elements, which come again and again */
} Values;

/*
** Reads the values at 'arg' that go into 'a', broadcast to a shape; what it has
** to make stays on the stack. 'whole': a number is an array as well.
*/
void tide_readvalues (lua_State *L, int arg, Array *a, RtStream *s, int ndim,
                      const int64_t *shape, bool whole, Values *v);

/* Pushes what is at 'arg', which is no number, as an array of the device and
** dtype of 'a' that has no memory in common with it. */
Array *tide_pushvalues (lua_State *L, int arg, Array *a, RtStream *s);

/* The array on the top, which that has pushed, as values for a shape; 'arg' is
** to blame. */
void tide_fitvalues (lua_State *L, int arg, int ndim, const int64_t *shape,
                     Values *v);

/* The number at 'arg', or an array pushed, which has it alone. */
void tide_readnumber (lua_State *L, int arg, Array *a, RtStream *s, bool whole,
                      Values *v);

/* Where a result goes that is written in part: 'a' itself if it is dense, else
** a dense copy, pushed, to be brought back by tide_bringback. */
Array *tide_pushinner (lua_State *L, RtStream *s, Array *a);

/* The operation that writes z is the last but that. */
void tide_bindback (Op *op, Array *a, Array *z);
void tide_bringback (lua_State *L, RtStream *s, Array *a, Array *z);

/* put.c: queues z = v at the indices; 'at' are the lines of z, which is 'a' or
** is brought back to it next. */
void tide_put (lua_State *L, RtStream *s, Array *a, Array *z, Indices *x,
               Lines at, const Values *v);

/* The same by an index for each value, whose lines those are, in rows of up to
** ALONG_ROW elements of z. */
void tide_putalong (lua_State *L, RtStream *s, Array *a, Array *z, Indices *x,
                    Lines at, const Values *v);

#endif

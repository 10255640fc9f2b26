/* contract.h - products of two arrays, summed over some of their axes. See
** contract.c. */
#ifndef TIDE_OPS_CONTRACT_H
#define TIDE_OPS_CONTRACT_H

#include "array/array.h"
#include "array/dtype.h"

/* A label for each axis: axes of one label are one index of the sum. */
typedef uint8_t Label;
enum { LABELS = 256 };

/* An array on the stack, no two of whose axes have the same label. */
typedef struct Labelled {
  int at;
  int ndim;
  Label label[MAX_DIMS];
} Labelled;

/* Which labels the result has. */
typedef struct Kept {
  bool has[LABELS];
} Kept;

/* Pushes the array, summed over what is not kept; *z says what it is. All are
** of one dtype, which the result has too; bools are added by 'or'. */
void tide_sumlabels (lua_State *L, const Labelled *x, const Kept *kept,
                     Labelled *z);

/*
** Pushes the product of x and y, of one dtype, summed over what is not kept.
** First are what both have, then what x alone has, then y, each in its order.
** Axes of one label have one length, or one of them has a single element.
*/
void tide_contract (lua_State *L, const Labelled *x, const Labelled *y,
                    const Kept *kept, Labelled *z);

/* Pushes the view of z whose axes are those labels, which it has all; an axis
** of one element for each label that it lacks. */
void tide_arrange (lua_State *L, const Labelled *z, int ndim,
                   const Label *labels);

/* What a dtype is multiplied and added in: float32 for those of 16 bits. */
DType tide_productdtype (DType t);

/*
** The product on the top is finished: of dtype 't', dense, in memory that
** none of the arrays at 'first' to 'last' has; or in the option 'out' of the
** table at 'options', which was checked. Returns 1.
*/
int tide_finishproduct (lua_State *L, DType t, int first, int last,
                        int options);

#endif

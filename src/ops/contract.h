/* contract.h - products of two arrays, summed over some of their axes. See
** contract.c. */
#ifndef TIDE_OPS_CONTRACT_H
#define TIDE_OPS_CONTRACT_H

#include "array/array.h"
#include "array/dtype.h"

/* A label for each axis: axes with the same label are one index of the sum. */
typedef uint8_t Label;
enum { LABELS = 256 };

/* An array on the stack whose axes have different labels. */
typedef struct Labelled {
  int at;
  int ndim;
  Label label[MAX_DIMS];
} Labelled;

/* The labels of the result. */
typedef struct KeptLabels {
  bool has[LABELS];
} KeptLabels;

/* Pushes the array, summed over the labels that are not kept; *z describes it.
** The result has the dtype of x; bools are added by 'or'. */
void contract_sum (lua_State *L, const Labelled *x, const KeptLabels *kept,
                   Labelled *z);

/*
** Pushes the product of x and y, of one dtype, summed over the labels that are
** not kept. First come the labels that both have, then those that only x has,
** then those of y, each in its order. Axes with the same label have one length,
** or one of them has a single element.
*/
void contract_product (lua_State *L, const Labelled *x, const Labelled *y,
                       const KeptLabels *kept, Labelled *z);

/* Pushes the view of z whose axes are those labels, which include all of z's;
** an axis of one element stands for each label that z lacks. */
void contract_view (lua_State *L, const Labelled *z, int ndim,
                    const Label *labels);

/* Returns the dtype in which products of 't' are added: float32 for 16 bits. */
DType contract_dtype (DType t);

/*
** Finishes the product on the top: gives it dtype 't', makes it dense, in
** memory that it shares with none of the arrays at 'first' to 'last'; or puts
** it in the option 'out' of the table at 'options', which was checked. Returns
** 1.
*/
int contract_finish (lua_State *L, DType t, int first, int last, int options);

#endif

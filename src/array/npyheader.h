/* npyheader.h - what an .npy file says about its data. See npyheader.c. */
#ifndef TIDE_ARRAY_NPYHEADER_H
#define TIDE_ARRAY_NPYHEADER_H

#include "array.h"

enum {
  NPY_PROLOGUE = 12,         /* at most that much comes before the text */
  NPY_TEXT_MOST = 1 << 16,   /* of NumPy itself no header is longer */
  NPY_HEADER_MOST = 1024     /* what write_header makes is shorter */
};

typedef struct NpyHeader {
  DType dtype;
  bool fortran;              /* the first axis is the fastest */
  int ndim;
  int64_t shape[MAX_DIMS];
  char why[128];             /* what is wrong, where a function says so */
} NpyHeader;

/*
** From the first 'n' bytes of a file: where the text begins, and its length.
** False: it is no .npy file that can be read.
*/
bool tide_readprologue (NpyHeader *h, const unsigned char *bytes, size_t n,
                        size_t *begin, size_t *length);

/* Reads the text. False if it makes no sense, or means what tide has not. */
bool tide_readnpy (NpyHeader *h, const char *text, size_t n);

/*
** Writes all that comes before the data of such an array, a multiple of 64
** bytes; returns how many. 0: NumPy has no such dtype.
*/
size_t tide_writenpy (const Array *a, char to[NPY_HEADER_MOST]);

#endif

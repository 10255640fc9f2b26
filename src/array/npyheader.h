/* npyheader.h - the header of an .npy file. See npyheader.c. */
#ifndef TIDE_ARRAY_NPYHEADER_H
#define TIDE_ARRAY_NPYHEADER_H

#include "array.h"

enum {
  NPY_PROLOGUE = 12,       /* the most bytes before the text */
  NPY_TEXT_MOST = 1 << 16, /* NumPy itself writes no longer header */
  NPY_HEADER_MOST = 1024   /* npyheader_write writes shorter ones */
};

typedef struct NpyHeader {
  DType dtype;
  bool fortran; /* the first axis is the fastest */
  int ndim;
  int64_t shape[MAX_DIMS];
  char why[128]; /* why a function has failed, if it says */
} NpyHeader;

/*
** Finds the start and length of the text in the first 'n' bytes of a file.
** Returns false if it is no .npy file that can be read.
*/
bool npyheader_find (NpyHeader *h, const unsigned char *bytes, size_t n,
                     size_t *begin, size_t *length);

/* Reads the text. Returns false if it is wrong, or means more than tide has. */
bool npyheader_read (NpyHeader *h, const char *text, size_t n);

/*
** Writes the whole header of such an array, a multiple of 64 bytes; returns its
** length, or 0 if NumPy has no such dtype.
*/
size_t npyheader_write (const Array *a, char to[NPY_HEADER_MOST]);

#endif

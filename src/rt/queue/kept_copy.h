/* kept_copy.h - copies of operations that are kept. See kept_copy.c. */
#ifndef TIDE_RT_QUEUE_KEPT_COPY_H
#define TIDE_RT_QUEUE_KEPT_COPY_H

#include "kept_types.h"
#include "op_types.h"
#include "rt/rt.h"

/*
** Tells whether 'op' can be kept. A recording that others see cannot, because
** they ask the driver, or wait on their devices, which must not wait for Lua.
** Nor can a kernel whose parameters the driver does not describe (before CUDA
** 12.4).
*/
bool kept_copy_can (const RtStream *s, const Op *op);

/* Copies an operation into one allocation: the struct, points, accesses, the
** job for cuBLAS or cuSOLVER, parameters. */
Status kept_copy_new (RtStream *s, const Op *op, const Point *points, int n,
                      RtKept **out);

#endif

/*
** tables.h - the look-up tables of the built-in kernels. kernels/generate.lua
** makes tables.c, which defines them, from kernels/table.lua; kernels.c reads
** them. A type without kernels of its own has the ids of the kernels that it
** borrows. Negative: there is no such kernel, or the operation is undefined.
*/
#ifndef TIDE_RT_KERNELS_TABLES_H
#define TIDE_RT_KERNELS_TABLES_H

#include "kernels.h"

extern const int16_t rt_binary_kernels[BINARY_COUNT][FORM_COUNT][DTYPE_COUNT];
extern const int16_t rt_unary_kernels[UNARY_COUNT][DTYPE_COUNT];
extern const int16_t rt_strided_unary_kernels[UNARY_COUNT][DTYPE_COUNT];
extern const int16_t rt_cast_kernels[DTYPE_COUNT][DTYPE_COUNT]; /* to, from */
extern const int16_t rt_arange_kernels[DTYPE_COUNT];
extern const int16_t rt_clip_kernels[DTYPE_COUNT];
extern const int16_t rt_nan_to_num_kernels[DTYPE_COUNT];
extern const int16_t rt_round_to_kernels[DTYPE_COUNT];
extern const int16_t rt_isclose_kernels[DTYPE_COUNT];
extern const int16_t rt_matmul_kernels[DTYPE_COUNT];
extern const int16_t rt_reduce_kernels[REDUCE_COUNT][REDUCE_STAGES]
                                      [DTYPE_COUNT];
extern const int16_t rt_axis_kernels[REDUCE_COUNT][DTYPE_COUNT];
extern const int16_t rt_scan_kernels[SCAN_COUNT][SCAN_STAGES][DTYPE_COUNT];
extern const int16_t rt_find_kernels[FIND_COUNT][DTYPE_COUNT];

/* By the size of an element: 1, 2, 4, 8, 16 bytes. */
enum { WIDTHS = 5 };
extern const int16_t rt_fill_kernels[WIDTHS];
extern const int16_t rt_copy_kernels[WIDTHS];
extern const int16_t rt_transpose_kernels[WIDTHS];
extern const int16_t rt_bywidth_kernels[BYWIDTH_COUNT][WIDTHS];

/* The operation that gives the same with x and y exchanged. */
extern const int8_t rt_turned_ops[BINARY_COUNT];

/* The DTypes of results, and of the accumulators of reductions. */
extern const int8_t rt_binary_types[BINARY_COUNT][DTYPE_COUNT];
extern const int8_t rt_unary_types[UNARY_COUNT][DTYPE_COUNT];
extern const int8_t rt_reduce_types[REDUCE_COUNT][DTYPE_COUNT];
extern const int8_t rt_partial_types[REDUCE_COUNT][DTYPE_COUNT];

/* The intermediate type where there are no kernels: of reductions, elementwise
** operations, casts of real numbers; and the types of the parts of complex
** numbers. */
extern const int8_t rt_via_types[REDUCE_COUNT][DTYPE_COUNT];
extern const int8_t rt_wider_types[DTYPE_COUNT];
extern const int8_t rt_near_types[DTYPE_COUNT];
extern const int8_t rt_part_types[DTYPE_COUNT];

#endif

/*
** tables.h - the look-up tables of the built-in kernels. kernels/generate.lua
** makes tables.c, which defines them, from kernels/table.lua; kernels.c reads
** them. A type without kernels of its own has the ids of the kernels that it
** borrows. Negative: there is no such kernel, or the operation is undefined.
*/
#ifndef TIDE_RT_KERNELS_TABLES_H
#define TIDE_RT_KERNELS_TABLES_H

#include "kernels.h"

extern const int16_t table_binary_kernels[BINARY_COUNT][FORM_COUNT]
                                         [DTYPE_COUNT];
extern const int16_t table_unary_kernels[UNARY_COUNT][DTYPE_COUNT];
extern const int16_t table_strided_unary_kernels[UNARY_COUNT][DTYPE_COUNT];
extern const int16_t table_cast_kernels[DTYPE_COUNT]
                                       [DTYPE_COUNT]; /* to, from */
extern const int16_t table_arange_kernels[DTYPE_COUNT];
extern const int16_t table_clip_kernels[DTYPE_COUNT];
extern const int16_t table_nan_to_num_kernels[DTYPE_COUNT];
extern const int16_t table_round_to_kernels[DTYPE_COUNT];
extern const int16_t table_isclose_kernels[DTYPE_COUNT];
extern const int16_t table_matmul_kernels[DTYPE_COUNT];
extern const int16_t table_reduce_kernels[REDUCE_COUNT][REDUCE_STAGES]
                                         [DTYPE_COUNT];
extern const int16_t table_axis_kernels[REDUCE_COUNT][DTYPE_COUNT];
extern const int16_t table_scan_kernels[SCAN_COUNT][SCAN_STAGES][DTYPE_COUNT];
extern const int16_t table_find_kernels[FIND_COUNT][DTYPE_COUNT];

/* By the size of an element: 1, 2, 4, 8, 16 bytes. */
enum { WIDTHS = 5 };
extern const int16_t table_fill_kernels[WIDTHS];
extern const int16_t table_copy_kernels[WIDTHS];
extern const int16_t table_transpose_kernels[WIDTHS];
extern const int16_t table_bywidth_kernels[BYWIDTH_COUNT][WIDTHS];

/* The operation that gives the same with x and y exchanged. */
extern const int8_t table_turned_ops[BINARY_COUNT];

/* The DTypes of results, and of the accumulators of reductions. */
extern const int8_t table_binary_types[BINARY_COUNT][DTYPE_COUNT];
extern const int8_t table_unary_types[UNARY_COUNT][DTYPE_COUNT];
extern const int8_t table_reduce_types[REDUCE_COUNT][DTYPE_COUNT];
extern const int8_t table_partial_types[REDUCE_COUNT][DTYPE_COUNT];

/* The intermediate type where there are no kernels: of reductions, elementwise
** operations, casts of real numbers; and the types of the parts of complex
** numbers. */
extern const int8_t table_via_types[REDUCE_COUNT][DTYPE_COUNT];
extern const int8_t table_wider_types[DTYPE_COUNT];
extern const int8_t table_near_types[DTYPE_COUNT];
extern const int8_t table_part_types[DTYPE_COUNT];

#endif

/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_OPS_OPENERS_H
#define TIDE_OPS_OPENERS_H

#include "base/state.h"

void open_concatenate (lua_State *L);
void open_roll (lua_State *L);
void open_tile (lua_State *L);
void open_split (lua_State *L);
void open_meshgrid (lua_State *L);
void open_triangle (lua_State *L);
void open_pad (lua_State *L);
void open_insert (lua_State *L);
void open_one_hot (lua_State *L);
void open_elementwise (lua_State *L);
void open_complex_math (lua_State *L);
void open_convolve (lua_State *L);
void open_fft (lua_State *L);
void open_fftfreq (lua_State *L);
void open_lapack (lua_State *L);
void open_recursion (lua_State *L);
void open_reduce (lua_State *L);
void open_cumulative (lua_State *L);
void open_matmul (lua_State *L);
void open_products (lua_State *L);
void open_norm (lua_State *L);
void open_softmax (lua_State *L);
void open_einsum (lua_State *L);
void open_scatter (lua_State *L);
void open_sort (lua_State *L);
void open_partition (lua_State *L);
void open_mask (lua_State *L);
void open_put (lua_State *L);
void open_along (lua_State *L);
void open_nonzero (lua_State *L);
void open_unravel (lua_State *L);
void open_where_clip (lua_State *L);
void open_random (lua_State *L);
void open_generator (lua_State *L);
void open_distributions (lua_State *L);
void open_differences (lua_State *L);
void open_gradient (lua_State *L);
void open_polyval (lua_State *L);
void open_search (lua_State *L);
void open_isin (lua_State *L);
void open_bincount (lua_State *L);
void open_histogram (lua_State *L);
void open_quantile (lua_State *L);
void open_unique (lua_State *L);
void open_sets (lua_State *L);
void open_topk (lua_State *L);
void open_nanfolds (lua_State *L);
void open_covariance (lua_State *L);
void open_statistics (lua_State *L);
void open_argminmax (lua_State *L);
void open_symbol (lua_State *L);
void open_compare (lua_State *L);
void open_modf_frexp (lua_State *L);
void open_composed (lua_State *L);

#endif

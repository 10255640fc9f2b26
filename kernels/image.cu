/*
** image.cu - all kernels in one translation unit, because one image is one
** module, and a module is found, loaded and unloaded as a whole. units.cuh has
** the kernels that kernels/generate.lua makes, a file for an operation.
*/
#include "kernels/units.cuh"
#include "along.cu"
#include "two_results.cu"
#include "buckets.cu"
#include "compact.cu"
#include "convolve.cu"
#include "count.cu"
#include "dot.cu"
#include "fault.cu"
#include "interleave.cu"
#include "moments.cu"
#include "places.cu"
#include "random.cu"
#include "rejection.cu"
#include "rows.cu"
#include "scatter.cu"
#include "search.cu"
#include "select.cu"
#include "softmax.cu"
#include "sort.cu"
#include "spin.cu"
#include "sums.cu"
#include "topk.cu"
#include "transpose.cu"

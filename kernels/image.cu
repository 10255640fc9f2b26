/*
** image.cu - all kernels in one translation unit, since one image is one module
** and a module is found, loaded and unloaded as a whole. Functions of one file
** serve another: those of elementwise.cu strided.cu, of reduce.cu axis.cu.
*/
#include "elementwise.cu"
#include "fault.cu"
#include "matmul.cu"
#include "random.cu"
#include "reduce.cu"
#include "axis.cu"
#include "rows.cu"
#include "scan.cu"
#include "select.cu"
#include "sort.cu"
#include "spin.cu"
#include "strided.cu"
#include "transpose.cu"

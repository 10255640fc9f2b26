/* kernel_headers.h - what kernels may include without a file. See
** kernel_headers.c. */
#ifndef TIDE_RT_CODE_KERNEL_HEADERS_H
#define TIDE_RT_CODE_KERNEL_HEADERS_H

/* For nvrtcCreateProgram: first the plain ones, which users' sources see too,
** then those of generated kernels. */
extern const char *const rt_headers[];
extern const char *const rt_headernames[];
extern const int rt_headercount, rt_plaincount;

#endif

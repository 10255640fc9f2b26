/* kernel_headers.h - the headers that kernels include without a file. See
** kernel_headers.c. */
#ifndef TIDE_RT_CODE_KERNEL_HEADERS_H
#define TIDE_RT_CODE_KERNEL_HEADERS_H

/* For nvrtcCreateProgram: first the public headers, for users' sources too,
** then those of generated kernels. */
extern const char *const kernel_header_texts[];
extern const char *const kernel_header_names[];
extern const int kernel_header_count, kernel_header_public;

#endif

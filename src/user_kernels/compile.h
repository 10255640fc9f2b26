/* compile.h - sources to modules, with the compiler's messages as errors. See
** compile.c. */
#ifndef TIDE_USER_KERNELS_COMPILE_H
#define TIDE_USER_KERNELS_COMPILE_H

#include "kernel_code.h"
#include "rt/code/codes.h"

/* Loads a source for 'c', compiled if need be. Raises; 'what' names the kernel
** in messages. Pushes the compiler's messages if the source wants them. */
void compile_load (lua_State *L, Code *c, RtSource *source, const char *what);

/* Notes in the source what the host program permits; tide_module calls it. */
void compile_permit (lua_State *L, RtSource *source);

/* Finds out whether the source's n bytes are compiled code already: PTX, a
** cubin or a fatbin. Raises if such code is not whole. */
void compile_find_binary (lua_State *L, RtSource *source, size_t n,
                          const char *what);

/* Pushes a full userdata that frees its RtImage, which is empty. */
RtImage *compile_push_image (lua_State *L);

/* Raises the failure of nvrtc_compile or code_compile, unless it is 0. */
void compile_check (lua_State *L, Status st, const RtImage *image,
                    const char *what);

/* Raises unless kernels in CUDA C can run on 'dev'. */
void compile_check_cuda (lua_State *L, const RtDevice *dev, const char *what);

/* Reads the list of texts at 'idx' (a string counts as one; nil as none).
** Returns their number. The list must stay on the stack, because it holds
** them. */
int compile_read_texts (lua_State *L, int idx, const char *what, int max,
                        const char **at);

/* Pushes a copy of such a list, because its owner may change it. */
void compile_push_texts (lua_State *L, int idx, const char *what, int max);

#endif

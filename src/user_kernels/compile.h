/* compile.h - sources to modules; raises what the compiler says. See
** compile.c. */
#ifndef TIDE_USER_KERNELS_COMPILE_H
#define TIDE_USER_KERNELS_COMPILE_H

#include "code.h"
#include "rt/code/codes.h"

/* Loads a source for 'c', compiled if need be. Raises; 'what' names the kernel
** in messages. */
void tide_compilecode (lua_State *L, Code *c, RtSource *source,
                       const char *what);

/* Says in the source what the host program permits; tide_module does it. */
void tide_permitsource (lua_State *L, RtSource *source);

/* Pushes a full userdata that frees its RtImage, empty as yet. */
RtImage *tide_pushimage (lua_State *L);

/* Raises what came of rt_compile or rt_compilecode, unless it is 0. */
void tide_checkcompiled (lua_State *L, Status st, const RtImage *image,
                         const char *what);

/* Raises unless kernels in CUDA C can run on 'dev'. */
void tide_checkcuda (lua_State *L, const RtDevice *dev, const char *what);

/* The list of texts at 'idx' (a string counts as one; nil as none): how many,
** and where they are. The list must stay on the stack. */
int tide_readtexts (lua_State *L, int idx, const char *what, int max,
                    const char **at);

#endif

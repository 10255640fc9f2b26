/* dlpack.h - arrays handed over and taken in as DLPack has it. See dlpack.c. */
#ifndef TIDE_INTEROP_DLPACK_H
#define TIDE_INTEROP_DLPACK_H

#include "include/tide.h"

/* Functions of tide_Api. */
tide_Managed *api_todlpack (lua_State *L, int arg, void *stream);
void api_fromdlpack (lua_State *L, tide_Managed *m, void *stream,
                     unsigned flags);

#endif

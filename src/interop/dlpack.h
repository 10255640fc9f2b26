/* dlpack.h - hands arrays over and takes them in by DLPack. See dlpack.c. */
#ifndef TIDE_INTEROP_DLPACK_H
#define TIDE_INTEROP_DLPACK_H

#include "include/tide.h"

/* Functions of tide_Api. */
tide_Managed *dlpack_export (lua_State *L, int arg, void *stream);
void dlpack_import (lua_State *L, tide_Managed *m, void *stream,
                    unsigned flags);

#endif

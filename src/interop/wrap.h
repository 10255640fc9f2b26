/* wrap.h - arrays over foreign memory. See wrap.c. */
#ifndef TIDE_INTEROP_WRAP_H
#define TIDE_INTEROP_WRAP_H

#include "array/array.h"
#include "include/tide.h"
#include "rt/memory/import.h"

/* Pushes an array like a tensor, without memory yet; *kind: the kind of memory
** that it will have. Raises if there can be no such array. */
Array *wrap_push (lua_State *L, const tide_Tensor *t, unsigned flags,
                  RtForeign *kind);

/* Gives it the tensor's memory, which is foreign; release(ud) is called after
** the last use. Runs no Lua; if it fails, nothing was done. */
Status wrap_give_memory (Array *a, const tide_Tensor *t, RtForeign kind,
                         tide_Release release, void *ud);

/* Gives an array memory that tide has handed out: it shares block and
** import. */
void wrap_share_block (Array *a, const tide_Tensor *t, RtBlock *block,
                       RtImport *import);

/* Takes the memory back without telling the owner. */
void wrap_take_back (Array *a);

/* Functions of tide_Api. */
void wrap_create (lua_State *L, const tide_Tensor *t, unsigned flags);
void wrap_tensor (lua_State *L, const tide_Tensor *t, unsigned flags,
                  tide_Release release, void *ud);

void open_wrap (lua_State *L);

#endif

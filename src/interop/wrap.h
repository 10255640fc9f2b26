/* wrap.h - arrays over memory of others. See wrap.c. */
#ifndef TIDE_INTEROP_WRAP_H
#define TIDE_INTEROP_WRAP_H

#include "array/array.h"
#include "include/tide.h"
#include "rt/memory/foreign.h"

/* Pushes an array like a tensor, without memory yet; *kind: of what it will be.
** Raises if there can be none. */
Array *tide_pushtensor (lua_State *L, const tide_Tensor *t, unsigned flags,
                        RtForeign *kind);

/* Gives it the tensor's memory, of somebody else's, whose release(ud) is called
** when it is used no more. Runs no Lua; if it fails, nothing was done. */
Status tide_givememory (Array *a, const tide_Tensor *t, RtForeign kind,
                        tide_Release release, void *ud);

/* The same with what we have handed out, which shares block and loan. */
void tide_takehome (Array *a, const tide_Tensor *t, RtBlock *block,
                    RtLoan *loan);

/* Takes it back: the owner is not told. */
void tide_takememory (Array *a);

/* Functions of tide_Api. */
void api_create (lua_State *L, const tide_Tensor *t, unsigned flags);
void api_wrap (lua_State *L, const tide_Tensor *t, unsigned flags,
               tide_Release release, void *ud);

void tide_openwrap (lua_State *L);

#endif

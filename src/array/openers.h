/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_ARRAY_OPENERS_H
#define TIDE_ARRAY_OPENERS_H

#include "base/state.h"

void open_hostarray (lua_State *L);
void open_array (lua_State *L);
void open_index (lua_State *L);
void open_shape (lua_State *L);
void open_view (lua_State *L);
void open_axes (lua_State *L);
void open_diagonal (lua_State *L);
void open_memory (lua_State *L);
void open_array_scope (lua_State *L);
void open_dtype (lua_State *L);
void open_dtype_info (lua_State *L);
void open_complex (lua_State *L);
void open_create (lua_State *L);
void open_upload (lua_State *L);
void open_transfer (lua_State *L);
void open_cast (lua_State *L);
void open_patterns (lua_State *L);
void open_npy (lua_State *L);
void open_text_file (lua_State *L);
void open_text_write (lua_State *L);
void open_image (lua_State *L);
void open_file (lua_State *L);
void open_file_transfer (lua_State *L);
void open_small_files (lua_State *L);
void open_print (lua_State *L);

#endif

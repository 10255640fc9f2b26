/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_ARRAY_OPENERS_H
#define TIDE_ARRAY_OPENERS_H

#include "base/state.h"

void tide_openhostarray (lua_State *L);
void tide_openarray (lua_State *L);
void tide_openindex (lua_State *L);
void tide_openshape (lua_State *L);
void tide_openaxes (lua_State *L);
void tide_opendiagonal (lua_State *L);
void tide_openmemory (lua_State *L);
void tide_openscope (lua_State *L);
void tide_opendtype (lua_State *L);
void tide_openinfo (lua_State *L);
void tide_opencomplex (lua_State *L);
void tide_opencreate (lua_State *L);
void tide_openupload (lua_State *L);
void tide_opentransfer (lua_State *L);
void tide_opencast (lua_State *L);
void tide_openpatterns (lua_State *L);
void tide_opennpy (lua_State *L);
void tide_openimage (lua_State *L);
void tide_openfile (lua_State *L);
void tide_openfiletransfer (lua_State *L);
void tide_opensmallfiles (lua_State *L);
void tide_openprint (lua_State *L);

#endif
